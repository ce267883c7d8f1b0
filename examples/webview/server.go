package main

import (
	"embed"
	"html/template"
	"io"
	"net"
	"net/http"
	"net/mail"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/dialect"
	"github.com/go-extbody/extbody/fetch"
)

//go:embed web
var web embed.FS

// A Server shows messages and opens the bodies that they refer to. It is safe for
// concurrent use after all messages are added.
type Server struct {
	// Hosts are the names, with ports, by which browsers may call the server, in
	// addition to the loopback interface. Other names are refused: a site that
	// points its own name to our address must not read the pages.
	Hosts []string

	fetcher  fetch.Fetcher
	messages []*letter
	pages    *template.Template
	handler  http.Handler

	mu   sync.Mutex
	jobs []*job // the oldest first
}

// A letter is a message and the bodies that it refers to.
type letter struct {
	Number        int
	From, Subject string
	message       *externalbody.Message
	Bodies        []*body
}

// A body has one or several references.
type body struct {
	Letter *letter
	Number int
	alts   []*externalbody.Reference
}

// Add adds a message. It is read from r until the Server is closed.
func (s *Server) Add(r io.ReaderAt, size int64) error {
	m, err := externalbody.Open(r, size, &externalbody.OpenOptions{Dialects: dialect.All()})
	if err != nil {
		return err
	}
	l := &letter{Number: len(s.messages), message: m, Subject: "(no subject)"}
	if head, err := mail.ReadMessage(io.NewSectionReader(r, 0, min(size, 64<<10))); err == nil {
		l.From = clean(decodeWords(head.Header.Get("From")), 120)
		if text := clean(decodeWords(head.Header.Get("Subject")), 200); text != "" {
			l.Subject = text
		}
	}
	for alts := range m.Alternatives() {
		l.Bodies = append(l.Bodies, &body{Letter: l, Number: len(l.Bodies), alts: slices.Clone(alts)})
	}
	s.messages = append(s.messages, l)
	return nil
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

// ServeHTTP implements [http.Handler].
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'self'; img-src 'self'; frame-src 'self'; form-action 'self'; frame-ancestors 'self'; base-uri 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
	if !s.ours(r.Host) {
		http.Error(w, "this is not the name of the server", http.StatusMisdirectedRequest)
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, 1<<20)
	s.handler.ServeHTTP(w, r)
}

// ours reports whether a Host field names this server.
func (s *Server) ours(host string) bool {
	if slices.Contains(s.Hosts, host) {
		return true
	}
	name, _, err := net.SplitHostPort(host)
	if err != nil {
		name = strings.Trim(host, "[]")
	}
	addr, err := netip.ParseAddr(name)
	return name == "localhost" || err == nil && addr.IsLoopback()
}

// list shows the messages.
func (s *Server) list(w http.ResponseWriter, r *http.Request) {
	s.render(w, http.StatusOK, "list.html", s.messages)
}

// ways returns the plans for a body, one for each of its references.
func (s *Server) ways(b *body) []*way {
	r := &externalbody.Resolver{Fetcher: s.fetcher}
	var all []*way
	for _, ref := range b.alts {
		all = append(all, newWay(r.Plan(ref), ref))
	}
	return all
}

func (s *Server) letter(r *http.Request) *letter {
	n, err := strconv.Atoi(r.PathValue("letter"))
	if err != nil || n < 0 || n >= len(s.messages) {
		return nil
	}
	return s.messages[n]
}

func (s *Server) render(w http.ResponseWriter, status int, name string, data any) {
	var page strings.Builder
	if err := s.pages.ExecuteTemplate(&page, name, data); err != nil {
		http.Error(w, "the page cannot be made", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	io.WriteString(w, page.String())
}
