package archive_test

import (
	"archive/zip"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive"
)

// TestForeignSources holds: messages in a zip archive and in .emlx are captured, once, and a file that holds
// mail in a form that is not read is an exception each night, which says what it is and the way out.
func TestForeignSources(t *testing.T) {
	s := newSite(t, plain)
	folder, dir := t.TempDir(), home(t)
	f, err := os.Create(filepath.Join(folder, "export.zip"))
	must(t, err)
	z := zip.NewWriter(f)
	for name, text := range map[string]string{"a/1.eml": letter("1", s.URL+"/1"), "a/box.mbox": mbox(s.URL+"/", 2, 4), "picture.png": "\x89PNG\r\n\x1A\n"} {
		w, err := z.Create(name)
		must(t, err)
		io.WriteString(w, text)
	}
	must(t, z.Close())
	must(t, f.Close())
	text := letter("4", s.URL+"/4")
	put(t, filepath.Join(folder, "4.emlx"), strconv.Itoa(len(text))+"\n"+text+`<?xml version="1.0"?><plist/>`)
	put(t, filepath.Join(folder, "store.dat"), "!BDN\x00\x00")
	for night := range 2 {
		res := run(t, dir, options(folder))
		if want := int64(4 * (1 - night)); res.Messages != want || res.Captures != want || res.Exceptions != 1 || res.Sources[0].Excepted != 1 || res.Sources[0].Seen != 4 {
			t.Errorf("night %d: got %+v, %+v; want %d messages, and an exception", night, res.Counts, res.Sources, want)
		}
	}
	if text := slurp(t, dir, "ledger"); !strings.Contains(text, "Outlook (.pst or .ost); convert it with readpst") || !strings.Contains(text, archive.UnsupportedArtifact) || !strings.Contains(text, "export.zip!/a/1.eml") {
		t.Errorf("got %s", text)
	}
	clean(t, dir)
}
