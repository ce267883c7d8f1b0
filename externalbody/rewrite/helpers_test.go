package rewrite_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/textproto"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/emersion/go-message"
	"golang.org/x/tools/txtar"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/rewrite"
	"github.com/go-extbody/extbody/fetch"
)

// A web has bodies by their URL, and is the Store that puts them there.
type web struct {
	mu     sync.Mutex
	bodies map[string]string
	asked  []string
	put    []*rewrite.Object
	err    error // of Put
	base   string
}

func newWeb(pairs ...string) *web {
	w := &web{bodies: make(map[string]string), base: "https://store.example/"}
	for i := 0; i < len(pairs); i += 2 {
		u := pairs[i]
		if !strings.HasPrefix(u, "https://") {
			u = "https://a.example/" + u
		}
		w.bodies[u] = pairs[i+1]
	}
	return w
}

func (w *web) Fetch(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
	u := req.URL.String()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.asked = append(w.asked, u)
	body, ok := w.bodies[u]
	if !ok {
		return nil, fetch.NotFound
	}
	return &fetch.Response{URL: req.URL, Size: int64(len(body)), Body: io.NopCloser(strings.NewReader(body)), Header: make(textproto.MIMEHeader)}, nil
}

func (w *web) Put(ctx context.Context, obj *rewrite.Object) (string, error) {
	if w.err != nil {
		return "", w.err
	}
	b, err := io.ReadAll(obj.Body)
	if err != nil {
		return "", err
	}
	w.put = append(w.put, obj)
	u := fmt.Sprintf("%s%d", w.base, len(w.put))
	w.bodies[u] = string(b)
	return u, nil
}

func (w *web) resolver() *externalbody.Resolver { return &externalbody.Resolver{Fetcher: w} }

// crlf makes the line ends of a literal CRLF, as in mail.
func crlf(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }

func open(t testing.TB, text string) *externalbody.Message {
	t.Helper()
	return openWith(t, text, nil)
}

func openWith(t testing.TB, text string, opts *externalbody.OpenOptions) *externalbody.Message {
	t.Helper()
	m, err := externalbody.Open(strings.NewReader(text), int64(len(text)), opts)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func inline(t testing.TB, text string, opts *rewrite.InlineOptions) (string, *rewrite.Report) {
	t.Helper()
	return inlineOf(t, open(t, text), opts)
}

var resultDate = regexp.MustCompile(`[A-Z][a-z]{2},(\r?\n)? \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} [+-]\d{4}`)

// undated returns a message with one date instead of the dates of its result fields.
func undated(text string) string {
	return resultDate.ReplaceAllString(text, "Thu,$1 01 Jan 1970 00:00:00 +0000")
}

// inlineAll is inline with all Dialects.
func inlineAll(t testing.TB, text string, opts *rewrite.InlineOptions) (string, *rewrite.Report) {
	t.Helper()
	return inlineOf(t, openAll(t, text), opts)
}

func inlineOf(t testing.TB, m *externalbody.Message, opts *rewrite.InlineOptions) (string, *rewrite.Report) {
	t.Helper()
	if opts.TempDir == "" {
		opts.TempDir = t.TempDir()
	}
	var b bytes.Buffer
	report, err := rewrite.Inline(t.Context(), &b, m, opts)
	if err != nil {
		t.Fatal(err)
	}
	return b.String(), report
}

func externalize(t testing.TB, text string, opts *rewrite.ExternalizeOptions) (string, *rewrite.Report) {
	t.Helper()
	var b bytes.Buffer
	report, err := rewrite.Externalize(t.Context(), &b, open(t, text), opts)
	if err != nil {
		t.Fatal(err)
	}
	return b.String(), report
}

// all chooses all parts.
func all(*rewrite.Object) bool { return true }

// actions joins the Actions of a Report.
func actions(r *rewrite.Report) string {
	var s []string
	for _, i := range r.Items {
		s = append(s, i.Section+" "+i.Action.String())
	}
	return strings.Join(s, ", ")
}

// A leaf is a part as go-message sees it.
type leaf struct {
	mediaType string
	id        string
	body      string
}

// leaves returns the leaves that go-message finds.
func leaves(t testing.TB, text string) []leaf {
	t.Helper()
	e, err := message.Read(strings.NewReader(text))
	if err != nil && !message.IsUnknownCharset(err) {
		t.Fatalf("go-message: got error %v, want none, in\n%s", err, text)
	}
	var found []leaf
	err = e.Walk(func(path []int, e *message.Entity, err error) error {
		if err != nil && !message.IsUnknownCharset(err) {
			return err
		}
		mt, _, _ := e.Header.ContentType()
		if strings.HasPrefix(mt, "multipart/") {
			return nil
		}
		b, err := io.ReadAll(e.Body)
		if err != nil {
			return err
		}
		found = append(found, leaf{mt, e.Header.Get("Content-Id"), string(b)})
		return nil
	})
	if err != nil {
		t.Fatalf("go-message: got error %v, want none, in\n%s", err, text)
	}
	return found
}

// mixed returns a multipart/mixed message with a text and the parts given.
func mixed(parts ...string) string {
	parts = slices.Insert(slices.Clone(parts), 0, "\nSee below.\n")
	return crlf("From: a@a.example\nSubject:  two  blanks \nMIME-Version: 1.0\n" +
		"Content-Type: multipart/mixed;\n  BOUNDARY=b1\n\npreamble\n--b1\n" +
		strings.Join(parts, "\n--b1\n") + "\n--b1--\nepilogue")
}

// ref returns a reference to https://a.example/NAME.
func ref(name, phantom string) string {
	return "Content-Type: message/external-body; access-type=URL;\n\tURL=\"https://a.example/" + name + "\"\n\n" + phantom + "\n"
}

// A brokenWriter fails after n octets.
type brokenWriter struct{ n int }

var errBroken = errors.New("broken")

func (w *brokenWriter) Write(p []byte) (int, error) {
	if w.n -= len(p); w.n < 0 {
		return 0, errBroken
	}
	return len(p), nil
}

func mustURL(s string) *url.URL {
	u, err := url.Parse(s)
	if err != nil {
		panic(err)
	}
	return u
}

// A storeFunc is a Store that does something with the Object.
type storeFunc func(*rewrite.Object) error

func (f storeFunc) Put(ctx context.Context, o *rewrite.Object) (string, error) {
	return "https://store.example/f", f(o)
}

// A failingReader fails from an offset on, unless it is 0.
type failingReader struct {
	r    io.ReaderAt
	from int64
}

func (f *failingReader) ReadAt(p []byte, off int64) (int, error) {
	if f.from > 0 && off+int64(len(p)) > f.from {
		return 0, errBroken
	}
	return f.r.ReadAt(p, off)
}

// A scenario is a message before and after it is rewritten. In the latter, ID stands for the
// ID of the reference for which a part is added, and BOUNDARY for a new boundary.
type scenario struct {
	name          string
	before, after string
}

// runScenarios calls run for each archive in a folder of testdata, once with LF and once with
// CRLF. The archive has before.eml, and after.eml if rewriting changes the message. The line
// end before the next file is not part of a message.
func runScenarios(t *testing.T, folder string, run func(t *testing.T, s *scenario)) {
	paths, err := filepath.Glob(filepath.Join("testdata", folder, "*.txtar"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("got %d archives, %v, want some", len(paths), err)
	}
	for _, path := range paths {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files := make(map[string]string)
		for _, f := range txtar.Parse([]byte(strings.ReplaceAll(string(b), "\r\n", "\n"))).Files {
			files[f.Name] = strings.TrimSuffix(string(f.Data), "\n")
		}
		s := scenario{strings.TrimSuffix(filepath.Base(path), ".txtar"), files["before.eml"], files["after.eml"]}
		if s.before == "" || len(files) > 2 || len(files) == 2 && s.after == "" {
			t.Fatalf("%s: got %d files, want before.eml and perhaps after.eml", path, len(files))
		}
		if s.after == "" {
			s.after = s.before
		}
		t.Run(s.name, func(t *testing.T) { run(t, &s) })
		t.Run(s.name+"CR", func(t *testing.T) { run(t, &scenario{s.name, crlf(s.before), crlf(s.after)}) })
	}
}

// check compares the output with the message after.
func (s *scenario) check(t *testing.T, got string, report *rewrite.Report) {
	t.Helper()
	want, refs := s.after, added(report)
	switch {
	case len(refs) == 1 && want != s.before:
		want = strings.ReplaceAll(want, "<ID@", "<"+refs[0].ID+"@")
	case len(refs) > 0 || want != s.before:
		t.Fatalf("got %d parts added, want 1 if the message changes", len(refs))
	}
	if shown := madeBoundary.ReplaceAllString(got, "${1}BOUNDARY"); shown != want {
		t.Errorf("got\n%q\nwant\n%q", shown, want)
	}
}
