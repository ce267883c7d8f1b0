package main

import (
	"embed"
	"io"
	"net"
	"net/http"
	"net/mail"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/dialect"
	"github.com/go-extbody/extbody/externalbody/webbody"
)

//go:embed web
var web embed.FS

// Add adds a message. It is read from r until the Server is closed.
func (s *Server) Add(r io.ReaderAt, size int64) error {
	m, err := externalbody.Open(r, size, &externalbody.OpenOptions{Dialects: dialect.All()})
	if err != nil {
		return err
	}
	l := &letter{Number: len(s.messages), message: m, Subject: "(no subject)"}
	if head, err := mail.ReadMessage(io.NewSectionReader(r, 0, min(size, 64<<10))); err == nil {
		l.From = clean(decodeWords(head.Header.Get("From")), 120)
		if date, err := head.Header.Date(); err == nil {
			l.Date = date
		}
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

// Unread returns why parts could not be looked into, although files may be in them. It is "" if there are no such parts.
func (l *letter) Unread() string {
	var reasons []string
	for u := range l.message.Unread() {
		if reason := strings.ReplaceAll(string(u.Reason), "-", " "); !slices.Contains(reasons, reason) {
			reasons = append(reasons, reason)
		}
	}
	if len(reasons) == 0 {
		return ""
	}
	return "not all of it could be looked into: " + strings.Join(reasons, ", ")
}

// ServeHTTP implements [http.Handler].
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	webbody.SetPageHeader(w.Header())
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
