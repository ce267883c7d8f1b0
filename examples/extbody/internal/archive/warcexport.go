package archive

import (
	"archive/zip"
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/textproto"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive/exchange"
	"github.com/go-extbody/extbody/examples/extbody/internal/archive/ledger"
	"github.com/go-extbody/extbody/examples/extbody/internal/archive/warc"
	"github.com/go-extbody/extbody/examples/extbody/internal/store"
	"github.com/go-extbody/extbody/internal/codec/charset"
	"github.com/go-extbody/extbody/internal/file/below"
)

// An octetCount is the number of octets that were written to it.
type octetCount int64

func (n *octetCount) Write(p []byte) (int, error) {
	*n += octetCount(len(p))
	return len(p), nil
}

// A warcExport writes the exchanges of the archive as WARC, with whole bodies for revisit
// records.
type warcExport struct {
	a     *Archive
	o     *ExportOptions
	c     *choice // nil for everything
	w     io.Writer
	n     int64 // the number of records
	end   octetCount
	cdx   []string // the lines of an index
	pages []page

	missed map[string]bool // files of exchanges that are lost

	ids map[string]string // the new IDs of the records of an attempt without their passwords, by the old ones

	title string    // of the pages of an attempt
	at    time.Time // for records without a date
}

type page struct {
	ID  string `json:"id"`
	URL string `json:"url"`
	TS  string `json:"ts"`

	Title string `json:"title,omitempty"`
}

func (e *warcExport) write(ctx context.Context) error {
	e.missed = make(map[string]bool)
	m := new(MessageRecord)
	return e.a.lines(func(l *ledger.Line, record any) error {
		if _, ok := record.(*Run); ok {
			if e.n > 0 {
				return nil
			}
			return e.record(&warc.Record{
				Type:        warc.Info,
				Date:        l.Time,
				ContentType: warc.FieldsType,
				Block: []byte("software: " + e.a.agent + "\r\nformat: WARC File Format 1.1\r\n" +
					"description: exported from an archive whose ledger ends with line " +
					e.a.Head().String() + "\r\n"),
			})
		}
		f, _ := attempted(record)
		if e.c != nil {
			if _, ok := e.c.keys[f.Key]; !ok {
				return nil
			}
		}
		c, _ := record.(*Capture)
		if at := e.a.index.message(f.Message); m.SHA256 != f.Message && len(at) > 0 {
			if err := e.a.line(at[0], m); err != nil {
				return err
			}
		}
		var title []string
		for _, s := range []string{cmp.Or(c, new(Capture)).Name, charset.Words(m.Subject), charset.Words(m.From)} {
			if s != "" {
				title = append(title, visible(s))
			}
		}
		e.title = strings.Join(title, " \u2013 ")
		e.at = l.Time
		if err := e.attempt(f, c); err != nil {
			return fmt.Errorf("line %d: %w", l.Seq, err)
		}
		return ctx.Err()
	}, kindRun, kindCapture, kindException)
}

// attempt writes the records of one attempt, and its object if no response has it. c is nil
// for an exception.
func (e *warcExport) attempt(facts *Facts, c *Capture) error {
	e.ids = make(map[string]string)
	whole := false
	var r *warc.Reader
	if s := facts.Exchanges; s != nil {
		f, _, err := below.Open(e.a.exchangesDir(), s.File)
		if errors.Is(err, os.ErrNotExist) && e.o.Lost != nil {
			if !e.missed[s.File] {
				e.missed[s.File] = true
				e.o.Lost("exchanges/" + s.File)
			}
			return nil
		}
		if err != nil {
			return err
		}
		defer f.Close()
		r = warc.NewReader(io.NewSectionReader(f, s.Offset, s.Length), exchange.MaxBlock)
	}
	for r != nil {
		rec, _, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		if rec.Type == warc.Info {
			continue
		}
		if rec.Type == warc.Revisit {
			rec, err = e.whole(rec)
			if err != nil {
				return err
			}
			whole = true
		}
		if err := e.record(rec); err != nil {
			return err
		}
		if c, ok := rec.Body.(io.Closer); ok {
			c.Close()
		}
	}
	if c == nil || whole {
		return nil
	}
	if c.NotModified || c.Compared {
		return nil
	}
	// No answer of HTTP has the octets of the object: for example, it came by ftp, it is in
	// the message, or a transfer encoding was undone.
	body, err := e.a.objects.Hold(c.SHA256)
	if e.lose(c.SHA256, err) {
		return nil
	}
	if err != nil {
		return err
	}
	defer body.Close()
	sum, _ := hex.DecodeString(c.SHA256)
	return e.record(&warc.Record{
		Type:        warc.Resource,
		URI:         cmp.Or(c.FinalURL, c.URL, "urn:extbody:message:"+c.Message+":"+url.PathEscape(c.Ref)),
		Date:        c.Ended,
		ContentType: cmp.Or(c.ContentType, "application/octet-stream"),
		Fields:      []warc.Field{{Name: "WARC-Payload-Digest", Value: warc.Digest(sum)}},
		Body:        body,
		Size:        body.Size(),
		Sum:         sum,
	})
}

// whole returns the response record for a revisit record, with the object as its body. If
// the object was forgotten it returns the revisit record.
func (e *warcExport) whole(rev *warc.Record) (*warc.Record, error) {
	sum := strings.TrimPrefix(rev.Field("WARC-Payload-Digest"), "sha256:")
	body, size, err := e.a.objects.Reader(sum)
	if e.lose(sum, err) {
		return rev, nil // the head is all that is left
	}
	if err != nil {
		return nil, err
	}
	resp := &warc.Record{Type: warc.Response, URI: rev.URI, Date: rev.Date, ContentType: warc.ResponseType, Block: undone(rev.Block, size)}
	for _, f := range rev.Fields {
		switch f.Name {
		case "WARC-Profile", "WARC-Refers-To-Target-URI", "WARC-Refers-To-Date":
		default:
			resp.Fields = append(resp.Fields, f)
		}
	}
	h := sha256.New()
	h.Write(resp.Block)
	_, err = io.Copy(h, body)
	body.Close()
	if e.lose(sum, err) {
		return rev, nil
	}
	if err == nil {
		body, _, err = e.a.objects.Reader(sum)
	}
	if err != nil {
		return nil, err
	}
	resp.Body = body
	resp.Size = size
	resp.Sum = h.Sum(nil)
	return resp, nil
}

// lose reports whether err is that an object is lost, or damaged if that is no error of the export.
func (e *warcExport) lose(sum string, err error) bool {
	switch {
	case errors.Is(err, os.ErrNotExist):
		e.o.lose(e.a, sum)
		return true
	case errors.Is(err, store.ErrDigest):
		return e.o.lose(e.a, sum)
	}
	return false
}

// undone returns the head of an answer in the form that fits the octets of its object. The
// fields of codings that were undone, and Content-Length, get another name, as other
// writers of WARC do it.
func undone(head []byte, size int64) []byte {
	var b bytes.Buffer
	for line := range bytes.Lines(head) {
		name, _, _ := bytes.Cut(line, []byte(":"))
		switch strings.ToLower(string(name)) {
		case "transfer-encoding", "content-encoding", "content-length":
			b.WriteString("X-Archive-Orig-")
		}
		if len(bytes.TrimRight(line, "\r\n")) == 0 {
			fmt.Fprintf(&b, "Content-Length: %d\r\n", size)
		}
		b.Write(line)
	}
	return b.Bytes()
}

// record writes a record, and notes its place for the index.
func (e *warcExport) record(r *warc.Record) error {
	if r.Date.IsZero() {
		r.Date = e.at
	}
	e.hide(r)
	var size octetCount
	if err := r.Write(io.MultiWriter(e.w, &size)); err != nil {
		return err
	}
	e.n++
	start := e.end
	e.end += size
	if r.Type != warc.Response && r.Type != warc.Resource {
		return nil
	}
	status := "200"
	mime := r.ContentType
	if r.Type == warc.Response {
		var h textproto.MIMEHeader
		status, h = answer(r.Block)
		mime, _, _ = strings.Cut(h.Get("Content-Type"), ";")
	}
	told, err := json.Marshal(map[string]string{"url": r.URI, "mime": mime, "status": status, "digest": r.Field("WARC-Payload-Digest"),
		"length": fmt.Sprint(size), "offset": fmt.Sprint(start), "filename": "data.warc.gz"})
	if err != nil {
		return err
	}
	e.cdx = append(e.cdx, fmt.Sprintf("%s %s %s\n", surt(r.URI), r.Date.UTC().Format("20060102150405"), told))
	if strings.HasPrefix(status, "2") {
		e.pages = append(e.pages, page{strings.Trim(r.ID(), "<>"), r.URI, r.Date.UTC().Format(time.RFC3339), e.title})
	}
	return nil
}

// hide hides the passwords in the URI of a record, and in its text if it is about an exchange. The ID of the record follows
// from both, so that others refer to it by its new ID.
func (e *warcExport) hide(r *warc.Record) {
	before := r.ID()
	r.URI = e.a.shown(r.URI)
	if r.Type == warc.Metadata {
		r.Block = []byte(e.a.shown(string(r.Block)))
	}
	for i, f := range r.Fields {
		r.Fields[i].Value = e.a.shown(cmp.Or(e.ids[f.Value], f.Value))
	}
	if after := r.ID(); after != before {
		e.ids[before] = after
	}
}

// surt returns a URL in the form by which indexes of web archives are sorted, with the
// labels of the host from right to left.
func surt(text string) string {
	u, err := url.Parse(text)
	if err != nil {
		return strings.ReplaceAll(text, " ", "%20")
	}
	labels := strings.Split(strings.ToLower(u.Hostname()), ".")
	slices.Reverse(labels)
	s := strings.Join(labels, ",")
	if p := u.Port(); p != "" {
		s += ":" + p
	}
	s += ")" + cmp.Or(u.EscapedPath(), "/")
	if u.RawQuery != "" {
		s += "?" + u.RawQuery
	}
	return strings.ToLower(s)
}

// wacz writes a WACZ file (version 1.1.1), which has the WARC, an index of it, a list of
// pages, and the digests of these. It returns the number of records.
func (a *Archive) wacz(ctx context.Context, w io.Writer, o *ExportOptions, c *choice) (int64, error) {
	z := zip.NewWriter(w)
	type resource struct {
		Name  string `json:"name"`
		Path  string `json:"path"`
		Hash  string `json:"hash"`
		Bytes int64  `json:"bytes"`
	}
	var list []resource
	e := &warcExport{a: a, o: o, c: c}
	text := func(s string) error {
		_, err := io.WriteString(e.w, s)
		return err
	}
	for _, file := range []struct {
		path  string
		write func() error
	}{
		{"archive/data.warc.gz", func() error { return e.write(ctx) }},
		{"indexes/index.cdx", func() error {
			slices.Sort(e.cdx)
			return text(strings.Join(e.cdx, ""))
		}},
		{"pages/pages.jsonl", func() error {
			enc := json.NewEncoder(e.w)
			err := enc.Encode(map[string]string{"format": "json-pages-1.0", "id": "pages", "title": "All Pages"})
			for _, p := range e.pages {
				err = errors.Join(err, enc.Encode(p))
			}
			return err
		}},
		{"datapackage.json", func() error {
			told, err := json.MarshalIndent(map[string]any{"profile": "data-package", "wacz_version": "1.1.1", "software": a.agent,
				"created": a.index.last.UTC().Format(time.RFC3339), "title": "head " + a.Head().String(), "resources": list}, "", "  ")
			return errors.Join(err, text(string(told)))
		}},
		{"datapackage-digest.json", func() error {
			return text(fmt.Sprintf("{\"path\":\"datapackage.json\",\"hash\":%q}\n", list[len(list)-1].Hash))
		}},
	} {
		f, err := z.CreateHeader(&zip.FileHeader{Name: file.path, Method: zip.Store, Modified: a.index.last.UTC()})
		if err != nil {
			return e.n, err
		}
		h := sha256.New()
		var size octetCount
		e.w = io.MultiWriter(f, h, &size)
		if err := file.write(); err != nil {
			return e.n, err
		}
		list = append(list, resource{filepath.Base(file.path), file.path, "sha256:" + hex.EncodeToString(h.Sum(nil)), int64(size)})
	}
	return e.n, z.Close()
}
