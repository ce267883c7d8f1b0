package archive_test

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive"
	"github.com/go-extbody/extbody/examples/extbody/internal/archive/ledger"
)

// TestLong holds: a text that is too long for a line of the ledger, from a sender or a server, keeps no one from the
// rest.
func TestLong(t *testing.T) {
	long := strings.Repeat("x", 5<<20)
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		switch n := 0; {
		case strings.HasPrefix(r.URL.Path, "/hop"):
			fmt.Sscanf(r.URL.Path, "/hop%d", &n)
			if n < 9 {
				w.Header().Set("Location", fmt.Sprintf("/hop%d?%s", n+1, strings.Repeat("<", 250<<10)))
				w.WriteHeader(http.StatusFound)
				return
			}
		case r.URL.Path == "/header":
			for i := range 200 {
				w.Header().Set(fmt.Sprintf("X-%d", i), strings.Repeat("<&", 600))
			}
		case r.URL.Path == "/name":
			w.Header().Set("Content-Disposition", "attachment; filename="+strings.Repeat("<", 200<<10))
		case r.URL.Path == "/words":
			w.WriteHeader(http.StatusGone)
		}
		plain(w, r)
	})
	box, dir := maildir(t), home(t)
	deliver(t, box, "url:2,", letter("url", s.URL+"/"+long))
	deliver(t, box, "bad:2,", letter("bad", "ht!tp://"+long))
	deliver(t, box, "id:2,", strings.Replace(letter("id", s.URL+"/id"), "Message-ID: <", "Message-ID: <"+long, 1))
	deliver(t, box, "inner:2,", strings.Replace(letter("inner", s.URL+"/inner"), "\r\n\r\nContent-Type: application/octet-stream", "\r\n\r\nContent-ID: <"+long+"@x>\r\nContent-Type: application/octet-stream; name="+long, 1))
	deliver(t, box, "access:2,", strings.Replace(letter("access", s.URL+"/access"), "access-type=URL", "access-type="+long, 1))
	deliver(t, box, "html:2,", "Subject: x\r\nContent-Type: text/html\r\n\r\n<a href=\"https://www.dropbox.com/s/abcdefghijklmno1a/"+long+"?dl=0\">x</a>\r\n")
	for _, name := range []string{"hop0", "header", "name", "words", "good"} {
		deliver(t, box, name+":2,", letter(name, s.URL+"/"+name))
	}
	o := options(box)
	o.Resolve = func(host string) bool { return host == "127.0.0.1" }
	run(t, dir, o)
	v := clean(t, dir)
	if v.Messages != 11 || v.Captured < 4 {
		t.Errorf("got %+v, want 11 messages, 4 captured or more", v)
	}
	again := run(t, dir, o)
	if again.Messages+again.Sightings+again.Captures != 0 {
		t.Errorf("again: got %+v, want nothing new", again.Counts)
	}
}

// TestReadWhileWriting holds: a reader of an archive neither keeps a run from start nor sees the lines that it
// writes, and leaves the index as it was; and a reader that opens it during a run sees the lines up to then.
func TestReadWhileWriting(t *testing.T) {
	dir, box, s := filled(t, 4)
	index := func() os.FileInfo {
		info, err := os.Stat(filepath.Join(dir, "index"))
		must(t, err)
		return info
	}
	before := index()
	reader := read(t, dir)
	if !os.SameFile(before, index()) {
		t.Error("reading: got another index, want the one that was there")
	}
	want := pathText(t, reader)

	// A run starts while the page reads.
	deliver(t, box, "new:2,", letter("new", s.URL+"/new"))
	writer := open(t, dir)
	if got := pathText(t, reader); got != want {
		t.Errorf("a run has begun: got %s, want %s", got, want)
	}
	during := read(t, dir)
	if got := pathText(t, during); got != want {
		t.Errorf("read after a run has begun: got %s, want %s", got, want)
	}
	if _, err := writer.Sync(t.Context(), options(box)); err != nil {
		t.Fatal(err)
	}
	for name, a := range map[string]*archive.Archive{"before": reader, "during": during} {
		if got := pathText(t, a); got != want {
			t.Errorf("read %s the run: got %s, want %s", name, got, want)
		}
	}
	// The run has told, and has not ended.
	after := pathText(t, read(t, dir))
	if !strings.Contains(after, "/new") || strings.Count(after, "\n") != strings.Count(want, "\n")+1 {
		t.Errorf("read after the run: got %s, want a line more than %s", after, want)
	}
	if !os.SameFile(before, index()) {
		t.Error("a run is under way: got another index, want that of the last run")
	}
	writer.Close()
	if os.SameFile(before, index()) {
		t.Error("the run has ended: got the index from before, want its own")
	}
	if got := pathText(t, reader); got != want {
		t.Errorf("the run has ended: got %s, want %s", got, want)
	}
	if got := pathText(t, read(t, dir)); got != after {
		t.Errorf("read again: got %s, want %s", got, after)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "index.*")); len(left) > 0 {
		t.Errorf("got %v left, want nothing", left)
	}
	if res := run(t, dir, options(box)); res.Captures+res.Messages+res.Exceptions != 0 {
		t.Errorf("the next run: got %+v, want nothing new", res.Counts)
	}
	clean(t, dir)
}

// read opens an archive for reading.
func read(t testing.TB, dir string) *archive.Archive { return readAt(t, dir, nil) }

// pathText returns the outcomes of all references, a line each.
func pathText(t testing.TB, a *archive.Archive) string {
	t.Helper()
	rows := table(t, a)
	s, err := a.Status()
	must(t, err)
	if int64(strings.Count(rows, "\n")) != s.References+1 {
		t.Errorf("got %d lines, want a heading and %d references: %s", strings.Count(rows, "\n"), s.References, rows)
	}
	page(t, a)
	return rows + fmt.Sprintln(s.References, s.Captures, s.Exceptions, s.Messages, s.Stored, s.Bodies, s.Size, a.Head())
}

// A hooked is a context that calls f when it is asked for the n-th time whether it has
// ended.
type hooked struct {
	context.Context
	n *int
	f func()
}

// Err implements context.Context.
func (c hooked) Err() error {
	if *c.n--; *c.n == 0 {
		c.f()
	}
	return c.Context.Err()
}

// TestVerifyWhileWriting holds: octets that a run stores, and another forgets, during a verify are no fault, wherever
// the verifier is; and damaged ones are a fault all the same.
func TestVerifyWhileWriting(t *testing.T) {
	original, box, s := filled(t, 3)
	deliver(t, box, "new:2,", letter("new", s.URL+"/new"))
	lines := int(clean(t, original).Lines)
	for _, at := range []int{1, lines, lines + 1, lines + 2, lines + 10} {
		for _, damaged := range []bool{false, true} {
			dir := copied(t, original)
			want := 0
			if damaged {
				put(t, object(dir, sumOf(body("/2"))), "rot")
				want = 1
			}
			n := at
			v, err := archive.Verify(hooked{t.Context(), &n, func() {
				run(t, dir, options(box))
				forget(t, dir, "url="+s.URL+"/1")
			}}, dir, ledger.Head{})
			if err != nil || len(v.Faults) != want {
				t.Errorf("written to at %d of %d lines, damaged %v: got %v, %v; want %d faults", at, lines, damaged, v.Faults, err, want)
			}
			if n > 0 {
				t.Errorf("got %d more questions to come, want none", n)
			}
		}
	}
}
