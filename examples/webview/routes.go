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
	mux.HandleFunc("POST /m/{letter}", s.openAll)
	mux.HandleFunc("GET /m/{letter}/progress", s.tally)
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
	files := s.files(l)
	page := struct {
		*letter
		Cards []*card
		Tally *tally
	}{l, cards(l.Number, files), l.tally(files)}
	s.render(w, http.StatusOK, "message.html", page)
}

// tally shows how many files of a message are here. Only the frame in the page is loaded again and again.
func (s *Server) tally(w http.ResponseWriter, r *http.Request) {
	l := s.letter(r)
	if l == nil {
		http.NotFound(w, r)
		return
	}
	t := l.tally(s.files(l))
	if t.Running {
		w.Header().Set("Refresh", "1")
	}
	s.render(w, http.StatusOK, "tally.html", t)
}

// files returns the bodies of a message with their Plans and jobs.
func (s *Server) files(l *letter) []*file {
	var list []*file
	for _, b := range l.Bodies {
		f := &file{body: b, Ways: s.ways(b)}
		if j := s.find(func(j *job) bool { return j.body == b }); j != nil {
			f.Job = j.view()
		}
		list = append(list, f)
	}
	return list
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
