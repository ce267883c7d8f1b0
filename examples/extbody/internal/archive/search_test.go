package archive_test

import (
	"crypto/md5"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
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

// TestSearchText holds: text= finds words in messages and captured texts, with a snippet, and selects the messages,
// as hold and forget do; thread= and md5= find facts that are in no line of the ledger.
func TestSearchText(t *testing.T) { kinds(t, testSearchText) }

func testSearchText(t *testing.T) {
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if r.URL.Path == "/pdf" {
			w.Header().Set("Content-Type", "application/pdf")
		}
		fmt.Fprint(w, "<p>Die <b>Stra&szlig;e</b> of "+r.URL.Path)
	})
	box, dir := inbox(t, s.URL+"/html", s.URL+"/pdf")
	reply := "Message-ID: <%s>\r\nReferences: <0@x>\r\n <1@example.org>\r\nIn-Reply-To: %s\r\nSubject: Re: 1\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nThe sett=\r\nlement =C3=A4ndert sich.\r\n"
	deliver(t, box, "a:2,", fmt.Sprintf(reply, "a@x", ""))
	deliver(t, box, "b:2,", "Message-ID: <b@x>\r\nIn-Reply-To: <a@x>\r\nSubject: Re: Re: 1\r\n\r\nyes\r\n")
	deliver(t, box, "c:2,", "Message-ID: <c@x>\r\nSubject: other\r\n\r\nunsettled\r\n")
	o := options(box)
	o.All = true
	run(t, dir, o)
	a := open(t, dir)
	find := func(terms ...string) (list []string) {
		t.Helper()
		must(t, a.Search(selector(t, terms...), func(f *archive.Found) error {
			list = append(list, strings.Trim(f.MessageID, "<>")+" "+f.Ref+" "+f.Snippet)
			return nil
		}))
		slices.Sort(list)
		return list
	}
	sum := md5.Sum([]byte("<p>Die <b>Stra&szlig;e</b> of /pdf"))
	for terms, want := range map[string][]string{
		"text=settlement ÄNDERT":                          {"a@x  Re: 1 The settlement ändert sich."},
		"text=settle*":                                    {"a@x  Re: 1 The settlement ändert sich."},
		"text=settle":                                     nil,
		"text=STRASSE":                                    {"1@example.org 1 Die Straße of /html"},
		"text=settlement;state=captured":                  nil,
		"text=yes;or;text=sich":                           {"a@x  Re: 1 The settlement ändert sich.", "b@x  Re: Re: 1 yes"},
		"not;text=settlement;files=0":                     {"b@x  ", "c@x  "},
		"thread=1@example.org":                            {"1@example.org 1 ", "a@x  ", "b@x  "},
		"thread=<b@x>;files=0":                            {"a@x  ", "b@x  "},
		"thread=<c@x>":                                    {"c@x  "},
		"thread=<0@x>":                                    nil,
		"md5=" + hex.EncodeToString(sum[:]):               {"2@example.org 1 "},
		"md5=" + strings.Repeat("0123", 8):                nil,
		"md5=" + hex.EncodeToString(sum[:]) + ";text=die": nil,
	} {
		if got := find(strings.Split(terms, ";")...); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", terms, got, want)
		}
	}
	p, err := a.Preview(selector(t, "text=settlement", "or", "message=1@example.org"))
	must(t, err)
	if p.Messages != 2 || p.Bodies != 1 || p.Of != 2 || p.Octets < 100 || !slices.Equal(p.Senders, []archive.Sender{{Address: "", Messages: 1}, {Address: "a@example.org", Messages: 1}}) {
		t.Errorf("got %+v, want two messages and a body", p)
	}
	if _, err := a.Preview(selector(t, "from=nobody")); !errors.Is(err, archive.ErrNothing) {
		t.Errorf("got %v, want %v", err, archive.ErrNothing)
	}
	if n, err := a.Hold(selector(t, "text=settlement"), "Case 7", false); n != 1 || err != nil {
		t.Errorf("got %d objects, %v; want the message", n, err)
	}
	g, err := a.Forget(selector(t, "text=unsettled"), &archive.ForgetOptions{Reason: "private", DryRun: true})
	must(t, err)
	if p := g.Preview(); p.Messages != 1 || p.Bodies != 0 {
		t.Errorf("got %+v, want a message", p)
	}
	_, err = a.Forget(selector(t, "text=unsettled"), &archive.ForgetOptions{Reason: "private"})
	must(t, err)
	if got := find("text=unsettled"); got != nil {
		t.Errorf("got %q after a forget, want nothing", got)
	}
	a.Close()
	must(t, filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		octets, err := os.ReadFile(path)
		if strings.Contains(string(octets), "unsettled") && !strings.Contains(path, "ledger") {
			t.Errorf("%s has the forgotten word", path)
		}
		return err
	}))
	clean(t, dir)
}

// TestMailboxOfAccount: a mailbox of an account is where a message was seen, for custodian= and for its page.
func TestMailboxOfAccount(t *testing.T) {
	a := read(t, copied(t, vector))
	var sums []string
	must(t, a.Search(selector(t, "custodian=ARCHIVE/2026"), func(f *archive.Found) error { sums = append(sums, f.Message); return nil }))
	if len(sums) == 0 {
		t.Fatal("got nothing, want the message of the account")
	}
	m, err := a.Message(sums[0])
	must(t, err)
	l, err := a.Letter(m)
	must(t, err)
	if !slices.ContainsFunc(l.Mailboxes, func(name string) bool { return strings.HasSuffix(name, " Archive/2026") }) {
		t.Errorf("got %q, want the mailbox of the account", l.Mailboxes)
	}
}

// TestSearchLost: a message or body that is lost or damaged is counted, for each term that would have to read it, and not one
// that was forgotten.
func TestSearchLost(t *testing.T) { kinds(t, testSearchLost) }

func testSearchLost(t *testing.T) {
	s := newSite(t, plain)
	box, dir := inbox(t, numbered(s, 4)...)
	run(t, dir, options(box))
	forget(t, dir, "message=<4@example.org>")
	sums := make(map[string]string)
	must(t, read(t, dir).Search(selector(t), func(f *archive.Found) error { sums[f.MessageID] = f.Message; return nil }))
	must(t, os.Remove(object(dir, sums["<1@example.org>"])))
	put(t, object(dir, sums["<2@example.org>"]), "x")
	put(t, object(dir, sumOf(body("/3"))), "x")
	a := read(t, dir)
	for term, want := range map[string]int{"from=a": 0, "to=nobody": 2, "thread=<3@example.org>": 2, "text=nothing": 2, "md5=" + strings.Repeat("0", 32): 1, "message=<3@example.org>;text=nothing": 0} {
		must(t, a.Search(selector(t, strings.Split(term, ";")...), func(*archive.Found) error { return nil }))
		if got := a.Skipped(); got != want || a.Skipped() != 0 {
			t.Errorf("%s: got %d that were skipped, want %d, once", term, got, want)
		}
	}
}
