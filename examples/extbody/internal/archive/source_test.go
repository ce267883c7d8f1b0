package archive_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive"
)

// TestRefs holds: references in lines of JSON are captured as those in mail are, and a
// line that is none is an exception with its number.
func TestRefs(t *testing.T) {
	s := newSite(t, plain)
	lines := []string{
		fmt.Sprintf(`{"message":"m.eml","ref":"1","dialect":"","access_type":"url","url":"%s/a","params":[["access-type","URL"],["url","%[1]s/a"]],"size":%d,"content_type":"application/octet-stream","content_id":"<x@example.org>","message_id":"<1@example.org>"}`, s.URL, len(body("/a"))),
		fmt.Sprintf(`{"ref":"link-x","dialect":"share-link","access_type":"url","url":"%s/b","size":3,"content_type":"image/png","name":"b.png"}`, s.URL), // shown, not promised
		"",
		`{"message":"m.eml","status":"failed","kind":"unsupported","error":"no mail"}`,
		`{"ref":"1","url":"` + s.URL + `/a?key=xxxxx"}`,
		`{"ref":"1"`,
		`not JSON`,
		`[]`,
		`null`,
		`{"ref":"1","url":"http://user:secret@127.0.0.1/x"}`,
		`{"ref":"1","url":"http://127.0.0.1/` + strings.Repeat("x", 2<<20) + `"}`,
		`{"ref":"1","url":"` + s.URL + `/c","message_id":"<x>\r\nSubject: forged <y>","content_id":"<a\r\nb>","name":"../../etc/passwd\u2028\u0000"}`,
		"{\"ref\":\"1\",\"url\":\"" + s.URL + "/d\",\"name\":\"\xff\xfe\"}",
		`{"ref":1,"url":"x"}`,
		`{"ref":"1","dialect":"","access_type":"url","params":[["url","` + s.URL + `/e\r\n\r\nforged: x"],["access-type","url"]]}`,
		`{"ref":"1","dialect":"","access_type":"x\r\nforged: y","params":[["url","` + s.URL + `/e"]]}`,
		strings.Repeat(`{"a":`, 20000),
	}
	good, empty := 5, 1 // a, b, c, d, e without its line ends
	path := filepath.Join(t.TempDir(), "refs.jsonl")
	put(t, path, strings.Join(lines, "\n")) // the last one without an end
	box, dir := maildir(t), home(t)
	deliver(t, box, "1:2,", letter("1", s.URL+"/b")) // which is a key of the lines too
	o := options(box)
	o.Sources = append(o.Sources, archive.Refs(path))
	res := run(t, dir, o)
	rec := res.Sources[1]
	if int(rec.Exists) != len(lines)-empty || int(rec.Seen) != good || rec.Unaccounted() != 0 || res.Captures != 5 || s.total() != 5 {
		t.Errorf("got %+v, %+v, %d requests; want %d seen of %d, 5 captures, 5 requests", rec, res.Counts, s.total(), good, len(lines)-empty)
	}
	v := clean(t, dir)
	if v.Captured != 6 || v.Excepted != 0 {
		t.Errorf("got %+v, want 6 captured, none excepted", v)
	}
	ledger := slurp(t, dir, "ledger")
	for i, line := range lines {
		place := fmt.Sprintf(`"file":"%s:%d"`, path, i+1)
		if want := line != ""; strings.Contains(ledger, place) != want {
			t.Errorf("line %d, %.60s: got %v, want that it is told of: %v", i+1, line, !want, want)
		}
	}
	for _, bad := range []string{"\nforged: ", "\nSubject: forged", "secret", "etc/passwd"} {
		if strings.Contains(slurp(t, dir, "objects"), bad) || bad == "secret" && strings.Contains(ledger, bad) {
			t.Errorf("got %q in the archive, want it nowhere", bad)
		}
	}
	again := run(t, dir, o)
	if again.Messages+again.Sightings+again.New+again.Captures != 0 || s.total() != 5 {
		t.Errorf("again: got %+v, want nothing new", again.Counts)
	}
}

// FuzzRefs holds: whatever is in a file of references, each line is accounted for, once.
func FuzzRefs(f *testing.F) {
	f.Add([]byte(`{"ref":"1","url":"http://h.example/x"}` + "\n\n{"))
	f.Add([]byte(`{"ref":"1","dialect":"","access_type":"anon-ftp","params":[["site","ftp.example.org"],["name","f"],["mode","image"]]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		path := filepath.Join(t.TempDir(), "refs")
		put(t, path, string(text))
		want := 0
		for line := range strings.Lines(string(text)) {
			if strings.TrimSpace(line) != "" {
				want++
			}
		}
		got := 0
		for it, err := range archive.Refs(path).Messages(t.Context(), nil) {
			got++
			if err != nil {
				continue
			}
			r, err := it.Content()
			must(t, err)
			head := make([]byte, r.Size())
			r.ReadAt(head, 0)
			if strings.Contains(string(head), "\n\n") || !strings.Contains(string(head), "MIME-Version: 1.0\r\nContent-Type: message/external-body;") {
				t.Errorf("got %q, want a message with one reference", head)
			}
		}
		if got != want {
			t.Errorf("got %d items, want %d", got, want)
		}
	})
}

// TestSince holds: what was received before is neither read nor stored, by what the file
// system says and not by the message, and is counted; and a run without it takes it.
func TestSince(t *testing.T) {
	box, dir := maildir(t), home(t)
	since := time.Now().Add(-24 * time.Hour)
	old := func(path string) {
		t.Helper()
		must(t, os.Chtimes(path, time.Time{}, since.Add(-time.Hour)))
	}
	for i, date := range []string{"Mon, 1 Jan 1990 00:00:00 +0000", "Mon, 1 Jan 2091 00:00:00 +0000"} {
		for _, name := range []string{"new", "old"} {
			file := fmt.Sprintf("%s%d:2,", name, i)
			deliver(t, box, file, fmt.Sprintf("Date: %s\r\nSubject: %s\r\n\r\nx\r\n", date, file))
			if name == "old" {
				old(filepath.Join(box, "cur", file))
			}
		}
	}
	mbox := filepath.Join(t.TempDir(), "mbox")
	put(t, mbox, "From a Mon Jan  1 00:00:00 1990\nSubject: m1\n\nx\n\nFrom a Mon Jan  1 00:00:00 1990\nSubject: m2\n\nx\n")
	sources := func(since time.Time) *archive.SyncOptions {
		o := options()
		o.Sources = []archive.Source{archive.FilesSince(box, since), archive.FilesSince(mbox, since)}
		return o
	}
	res := run(t, dir, sources(since))
	if r := res.Sources[0]; r.Seen != 2 || r.Older != 2 || r.Exists != 4 || r.Unaccounted() != 0 {
		t.Errorf("Maildir: got %+v, want 2 seen, 2 older", r)
	}
	if r := res.Sources[1]; r.Seen != 2 || r.Older != 0 {
		t.Errorf("mbox: got %+v, want 2 seen", r)
	}
	old(mbox)
	res = run(t, dir, sources(since))
	if r := res.Sources[1]; r.Seen != 2 || r.Older != 0 || res.Messages != 0 {
		t.Errorf("mbox, seen before: got %+v, want 2 seen", r)
	}
	if res := run(t, filepath.Join(t.TempDir(), "other"), sources(since)); res.Sources[1].Older != 2 {
		t.Errorf("mbox: got %+v, want 2 older", res.Sources[1])
	}
	if res := run(t, dir, sources(time.Time{})); res.Messages != 2 || res.Sources[0].Seen != 4 {
		t.Errorf("without since: got %+v, want the 2 others", res.Counts)
	}
	clean(t, dir)
}
