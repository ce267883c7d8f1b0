package archive_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive"
	"github.com/go-extbody/extbody/examples/extbody/internal/archive/ledger"
	"github.com/go-extbody/extbody/externalbody"
)

// meaning returns a selector that means captures.
func meaning(t *testing.T, which string, terms ...string) *archive.Selector {
	t.Helper()
	sel := selector(t, terms...)
	w, err := archive.ParseWhich(which)
	must(t, err)
	sel.Capture = w
	return sel
}

// TestEveryCapture holds: a body that was captured before the latest one is found by its digest, and table, load files,
// report, exported and restored messages have the capture that is asked for (OP-59).
func TestEveryCapture(t *testing.T) { kinds(t, testEveryCapture) }

func testEveryCapture(t *testing.T) {
	const file, within = "https://files.example/1", "data:application/octet-stream,within"
	dir := home(t)
	arrival := time.Date(2026, 11, 2, 10, 0, 0, 0, time.UTC) // the Date of the letter
	open(t, dir).Close()
	l, err := ledger.Open(filepath.Join(dir, "ledger"), ledger.Head{}, 0)
	must(t, err)
	at := arrival
	write := func(kind string, body any) {
		_, err := l.Append(at, ledger.Entry{Kind: kind, Body: body})
		must(t, err)
	}
	object := func(text string) string {
		path := object(dir, sumOf(text))
		must(t, os.MkdirAll(filepath.Dir(path), 0o700))
		put(t, path, text)
		return sumOf(text)
	}
	capture := func(url, body, label string) {
		write("capture", &archive.Capture{Facts: archive.Facts{Key: sumOf(url + "\n"), URL: url, Ended: at}, SHA256: object(body), Size: int64(len(body)), Label: label})
	}
	write("run", &archive.Run{Format: 1, Event: "begin", Command: "sync"})
	for i, url := range []string{file, within} {
		text := letter(fmt.Sprint(i+1), url)
		m := archive.Describe(text)
		m.References = 1
		m.Stored = true
		object(text)
		write("message", m)
		write("reference", &archive.ReferenceRecord{Message: m.SHA256, Ref: "1", Key: sumOf(url + "\n"), URL: url, Size: -1})
	}
	capture(within, "within", "declared")
	for night, body := range []string{"%body one", "%body one", "%body two", "%body one"} {
		at = arrival.Add(time.Minute + time.Duration(night)*10*day)
		capture(file, body, "current")
	}
	write("changed", &archive.Changed{Key: sumOf(file + "\n"), URL: file, From: sumOf("%body one"), To: sumOf("%body two")})
	write("run", &archive.Run{Format: 1, Event: "end", Command: "sync"})
	put(t, filepath.Join(dir, "head"), l.Head().String()+"\n")
	must(t, l.Close())

	agreeing(t, dir, nil)
	a := read(t, dir)
	const remote = "message=<1@example.org>"
	one, two := sumOf("%body one"), sumOf("%body two")
	for _, sum := range []string{one, two, two[:8], strings.ToUpper(one)} {
		found := 0
		must(t, a.Search(selector(t, "object="+sum), func(f *archive.Found) error { found++; return nil }))
		if found != 1 {
			t.Errorf("object=%s: got %d, want 1", sum, found)
		}
	}
	var notices []string
	noticing, err := archive.Read(dir, &archive.Options{Notice: func(s string) { notices = append(notices, s) }})
	must(t, err)
	defer noticing.Close()
	for _, tt := range []struct{ which, sum, want string }{
		{"latest", one, ""}, // it is the latest one again
		{"latest", two[:8], "finds an earlier body of 1 reference, and the latest is given"},
		{"first", two, ""},
	} {
		for _, use := range []func(*archive.Selector) error{
			func(sel *archive.Selector) error {
				return noticing.Search(sel, func(*archive.Found) error { return nil })
			},
			func(sel *archive.Selector) error { return second(noticing.WriteCSV(io.Discard, sel)) },
			func(sel *archive.Selector) error {
				out := filepath.Join(t.TempDir(), "out")
				return second(noticing.Export(t.Context(), out, &archive.ExportOptions{As: "mbox", Inline: true, Selector: sel}))
			},
			func(sel *archive.Selector) error {
				return second(noticing.Restore(t.Context(), &archive.RestoreOptions{Selector: sel}, func(*archive.MessageRecord, io.Reader) error { return nil }))
			},
		} {
			notices = nil
			must(t, use(meaning(t, tt.which, "object="+tt.sum)))
			if got := strings.Join(notices, "\n"); (got == "") != (tt.want == "") || !strings.Contains(got, tt.want) {
				t.Errorf("object=%.8s and %s: got the notices %q, want %q", tt.sum, tt.which, got, tt.want)
			}
		}
	}
	for which, want := range map[string]string{
		"latest": "", "sent": "1 reference stays in its message: it was not captured, or not as --capture sent means",
	} {
		notices = nil
		out := filepath.Join(t.TempDir(), "out")
		must(t, second(noticing.Export(t.Context(), out, &archive.ExportOptions{As: "eml", Inline: true, Selector: meaning(t, which, remote)})))
		if got := strings.Join(notices, "\n"); got != want {
			t.Errorf("inline, %s: got the notices %q, want %q", which, got, want)
		}
	}
	changed := 0
	must(t, a.Search(selector(t, "changed"), func(f *archive.Found) error { changed++; return nil }))
	if changed != 1 {
		t.Errorf("changed: got %d, want the one with two bodies", changed)
	}
	last := fmt.Sprint(int((30*day + time.Minute).Seconds()))
	later := fmt.Sprint(int((20*day + time.Minute).Seconds()))
	for which, want := range map[string][]string{
		"latest":               {one + " " + last},
		"first":                {one + " 60"},
		"all":                  {one + " 60", two + " " + later, one + " " + last},
		"2026-11-12":           {one + " 60"},
		"2026-11-23":           {two + " " + later},
		"2026-11-02T10:00:59Z": {" "},
		"sent":                 {" "},
	} {
		var table strings.Builder
		_, err := a.WriteCSV(&table, meaning(t, which, remote))
		must(t, err)
		var got []string
		for _, row := range records(t, table.String()) {
			got = append(got, row["sha256"]+" "+row["delay"])
			if (row["state"] == "captured") != (row["sha256"] != "") {
				t.Errorf("%s: got %v", which, row)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: CSV: got %q, want %q", which, got, want)
		}
		out := filepath.Join(t.TempDir(), "out")
		_, err = a.Export(t.Context(), out, &archive.ExportOptions{As: "load", Selector: meaning(t, which, remote)})
		must(t, err)
		got = nil
		documents := concordance(t, slurp(t, out, "load.dat"))
		for i, d := range documents {
			if family := fmt.Sprintf("EXT%08d", len(documents)); d["BEGATTACH"] != "EXT00000001" || d["ENDATTACH"] != family {
				t.Errorf("%s: got the family of %v, want one to %s", which, d, family)
			}
			if i > 0 {
				got = append(got, d["SHA256"]+" "+d["DELAY"])
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: load files: got %q, want %q", which, got, want)
		}
		var page strings.Builder
		must(t, a.WriteReport(&page, meaning(t, which, remote)))
		if strings.Contains(page.String(), "Half of 1 captures were made within 60 seconds") != (which == "first" || which == "2026-11-12") {
			t.Errorf("%s: got another delay on the page", which)
		}
		if which == "all" {
			continue
		}
		sum, _, _ := strings.Cut(want[0], " ")
		wanted := map[string]string{one: "%body one", two: "%body two", "": file}[sum]
		out = filepath.Join(t.TempDir(), "out")
		_, err = a.Export(t.Context(), out, &archive.ExportOptions{As: "mbox", Inline: true, Selector: meaning(t, which, remote)})
		must(t, err)
		if text := slurp(t, filepath.Dir(out), "out"); !strings.Contains(text, wanted) {
			t.Errorf("%s: inline: got %s, want %q in it", which, text, wanted)
		}
		_, err = a.Restore(t.Context(), &archive.RestoreOptions{Selector: meaning(t, which, remote)}, func(_ *archive.MessageRecord, r io.Reader) error {
			text, err := io.ReadAll(r)
			if !strings.Contains(string(text), wanted) {
				t.Errorf("%s: restore: got %s, want %q in it", which, text, wanted)
			}
			return err
		})
		must(t, err)
	}
	var table strings.Builder
	_, err = a.WriteCSV(&table, meaning(t, "sent"))
	must(t, err)
	if rows := records(t, table.String()); rows[1]["sha256"] != sumOf("within") || rows[1]["capture"] != "declared" {
		t.Errorf("sent: got %v, want the body in the message", rows[1])
	}
	for _, e := range []archive.ExportOptions{{As: "mbox", Inline: true, Selector: meaning(t, "all")}, {As: "wacz", Selector: meaning(t, "first")}} {
		if _, err := a.Export(t.Context(), filepath.Join(t.TempDir(), "x"), &e); !errors.Is(err, archive.ErrWhich) {
			t.Errorf("%s: got %v, want %v", e.As, err, archive.ErrWhich)
		}
	}
	if _, err := a.Restore(t.Context(), &archive.RestoreOptions{Selector: meaning(t, "all")}, nil); !errors.Is(err, archive.ErrWhich) {
		t.Errorf("restore: got %v, want %v", err, archive.ErrWhich)
	}
	for _, text := range []string{"last", "20", "2026-13", "until"} {
		if w, err := archive.ParseWhich(text); err == nil {
			t.Errorf("%s: got %v, want an error", text, w)
		}
	}
	a.Close()
	// A capture before a forget counts no more, by whatever selector.
	forget(t, dir, "object="+two)
	a = read(t, dir)
	must(t, a.Search(selector(t, "object="+one), func(f *archive.Found) error { t.Errorf("forgotten: got %+v", f); return nil }))
	clean(t, dir)
}

// TestRestoreSeveral holds: a captured reference that stays in its message, since another one with its URL has another body, is
// named.
func TestRestoreSeveral(t *testing.T) {
	s := newSite(t, func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "aGVsbG8K") })
	box, dir := maildir(t), home(t)
	text := letter("1", s.URL+"/1", s.URL+"/1")
	at := strings.LastIndex(text, "Content-Type: application/octet-stream")
	deliver(t, box, "1:2,S", text[:at]+"Content-Transfer-Encoding: base64\r\n"+text[at:])
	if res := run(t, dir, options(box)); res.Captures != 2 {
		t.Fatalf("got %+v, want two captures", res.Counts)
	}
	a := read(t, dir)
	var left []string
	o := &archive.RestoreOptions{Left: func(_ *archive.MessageRecord, ref *externalbody.Reference, err error) {
		left = append(left, ref.ID+": "+err.Error())
	}}
	_, err := a.Restore(t.Context(), o, func(_ *archive.MessageRecord, r io.Reader) error { return second(io.Copy(io.Discard, r)) })
	if err != nil || len(left) != 2 || !strings.Contains(left[0], "have different bodies") {
		t.Errorf("got left %q, %v; want both references", left, err)
	}
}
