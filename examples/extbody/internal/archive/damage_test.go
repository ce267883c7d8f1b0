package archive_test

import (
	"crypto/sha256"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive"
	"github.com/go-extbody/extbody/examples/extbody/internal/archive/ledger"
)

// TestDamagedIndex checks that an index in any state costs nothing but the time to make it
// anew: every command gives the results that it gives with a whole index, and Verify
// reports the damage.
func TestDamagedIndex(t *testing.T) {
	made, _, _ := filled(t, 5)
	path := filepath.Join(made, "index")
	whole, err := os.ReadFile(path)
	must(t, err)
	r := rand.New(rand.NewPCG(1, 2))
	n := often("EXTBODY_TEST_DAMAGES", 120)
	for i := range n {
		text := append([]byte{}, whole...)
		from := r.IntN(len(text))
		name := "cut"
		switch i % 6 {
		case 0:
			text = text[:from]
		case 1:
			name = "flip"
			text[from] ^= 1 << r.IntN(8)
		case 2:
			name = "zeros"
			clear(text[from:min(len(text), from+1+r.IntN(8192))])
		case 3:
			name = "noise"
			for k := from; k < min(len(text), from+1+r.IntN(64)); k++ {
				text[k] = byte(r.Uint32())
			}
		case 4:
			name = "cut to pages"
			text = text[:from&^4095]
		case 5:
			name = "longer"
			text = append(text, whole[:from]...)
		}
		if string(text) == string(whole) {
			continue
		}
		put(t, path, string(text))
		a, err := archive.Read(made, nil)
		if err != nil {
			t.Fatalf("%s at %d: got %v, want an index made anew", name, from, err)
		}
		s, err := a.Status()
		a.Close()
		if err != nil || s.Captures != 5 || s.Exceptions != 1 || s.Messages != 6 {
			t.Fatalf("%s at %d: got %+v, %v; want 5 captures and an exception", name, from, s, err)
		}
		if i%10 > 0 {
			continue
		}
		if v := verify(t, made); len(v.Faults) != 1 || !strings.HasPrefix(v.Faults[0], "index: ") {
			t.Errorf("%s at %d: got %q, want a fault of the index", name, from, v.Faults)
		}
		open(t, made).Close()
		if v := verify(t, made); len(v.Faults) > 0 {
			t.Errorf("%s at %d, after a command that writes: got %q, want no fault", name, from, v.Faults)
		}
	}
}

// TestForgedIndex checks that an index with a right seal can hold anything: commands may give
// wrong results or errors, and nothing else happens. Verify reports it.
func TestForgedIndex(t *testing.T) {
	made, box, _ := filled(t, 5)
	path := filepath.Join(made, "index")
	whole, err := os.ReadFile(path)
	must(t, err)
	whole = whole[:len(whole)-sha256.Size]
	r := rand.New(rand.NewPCG(3, 4))
	n := often("EXTBODY_TEST_DAMAGES", 120)
	for i := range n {
		text := slices.Clone(whole)
		for range 1 + r.IntN(8) {
			text[len("extbody index 13\n")+r.IntN(len(text)-len("extbody index 13\n"))] = byte(r.Uint32())
		}
		if i%5 == 1 {
			text[len("extbody index 13\n")+4] = 255 // the length of the first key
		}
		if i%5 == 0 {
			text = text[:r.IntN(len(text))]
		}
		if slices.Equal(text, whole) {
			continue
		}
		seal := sha256.Sum256(text)
		put(t, path, string(text)+string(seal[:]))
		if a, err := archive.Read(made, nil); err == nil {
			a.Status()
			a.Due(func(*archive.DueRow) error { return nil })
			a.WriteCSV(io.Discard, new(archive.Selector))
			a.WriteReport(io.Discard, new(archive.Selector))
			a.Close()
		}
		if i%10 > 0 {
			continue
		}
		if v := verify(t, made); len(v.Faults) != 1 || !strings.HasPrefix(v.Faults[0], "index: ") {
			t.Errorf("%d: got %q, want a fault of the index", i, v.Faults)
		}
		dir := copied(t, made)
		if a, err := archive.Open(dir, false, nil); err == nil {
			a.Sync(t.Context(), options(box))
			a.Close()
		}
	}
}

// TestDamagedObjects checks that no octet of a damaged object gets into an export, into a
// message or into another capture.
func TestDamagedObjects(t *testing.T) { kinds(t, testDamagedObjects) }

func testDamagedObjects(t *testing.T) {
	s := newSite(t, plain)
	for _, kind := range []string{"message", "body"} {
		box, dir := maildir(t), home(t)
		text := letter("1", s.URL+"/1")
		deliver(t, box, "1:2,", text)
		run(t, dir, options(box))
		sum := sumOf(body("/1"))
		if kind == "message" {
			sum = sumOf(text)
		}
		path := object(dir, sum)
		octets, err := os.ReadFile(path)
		must(t, err)
		octets[len(octets)/2] ^= 1
		put(t, path, string(octets))
		a := read(t, dir)
		for _, o := range []archive.ExportOptions{{As: "eml"}, {As: "mbox"}, {As: "maildir"}, {As: "mbox", Inline: true}, {As: "warc"}, {As: "wacz"}} {
			web := o.As == "warc" || o.As == "wacz"
			if web == (kind == "message") || kind == "body" && !web && !o.Inline {
				continue // the damaged object is not part of it
			}
			out := filepath.Join(t.TempDir(), "out")
			_, err := a.Export(t.Context(), out, &o)
			if info, serr := os.Stat(out); err == nil || serr == nil && !info.IsDir() {
				t.Errorf("%s, %+v: got %v, %v; want an error and no file", kind, o, err, serr)
			}
		}
		a.Close()
		// Another message promises a size of the same body.
		deliver(t, box, "2:2,", promising("2", s.URL+"/1", len(body("/1")), ""))
		o := options(box)
		if kind == "body" {
			if res := run(t, dir, o); res.Captures != 1 || s.asks["/1"] != 3 {
				t.Errorf("got %+v, %d requests; want the body fetched again for the other message", res.Counts, s.asks["/1"])
			}
			clean(t, dir)
		}
	}
}

// forge appends lines to the ledger of an archive, in a chain that is right, as anybody can
// who has the folder.
func forge(t testing.TB, dir string, entries ...ledger.Entry) {
	t.Helper()
	a := open(t, dir)
	now := a.Head()
	a.Close()
	l, err := ledger.Open(filepath.Join(dir, "ledger"), now, 0)
	must(t, err)
	defer l.Close()
	if _, err := l.Append(time.Now(), entries...); err != nil {
		t.Fatal(err)
	}
}

// TestStranger holds: an archive that somebody else has made leads nowhere out of its folder, and its faults are
// reported.
func TestStranger(t *testing.T) {
	tmp := t.TempDir()
	secret := filepath.Join(tmp, "secret")
	put(t, secret, "what nobody may read\n")
	made, _, _ := filled(t, 2)
	for _, tt := range []struct {
		name  string
		plant func(t *testing.T, dir string)
		fault string
	}{
		{"ObjectIsLink", func(t *testing.T, dir string) {
			path := object(dir, objects(t, dir)[0])
			os.Remove(path)
			if err := os.Symlink(secret, path); err != nil {
				t.Skip(err)
			}
		}, "is no regular file"},
		{"FolderIsLink", func(t *testing.T, dir string) {
			sum := objects(t, dir)[0]
			path := filepath.Join(dir, "objects", sum[:2])
			os.Rename(path, filepath.Join(tmp, "moved"))
			if err := os.Symlink(filepath.Join(tmp, "moved"), path); err != nil {
				t.Skip(err)
			}
		}, "cannot be read"},
		{"ExchangesAreLink", func(t *testing.T, dir string) {
			path := mustGlob(t, dir, "exchanges/*")[0]
			os.Rename(path, filepath.Join(tmp, "exchanges"))
			if err := os.Symlink(filepath.Join(tmp, "exchanges"), path); err != nil {
				t.Skip(err)
			}
		}, "is no regular file"},
		{"MessageNamesPath", func(t *testing.T, dir string) {
			sum := "../../../" + strings.Repeat("x", 64-len("../../../"))
			put(t, filepath.Join(tmp, "victim"), "")
			forge(t, dir, ledger.Entry{Kind: "message", Body: &archive.MessageRecord{SHA256: sum, Stored: true}},
				ledger.Entry{Kind: "capture", Body: &archive.Capture{SHA256: "../secret"}})
		}, "no SHA-256"},
		{"SpanNamesPath", func(t *testing.T, dir string) {
			forge(t, dir, ledger.Entry{Kind: "exception", Body: &archive.Exception{Facts: archive.Facts{Exchanges: &archive.Span{File: "../../secret", Length: 21}}}})
		}, "cannot be read"},
		{"ForeignLedger", func(t *testing.T, dir string) { put(t, filepath.Join(dir, "ledger", "2026-11 (copy).jsonl"), "x\n") }, "no file of the ledger"},
		{"LargeHead", func(t *testing.T, dir string) { put(t, filepath.Join(dir, "head"), strings.Repeat("1", 2<<20)) }, "head: "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := copied(t, made)
			tt.plant(t, dir)
			v := verify(t, dir)
			if all := strings.Join(v.Faults, "\n"); !strings.Contains(all, tt.fault) || strings.Contains(all, "nobody may read") {
				t.Errorf("got %q, want %q", all, tt.fault)
			}
			a, err := archive.Read(dir, nil)
			if err != nil {
				return // which is fine
			}
			defer a.Close()
			for _, as := range []string{"eml", "mbox", "warc", "csv"} {
				out := filepath.Join(t.TempDir(), "out."+as)
				_, err := a.Export(t.Context(), out, &archive.ExportOptions{As: as})
				if strings.Contains(slurp(t, filepath.Dir(out), filepath.Base(out)), "nobody may read") {
					t.Errorf("%s: got what is outside (%v), want it not exported", as, err)
				}
			}
		})
	}
}

// TestForeignFiles holds: foreign files in the folders stay there, and verify reports them.
func TestForeignFiles(t *testing.T) {
	dir, box, _ := filled(t, 1)
	foreign := []string{"objects/notes.txt", "objects/ab/.nfs0001", "exchanges/00000001-0001.warc.gz.bak", "ledger/notes.txt"}
	for _, name := range foreign {
		os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700)
		put(t, filepath.Join(dir, name), "somebody's")
	}
	// A run that was killed has left something, so that the next one looks for it.
	forge(t, dir, ledger.Entry{Kind: "run", Body: &archive.Run{Format: archive.Format, Event: "begin"}})
	left := strings.Repeat("ab", 32)
	os.MkdirAll(filepath.Join(dir, "objects/ab/ab"), 0o700)
	put(t, filepath.Join(dir, "objects/ab/ab", left), "half")
	run(t, dir, options(box))
	for _, name := range foreign {
		if text, _ := os.ReadFile(filepath.Join(dir, name)); string(text) != "somebody's" {
			t.Errorf("%s: got %q, want what was in it", name, text)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "objects/ab/ab", left)); err == nil {
		t.Error("what the killed run left is there still")
	}
	faults := strings.Join(verify(t, dir).Faults, "\n")
	for _, name := range foreign {
		if !strings.Contains(faults, name) {
			t.Errorf("got faults %q, want one of %s", faults, name)
		}
	}
}

// TestReportText holds: the words of strangers are text in report and table, and change neither.
func TestReportText(t *testing.T) {
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusGone)
		fmt.Fprint(w, "=cmd|' /C calc'!A0 <script>alert(1)</script> \u202Egnp.exe")
	})
	box, dir := maildir(t), home(t)
	for i, subject := range []string{"=1+1", " =1+1", "\t@SUM(A1)", "\uff1d1+1", "+1", "<img src=x onerror=alert(1)>", "a\u202Egnp.exe\u2066\u200f", "\xff\xfe", "\u2028{\"seq\":1}", "\"><script>",
		"=?utf-8?q?=3D1+1?=", "=?utf-8?q?<script>?=", "=?utf-8?q?a=E2=80=AEb?=", "=?koi8-r?q?=F0=D2=C9=CB=C1=DA?="} {
		m := strings.Replace(letter(fmt.Sprint(i), fmt.Sprintf("%s/%d?\u202e%%22%%3e<script>", s.URL, i)), "Subject: "+fmt.Sprint(i), "Subject: "+subject, 1)
		deliver(t, box, fmt.Sprintf("%d:2,", i), m)
	}
	run(t, dir, options(box))
	clean(t, dir)
	a := read(t, dir)
	report, rows := page(t, a), table(t, a)
	for name, text := range map[string]string{"page": report, "table": rows} {
		if want := "Приказ"; !strings.Contains(text, want) {
			t.Errorf("the %s is without %q", name, want)
		}
	}
	for _, bad := range []string{"<script", "<img", "\u202e", "\u2066", "\u200f", "\u2028"} {
		if strings.Contains(report, bad) {
			t.Errorf("got %q in the page, want it nowhere", bad)
		}
	}
	for _, bad := range []string{",=", ",+", ",@", ", =", ",\uff1d", "\u202e", "\u2066", "\u2028", "\t"} {
		if strings.Contains(strings.ReplaceAll(rows, "\"", ""), bad) {
			t.Errorf("got %q in the table, want it nowhere", bad)
		}
	}
}

// TestPlanted checks that no archive is made in a folder where its parts are links already,
// and that the page has no control characters of strangers.
func TestPlanted(t *testing.T) {
	for _, name := range []string{"objects", "exchanges", "stamps"} {
		dir, elsewhere := t.TempDir(), t.TempDir()
		if err := os.Symlink(elsewhere, filepath.Join(dir, name)); err != nil {
			t.Skip(err)
		}
		if a, err := archive.Open(dir, true, nil); err == nil {
			a.Close()
			t.Errorf("%s is a link: got an archive, want an error", name)
		}
	}
	box, dir := maildir(t), home(t)
	deliver(t, box, "1:2,", strings.Replace(letter("1", "http://gone.invalid/1"), "Subject: 1", "Subject: =?utf-8?q?=1B]0;x=07=C2=9Bm?=", 1))
	run(t, dir, options(box))
	if text := page(t, read(t, dir)); strings.ContainsAny(text, "\x1b\x07\u009b") || !strings.Contains(text, "]0;x") {
		t.Error("got a page with control characters, want them replaced")
	}
}
