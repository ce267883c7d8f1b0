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
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive/ledger"
	"github.com/go-extbody/extbody/examples/extbody/internal/archive/warc"
)

// An offsetWriter counts the octets that it writes.
type offsetWriter struct {
	w io.Writer
	n int64
	h interface{ Write([]byte) (int, error) } // computes a digest of it; may be nil
}

func (w *offsetWriter) Write(p []byte) (int, error) {
	n, err := w.w.Write(p)
	w.n += int64(n)
	if w.h != nil {
		w.h.Write(p[:n])
	}
	return n, err
}

// A warcExport writes the exchanges of the archive as WARC, with whole bodies for revisit
// records.
type warcExport struct {
	a     *Archive
	w     *offsetWriter
	n     int64     // the number of records
	cdx   *[]string // collects the lines of an index; nil if there is to be none
	pages *[]page
}

type page struct {
	ID  string `json:"id"`
	URL string `json:"url"`
	TS  string `json:"ts"`
}

func (e *warcExport) write(ctx context.Context) error {
	return e.a.lines(func(l *ledger.Line, record any) error {
		if _, ok := record.(*Run); ok {
			if e.n > 0 {
				return nil
			}
			return e.record(&warc.Record{Type: warc.Info, Date: l.Time, ContentType: warc.FieldsType,
				Block: []byte("software: " + e.a.agent + "\r\nformat: WARC File Format 1.1\r\ndescription: exported from an archive whose ledger ends with line " + e.a.Head().String() + "\r\n")})
		}
		f, _ := attempted(record)
		if f.Exchanges == nil {
			return nil
		}
		c, _ := record.(*Capture)
		if err := e.attempt(f.Exchanges, c); err != nil {
			return fmt.Errorf("line %d: %w", l.Seq, err)
		}
		return ctx.Err()
	}, kindRun, kindCapture, kindException)
}

// attempt writes the records of one attempt, and its object if no response has it. c is nil
// for an exception.
func (e *warcExport) attempt(s *Span, c *Capture) error {
	f, _, err := openRegular(e.a.exchangesDir(), s.File)
	if err != nil {
		return err
	}
	defer f.Close()
	r := warc.NewReader(io.NewSectionReader(f, s.Offset, s.Length), maxBlock)
	whole := false
	for {
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
			if rec, err = e.whole(rec); err != nil {
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
	if c == nil || whole || c.NotModified || c.Compared {
		return nil
	}
	// No answer of HTTP has the octets of the object: for example, it came by ftp, or a
	// transfer encoding was undone.
	body, size, err := e.a.objects.reader(c.SHA256)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer body.Close()
	sum, _ := hex.DecodeString(c.SHA256)
	return e.record(&warc.Record{Type: warc.Resource, URI: cmp.Or(c.FinalURL, c.URL), Date: c.Ended, ContentType: cmp.Or(c.ContentType, "application/octet-stream"),
		Fields: []warc.Field{{Name: "WARC-Payload-Digest", Value: warc.Digest(sum)}}, Body: body, Size: size, Sum: sum})
}

// whole returns the response record for a revisit record, with the object as its body. If
// the object was forgotten it returns the revisit record.
func (e *warcExport) whole(rev *warc.Record) (*warc.Record, error) {
	sum := strings.TrimPrefix(rev.Field("WARC-Payload-Digest"), "sha256:")
	body, size, err := e.a.objects.reader(sum)
	if errors.Is(err, os.ErrNotExist) {
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
	if err == nil {
		body, _, err = e.a.objects.reader(sum)
	}
	if err != nil {
		return nil, err
	}
	resp.Body, resp.Size, resp.Sum = body, size, h.Sum(nil)
	return resp, nil
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
	start := e.w.n
	if err := r.Write(e.w); err != nil {
		return err
	}
	e.n++
	if e.cdx == nil || r.Type != warc.Response && r.Type != warc.Resource {
		return nil
	}
	status, mime := "200", r.ContentType
	if r.Type == warc.Response {
		status, mime = httpFacts(r.Block)
	}
	digest := cmp.Or(r.Field("WARC-Payload-Digest"), "")
	told, err := json.Marshal(map[string]string{"url": r.URI, "mime": mime, "status": status, "digest": digest,
		"length": fmt.Sprint(e.w.n - start), "offset": fmt.Sprint(start), "filename": "data.warc.gz"})
	if err != nil {
		return err
	}
	*e.cdx = append(*e.cdx, fmt.Sprintf("%s %s %s\n", surt(r.URI), r.Date.UTC().Format("20060102150405"), told))
	if strings.HasPrefix(status, "2") {
		*e.pages = append(*e.pages, page{ID: strings.Trim(r.ID(), "<>"), URL: r.URI, TS: r.Date.UTC().Format(time.RFC3339)})
	}
	return nil
}

// httpFacts returns the status code and the media type of an answer.
func httpFacts(head []byte) (status, mime string) {
	fields := strings.Fields(string(head[:min(len(head), 64)]))
	if len(fields) > 1 {
		status = fields[1]
	}
	for line := range bytes.Lines(head) {
		if len(bytes.TrimSpace(line)) == 0 {
			break
		}
		if name, value, ok := strings.Cut(string(line), ":"); ok && strings.EqualFold(name, "Content-Type") {
			mime, _, _ = strings.Cut(strings.TrimSpace(value), ";")
		}
	}
	return status, mime
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
func (a *Archive) wacz(ctx context.Context, w io.Writer) (int64, error) {
	z := zip.NewWriter(w)
	type resource struct {
		Name  string `json:"name"`
		Path  string `json:"path"`
		Hash  string `json:"hash"`
		Bytes int64  `json:"bytes"`
	}
	var list []resource
	add := func(path string, write func(*offsetWriter) error) error {
		f, err := z.CreateHeader(&zip.FileHeader{Name: path, Method: zip.Store})
		if err != nil {
			return err
		}
		h := sha256.New()
		o := &offsetWriter{w: f, h: h}
		if err := write(o); err != nil {
			return err
		}
		list = append(list, resource{filepath.Base(path), path, "sha256:" + hex.EncodeToString(h.Sum(nil)), o.n})
		return nil
	}
	var cdx []string
	var pages []page
	var n int64
	err := add("archive/data.warc.gz", func(o *offsetWriter) error {
		e := &warcExport{a: a, w: o, cdx: &cdx, pages: &pages}
		err := e.write(ctx)
		n = e.n
		return err
	})
	if err != nil {
		return n, err
	}
	slices.Sort(cdx)
	err = add("indexes/index.cdx", func(o *offsetWriter) error {
		_, err := io.WriteString(o, strings.Join(cdx, ""))
		return err
	})
	if err != nil {
		return n, err
	}
	err = add("pages/pages.jsonl", func(o *offsetWriter) error {
		enc := json.NewEncoder(o)
		err := enc.Encode(map[string]string{"format": "json-pages-1.0", "id": "pages", "title": "All Pages"})
		for _, p := range pages {
			err = errors.Join(err, enc.Encode(p))
		}
		return err
	})
	if err != nil {
		return n, err
	}
	text, err := json.MarshalIndent(map[string]any{"profile": "data-package", "wacz_version": "1.1.1", "software": a.agent,
		"created": a.index.last.UTC().Format(time.RFC3339), "title": "head " + a.Head().String(), "resources": list}, "", "  ")
	if err != nil {
		return n, err
	}
	sum := sha256.Sum256(text)
	for _, file := range []struct{ name, text string }{
		{"datapackage.json", string(text)},
		{"datapackage-digest.json", fmt.Sprintf("{\"path\":\"datapackage.json\",\"hash\":\"sha256:%x\"}\n", sum)},
	} {
		f, err := z.CreateHeader(&zip.FileHeader{Name: file.name, Method: zip.Store})
		if err != nil {
			return n, err
		}
		if _, err := io.WriteString(f, file.text); err != nil {
			return n, err
		}
	}
	return n, z.Close()
}
