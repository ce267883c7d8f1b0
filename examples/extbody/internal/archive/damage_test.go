package archive_test

import (
	"crypto/sha256"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive"
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
		must(t, os.WriteFile(path, text, 0o600))
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
			text[len("extbody index 9\n")+r.IntN(len(text)-len("extbody index 9\n"))] = byte(r.Uint32())
		}
		if i%5 == 1 {
			text[len("extbody index 9\n")+4] = 255 // the length of the first key
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
			a.WriteCSV(io.Discard)
			a.WriteReport(io.Discard)
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
		sum := fmt.Sprintf("%x", sha256Of(body("/1")))
		if kind == "message" {
			sum = fmt.Sprintf("%x", sha256Of(text))
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
