package main

import (
	"mime"
	"net/http"
	"strings"

	"github.com/go-extbody/extbody/externalbody"
)

// How a body is shown.
type showing int

const (
	saved   showing = iota // not at all; it can be saved
	picture                // as an image
	text                   // in its own frame
)

// shown says how a body of a media type is shown, and as which type. The list has types
// in which nothing can act.
func shown(mediaType string) (showing, string) {
	name, params, err := mime.ParseMediaType(mediaType)
	if err != nil {
		return saved, "application/octet-stream"
	}
	switch name {
	case "image/png", "image/jpeg", "image/gif", "image/webp":
		return picture, name
	case "text/plain":
		charset := strings.ToLower(params["charset"])
		switch charset {
		case "iso-8859-1", "iso-8859-15", "windows-1252", "iso-2022-jp", "shift_jis", "gb18030", "big5", "koi8-r":
		default:
			charset = "utf-8" // of which US-ASCII is a part
		}
		return text, mime.FormatMediaType(name, map[string]string{"charset": charset})
	}
	return saved, "application/octet-stream"
}

// serveBody sends a verified body, never in a form that could act in our name: with the
// announced type if that is harmless, otherwise as a file to save, and in a sandbox in
// both cases.
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
	kind, mediaType := shown(spool.MediaType)
	h := w.Header()
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox; frame-ancestors 'self'")
	h.Set("Content-Type", mediaType)
	if kind == saved || r.FormValue("save") != "" {
		h.Set("Content-Type", "application/octet-stream")
		h.Set("Content-Disposition", disposition(spool))
	}
	http.ServeContent(w, r, "", spool.ModTime, spool.SectionReader)
}

// disposition returns the field that makes a browser save the body under its name.
func disposition(spool *externalbody.Spool) string {
	if v := mime.FormatMediaType("attachment", map[string]string{"filename": spool.FileName}); v != "" {
		return v
	}
	return "attachment"
}
