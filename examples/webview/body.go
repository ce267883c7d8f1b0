package main

import (
	"net/http"

	"github.com/go-extbody/extbody/externalbody/webbody"
)

// serveBody sends a verified body, never in a form that could act in our name.
func (s *Server) serveBody(w http.ResponseWriter, r *http.Request) {
	j := s.job(r)
	if j == nil {
		http.NotFound(w, r)
		return
	}
	j.mu.Lock()
	spool := j.spool
	j.mu.Unlock()
	if spool == nil {
		http.NotFound(w, r)
		return
	}
	webbody.ServeSpool(w, r, spool, r.FormValue("save") != "")
}
