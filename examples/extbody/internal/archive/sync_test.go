package archive_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive"
)

func TestSyncTwice(t *testing.T) { kinds(t, testSyncTwice) }

func testSyncTwice(t *testing.T) {
	s := newSite(t, plain)
	box, dir := maildir(t), home(t)
	for i := range 300 {
		if i%10 == 0 {
			deliver(t, box, fmt.Sprintf("%d:2,S", i), letter(fmt.Sprint(i), fmt.Sprintf("%s/%d.bin", s.URL, i)))
			continue
		}
		deliver(t, box, fmt.Sprintf("%d:2,", i), "Subject: "+fmt.Sprint(i)+"\r\n\r\nplain\r\n")
	}
	res := run(t, dir, options(box))
	if res.Captures != 30 || res.Messages != 300 || res.References != 30 || res.Exceptions != 0 {
		t.Fatalf("got %+v, want 300 messages, 30 references, 30 captures, no exception", res)
	}
	if n := s.total(); n != 30 {
		t.Errorf("got %d requests, want 30", n)
	}
	before := len(objects(t, dir))
	if before != 60 {
		t.Errorf("got %d objects, want 60: 30 messages with references, 30 bodies", before)
	}
	again := run(t, dir, options(box))
	if again.Captures != 0 || again.Messages != 0 || again.Sightings != 0 || s.total() != 30 || len(objects(t, dir)) != before {
		t.Errorf("got %+v, %d requests, %d objects; want nothing new", again, s.total(), len(objects(t, dir)))
	}
}

// TestOneURL holds: one URL in many messages is one request, one object, one capture.
func TestOneURL(t *testing.T) {
	s := newSite(t, plain)
	box, dir := inbox(t, slices.Repeat([]string{s.URL + "/same.bin"}, 50)...)
	res := run(t, dir, options(box))
	if s.total() != 1 || res.Captures != 1 || res.References != 50 {
		t.Errorf("got %d requests, %d captures, %d references; want 1, 1, 50", s.total(), res.Captures, res.References)
	}
}

// TestHangingHost holds: a host that hangs keeps nobody from another. EXTBODY_TEST_HANGING
// and EXTBODY_TEST_GOOD are how many references there are to each.
func TestHangingHost(t *testing.T) {
	slow, fast := often("EXTBODY_TEST_HANGING", 20), often("EXTBODY_TEST_GOOD", 60)
	hung := make(chan struct{})
	var once sync.Once
	good := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == fmt.Sprintf("/%d", fast-1) { // the last one
			defer once.Do(func() { close(hung) })
		}
		plain(w, r)
	})
	hanging := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-hung:
		case <-r.Context().Done():
		}
	})
	box, dir := maildir(t), home(t)
	for i := range slow {
		deliver(t, box, fmt.Sprintf("a%02d:2,", i), letter(fmt.Sprint("a", i), fmt.Sprintf("%s/%d", hanging.URL, i)))
	}
	for i := range fast {
		deliver(t, box, fmt.Sprintf("b%03d:2,", i), letter(fmt.Sprint("b", i), fmt.Sprintf("%s/%d", good.named(), i)))
	}
	o := options(box)
	// The hanging host answers only when the last of the other host was asked for.
	begun := time.Now()
	res := run(t, dir, o)
	t.Logf("all after %v", time.Since(begun))
	if n := good.total(); n != fast {
		t.Errorf("got %d requests at the good host (%+v), want %d", n, res.Counts, fast)
	}
	clean(t, dir)
}

// TestMboxShift checks that an mbox from which an early message is removed costs no
// sighting for each message after it.
func TestMboxShift(t *testing.T) {
	dir, path := home(t), filepath.Join(t.TempDir(), "box")
	for i, want := range []int64{50, 0, 0, 0} {
		put(t, path, mbox("data:,", []int{0, 1, 7, 0}[i], 50))
		if res := run(t, dir, options(path)); res.Sightings != want || res.Sources[0].Unaccounted() != 0 || res.Sources[0].Seen != int64(50-[]int{0, 1, 7, 0}[i]) {
			t.Errorf("run %d: got %+v, want %d new sightings", i, res.Counts, want)
		}
		os.Remove(filepath.Join(dir, "index"))
	}
	clean(t, dir)
}

// TestPageInPlace checks that a page with the status 200 that arrived instead of a file is kept
// as evidence in the exchanges, whatever shows that it is not the file. The line has the name of
// the page alone, because a forget leaves it.
func TestPageInPlace(t *testing.T) {
	page := "<!DOCTYPE html><title>Sign in</title><form><input type=password></form>" + strings.Repeat("<p>wait</p>", 2000)
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		if r.URL.Path == "/octets" {
			w.Header().Set("Content-Type", "application/octet-stream")
		}
		fmt.Fprint(w, page)
	})
	pdf := func(text string) string {
		return strings.Replace(text, "application/octet-stream", "application/pdf", 1)
	}
	for _, tt := range []struct{ path, letter string }{
		{"/type", pdf(letter("1", s.URL+"/type"))},
		{"/octets", pdf(letter("1", s.URL+"/octets"))},
		{"/size", promising("1", s.URL+"/size", 10, "")},
		{"/digest", promising("1", s.URL+"/digest", -1, "Content-MD5: Q2hlY2sgSW50ZWdyaXR5IQ==\r\n")},
	} {
		box, dir := maildir(t), home(t)
		deliver(t, box, "1:2,", tt.letter)
		if res := run(t, dir, options(box)); res.Exceptions != 1 {
			t.Errorf("%s: got %+v, want an exception", tt.path, res.Counts)
			continue
		}
		if text := unzipped(t, dir); !strings.Contains(text, page[:2000]) {
			t.Errorf("%s: got %d octets of exchanges, want the page in them", tt.path, len(text))
		}
		if text := slurp(t, dir, "ledger"); !strings.Contains(text, `"words":"HTTP/1.1 200 OK (login)"`) {
			t.Errorf("%s: got no name of the page in %s", tt.path, text)
		}
	}
}

// TestNames holds: names of files that are no UTF-8 are distinguished, and each file is seen once.
func TestNames(t *testing.T) {
	folder, dir := t.TempDir(), home(t)
	for i, name := range []string{"\xe4.eml", "\xf6.eml", "\ufffd.eml", "a\nb.eml", "\"q\".eml", "\u202e.eml", "{}.eml", `\xe4.eml`} {
		if err := os.WriteFile(filepath.Join(folder, name), fmt.Appendf(nil, "Subject: %d\r\n\r\nx\r\n", i), 0o600); err != nil {
			t.Skip(err) // not all systems have such names
		}
	}
	if err := os.WriteFile(filepath.Join(folder, "\xff.bin"), []byte("\x7fELF\x00\x01"), 0o600); err != nil {
		t.Skip(err)
	}
	if res := run(t, dir, options(folder)); res.Sightings != 8 || res.Messages != 8 || res.New != 1 {
		t.Errorf("got %+v, want 8 messages, 8 sightings, an exception", res.Counts)
	}
	if res := run(t, dir, options(folder)); res.Sightings+res.New+res.Messages != 0 {
		t.Errorf("again: got %+v, want nothing new", res.Counts)
	}
	clean(t, dir)
}

// A box is a mailbox of a server.
type box struct {
	name     string
	validity uint32
	uids     map[uint32]string
	ids      map[uint32]string // EmailIDs, if the server has them
	short    map[uint32]bool   // messages that were fetched whole
	read     int
}

func (b *box) Name() string            { return b.name }
func (b *box) Exists() (int64, uint32) { return int64(len(b.uids)), b.validity }

func (b *box) Messages(_ context.Context, known func(*archive.Sighting) archive.Known) iter.Seq2[*archive.Item, error] {
	return func(yield func(*archive.Item, error) bool) {
		for uid, text := range b.uids {
			s := archive.Sighting{Source: b.name, UIDValidity: b.validity, UID: uid, EmailID: b.ids[uid]}
			content := func() (*io.SectionReader, error) {
				b.read++
				return io.NewSectionReader(strings.NewReader(text), 0, int64(len(text))), nil
			}
			if k := known(&s); k == archive.Seen || k == archive.Elsewhere {
				content = nil
			}
			it := archive.NewItem(s, content, nil)
			it.Refetched = b.short[uid]
			if !yield(it, nil) {
				return
			}
		}
	}
}

// TestSightings holds: two users with equal UIDVALIDITY and UIDs are distinguished; a message that moves, and one
// whose mailbox has another UIDVALIDITY, is the same, and no host is asked again for its references.
func TestSightings(t *testing.T) {
	s := newSite(t, plain)
	dir := home(t)
	a, b := letter("a", s.URL+"/a"), letter("b", s.URL+"/b")
	ann := &box{name: "imap://ann@mail.example/INBOX", validity: 7, uids: map[uint32]string{1: a}}
	bob := &box{name: "imap://bob@mail.example/INBOX", validity: 7, uids: map[uint32]string{1: b}}
	sync := func(want archive.Counts, boxes ...*box) {
		t.Helper()
		o := options()
		for _, x := range boxes {
			o.Sources = append(o.Sources, x)
		}
		res := run(t, dir, o)
		if res.Messages != want.Messages || res.Sightings != want.Sightings || res.Captures != want.Captures {
			t.Errorf("got %+v, want %d messages, %d sightings, %d captures", res.Counts, want.Messages, want.Sightings, want.Captures)
		}
	}
	sync(archive.Counts{Messages: 2, Sightings: 2, Captures: 2}, ann, bob)
	// One moves to another mailbox, and one to another user.
	sent := &box{name: "imap://ann@mail.example/Sent", validity: 9, uids: map[uint32]string{1: a, 2: b}}
	ann.uids = nil
	sync(archive.Counts{Sightings: 2}, ann, bob, sent)
	sent.validity = 10
	sync(archive.Counts{Sightings: 2}, ann, bob, sent)
	read := sent.read
	sync(archive.Counts{}, ann, bob, sent)
	if s.total() != 2 || sent.read != read {
		t.Errorf("got %d requests, %d messages read again; want 2, none", s.total(), sent.read-read)
	}
	if v := clean(t, dir); v.Messages != 2 || v.Captured != 2 {
		t.Errorf("got %+v, want 2 messages, 2 captured", v)
	}
}

// TestRefetched holds: messages that a server did not send as announced are counted, OP-46.
func TestRefetched(t *testing.T) {
	s := newSite(t, plain)
	x := &box{name: "imap://ann@mail.example/INBOX", validity: 7, short: map[uint32]bool{2: true, 3: true}}
	x.uids = map[uint32]string{1: letter("a", s.URL+"/a"), 2: letter("b", s.URL+"/b"), 3: letter("c", s.URL+"/c")}
	o := options()
	o.Sources = []archive.Source{x}
	if res := run(t, home(t), o); res.Refetched != 2 || res.Sources[0].Seen != 3 {
		t.Errorf("got %d of %d refetched, want 2 of 3", res.Refetched, res.Sources[0].Seen)
	}
}

// TestSeenElsewhere holds: a message is read once in an account whose server has ids for messages, whatever mailboxes it
// is in and whatever their names and UIDVALIDITY are, unless it was not stored and other rules hold.
func TestSeenElsewhere(t *testing.T) {
	s := newSite(t, plain)
	dir := home(t)
	a, plain := letter("a", s.URL+"/a"), "Subject: b\r\n\r\nhello\r\n"
	night := func(what string, read int, stored int64, change func(o *archive.SyncOptions), boxes ...*box) {
		t.Helper()
		o, seen, got := options(), int64(0), int64(0)
		if change != nil {
			change(o)
		}
		for _, b := range boxes {
			o.Sources, b.read = append(o.Sources, b), 0
		}
		res := run(t, dir, o)
		for i, b := range boxes {
			read -= b.read
			seen, got = seen+int64(len(b.uids))-res.Sources[i].Seen, got+res.Sources[i].Stored
		}
		if read != 0 || seen != 0 || got != stored {
			t.Errorf("%s: got %d fewer messages read, %d fewer seen, %d stored, want 0, 0, %d", what, read, seen, got, stored)
		}
	}
	inbox := &box{name: "imap://ann@mail.example/INBOX", validity: 7, uids: map[uint32]string{1: a, 2: plain}, ids: map[uint32]string{1: "M1", 2: "M2"}}
	night("the first night", 2, 1, nil, inbox)
	moved := &box{name: "imap://ann@mail.example/2024", validity: 9, uids: map[uint32]string{5: a, 6: plain, 7: plain + "\r\n"},
		ids: map[uint32]string{5: "M1", 6: "M2", 7: "M3"}}
	night("another mailbox", 1, 2, nil, inbox, moved)
	moved.validity = 10
	night("another UIDVALIDITY", 0, 2, nil, inbox, moved)
	if text := slurp(t, dir, "ledger"); strings.Count(text, `"uidvalidity":10,"uid":5,"emailid":"M1"`) != 1 || strings.Count(text, `"emailid":"M1"`) != 3 ||
		strings.Count(text, `"sighting":{"message":"`+sumOf(a)+`"`) != 3 {
		t.Errorf("got the ledger\n%s\nwant three sightings of one message", text)
	}
	night("no news", 0, 2, nil, inbox, moved)
	must(t, os.Remove(filepath.Join(dir, "index")))
	moved.name = "imap://ann@mail.example/Old"
	night("another name, and an index that is made anew", 0, 2, nil, inbox, moved)
	bob := &box{name: "imap://bob@mail.example/INBOX", validity: 7, uids: map[uint32]string{1: "X: y\r\n" + a}, ids: map[uint32]string{1: "M1"}}
	night("another account", 1, 1, nil, bob)
	moved.name = "imap://ann@mail.example/Older"
	night("other rules", 2, 1, func(o *archive.SyncOptions) { o.Open.MaxReferences = 7 }, moved)
	moved.name = "imap://ann@mail.example/All"
	night("all messages", 2, 3, func(o *archive.SyncOptions) { o.All = true }, moved)
	if v := clean(t, dir); v.Messages != 4 || s.total() != 1 {
		t.Errorf("got %+v and %d requests, want 4 messages, 1", v, s.total())
	}
}

// TestInterrupt holds: a run that is interrupted ends soon, with a ledger that is whole and
// says so, and the next one does the rest.
func TestInterrupt(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var asked atomic.Int64
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		if asked.Add(1) == 20 {
			cancel()
		}
		plain(w, r)
	})
	box, dir := inbox(t, numbered(s, 60)...)
	a := open(t, dir)
	begun := time.Now()
	res, err := a.Sync(ctx, options(box))
	a.Close()
	if !errors.Is(err, context.Canceled) || res.Captures < 10 || res.Captures == 60 {
		t.Errorf("got %+v, %v after %v; want some captured, and that it was interrupted", res.Counts, err, time.Since(begun))
	}
	clean(t, dir)
	if res := run(t, dir, options(box)); res.Captures == 0 {
		t.Errorf("got %+v, want the rest", res.Counts)
	}
	if v := clean(t, dir); v.Captured != 60 {
		t.Errorf("got %+v, want all captured", v)
	}
}

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

// TestSince holds: a message that was received before is neither read nor stored, by the time of its file and not by
// the message, and is counted; and a run without it takes it.
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
		o.Sources = []archive.Source{archive.Files(box, since), archive.Files(mbox, since)}
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
