package archive_test

import (
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive"
	"github.com/go-extbody/extbody/fetch/safefetch"
	"github.com/go-extbody/extbody/internal/testkit/daemons"
)

// An export as WARC has no password of a URL.
func TestExportPasswords(t *testing.T) {
	root := served(t, map[string]string{"one": "%one\n"})
	base := strings.Replace("ftp://"+daemons.Vsftpd(t, root, ""), "ftp://", "ftp://anonymous:unseen-word@", 1)
	box, dir := inbox(t, base+"/one;type=i", base+"/missing;type=i")
	o := options(box)
	o.Resolver.Fetcher = fetcher("127.0.0.1", safefetch.Options{AllowPlaintext: true})
	if res := run(t, dir, o); res.Captures != 1 || res.Exceptions != 1 {
		t.Fatalf("got %+v, want a capture and an exception", res.Counts)
	}
	if !strings.Contains(unzipped(t, dir), "unseen-word") {
		t.Error("got exchanges without the password, want the evidence as it was")
	}
	for _, exact := range []bool{false, true} {
		a, err := archive.Read(dir, &archive.Options{ExactURLs: exact})
		must(t, err)
		out := filepath.Join(t.TempDir(), "a.warc.gz")
		_, err = a.Export(t.Context(), out, &archive.ExportOptions{As: "warc"})
		must(t, err)
		a.Close()
		f, err := os.Open(out)
		must(t, err)
		z, err := gzip.NewReader(f)
		must(t, err)
		octets, err := io.ReadAll(z)
		must(t, err)
		f.Close()
		text := string(octets)
		if strings.Contains(text, "unseen-word") != exact {
			t.Errorf("exact %t: got the password %t, want it then alone", exact, !exact)
		}
		if n := strings.Count(text, "WARC-Record-ID: "); n < 3 {
			t.Errorf("exact %t: got %d records, want those of two attempts", exact, n)
		}
	}
}
