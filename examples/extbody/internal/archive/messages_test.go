package archive_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
)

// newer are OpenOptions that find more than those without Dialects: the URLs of a field X-File.
func newer() *externalbody.OpenOptions {
	return &externalbody.OpenOptions{Dialects: []externalbody.Dialect{{
		Name:   "newer",
		Fields: []string{"X-File"},
		Read: func(e *externalbody.Entity) (refs []*externalbody.Reference) {
			if url := e.Header.Get("X-File"); url != "" {
				refs = append(refs, externalbody.NewReference(url))
			}
			return refs
		},
	}}}
}

// withFile returns a message with a field that only newer reads.
func withFile(text, url string) string { return "X-File: " + url + "\r\n" + text }

// older returns options that find no field X-File.
func older(box string) *archive.SyncOptions {
	o := options(box)
	o.Open = nil
	return o
}

// TestReread holds: a run that finds more in messages than the runs before it reads their messages again, once, and
// captures the new references. Nothing is recorded twice.
func TestReread(t *testing.T) { kinds(t, testReread) }

func testReread(t *testing.T) {
	s := newSite(t, plain)
	box, dir := maildir(t), home(t)
	deliver(t, box, "none:2,", withFile("Message-ID: <none@example.org>\r\nSubject: x\r\n\r\ntext\r\n", s.URL+"/none"))
	deliver(t, box, "one:2,", withFile(letter("one", s.URL+"/one"), s.URL+"/more"))
	deliver(t, box, "same:2,", letter("same", s.URL+"/same"))
	deliver(t, box, "never:2,", "Subject: y\r\n\r\ntext\r\n")
	if res := run(t, dir, older(box)); res.References != 2 || res.Captures != 2 || res.Reread != 0 {
		t.Fatalf("older: got %+v, want 2 references and captures", res.Counts)
	}
	o := options(box)
	o.Open = newer()
	if res := run(t, dir, o); res.References != 2 || res.Captures != 2 || res.Reread != 4 || res.Messages != 0 || s.total() != 4 {
		t.Errorf("newer: got %+v and %d requests, want 2 references and captures, 4 messages read again, 4 requests in all", res.Counts, s.total())
	}
	clean(t, dir)
	for _, again := range []string{"newer again", "and again"} {
		if res := run(t, dir, o); res.Reread+res.References+res.Messages+res.Sightings+res.Captures != 0 {
			t.Errorf("%s: got %+v, want nothing new", again, res.Counts)
		}
	}
	a := read(t, dir)
	rows := table(t, a)
	if n := strings.Count(rows, "\n"); n != 5 {
		t.Errorf("got %d lines, want a heading and 4:\n%s", n, rows)
	}
	for _, id := range []string{"none", "more"} {
		if !strings.Contains(rows, s.URL+"/"+id+",") {
			t.Errorf("got no row for /%s, want one:\n%s", id, rows)
		}
	}
	out := filepath.Join(t.TempDir(), "out")
	if n, err := a.Export(t.Context(), out, &archive.ExportOptions{As: "eml"}); n != 3 || err != nil {
		t.Errorf("export: got %d messages, %v; want 3", n, err)
	}
	if n, err := a.Export(t.Context(), out+".mbox", &archive.ExportOptions{As: "mbox", Inline: true}); n != 3 || err != nil {
		t.Errorf("export inline: got %d messages, %v; want 3", n, err)
	}
}

// TestRereadVersion holds: another version of the program counts as other rules, and so
// does a run by older rules that met a new message in between.
func TestRereadVersion(t *testing.T) {
	s := newSite(t, plain)
	box, dir := maildir(t), home(t)
	night := func(agent string, o *archive.SyncOptions) *archive.Result {
		t.Helper()
		a, err := archive.Open(dir, true, &archive.Options{Agent: agent})
		must(t, err)
		defer a.Close()
		res, err := a.Sync(t.Context(), o)
		must(t, err)
		return res
	}
	deliver(t, box, "1:2,", "Subject: x\r\n\r\ntext\r\n")
	deliver(t, box, "2:2,", letter("2", s.URL+"/2"))
	find := options(box)
	find.Open = newer()
	night("extbody 1", find)
	if res := night("extbody 1", find); res.Reread != 0 {
		t.Errorf("the same version: got %d read again, want 0", res.Reread)
	}
	if res := night("extbody 2", find); res.Reread != 2 {
		t.Errorf("another version: got %d read again, want 2", res.Reread)
	}
	if res := night("extbody 2", find); res.Reread != 0 {
		t.Errorf("another version again: got %d read again, want 0", res.Reread)
	}
	deliver(t, box, "3:2,", withFile("Subject: z\r\n\r\ntext\r\n", s.URL+"/3"))
	deliver(t, box, "4:2,", withFile(letter("4", s.URL+"/4"), s.URL+"/5"))
	if res := night("extbody 2", older(box)); res.Messages != 2 || res.References != 1 {
		t.Errorf("fewer dialects: got %+v, want 2 messages, 1 reference", res.Counts)
	}
	if res := night("extbody 2", find); res.References != 2 || res.Captures != 2 {
		t.Errorf("all dialects after that: got %+v, want 2 references and captures", res.Counts)
	}
	clean(t, dir)
}

// TestRereadKnown holds: a message that is an object is read again from the archive, and not from its source; the
// source is asked again for any other.
func TestRereadKnown(t *testing.T) {
	s := newSite(t, plain)
	dir := home(t)
	b := &box{name: "imap://h/a", validity: 7, uids: map[uint32]string{
		1: withFile(letter("1", s.URL+"/1"), s.URL+"/2"),
		2: withFile("Subject: x\r\n\r\ntext\r\n", s.URL+"/3"),
		3: "Subject: y\r\n\r\ntext\r\n",
	}}
	sync := func(o *archive.SyncOptions, read int) *archive.Result {
		t.Helper()
		b.read, o.Sources = 0, []archive.Source{b}
		res := run(t, dir, o)
		if b.read != read {
			t.Errorf("got %d messages read from the source, want %d", b.read, read)
		}
		return res
	}
	find := options()
	find.Open = newer()
	sync(older(""), 3)
	if res := sync(find, 2); res.References != 2 || res.Reread != 3 {
		t.Errorf("got %+v, want 2 references, 3 messages read again", res.Counts)
	}
	sync(find, 0)
	clean(t, dir)
}

// TestRereadInterrupted holds: a run that ends while it reads objects again goes on there
// the next time, and a file that cannot be read at that time is read when it can be.
func TestRereadInterrupted(t *testing.T) {
	s := newSite(t, plain)
	box, dir := maildir(t), home(t)
	const n = 30
	for i := range n {
		deliver(t, box, fmt.Sprintf("%d:2,", i), withFile(letter(fmt.Sprint(i), fmt.Sprintf("%s/a/%d", s.URL, i)), fmt.Sprintf("%s/b/%d", s.URL, i)))
	}
	deliver(t, box, "away:2,", withFile("Subject: x\r\n\r\ntext\r\n", s.URL+"/away"))
	run(t, dir, older(box))
	path := filepath.Join(box, "cur", "away:2,")
	text, err := os.ReadFile(path)
	must(t, err)
	put(t, path, "\x7fELF\x02\x01\x01"+strings.Repeat("\x00", 100))
	ctx, cancel := context.WithCancel(t.Context())
	find := options(box)
	find.Open = newer()
	var calls atomic.Int64
	read := find.Open.Dialects[0].Read
	find.Open.Dialects[0].Read = func(e *externalbody.Entity) []*externalbody.Reference {
		if calls.Add(1) == n/2 {
			cancel()
		}
		return read(e)
	}
	a := open(t, dir)
	res, err := a.Sync(ctx, find)
	a.Close()
	if err == nil || res.Reread == 0 || res.Reread >= n {
		t.Fatalf("got %+v, %v; want some read again, and that the run was ended", res.Counts, err)
	}
	first := res.Reread
	if res = run(t, dir, find); res.Reread > n-first+1 || res.Reread < n-first {
		t.Errorf("got %d read again after %d, want the rest of %d", res.Reread, first, n)
	}
	put(t, path, string(text))
	if res = run(t, dir, find); res.References != 1 {
		t.Errorf("the file that was away: got %+v, want its reference", res.Counts)
	}
	for i := range n {
		if got := s.asks[fmt.Sprintf("/b/%d", i)]; got != 1 {
			t.Errorf("/b/%d: got %d requests, want 1", i, got)
		}
	}
	if s.asks["/away"] != 1 {
		t.Errorf("/away: got %d requests, want 1", s.asks["/away"])
	}
	clean(t, dir)
}

// TestRereadPolicy holds: a reference that is found again is counted once among those that no policy lets resolve,
// and a forgotten message is not read.
func TestRereadPolicy(t *testing.T) {
	s := newSite(t, plain)
	box, dir := maildir(t), home(t)
	deliver(t, box, "1:2,", withFile(letter("1", s.URL+"/1"), s.URL+"/2"))
	deliver(t, box, "2:2,", withFile(letter("2", s.URL+"/3"), s.URL+"/4"))
	run(t, dir, older(box))
	forget(t, dir, "message=<2@example.org>")
	find := options(box)
	find.Open, find.Resolve, find.Recapture = newer(), nil, time.Hour
	if res := run(t, dir, find); res.References != 1 || res.Unasked != 1 || s.total() != 2 {
		t.Errorf("got %+v and %d requests, want one reference, which is not asked for", res.Counts, s.total())
	}
	clean(t, dir)
}

// TestReadOtherwise holds: where a part is read to lead elsewhere than its line says, the body that is there is not
// captured as the one of the line.
func TestReadOtherwise(t *testing.T) {
	s := newSite(t, plain)
	box, dir := maildir(t), home(t)
	deliver(t, box, "1:2,", strings.Replace(letter("1", "unused"), "access-type=URL", "access-type=x-blob", 1))
	read := func(path string) *archive.SyncOptions {
		o := options(box)
		o.Resolver.AccessTypes = map[string]func(*externalbody.Reference) (*fetch.Request, error){
			"x-blob": func(*externalbody.Reference) (*fetch.Request, error) {
				u, err := url.Parse(s.URL + path)
				return &fetch.Request{URL: u}, err
			},
		}
		return o
	}
	o := read("/old")
	o.Resolve = nil
	if res := run(t, dir, o); res.Unasked != 1 {
		t.Fatalf("got %+v, want a reference that is not asked for", res.Counts)
	}
	if res := run(t, dir, read("/new")); res.Captures != 0 || res.Exceptions != 1 || s.total() != 0 {
		t.Errorf("got %+v and %d requests, want an exception and none", res.Counts, s.total())
	}
	clean(t, dir)
}

// A failing Source has errors before, or instead of, the messages of another.
type failing struct {
	archive.Source
	items []*archive.Item // that cannot be read
	err   error           // of the rest
}

// Messages implements archive.Source.
func (f *failing) Messages(ctx context.Context, known func(*archive.Sighting) archive.Known) iter.Seq2[*archive.Item, error] {
	return func(yield func(*archive.Item, error) bool) {
		for _, it := range f.items {
			if !yield(it, f.err) {
				return
			}
		}
		f.Source.Messages(ctx, known)(yield)
	}
}

// TestSourceAway holds: the exception of a source or message ends when it can be read.
func TestSourceAway(t *testing.T) {
	box, dir := maildir(t), home(t)
	deliver(t, box, "1:2,", "Subject: x\r\n\r\ntext\r\n")
	o := options(box)
	text := strings.NewReader("Subject: y\r\n\r\ntext\r\n")
	one := archive.Sighting{Source: box, UID: 7}
	read := func() (*io.SectionReader, error) { return io.NewSectionReader(text, 0, text.Size()), nil }
	for i, f := range []*failing{
		{items: []*archive.Item{new(archive.Item)}, err: errors.New("away")},
		{items: []*archive.Item{{Sighting: one}}, err: errors.New("away")},
		{items: []*archive.Item{archive.NewItem(one, read, nil)}},
	} {
		f.Source = archive.Files(box, time.Time{})
		o.Sources[0] = f
		run(t, dir, o)
		a := open(t, dir)
		st, err := a.Status()
		must(t, err)
		a.Close()
		if want := []int64{1, 1, 0}[i]; int64(st.Files) != want {
			t.Errorf("%d: got %d that cannot be read, want %d", i, st.Files, want)
		}
	}
	clean(t, dir)
}

// TestInDoubt holds: of a message in doubt the archive has each reference once, those that only its other reading has
// with them, and those within the message too, whatever their place in either reading.
func TestInDoubt(t *testing.T) {
	const dated = "From a@b Mon Nov  2 10:00:00 2026\n"
	s := newSite(t, plain)
	inner := strings.ReplaceAll(letter("m", "data:,x", s.URL+"/a", "http://[a"), "\r\n", "\n")
	after := strings.ReplaceAll(letter("n", s.URL+"/b", "http://[b"), "\r\n", "\n")
	_, after, _ = strings.Cut(after, "\n\n")
	text := dated + "Content-Type: multipart/mixed; boundary=o\n\n--o\nContent-Type: message/rfc822\n\nX: y\n" + dated + inner +
		strings.ReplaceAll(after, "--b", "--o")
	box, dir := filepath.Join(t.TempDir(), "box"), home(t)
	must(t, os.WriteFile(box, []byte(text), 0o600))
	res := run(t, dir, options(box))
	if res.References != 5 || res.Captures != 3 || s.total() != 2 {
		t.Errorf("got %+v, %d requests; want five references, three captures, and two requests", res.Counts, s.total())
	}
	clean(t, dir)
}
