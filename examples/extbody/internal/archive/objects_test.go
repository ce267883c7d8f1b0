package archive_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive"
)

// TestDamagedObjects checks that no octet of a damaged object gets into an export, into a
// message or into another capture.
func TestDamagedObjects(t *testing.T) {
	s := newSite(t, plain)
	for _, kind := range []string{"message", "body"} {
		box, dir := maildir(t), filepath.Join(t.TempDir(), "archive")
		text := letter("1", s.URL+"/1")
		deliver(t, box, "1:2,", text)
		run(t, dir, options(box))
		sum := fmt.Sprintf("%x", sha256Of(body("/1")))
		if kind == "message" {
			sum = fmt.Sprintf("%x", sha256Of(text))
		}
		path := filepath.Join(dir, "objects", sum[:2], sum[2:4], sum)
		octets, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		octets[len(octets)/2] ^= 1
		put(t, path, string(octets))
		a, err := archive.Read(dir, nil)
		if err != nil {
			t.Fatal(err)
		}
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
