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
	"github.com/go-extbody/extbody/externalbody"
)

// TestForeignSources holds: messages in a zip archive and in .emlx are captured, once, and a file that holds mail in
// a form that is not read is an exception each night, which names the form and the way out.
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

// TestPartialEmlx holds: the references in an attachment that Apple Mail keeps beside a message are captured, and
// the line of the message says which octets are not those that were sent. The attachments are no messages.
func TestPartialEmlx(t *testing.T) {
	s := newSite(t, plain)
	folder, dir := t.TempDir(), home(t)
	text := "From: a@example.org\nMessage-ID: <1@example.org>\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n" +
		"--b\nContent-Type: message/external-body; access-type=url; url=\"" + s.URL + "/1\"\n\nContent-Type: text/plain\nContent-ID: <2@example.org>\n\n" +
		"--b\nContent-Type: message/rfc822\nX-Apple-Content-Length: 300\n\n\n" +
		"--b\nContent-Type: application/pdf\nContent-Transfer-Encoding: base64\nX-Apple-Content-Length: 99\n\n\n--b--\n"
	must(t, os.MkdirAll(filepath.Join(folder, "Messages"), 0o700))
	must(t, os.MkdirAll(filepath.Join(folder, "Attachments", "7", "2"), 0o700))
	put(t, filepath.Join(folder, "Messages", "7.partial.emlx"), strconv.Itoa(len(text))+"\n"+text)
	attached := filepath.Join(folder, "Attachments", "7", "2", "note.eml")
	put(t, attached, letter("3", s.URL+"/3"))
	for night := range 2 {
		res := run(t, dir, options(folder))
		if want := int64(1 - night); res.Messages != want || res.Captures != 2*want || res.Exceptions != 0 || res.Unread[externalbody.DiagMissingBody] != int(want) {
			t.Errorf("night %d: got %+v, %v", night, res.Counts, res.Unread)
		}
	}
	if text := slurp(t, dir, "ledger"); !strings.Contains(text, `"apart":[{"section":"2","size":300,"file":"`+attached+`"},{"section":"3","size":99}]`) {
		t.Errorf("got %s", text)
	}
	clean(t, dir)
	a := open(t, dir)
	defer a.Close()
	out := filepath.Join(t.TempDir(), "load")
	_, err := a.Export(t.Context(), out, &archive.ExportOptions{As: "load"})
	must(t, err)
	if text := slurp(t, out, "load.dat"); strings.Count(text, "þassembledþ") != 1 {
		t.Errorf("got %s", text)
	}
}
