package archive_test

import (
	"crypto/sha256"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive"
)

// TestSearch holds: search, export, report, hold and forget select the same by the same selectors, and
// selectors about messages alone select the messages too.
func TestSearch(t *testing.T) { kinds(t, testSearch) }

func testSearch(t *testing.T) {
	s := newSite(t, plain)
	box, dir := inbox(t, numbered(s, 3)...)
	text := strings.Replace(letter("x", s.URL+"/4", s.URL+"/5"), "From: a@example.org", "From: Bea <b@example.org>\r\nCc: c@example.org", 1)
	deliver(t, box, "x:2,S", strings.Replace(text, "2 Nov 2026", "2 Nov 2025", 1))
	deliver(t, box, "y:2,S", "From: dan@example.org\r\nTo: ann@example.org\r\nCc: b@example.org\r\nMessage-ID: <y@example.org>\r\nDate: Mon, 2 Nov 2024 10:00:00 +0000\r\n\r\nno files\r\n")
	o := options(box)
	o.All = true
	run(t, dir, o)
	a := open(t, dir)
	find := func(a *archive.Archive, terms ...string) (refs []string) {
		t.Helper()
		must(t, a.Search(selector(t, terms...), func(f *archive.Found) error {
			if f.State == "message" {
				return nil
			}
			refs = append(refs, strings.TrimPrefix(f.URL, s.URL+"/"))
			if f.State == "captured" && (f.Delay == nil || f.DelayBy != "date" || f.SHA256 == "" || f.From == "") {
				t.Errorf("got %+v", f)
			}
			return nil
		}))
		return refs
	}
	for terms, want := range map[string][]string{
		"": {"1", "2", "3", "4", "5"}, "from=b@example.org": {"4", "5"}, "to=c@example.org": {"4", "5"}, "not to=c@example.org": {"1", "2", "3"},
		"until=2025 since=2025": {"4", "5"}, "since=2026 state=captured": {"1", "2", "3"}, "custodian=box not from=bea": {"1", "2", "3"}, "custodian=elsewhere": nil,
		"url=" + s.URL + "/2 or from=bea ref=2": {"2", "5"}, "object=" + sumOf(body("/3")): {"3"}, "type=application until=2025-12-31 since=2025": {"4", "5"},
		"cc=c@example.org": {"4", "5"}, "to-only=c@example.org": nil, "files=2": {"4", "5"}, "files=1-  files=1": {"1", "2", "3"}, "files=1 size=12+": {"1", "2", "3"},
		"size=12 state=captured": {"1", "2", "3", "4", "5"}, "size=1MB+": nil, "delay=0+ url=" + s.URL + "/2": {"2"}, "captured-since=2020": {"1", "2", "3", "4", "5"}, "captured-since=2200": nil,
		"changed": nil, "hold=case": nil,
	} {
		fields := strings.Fields(terms)
		got := find(a, fields...)
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", terms, got, want)
		}
		var table, page strings.Builder
		n, err := a.WriteCSV(&table, selector(t, fields...))
		must(t, err)
		if rows := records(t, table.String()); int(n) != len(want) || len(rows) != len(want) {
			t.Errorf("%s: got %d rows, want %v", terms, len(rows), want)
		}
		must(t, a.WriteReport(&page, selector(t, fields...)))
		if wanted := "<dt>references</dt><dd>" + string(rune('0'+len(want))) + "</dd>"; !strings.Contains(page.String(), wanted) {
			t.Errorf("%s: the page lacks %s", terms, wanted)
		}
	}
	// Messages without references are found as they are selected, by terms that are about messages alone.
	for terms, want := range map[string]int{"files=0": 1, "until=2024": 1, "cc=b@example.org": 1, "to-only=b@example.org": 0, "files=0 state=open": 0, "files=2": 0, "from=dan files=0": 1} {
		got := 0
		must(t, a.Search(selector(t, strings.Fields(terms)...), func(f *archive.Found) error {
			if f.State == "message" && f.MessageID == "<y@example.org>" && f.Ref == "" {
				got++
			}
			return nil
		}))
		if got != want {
			t.Errorf("%s: got %d messages without references, want %d", terms, got, want)
		}
	}
	if n, err := a.Hold(selector(t, "from=b@example.org"), "Case 7", false); n != 3 || err != nil {
		t.Errorf("got %d objects, %v; want a message and two bodies", n, err)
	}
	if got := find(a, "hold=case"); !slices.Equal(got, []string{"4", "5"}) {
		t.Errorf("hold=case: got %v, want what is held", got)
	}
	if got := find(a, "hold=case", "not", "hold=7"); got != nil {
		t.Errorf("hold=case not hold=7: got %v, want nothing", got)
	}
	for _, release := range []bool{true, false} {
		_, err := a.Hold(selector(t, "from=b@example.org"), "another reason", release)
		must(t, err)
		if got := find(a, "hold=case"); got != nil {
			t.Errorf("hold=case after a release: got %v, want nothing", got)
		}
	}
	if got := find(a, "hold=another"); len(got) != 2 {
		t.Errorf("hold=another: got %v, want both files", got)
	}
	if _, err := a.Forget(selector(t, "until=2025"), &archive.ForgetOptions{Reason: "old"}); !errors.Is(err, archive.ErrHeld) {
		t.Errorf("got %v, want %v", err, archive.ErrHeld)
	}
	g, err := a.Forget(selector(t, "since=2026", "not", "message=<2@example.org>"), &archive.ForgetOptions{Reason: "a rule", AllMatches: true})
	must(t, err)
	if len(g.Messages) != 2 || len(g.Objects) != 4 {
		t.Errorf("got %+v, want two messages with their bodies", g)
	}
	got := find(a, "state=captured")
	if slices.Sort(got); !slices.Equal(got, []string{"2", "4", "5"}) {
		t.Errorf("got %v, want what was not forgotten", got)
	}
	a.Close()
	clean(t, dir)
}

// BenchmarkSearch searches for one name in an archive of 20,000 messages, beside the SHA-256 of its ledger, which no
// reader of a chain of digests can do without.
func BenchmarkSearch(b *testing.B) {
	const messages = 20_000
	dir := home(b)
	archive.FillMessages(b, dir, "imaps://ann@imap.example/INBOX", 7, messages)
	files, err := filepath.Glob(filepath.Join(dir, "ledger", "*.jsonl"))
	must(b, err)
	b.Run("digest", func(b *testing.B) {
		for b.Loop() {
			for _, name := range files {
				text, err := os.ReadFile(name)
				must(b, err)
				sha256.Sum256(text)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/messages, "ns/message")
	})
	b.Run("search", func(b *testing.B) {
		a := readAt(b, dir, nil)
		sel := selector(b, "name=report-700.pdf")
		b.ResetTimer()
		for b.Loop() {
			found := 0
			must(b, a.Search(sel, func(*archive.Found) error { found++; return nil }))
			if found != 1 {
				b.Fatalf("got %d, want 1", found)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/messages, "ns/message")
	})
}
