package archive_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/dialect"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/record"
)

func incoming(dir string) *archive.Incoming {
	return &archive.Incoming{Dir: dir, Name: "mx1", Resolver: resolver(), Login: func(*url.URL) string { return "" }}
}

// handOver fetches the bodies of a message and hands them over, as a server does at delivery.
func handOver(t testing.TB, dir, text string) {
	t.Helper()
	msg, err := externalbody.Open(strings.NewReader(text), int64(len(text)), &externalbody.OpenOptions{Dialects: dialect.All()})
	must(t, err)
	in := incoming(dir)
	for ref := range msg.References() {
		var list []*fetch.Exchange
		r := *in.Resolver
		r.Observe = func(_ *externalbody.Reference, x *fetch.Exchange) { list = append(list, x) }
		spool, err := r.SaveSpool(t.Context(), []*externalbody.Reference{ref}, t.TempDir())
		must(t, err)
		defer spool.Close()
		e, err := in.Entry(ref, spool.Report, list)
		must(t, err)
		must(t, in.Put(e, spool.NewReader()))
		must(t, in.Put(e, spool.NewReader())) // again changes nothing
	}
}

// versioned answers each request with another body.
func versioned() (http.HandlerFunc, *atomic.Int64) {
	n := new(atomic.Int64)
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/octet-stream")
		fmt.Fprintf(w, "version %d", n.Add(1))
	}, n
}

// entries returns the files in the folder incoming.
func entries(t testing.TB, dir string) []string {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(dir, "incoming", "*", "*"))
	must(t, err)
	return list
}

// A body that a server handed over is the capture: the host is not asked again, and the delay counts to the
// delivery.
func TestIncoming(t *testing.T) {
	kinds(t, func(t *testing.T) {
		handler, asked := versioned()
		s := newSite(t, handler)
		box, dir := maildir(t), home(t)
		run(t, dir, options(box)) // the archive is made
		text := letter("1", s.URL+"/a", s.URL+"/b")
		handOver(t, dir, text)
		if got := len(entries(t, dir)); got != 4 {
			t.Fatalf("got %d files, want two for each body", got)
		}
		if v := clean(t, dir); v.Incoming != 2 {
			t.Errorf("got %d entries, want 2", v.Incoming)
		}
		// The server of the mailbox adds fields, so that the octets are others.
		deliver(t, box, "1:2,S", "Received: from mx1 by box; "+time.Now().Add(3*time.Second).Format(time.RFC1123Z)+"\r\n"+text)
		res := run(t, dir, options(box))
		if res.Delivered != 2 || res.Captures != 2 || res.Requests != 0 || asked.Load() != 2 {
			t.Fatalf("got %+v and %d requests in all, want 2 delivered captures and no other request", res.Counts, asked.Load())
		}
		if got := entries(t, dir); len(got) > 0 {
			t.Errorf("got %v, want nothing left", got)
		}
		a := readAt(t, dir, nil)
		for i, row := range records(t, table(t, a)) {
			if row["state"] != "captured" || row["sha256"] != sumOf(fmt.Sprintf("version %d", i+1)) || row["delay"] != "0" || row["delay_by"] != "received" {
				t.Errorf("got %v, want the version of the delivery without a delay", row)
			}
		}
		lines := slurp(t, dir, "ledger")
		for _, want := range []string{`"by":"mx1"`, `"delivered":2`, `"message_id":"\u003c1@example.org\u003e"`} {
			if !strings.Contains(lines, want) {
				t.Errorf("the ledger lacks %s", want)
			}
		}
		if exchanges := unzipped(t, dir); strings.Count(exchanges, "GET /") != 2 || !strings.Contains(exchanges, `"message_id":"\u003c1@example.org\u003e"`) {
			t.Errorf("got the exchanges %s, want both with the message", exchanges)
		}
		if v := clean(t, dir); v.Captured != 2 || v.Spans != 2 {
			t.Errorf("got %+v, want two captures with their exchanges", v)
		}
	})
}

// An entry waits until a message names its key, and no longer than 90 days.
func TestIncomingUnnamed(t *testing.T) {
	handler, _ := versioned()
	s := newSite(t, handler)
	box, dir, c := maildir(t), home(t), new(clock)
	c.set(time.Now(), 0)
	runAt(t, dir, c, options(box))
	handOver(t, dir, letter("1", s.URL+"/rejected"))
	late := letter("2", s.URL+"/late")
	handOver(t, dir, late)
	runAt(t, dir, c, options(box))
	status, err := readAt(t, dir, c).Status()
	must(t, err)
	if w := status.Waiting; w.Entries != 2 || w.Octets != int64(len("version 1version 2")) || w.Oldest.IsZero() || w.Damaged != 0 {
		t.Errorf("got %+v, want two that wait", w)
	}
	deliver(t, box, "2:2,S", late)
	c.set(time.Now().AddDate(0, 0, 80), 0)
	if res := runAt(t, dir, c, options(box)); res.Delivered != 1 || res.Unnamed != 0 || len(entries(t, dir)) != 2 {
		t.Fatalf("got %+v, %v, want one taken in and one left", res.Counts, entries(t, dir))
	}
	c.set(time.Now().AddDate(0, 0, 91), 0)
	if res := runAt(t, dir, c, options(box)); res.Unnamed != 1 || len(entries(t, dir)) != 0 {
		t.Fatalf("got %+v, %v, want one removed", res.Counts, entries(t, dir))
	}
	clean(t, dir)
}

// An entry whose body or exchange was damaged is kept aside and told, and the host is asked.
func TestIncomingDamaged(t *testing.T) {
	for name, harm := range map[string]func(t *testing.T, entry, body string){
		"Body":      func(t *testing.T, _, body string) { put(t, body, "other") },
		"LostBody":  func(t *testing.T, _, body string) { must(t, os.Remove(body)) },
		"Exchange":  func(t *testing.T, entry, _ string) { put(t, entry, "other") },
		"Empty":     func(t *testing.T, entry, _ string) { put(t, entry, "") },
		"CutShort":  func(t *testing.T, entry, _ string) { must(t, os.Truncate(entry, 100)) },
		"Untouched": nil,
	} {
		t.Run(name, func(t *testing.T) {
			s := newSite(t, plain)
			box, dir := inbox(t, s.URL+"/a")
			run(t, dir, options())
			handOver(t, dir, letter("1", s.URL+"/a"))
			entry, body := mustGlob(t, dir, "incoming/mx1/*.gz")[0], mustGlob(t, dir, "incoming/mx1/*.body")[0]
			if harm == nil {
				if res := run(t, dir, options(box)); res.Delivered != 1 || len(res.Damaged) != 0 || s.total() != 1 {
					t.Errorf("got %+v, %v", res.Counts, res.Damaged)
				}
				return
			}
			harm(t, entry, body)
			if v := verify(t, dir); len(v.Faults) != 1 || !strings.Contains(v.Faults[0], filepath.Base(entry)) || v.Incoming != 0 {
				t.Errorf("got %v, want the entry", v.Faults)
			}
			res := run(t, dir, options(box))
			if res.Delivered != 0 || res.Captures != 1 || len(res.Damaged) != 1 || s.total() != 2 {
				t.Errorf("got %+v, %v and %d requests, want one that is damaged, and a capture by the run", res.Counts, res.Damaged, s.total())
			}
			aside := mustGlob(t, dir, "incoming/mx1/damaged-*.gz")
			if v := verify(t, dir); len(aside) != 1 || len(v.Faults) != 1 || !strings.Contains(v.Faults[0], "damaged-") {
				t.Errorf("got %v, %v, want the entry kept aside", aside, v.Faults)
			}
			status, err := readAt(t, dir, nil).Status()
			must(t, err)
			if status.Waiting.Damaged != 1 || status.Waiting.Entries != 0 {
				t.Errorf("got %+v, want one damaged", status.Waiting)
			}
			if res := run(t, dir, options(box)); len(res.Damaged) != 0 {
				t.Errorf("got %v again", res.Damaged)
			}
		})
	}
}

// A server that is killed leaves a body without an entry, which counts for nothing. A run that is killed
// leaves an entry that has its line, which the next run only removes.
func TestIncomingKilled(t *testing.T) {
	handler, _ := versioned()
	s := newSite(t, handler)
	texts := []string{letter("1", s.URL+"/a"), letter("2", s.URL+"/a")}
	box, dir := maildir(t), home(t)
	run(t, dir, options(box))
	for i, text := range texts {
		handOver(t, dir, text)
		deliver(t, box, fmt.Sprintf("%d:2,S", i), text)
	}
	before := filepath.Join(t.TempDir(), "before")
	must(t, os.CopyFS(before, os.DirFS(filepath.Join(dir, "incoming"))))
	if res := run(t, dir, options(box)); res.Delivered != 2 || res.Changed != 1 {
		t.Fatalf("got %+v, want both versions", res.Counts)
	}
	lines := slurp(t, dir, "ledger")
	must(t, os.RemoveAll(filepath.Join(dir, "incoming")))
	must(t, os.CopyFS(filepath.Join(dir, "incoming"), os.DirFS(before)))
	if res := run(t, dir, options(box)); res.Delivered != 0 || res.Captures != 0 || len(entries(t, dir)) != 0 {
		t.Errorf("got %+v, %v, want nothing taken in twice", res.Counts, entries(t, dir))
	}
	if more := slurp(t, dir, "ledger")[len(lines):]; strings.Contains(more, `"kind":"capture"`) {
		t.Errorf("got the lines %s", more)
	}
	half := filepath.Join(dir, "incoming", "mx1", sumOf("x")+".body")
	put(t, half, "half")
	c := new(clock)
	c.set(time.Now(), 0)
	runAt(t, dir, c, options(box))
	if len(entries(t, dir)) != 1 {
		t.Error("a body that a server may still be writing was removed")
	}
	clean(t, dir)
	c.set(time.Now().Add(25*time.Hour), 0)
	runAt(t, dir, c, options(box))
	if got := entries(t, dir); len(got) != 0 {
		t.Errorf("got %v, want nothing", got)
	}
}

// A run that is killed after the records and before the line of an entry has one line for it in the end.
func TestIncomingRecovered(t *testing.T) {
	s := newSite(t, plain)
	box, dir := inbox(t, s.URL+"/a")
	run(t, dir, options())
	handOver(t, dir, letter("1", s.URL+"/a"))
	before := filepath.Join(t.TempDir(), "before")
	must(t, os.CopyFS(before, os.DirFS(filepath.Join(dir, "incoming"))))
	run(t, dir, options(box))
	// The lines from the capture on are taken back, and the entry is there again.
	path := mustGlob(t, dir, "ledger/*")[0]
	text, err := os.ReadFile(path)
	must(t, err)
	at := bytes.Index(text, []byte(`"kind":"capture"`))
	must(t, os.Truncate(path, int64(bytes.LastIndexByte(text[:at], '\n')+1)))
	for _, name := range []string{"head", "index"} {
		must(t, os.Remove(filepath.Join(dir, name)))
	}
	must(t, os.CopyFS(filepath.Join(dir, "incoming"), os.DirFS(before)))
	run(t, dir, options(box))
	if n := strings.Count(slurp(t, dir, "ledger"), `"kind":"capture"`); n != 1 || s.total() != 1 || len(entries(t, dir)) != 0 {
		t.Errorf("got %d lines, %d requests and %v, want one line and one request", n, s.total(), entries(t, dir))
	}
	if v := clean(t, dir); v.Captured != 1 {
		t.Errorf("got %+v, want the capture", v)
	}
}

// A forgotten key is not captured again because a server handed it over, before or after the forget.
func TestIncomingForgotten(t *testing.T) {
	s := newSite(t, plain)
	box, dir := inbox(t, s.URL+"/a")
	run(t, dir, options(box))
	handOver(t, dir, letter("2", s.URL+"/a"))
	a := open(t, dir)
	sel, err := archive.ParseSelector([]string{"url=" + s.URL + "/a"})
	must(t, err)
	_, err = a.Forget(sel, &archive.ForgetOptions{Reason: "asked to"})
	must(t, errors.Join(err, a.Close()))
	if got := entries(t, dir); len(got) != 0 {
		t.Errorf("got %v after the forget, want nothing", got)
	}
	handOver(t, dir, letter("3", s.URL+"/a"))
	if res := run(t, dir, options(box)); res.Captures != 0 || len(entries(t, dir)) != 0 || slices.Contains(objects(t, dir), sumOf(body("/a"))) {
		t.Errorf("got %+v, %v, want nothing taken in", res.Counts, entries(t, dir))
	}
	clean(t, dir)
}

// A message with other promises for the URL names the key, and its expectation is compared without a request.
func TestIncomingOtherExpectation(t *testing.T) {
	s := newSite(t, plain)
	box, dir := maildir(t), home(t)
	run(t, dir, options(box))
	handOver(t, dir, letter("1", s.URL+"/a"))
	sized := strings.Replace(letter("1", s.URL+"/a"), "access-type=URL;", fmt.Sprintf("access-type=URL; size=%d;", len(body("/a"))), 1)
	deliver(t, box, "1:2,S", sized)
	if res := run(t, dir, options(box)); res.Delivered != 1 || res.Captures != 2 || s.total() != 1 {
		t.Errorf("got %+v and %d requests, want the entry and a comparison", res.Counts, s.total())
	}
	if v := clean(t, dir); v.Captured != 1 {
		t.Errorf("got %+v, want the reference captured", v)
	}
}

// Some bodies are left to the next run, which judges them as it does all.
func TestIncomingUnfit(t *testing.T) {
	text := strings.Replace(letter("1", "http://a.example/a"), "access-type=URL;", "access-type=URL; size=9;", 1)
	msg, err := externalbody.Open(strings.NewReader(text), int64(len(text)), nil)
	must(t, err)
	x := []*fetch.Exchange{{Protocol: "http", URL: "http://a.example/a"}}
	size := &externalbody.Report{Checks: []fetch.Check{{Name: "size", Status: fetch.Mismatch}}}
	for ref := range msg.References() {
		for name, try := range map[string]struct {
			r    *externalbody.Report
			list []*fetch.Exchange
			want error
		}{"NoExchange": {new(externalbody.Report), nil, archive.ErrUnfit}, "Size": {size, x, archive.ErrUnfit}, "Fit": {new(externalbody.Report), x, nil}} {
			if _, err := incoming(t.TempDir()).Entry(ref, try.r, try.list); !errors.Is(err, try.want) {
				t.Errorf("%s: got %v, want %v", name, err, try.want)
			}
		}
	}
	in := incoming(t.TempDir())
	if err := in.Check(); !errors.Is(err, archive.ErrNone) || len(entries(t, in.Dir)) > 0 {
		t.Errorf("got %v, want %v and no new folder", err, archive.ErrNone)
	}
}

func TestIncomingName(t *testing.T) {
	for name, want := range map[string]string{"mx1.a.example": "mx1.a.example", "..": "-.", "": "server", "a/b c": "a-b-c", ".x": "-x"} {
		if got := archive.IncomingName(name); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
}

// writeIncoming adds an entry to the vector.
func writeIncoming(t *testing.T, dir string) {
	text := letter("6", "http://files.example/m")
	msg, err := externalbody.Open(strings.NewReader(text), int64(len(text)), nil)
	must(t, err)
	at := time.Date(2026, 12, 2, 2, 0, 0, 0, time.UTC)
	x := &fetch.Exchange{Started: at, Ended: at.Add(time.Second), Protocol: "http", URL: "http://files.example/m", Remote: netip.MustParseAddrPort("192.0.2.7:80"),
		RequestHead: record.Octets("GET /m HTTP/1.1\r\nHost: files.example\r\n\r\n"), ResponseHead: record.Octets("HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\n\r\n"), Status: 200}
	r := &externalbody.Report{FinalURL: x.URL, RemoteAddr: x.Remote, Status: 200, Started: x.Started, Ended: x.Ended, MediaType: "application/octet-stream",
		ServedType: "application/octet-stream", Checks: []fetch.Check{{Name: "media-type", Status: fetch.Match}}}
	for ref := range msg.References() {
		e, err := incoming(dir).Entry(ref, r, []*fetch.Exchange{x})
		must(t, err)
		must(t, incoming(dir).Put(e, strings.NewReader("sixth")))
	}
}

// The entry in the vector is read by the rules of ARCHIVE.md alone.
func TestIncomingVector(t *testing.T) {
	names := mustGlob(t, vector, "incoming/*/*.warc.gz")
	if len(names) != 1 {
		t.Fatalf("got %v, want one entry", names)
	}
	octets, err := os.ReadFile(names[0])
	must(t, err)
	sum := strings.TrimSuffix(filepath.Base(names[0]), ".warc.gz")
	if sumOf(string(octets)) != sum {
		t.Error("the name of the entry is not its digest")
	}
	z, err := gzip.NewReader(bytes.NewReader(octets))
	must(t, err)
	text, err := io.ReadAll(z)
	must(t, err)
	block := regexp.MustCompile(`(?s)vnd\.extbody\.entry\+json\r\n.*?\r\n\r\n(.*)\r\n\r\n$`).FindSubmatch(text)
	if block == nil {
		t.Fatalf("got %s, want a last record with the capture", text)
	}
	var told struct {
		Kind    string
		Capture map[string]any
	}
	must(t, json.Unmarshal(block[1], &told))
	body, err := os.ReadFile(strings.TrimSuffix(names[0], ".warc.gz") + ".body")
	must(t, err)
	for name, want := range map[string]any{"sha256": sumOf(string(body)), "size": float64(len(body)), "key": sumOf("http://files.example/m\n"), "by": "mx1",
		"ended": "2026-12-02T02:00:01Z", "message": nil, "exchanges": nil} {
		if got := told.Capture[name]; told.Kind != "capture" || got != want {
			t.Errorf("%s %s: got %v, want %v", told.Kind, name, got, want)
		}
	}
	if v := clean(t, copied(t, vector)); v.Incoming != 1 {
		t.Errorf("got %d entries, want 1", v.Incoming)
	}
}

// A copy has no entries, and is whole without them. Those of the archive wait for its next run, and the copy has
// their captures after that. Entries that the copy has itself stay.
func TestIncomingCopied(t *testing.T) {
	handler, asked := versioned()
	s := newSite(t, handler)
	box, dir, tmp := maildir(t), home(t), t.TempDir()
	run(t, dir, options(box))
	text := letter("1", s.URL+"/a", s.URL+"/b")
	handOver(t, dir, text)
	waiting := slurp(t, dir, "incoming")
	copies := map[string]*archive.Options{"folder": nil, "bucket": {Objects: "file://" + filepath.Join(t.TempDir(), "bucket")}}
	same := func(when string, entriesOfCopy int64) {
		t.Helper()
		for kind, o := range copies {
			to := filepath.Join(tmp, kind)
			if m, err := read(t, dir).Copy(t.Context(), to, o); err != nil || len(m.Lost) > 0 {
				t.Fatalf("%s: got %+v, %v; want nothing lost", when, m, err)
			}
			if v := clean(t, to); v.Incoming != entriesOfCopy {
				t.Errorf("%s, %s: got %d entries, want %d", when, kind, v.Incoming, entriesOfCopy)
			}
			for _, part := range []string{"ledger", "objects", "exchanges"} {
				if slurp(t, dir, part) != slurp(t, to, part) {
					t.Errorf("%s, %s: got other octets in %s, want the same", when, kind, part)
				}
			}
		}
	}
	same("while they wait", 0)
	if got := slurp(t, dir, "incoming"); got != waiting {
		t.Error("the entries have changed")
	}
	for kind := range copies {
		handOver(t, filepath.Join(tmp, kind), letter("2", s.URL+"/of-the-copy"))
	}
	deliver(t, box, "1:2,S", text)
	before := asked.Load()
	if res := run(t, dir, options(box)); res.Delivered != 2 || asked.Load() != before {
		t.Fatalf("got %+v, want two delivered captures and no request", res.Counts)
	}
	same("after they were taken in", 1)
}
