// Package webbody answers HTTP requests with bodies that messages refer to.
//
// Such a body comes from a stranger. Served with its own media type it could run a script
// in the name of the site, and io.Copy would make a complete answer of a body that fails
// its verification. The functions of this package take care of both:
//
//   - Only types in which nothing can act are named, with nosniff. Every other body is a
//     file to save.
//   - Every answer is in a sandbox, by a Content-Security-Policy.
//   - A body that fails is an error status before the first octet, and an aborted
//     connection after it.
//
// Several goroutines may call all functions at once.
package webbody

import (
	"cmp"
	"encoding/hex"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
)

// saved is the media type of a file to save.
const saved = "application/octet-stream"

// charsets are those in which a browser may show text. Every one has markup only in the
// octets of US-ASCII, unlike UTF-7.
var charsets = map[string]bool{
	"utf-8": true, "iso-8859-1": true, "iso-8859-15": true, "windows-1252": true, "iso-2022-jp": true,
	"shift_jis": true, "gb18030": true, "big5": true, "koi8-r": true,
}

// Shown returns the Content-Type with which a browser may show a body of a media type. It
// returns false if the body can only be saved. Bodies that can be shown are PNG, JPEG, GIF
// and WebP pictures, and text/plain. Text in an unknown charset is shown as UTF-8.
func Shown(mediaType string) (contentType string, ok bool) {
	name, params, err := mime.ParseMediaType(mediaType)
	if err != nil {
		return saved, false
	}
	switch name {
	case "image/png", "image/jpeg", "image/gif", "image/webp":
		return name, true
	case "text/plain":
		charset := strings.ToLower(params["charset"])
		if !charsets[charset] {
			charset = "utf-8" // of which US-ASCII is a part
		}
		return mime.FormatMediaType(name, map[string]string{"charset": charset}), true
	}
	return saved, false
}

// A Disposition is how a browser takes a body (RFC 6266 section 4.2).
type Disposition uint8

const (
	// Attachment has the body saved as a file.
	Attachment Disposition = iota

	// Inline has the body shown if Shown allows its media type, and otherwise saved.
	Inline
)

// ServeSpool answers req with a Spool, with ranges and conditions. If the Spool does not have
// the octets that were verified, the connection is aborted by a panic with
// [http.ErrAbortHandler]; a range that is not the whole body is not compared.
func ServeSpool(w http.ResponseWriter, req *http.Request, s *externalbody.Spool, d Disposition) {
	if s.Report.SHA256 != nil {
		w.Header().Set("ETag", `"`+hex.EncodeToString(s.Report.SHA256)+`"`)
	}
	ServeContent(w, req, s.NewReader(), &Content{MediaType: s.MediaType, FileName: s.FileName, ModTime: s.ModTime}, d)
}

// A Content describes a body that is kept elsewhere.
type Content struct {
	MediaType string
	FileName  string    // the name under which a browser saves the body
	ModTime   time.Time // the zero Time if it is not known
}

// ServeContent answers req with the octets of a body that is kept elsewhere, with ranges and the conditions of
// c.ModTime and of an ETag in the header of w. If octets cannot be read, the connection is aborted by a panic with
// [http.ErrAbortHandler].
func ServeContent(w http.ResponseWriter, req *http.Request, octets io.ReadSeeker, c *Content, d Disposition) {
	setHeader(w.Header(), c.MediaType, c.FileName, d)
	r := &checked{ReadSeeker: octets}
	http.ServeContent(w, req, "", c.ModTime, r)
	if r.err != nil {
		panic(http.ErrAbortHandler)
	}
}

// SetPageHeader sets the fields of a page that shows bodies of these functions: nothing in it can act, and it
// loads its style sheet, pictures and frames from its own server alone. The functions that answer with bodies
// replace the policy by a stricter one.
func SetPageHeader(h http.Header) {
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'self'; img-src 'self'; frame-src 'self'; "+
		"form-action 'self'; frame-ancestors 'self'; base-uri 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
}

// ServeBody answers req with a Body while it is fetched, and closes it. Nothing of the Body
// may have been read: if octets were, the status is 500. The answer has no ranges. If the Body fails, the status
// is 502, or 404 if the server does not have it. If octets have been sent by then, the connection is
// aborted by a panic with [http.ErrAbortHandler]. A client of HTTP/1.0 would take that for
// the end of a body of unknown size, so it gets status 505 for such a body.
func ServeBody(w http.ResponseWriter, req *http.Request, b *externalbody.Body, d Disposition) {
	defer b.Close()
	if b.Report().Bytes > 0 {
		http.Error(w, "the start of the body was read before", http.StatusInternalServerError)
		return
	}
	if b.Size < 0 && !req.ProtoAtLeast(1, 1) {
		http.Error(w, "HTTP/1.1 is needed", http.StatusHTTPVersionNotSupported)
		return
	}
	h := w.Header()
	setHeader(h, b.MediaType, b.Report().FileName(), d)
	h.Set("Accept-Ranges", "none")
	h.Set("Cache-Control", "no-store")
	if b.Size >= 0 {
		h.Set("Content-Length", strconv.FormatInt(b.Size, 10))
	}
	if req.Method == http.MethodHead {
		return
	}
	n, err := b.WriteTo(w)
	switch {
	case err == nil:
	case n > 0:
		panic(http.ErrAbortHandler)
	default:
		h.Del("Content-Length")
		h.Del("Content-Disposition")
		status := http.StatusBadGateway
		if fetch.KindOf(err) == fetch.NotFound {
			status = http.StatusNotFound
		}
		http.Error(w, fetch.KindOf(err).Error(), status)
	}
}

// A checked reader records its error, which [http.ServeContent] ignores.
type checked struct {
	io.ReadSeeker
	err error
}

func (c *checked) Read(p []byte) (int, error) {
	n, err := c.ReadSeeker.Read(p)
	if err != nil && err != io.EOF {
		c.err = err
	}
	return n, err
}

// setHeader sets the fields with which a body cannot act.
func setHeader(h http.Header, mediaType, name string, d Disposition) {
	contentType, shown := Shown(mediaType)
	if d != Inline || !shown {
		contentType = saved
		disposition := cmp.Or(mime.FormatMediaType("attachment", map[string]string{"filename": name}), "attachment")
		h.Set("Content-Disposition", disposition)
	}
	h.Set("Content-Type", contentType)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox; frame-ancestors 'self'")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Referrer-Policy", "no-referrer")
}
