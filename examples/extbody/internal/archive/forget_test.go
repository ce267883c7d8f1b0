package archive_test

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive"
)

func selector(t testing.TB, terms ...string) *archive.Selector {
	t.Helper()
	s, err := archive.ParseSelector(terms)
	must(t, err)
	return s
}

// forget forgets the references and messages that terms select.
func forget(t testing.TB, dir string, terms ...string) {
	t.Helper()
	a := open(t, dir)
	defer a.Close()
	if _, err := a.Forget(selector(t, terms...), &archive.ForgetOptions{Reason: "the law"}); err != nil {
		t.Fatal(err)
	}
}

// TestForgotten holds: no run brings back a forgotten body by itself, and a retry that names it does.
func TestForgotten(t *testing.T) { kinds(t, testForgotten) }

func testForgotten(t *testing.T) {
	busy := true
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/later" && busy {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		plain(w, r)
	})
	box, dir := inbox(t, s.URL+"/body", s.URL+"/later")
	run(t, dir, options(box))
	forget(t, dir, "url="+s.URL+"/body")
	forget(t, dir, "url="+s.URL+"/later")
	clean(t, dir)
	// The user removed them: neither is a loss of its host (OP-59).
	r := read(t, dir)
	st, err := r.Status()
	must(t, err)
	h := st.Hosts["127.0.0.1"]
	if st.Kinds["forgotten"] != 2 || len(st.Kinds) != 1 || h.Forgotten != 2 || h.Excepted != 2 {
		t.Errorf("status: got %v, %+v; want two forgotten", st.Kinds, h)
	}
	if text := page(t, r); !strings.Contains(text, "<p>Nothing is known to be deleted.</p>") || !strings.Contains(text, "removed from this archive on purpose") {
		t.Errorf("got the page %s, want nothing that its host deleted", text)
	}
	for _, row := range records(t, table(t, r)) {
		if row["forgotten"] != "yes" || row["due"] != "" {
			t.Errorf("got %v, want that it was forgotten, and is not due", row)
		}
	}
	busy = false
	asked := s.total()
	// A message that is new promises something else of the same URL.
	deliver(t, box, "3:2,", strings.Replace(letter("3", s.URL+"/body"), "octet-stream", "pdf", 1))
	o := options(box)
	o.Recapture = time.Nanosecond
	later := time.Now().Add(48 * time.Hour)
	a, err := archive.Open(dir, false, &archive.Options{Now: func() time.Time { return later }})
	must(t, err)
	res, err := a.Sync(t.Context(), o)
	a.Close()
	if err != nil || res.Captures != 0 || res.New != 1 || s.total() != asked {
		t.Errorf("got %+v, %v, %d requests; want nothing asked for, and an exception of the new message", res.Counts, err, s.total()-asked)
	}
	clean(t, dir)
	if strings.Contains(slurp(t, dir, "objects"), body("/body")) {
		t.Error("the body is in the archive again")
	}
	if res := run(t, dir, options(box)); res.Exceptions != 0 {
		t.Errorf("the next night: got %+v, want nothing due", res.Counts)
	}
	if res := retry(t, dir, "url="+s.URL+"/body", "ref=1", "message=<1@example.org>"); res.Captures != 1 || s.total() != asked+1 {
		t.Errorf("retry: got %+v, %d requests; want a capture", res.Counts, s.total()-asked)
	}
	clean(t, dir)
}

// TestForgottenAgain is OP-36: after a forget, a new message with the same URL is not captured,
// and its exception says why.
func TestForgottenAgain(t *testing.T) {
	s := newSite(t, plain)
	box, dir := inbox(t, s.URL+"/body")
	run(t, dir, options(box))
	forget(t, dir, "message=<1@example.org>")
	asked := s.total()
	deliver(t, box, "2:2,", letter("2", s.URL+"/body"))
	if res := run(t, dir, options(box)); res.New != 1 || s.total() != asked {
		t.Errorf("got %+v, %d requests; want an exception that is new, and no request", res.Counts, s.total()-asked)
	}
	if v := clean(t, dir); v.Captured != 0 || v.Excepted != 2 {
		t.Errorf("got %+v, want two exceptions", v)
	}
	a := read(t, dir)
	if text := table(t, a); strings.Count(text, "the reference was forgotten") != 2 {
		t.Errorf("got %s, want that both references were forgotten", text)
	}
	if res := run(t, dir, options(box)); res.New != 0 {
		t.Errorf("the next night: got %+v, want nothing new", res.Counts)
	}
	if res := retry(t, dir, "message=<2@example.org>"); res.Captures != 1 {
		t.Errorf("retry: got %+v, want a capture", res.Counts)
	}
	if v := clean(t, dir); v.Captured != 2 {
		t.Errorf("got %+v, want both references captured", v)
	}
}

// TestForgottenException is OP-59: the exception of a message that was forgotten is no loss of its host, also if another
// message has the same reference, which keeps its own.
func TestForgottenException(t *testing.T) {
	dir, box, s := filled(t, 1)
	deliver(t, box, "other:2,", letter("other", s.URL+"/gone"))
	run(t, dir, options(box))
	forget(t, dir, "message=<gone@example.org>")
	a := read(t, dir)
	for _, row := range agreeing(t, dir, nil) {
		want := map[bool]string{true: "yes"}[row["message_id"] == "<gone@example.org>"]
		if row["forgotten"] != want {
			t.Errorf("%s: got forgotten %q, want %q", row["message_id"], row["forgotten"], want)
		}
	}
	st, err := a.Status()
	must(t, err)
	if st.Kinds["forgotten"] != 1 || st.Kinds["gone"] != 1 || st.Hosts["127.0.0.1"].Forgotten != 1 {
		t.Errorf("got %v, %+v; want one forgotten and one gone", st.Kinds, st.Hosts["127.0.0.1"])
	}
	must(t, a.Search(new(archive.Selector), func(f *archive.Found) error {
		if wanted := f.MessageID == "<gone@example.org>"; f.Forgotten != wanted {
			t.Errorf("search: got %+v, want forgotten %v", f, wanted)
		}
		return nil
	}))
	out := filepath.Join(t.TempDir(), "load")
	_, err = a.Export(t.Context(), out, &archive.ExportOptions{As: "load", Selector: selector(t, "kind=forgotten")})
	must(t, err)
	dat := strings.Split(mustRead(t, filepath.Join(out, "load.dat")), "\n")
	column := slices.Index(strings.Split(dat[0], "\x14"), "\u00feFORGOTTEN\u00fe")
	for _, line := range dat[1:3] { // the message and its reference
		if got := strings.Split(line, "\x14")[column]; got != "\u00feyes\u00fe" {
			t.Errorf("%q: got %s, want that it was forgotten", line, got)
		}
	}
}

// TestForgottenOther is OP-36: a retry that brings one promise of a forgotten URL back captures
// nothing for another promise, whose capture was before the forget.
func TestForgottenOther(t *testing.T) {
	text := body("/body")
	s := newSite(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/octet-stream")
		w.Write([]byte(text))
	})
	box, dir := inbox(t, s.URL+"/body")
	deliver(t, box, "2:2,", promising("2", s.URL+"/body", len(text), ""))
	run(t, dir, options(box))
	if v := clean(t, dir); v.Captured != 2 {
		t.Fatalf("got %+v, want two captures", v)
	}
	forget(t, dir, "url="+s.URL+"/body")
	text = "another body, of another size"
	asked := s.total()
	if res := retry(t, dir, "message=<1@example.org>"); res.Captures != 1 {
		t.Errorf("retry: got %+v, want a capture", res.Counts)
	}
	if v := clean(t, dir); v.Captured != 1 || v.Open != 1 {
		t.Errorf("got %+v, want one captured, and one that nobody has compared yet", v)
	}
	for _, row := range agreeing(t, dir, nil) {
		if row["sha256"] == sumOf(body("/body")) {
			t.Errorf("got %v, want nothing that was forgotten", row)
		}
	}
	if res := run(t, dir, options(box)); res.Exceptions != 1 || s.total() != asked+1 {
		t.Errorf("the next night: got %+v, %d requests; want an exception without a request", res.Counts, s.total()-asked-1)
	}
	clean(t, dir)
}

// TestForgetOneBody is OP-36: the body of two messages goes with the second of them, whether
// they have one URL or two.
func TestForgetOneBody(t *testing.T) {
	for _, path := range []string{"/1", "/2"} {
		s := newSite(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/octet-stream")
			w.Write([]byte("one body"))
		})
		box, dir := inbox(t, s.URL+"/1", s.URL+path)
		run(t, dir, options(box))
		forget(t, dir, "message=<1@example.org>")
		if v := clean(t, dir); v.Objects != 2 {
			t.Errorf("%s: got %+v, want a message and the body", path, v)
		}
		forget(t, dir, "message=<2@example.org>")
		if v := clean(t, dir); v.Objects != 0 {
			t.Errorf("%s: got %+v, want no object", path, v)
		}
	}
}

// TestForgetWords holds: nothing of a body that was refused is left after a forget, in the
// ledger, the CSV and the report. A failure keeps the words of its page. The lines of older
// versions have words of a body: verify has a note, and nothing shows them.
func TestForgetWords(t *testing.T) {
	const secret = "the salaries of all"
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		if r.URL.Path == "/refused" {
			w.WriteHeader(http.StatusForbidden)
		}
		fmt.Fprint(w, secret+" at "+r.URL.Path)
	})
	box, dir := maildir(t), home(t)
	deliver(t, box, "1:2,", promising("1", s.URL+"/body", 3, ""))
	deliver(t, box, "2:2,", promising("2", s.URL+"/refused", 3, ""))
	run(t, dir, options(box))
	forget(t, dir, "message=<1@example.org>")
	a := read(t, dir)
	shown := table(t, a) + page(t, a) + slurp(t, dir, ".") + unzipped(t, dir)
	if strings.Contains(shown, secret+" at /body") {
		t.Error("got words of a body that was forgotten")
	}
	if !strings.Contains(shown, `HTTP/1.1 403 Forbidden `+secret+" at /refused") {
		t.Error("got no words of a failure")
	}
	clean(t, dir)

	old := home(t)
	archive.FillWords(t, old, "HTTP/1.1 200 OK "+secret)
	a = read(t, old)
	if shown := table(t, a) + page(t, a); strings.Contains(shown, secret) || !strings.Contains(shown, "HTTP/1.1 200 OK") {
		t.Errorf("an old line: got %s, want its status line alone", shown)
	}
	if v := verify(t, old); len(v.Faults) > 0 || len(v.Notes) != 1 || !strings.Contains(v.Notes[0], "has words of a body, the first in line 4") {
		t.Errorf("an old line: got %+v, want a note", v)
	}
}

// TestLostEnd is OP-35: nothing is written to a ledger that lacks lines, so that head proves
// it.
func TestLostEnd(t *testing.T) {
	s := newSite(t, plain)
	box, dir := inbox(t, s.URL+"/1")
	run(t, dir, options(box))
	copied := filepath.Join(t.TempDir(), "copy")
	a := read(t, dir)
	_, err := a.Copy(t.Context(), copied, nil)
	must(t, err)
	must(t, a.Close())
	names, err := filepath.Glob(filepath.Join(dir, "ledger", "*"))
	must(t, err)
	text, err := os.ReadFile(names[0])
	must(t, err)
	lines := strings.SplitAfter(string(text), "\n")
	must(t, os.WriteFile(names[0], []byte(strings.Join(lines[:len(lines)-3], "")), 0o600))
	must(t, os.Remove(filepath.Join(dir, "index")))
	head, err := os.ReadFile(filepath.Join(dir, "head"))
	must(t, err)
	for range 2 {
		if _, err := archive.Open(dir, false, nil); !errors.Is(err, archive.ErrLost) {
			t.Fatalf("got %v, want %v", err, archive.ErrLost)
		}
	}
	a = read(t, dir)
	if _, err := a.Copy(t.Context(), filepath.Join(t.TempDir(), "other"), nil); !errors.Is(err, archive.ErrLost) {
		t.Errorf("a copy: got %v, want %v", err, archive.ErrLost)
	}
	must(t, a.Close())
	if now, err := os.ReadFile(filepath.Join(dir, "head")); err != nil || string(now) != string(head) {
		t.Errorf("got the head %q, %v, want %q", now, err, head)
	}
	// Without head, a time stamp names a line that is not there, too.
	must(t, os.Remove(filepath.Join(dir, "head")))
	stamp := filepath.Join(dir, "stamps", strings.Replace(strings.TrimSpace(string(head)), " ", "-", 1)+".tsr")
	put(t, stamp, "x")
	if _, err := archive.Open(dir, false, nil); !errors.Is(err, archive.ErrLost) {
		t.Errorf("without head, with a stamp: got %v, want %v", err, archive.ErrLost)
	}
	must(t, os.Remove(stamp))
	put(t, filepath.Join(dir, "head"), string(head))
	_, err = archive.Repair(t.Context(), dir, copied)
	must(t, err)
	clean(t, dir)
	if res := run(t, dir, options(box)); res.New != 0 {
		t.Errorf("after the repair: got %+v, want nothing new", res.Counts)
	}
}

// TestOtherLine is OP-35: a ledger whose line with the number in head is another one is not
// written to, however many lines there are after it.
func TestOtherLine(t *testing.T) {
	s := newSite(t, plain)
	box, dir := inbox(t, s.URL+"/1")
	run(t, dir, options(box))
	older := copied(t, dir)
	deliver(t, box, "2:2,", letter("2", s.URL+"/2"))
	run(t, dir, options(box))
	head, err := os.ReadFile(filepath.Join(dir, "head"))
	must(t, err)
	// The older copy goes on alone, and gets the head of the other one.
	for i := range 3 {
		deliver(t, box, fmt.Sprintf("x%d:2,", i), letter(fmt.Sprint("x", i), fmt.Sprintf("%s/x%d", s.URL, i)))
		run(t, older, options(box))
	}
	put(t, filepath.Join(older, "head"), string(head))
	if _, err := archive.Open(older, false, nil); !errors.Is(err, archive.ErrLost) {
		t.Errorf("got %v, want %v", err, archive.ErrLost)
	}
}

// TestOtherEnd is OP-35: a last line that was changed to another one of its length is not the
// one that head and index name.
func TestOtherEnd(t *testing.T) {
	s := newSite(t, plain)
	box, dir := inbox(t, s.URL+"/1")
	run(t, dir, options(box))
	kept := copied(t, dir)
	names, err := filepath.Glob(filepath.Join(dir, "ledger", "*"))
	must(t, err)
	text, err := os.ReadFile(names[0])
	must(t, err)
	start := bytes.LastIndexByte(text[:len(text)-1], '\n') + 1
	put(t, names[0], string(text[:start])+strings.Replace(string(text[start:]), `"sync"`, `"hold"`, 1))
	for _, removed := range []string{"none", "index", "head"} {
		other := copied(t, dir)
		os.Remove(filepath.Join(other, removed))
		if a, err := archive.Open(other, false, nil); !errors.Is(err, archive.ErrLost) {
			t.Errorf("%s removed: got %v, %v, want %v", removed, a, err, archive.ErrLost)
		}
		_, err = archive.Repair(t.Context(), other, kept)
		must(t, err)
		clean(t, other)
	}
}

// TestForgottenTwin holds: a reference of two messages, one of which was forgotten before
// anybody asked for it, is captured for the other.
func TestForgottenTwin(t *testing.T) {
	s := newSite(t, plain)
	box, dir := inbox(t, s.URL+"/body", s.URL+"/body")
	o := options(box)
	o.Resolve = nil
	run(t, dir, o)
	a := open(t, dir)
	if g, err := a.Forget(selector(t, "message=<1@example.org>"), &archive.ForgetOptions{Reason: "x"}); err != nil || len(g.Objects) != 1 {
		t.Fatalf("got %+v, %v; want the message removed", g, err)
	}
	a.Close()
	if res := run(t, dir, options(box)); res.Captures != 1 {
		t.Errorf("got %+v, want a capture for the message that is left", res.Counts)
	}
	if v := clean(t, dir); v.Captured != 2 {
		t.Errorf("got %+v, want both references captured", v)
	}
}

// TestForgetTwice forgets the same selection twice. The second time no exchanges are left of it.
func TestForgetTwice(t *testing.T) {
	dir, _, s := filled(t, 1)
	now := time.Now()
	a, err := archive.Open(dir, false, &archive.Options{Now: func() time.Time { return now }})
	must(t, err)
	for i := range 2 {
		g, err := a.Forget(selector(t, "url="+s.URL+"/1"), &archive.ForgetOptions{Reason: "x"})
		if err != nil || len(g.Exchanges) != 1-i {
			t.Errorf("got %+v, %v; want %d spans", g, err, 1-i)
		}
	}
	a.Close()
	clean(t, dir)
}

// TestHold holds: all records of a reference are held with it, the answer of a server that has no body as well, and
// later ones; and two holds need two releases.
func TestHold(t *testing.T) { kinds(t, testHold) }

func testHold(t *testing.T) {
	dir, _, s := filled(t, 2)
	a := open(t, dir)
	defer a.Close()
	held := func(want bool, terms ...string) {
		t.Helper()
		_, err := a.Forget(selector(t, terms...), &archive.ForgetOptions{Reason: "x"})
		if errors.Is(err, archive.ErrHeld) != want {
			t.Errorf("forget %v: got %v, want held %v", terms, err, want)
		}
	}
	hold := func(release bool, terms ...string) {
		t.Helper()
		if _, err := a.Hold(selector(t, terms...), "case 7", release); err != nil {
			t.Fatalf("hold %v: got error %v, want none", terms, err)
		}
	}
	hold(false, "message=<gone@example.org>")
	held(true, "url="+s.URL+"/gone")
	hold(true, "message=<gone@example.org>")
	hold(false, "url="+s.URL+"/gone") // of which there is no object
	held(true, "host=127.0.0.1")
	hold(true, "url="+s.URL+"/gone")
	hold(false, "message=<1@example.org>")
	hold(false, "url="+s.URL+"/1")
	hold(true, "url="+s.URL+"/1")
	held(true, "url="+s.URL+"/1") // by the first hold
	held(true, "message=<1@example.org>")
	hold(true, "message=<1@example.org>")
	held(false, "message=<1@example.org>")
	if strings.Contains(slurp(t, dir, "ledger"), `"objects":null`) {
		t.Error("got a line whose objects are no list")
	}
	clean(t, dir)
}

// TestRetryNothing holds: a selector that fits no reference is an error, and one that fits
// none of that outcome is not.
func TestRetryNothing(t *testing.T) {
	dir, _, s := filled(t, 2)
	a := open(t, dir)
	defer a.Close()
	before := a.Head()
	for _, tt := range []struct {
		terms []string
		want  error
	}{
		{[]string{"host=nowhere.example"}, archive.ErrNothing},
		{[]string{"message=<unknown@example.org>"}, archive.ErrNothing},
		{[]string{"message=ab"}, archive.ErrNothing},
		{[]string{"object=0123456789"}, archive.ErrNothing},
		{[]string{"host=127.0.0.1", "kind=unavailable"}, nil},
		{[]string{"kind=unavailable"}, nil},
	} {
		asked := s.total()
		res, err := a.Retry(t.Context(), selector(t, tt.terms...), options())
		if !errors.Is(err, tt.want) || s.total() != asked || res.Captures != 0 {
			t.Errorf("%v: got %v, %+v; want %v", tt.terms, err, res.Counts, tt.want)
		}
		if tt.want != nil && a.Head() != before {
			t.Errorf("%v: got a run in the ledger, want none", tt.terms)
		}
	}
}

// TestRetryDamaged holds: a retry mends an object that is damaged, though the server says
// that nothing has changed.
func TestRetryDamaged(t *testing.T) { kinds(t, testRetryDamaged) }

func testRetryDamaged(t *testing.T) {
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", `"1"`)
		if r.Header.Get("If-None-Match") == `"1"` {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		plain(w, r)
	})
	box, dir := inbox(t, s.URL+"/body")
	run(t, dir, options(box))
	sum := sumOf(body("/body"))
	path := object(dir, sum)
	put(t, path, "the disk rots")
	if v := verify(t, dir); len(v.Faults) != 1 {
		t.Fatalf("got %v, want a fault", v.Faults)
	}
	retry(t, dir, "object="+sum[:8])
	clean(t, dir)
	if text, _ := os.ReadFile(path); string(text) != body("/body") {
		t.Errorf("got %q, want the body", text)
	}
}

// TestTwins holds: two messages with the same octets in one mailbox are one message, and
// those that differ in one octet are two.
func TestTwins(t *testing.T) {
	box, dir := maildir(t), home(t)
	for i, text := range []string{"a", "a", "b"} {
		deliver(t, box, fmt.Sprintf("%d:2,", i), "Subject: x\r\n\r\n"+text+"\r\n")
	}
	res := run(t, dir, options(box))
	if res.Messages != 2 || res.Sightings != 3 {
		t.Errorf("got %+v, want 2 messages, 3 sightings", res.Counts)
	}
	o := options(box)
	o.All = true
	run(t, dir, o)
	if v := clean(t, dir); v.Messages != 2 || v.Objects != 2 {
		t.Errorf("stored later: got %+v, want 2 messages, 2 objects", v)
	}
}

// TestIndexFails holds: where a line is written, and then the index cannot be, the objects that the line names stay.
func TestIndexFails(t *testing.T) {
	s := newSite(t, plain)
	box, dir := inbox(t, s.URL+"/body")
	a := open(t, dir)
	o, calls := options(box), 0
	o.Login = func(*url.URL) string {
		if calls++; calls == 2 { // for the reference, and then for the attempt
			if err := a.BreakIndex(); err != nil {
				t.Error(err)
			}
		}
		return ""
	}
	if res, err := a.Sync(t.Context(), o); err == nil {
		t.Errorf("got %+v, want an error", res.Counts)
	}
	a.Close()
	if v := verify(t, dir); len(v.Faults) > 0 {
		t.Errorf("got %v, want no fault", v.Faults)
	}
	if res := run(t, dir, options(box)); s.total() != 1 {
		t.Errorf("the next run: got %+v, %d requests; want none", res.Counts, s.total()-1)
	}
	if v := clean(t, dir); v.Captured != 1 {
		t.Errorf("got %+v, want a capture", v)
	}
}

// TestForgetReason holds: a reason of any length is recorded in full, and takes as much of
// the place of an exchange as there is; one that is no text or too long is refused before
// anything is changed.
func TestForgetReason(t *testing.T) {
	for _, tt := range []struct {
		name, why string
		want      error
	}{
		{"Long", strings.Repeat("by order of the court of 22 November ", 400), nil},
		{"LongUnicode", strings.Repeat("\u2014\U0001F5D1", 4000), nil},
		{"TooLong", strings.Repeat("x", archive.MaxReason+1), archive.ErrReason},
		{"NoText", "a\xff", archive.ErrReason},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir, _, s := filled(t, 1)
			a := open(t, dir)
			before := a.Head()
			_, err := a.Forget(selector(t, "url="+s.URL+"/1"), &archive.ForgetOptions{Reason: tt.why})
			if !errors.Is(err, tt.want) {
				t.Fatalf("got error %v, want %v", err, tt.want)
			}
			if tt.want != nil && a.Head() != before {
				t.Error("got lines in the ledger, want none")
			}
			if _, err := a.Hold(selector(t, "url="+s.URL+"/1"), tt.why, false); tt.want != nil && !errors.Is(err, tt.want) {
				t.Errorf("hold: got error %v, want %v", err, tt.want)
			}
			a.Close()
			clean(t, dir)
			if tt.want == nil {
				if text := slurp(t, dir, "ledger"); !strings.Contains(text, tt.why) {
					t.Error("the ledger has not the whole reason, want it")
				}
				if text := unzipped(t, dir); !strings.Contains(text, "removed: "+tt.why[:100]) || strings.Contains(text, body("/1")) {
					t.Error("the exchange has not the beginning of the reason alone, want it")
				}
			}
		})
	}
}

// TestForgetSeveral checks that a Forget by Message-ID or by the first digits of a digest
// removes one message only, unless the caller allows more, and that a dry run shows the
// messages.
func TestForgetSeveral(t *testing.T) {
	s := newSite(t, plain)
	box, dir := inbox(t, s.URL+"/1")
	deliver(t, box, "2:2,", strings.Replace(letter("1", s.URL+"/2"), "Subject: 1", "Subject: mine", 1)) // with the ID of the first
	run(t, dir, options(box))
	sel := selector(t, "message=<1@example.org>")
	g, err := read(t, dir).Forget(sel, &archive.ForgetOptions{Reason: "x", DryRun: true})
	if err != nil || len(g.Messages) != 2 || len(g.Objects) != 4 || len(g.Messages[0].SHA256) != 64 || g.Messages[0].From != "a@example.org" || g.Messages[0].Subject == g.Messages[1].Subject {
		t.Fatalf("dry run: got %+v, %v; want both messages", g, err)
	}
	a := open(t, dir)
	defer a.Close()
	before := a.Head()
	if _, err := a.Forget(sel, &archive.ForgetOptions{Reason: "x"}); !errors.Is(err, archive.ErrSeveral) || a.Head() != before {
		t.Errorf("got %v, want %v and nothing written", err, archive.ErrSeveral)
	}
	if g, err := a.Forget(selector(t, "message="+g.Messages[0].SHA256[:12]), &archive.ForgetOptions{Reason: "x"}); err != nil || len(g.Objects) != 2 {
		t.Errorf("by digest: got %+v, %v; want one message and its body", g, err)
	}
	if g, err := a.Forget(sel, &archive.ForgetOptions{Reason: "x", AllMatches: true}); err != nil || len(g.Objects) != 2 {
		t.Errorf("all matches: got %+v, %v; want the other message and its body", g, err)
	}
}

// TestForgetBesideHold checks that the hold of one message keeps no other from being
// forgotten, and that an error of a hold names it.
func TestForgetBesideHold(t *testing.T) {
	s := newSite(t, plain)
	box, dir := maildir(t), home(t)
	deliver(t, box, "1:2,", letter("1", s.URL+"/shared", s.URL+"/1"))
	deliver(t, box, "2:2,", letter("2", s.URL+"/shared", s.URL+"/2"))
	run(t, dir, options(box))
	a := open(t, dir)
	defer a.Close()
	for _, why := range []string{"case 7", "case 8"} {
		if n, err := a.Hold(selector(t, "message=<2@example.org>"), why, false); err != nil || n != 3 {
			t.Fatalf("got %d, %v; want 3 objects", n, err)
		}
	}
	if g, err := a.Forget(selector(t, "message=<1@example.org>"), &archive.ForgetOptions{Reason: "x"}); err != nil || len(g.Objects) != 2 {
		t.Errorf("got %+v, %v; want the message and its own body", g, err)
	}
	if _, err := a.Forget(selector(t, "message=<2@example.org>"), &archive.ForgetOptions{Reason: "x"}); !errors.Is(err, archive.ErrHeld) || !strings.Contains(err.Error(), "case 7") {
		t.Errorf("got %v, want %v with the reason of the hold", err, archive.ErrHeld)
	}
	if list, err := a.Holds(); err != nil || len(list) != 2 || list[1].Reason != "case 8" || len(list[0].Objects) != 3 || len(list[0].Keys) != 2 {
		t.Errorf("got %+v, %v; want two holds", list, err)
	}
	a.Hold(selector(t, "url="+s.URL+"/2"), "", true)
	if list, err := a.Holds(); err != nil || len(list) != 2 || len(list[0].Objects) != 2 || len(list[0].Keys) != 1 || len(list[1].Objects) != 3 {
		t.Errorf("after a release of one body: got %+v, %v; want it released from the first hold", list, err)
	}
	a.Hold(selector(t, "message=<2@example.org>"), "", true)
	if list, err := a.Holds(); err != nil || len(list) != 1 || len(list[0].Objects) != 2 {
		t.Errorf("after another release: got %+v, %v; want what is left of the second hold", list, err)
	}
}

// First gets the URLs that led to a body, and its error leaves everything in place.
func TestForgetFirst(t *testing.T) {
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/from" {
			http.Redirect(w, r, "/to", http.StatusFound)
			return
		}
		plain(w, r)
	})
	box, dir := inbox(t, s.URL+"/from", s.URL+"/other")
	run(t, dir, options(box))
	a := open(t, dir)
	var got []string
	o := &archive.ForgetOptions{Reason: "the law", First: func(g *archive.Forgetting) error {
		got = g.URLs
		return errors.New("away")
	}}
	head := a.Head()
	if _, err := a.Forget(selector(t, "url="+s.URL+"/from"), o); err == nil || a.Head() != head {
		t.Errorf("got %v and the head %s, want the error and %s", err, a.Head(), head)
	}
	for _, want := range []string{s.URL + "/from", s.URL + "/to"} {
		if !slices.Contains(got, want) {
			t.Errorf("got the URLs %q, want %s among them", got, want)
		}
	}
	if slices.Contains(got, s.URL+"/other") {
		t.Errorf("got the URLs %q, want none that is not selected", got)
	}
	a.Close()
	clean(t, dir)
}
