package main

import (
	"html/template"
	"net/http"

	"github.com/go-extbody/extbody/fetch"
)

// NewServer returns a Server that gets bodies from a Fetcher. Package safefetch has the
// one for strangers' URLs.
func NewServer(f fetch.Fetcher) *Server {
	s := &Server{fetcher: f}
	s.pages = template.Must(template.New("").ParseFS(web, "web/*.html"))
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", s.list)
	mux.HandleFunc("GET /style.css", func(w http.ResponseWriter, r *http.Request) { http.ServeFileFS(w, r, web, "web/style.css") })
	mux.HandleFunc("GET /m/{letter}", s.show)
	mux.HandleFunc("POST /m/{letter}/{body}", s.open)
	mux.HandleFunc("GET /job/{job}", s.ofJob(s.progress))
	mux.HandleFunc("GET /job/{job}/{frame}", s.ofJob(s.progress))
	mux.HandleFunc("POST /job/{job}/answer", s.ofJob(s.answer))
	mux.HandleFunc("POST /job/{job}/stop", s.ofJob(s.stop))
	mux.HandleFunc("GET /body/{job}", s.ofJob(s.serveBody))
	s.handler = http.NewCrossOriginProtection().Handler(mux)
	return s
}

// show shows a message with the Plans for its bodies.
func (s *Server) show(w http.ResponseWriter, r *http.Request) {
	l := s.letter(r)
	if l == nil {
		http.NotFound(w, r)
		return
	}
	type row struct {
		*body
		Ways []*way
		Job  *view
	}
	page := struct {
		*letter
		Rows []row
	}{letter: l}
	for _, b := range l.Bodies {
		line := row{body: b, Ways: s.ways(b)}
		if j := s.find(func(j *job) bool { return j.body == b }); j != nil {
			line.Job = j.view()
		}
		page.Rows = append(page.Rows, line)
	}
	s.render(w, http.StatusOK, "message.html", page)
}

// Close stops opening bodies, and removes them.
func (s *Server) Close() {
	s.mu.Lock()
	jobs := s.jobs
	s.jobs = nil
	s.mu.Unlock()
	for _, j := range jobs {
		j.close()
	}
}
