package mailbox_test

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/examples/extbody/internal/mail/mailbox"
)

const small = "Subject: a\r\n\r\nbody\r\n"

// zipOf returns a zip archive with pairs of names and contents.
func zipOf(t testing.TB, pairs ...string) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(pairs); i += 2 {
		w, err := z.Create(pairs[i])
		if err == nil {
			_, err = io.WriteString(w, pairs[i+1])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// walked returns the messages and errors in a file with that name and content, by the text after its
// path.
func walked(t testing.TB, name, content string) (found []string, fails []error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	for m, err := range (&mailbox.Walker{Zips: true}).Walk(path) {
		if err != nil {
			fails = append(fails, err)
			found = append(found, strings.TrimPrefix(m.Path, path)+" fails")
			continue
		}
		text, err := io.ReadAll(m.Reader())
		if err != nil {
			t.Errorf("%s: %v", m.Path, err)
		}
		found = append(found, strings.TrimPrefix(m.Path, path)+"="+string(text))
		m.Close()
	}
	return found, fails
}

// TestZips holds: the messages in a zip archive are read, also in one within it, and other files are passed
// over unless they hold mail in a form that is not read.
func TestZips(t *testing.T) {
	box := "From a@b Mon Nov  2 10:00:00 2026\nSubject: 1\n\n1\n\nFrom a@b Mon Nov  2 10:00:00 2026\nSubject: 2\n\n2\n\n"
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	io.WriteString(w, small)
	w.Close()
	inner := zipOf(t, "in.eml", small, "deep.zip", zipOf(t, "x.eml", small))
	found, fails := walked(t, "a.zip", zipOf(t, "Export/1.eml", small, "All mail.mbox", box, "picture.png", "\x89PNG\r\n\x1A\n", "notes.html", "<!DOCTYPE html>",
		"old.pst", "!BDN\x00\x00", "inner.zip", inner, "1.eml", small, "1.eml", "Subject: b\r\n\r\n", "p.eml.gz", packed.String(), "no name", small, "../../x.eml", small))
	want := []string{"!/Export/1.eml=" + small, "!/All mail.mbox=Subject: 1\n\n1\n", "!/All mail.mbox=Subject: 2\n\n2\n", "!/old.pst fails",
		"!/inner.zip!/in.eml=" + small, "!/inner.zip!/deep.zip fails", "!/1.eml=" + small, "!/1.eml#2=Subject: b\r\n\r\n", "!/p.eml.gz=" + small, "!/no name=" + small, "!/../../x.eml=" + small}
	if !slices.Equal(found, want) {
		t.Errorf("got %q, want %q", found, want)
	}
	for _, err := range fails {
		if !errors.Is(err, mailbox.ErrUnread) {
			t.Errorf("got %v, want %v", err, mailbox.ErrUnread)
		}
	}
}

// TestZipBombs holds: an archive that becomes too large is ErrInflated, also where many of its files are small.
func TestZipBombs(t *testing.T) {
	long := small + strings.Repeat("a", 5<<20)
	var pairs []string
	for range 16 {
		pairs = append(pairs, "x.eml", long)
	}
	found, fails := walked(t, "a.zip", zipOf(t, pairs...))
	if len(found) != 16 || len(fails) == 0 || len(fails) > 5 {
		t.Fatalf("got %d messages and errors, %d errors", len(found), len(fails))
	}
	for _, err := range fails {
		if !errors.Is(err, mailbox.ErrInflated) {
			t.Errorf("got %v, want %v", err, mailbox.ErrInflated)
		}
	}
}

// TestForeign holds: the error of a file that is not mail names the format by its octets, whatever its name,
// and a remedy.
func TestForeign(t *testing.T) {
	for _, tt := range []struct{ name, content, form, way string }{
		{"a", "!BDN\x00\x01", "Outlook (.pst or .ost)", "readpst"},
		{"a.eml", "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", ".msg", "msgconvert"},
		{"a.mbox", "*mbx*\r\n0000000000000000\r\n", "UW-IMAP (mbx)", "mailutil"},
		{"a.txt", "\xFD7zXZ\x00", "xz", "xz -d"},
		{"a.txt", "\x04\x22\x4D\x18", "lz4", "lz4 -d"},
		{"a.eml", `{"id": "1", "threadId": "2", "raw": "RnJvbQ"}`, "Gmail", "base64url"},
		{"a.json", "{\n  \"@odata.context\": \"https://graph.microsoft.com/v1.0\",\n \"attachments\": []}", "Graph", "/$value"},
		{"a.json", `[{"a": 1}]`, "JSON", ""},
		{"a.docx", zipOf(t, "word/document.xml", "<?xml version='1.0'?>"), "a zip archive without mail", ""},
		{"a.tar", strings.Repeat("a", 257) + "ustar\x00", "tar", "extract"},
	} {
		found, fails := walked(t, tt.name, tt.content)
		want := mailbox.ErrNotMail
		if tt.way != "" {
			want = mailbox.ErrUnread
		}
		if len(found) != 1 || len(fails) != 1 || !errors.Is(fails[0], want) || !strings.Contains(fails[0].Error(), tt.form) || !strings.Contains(fails[0].Error(), tt.way) {
			t.Errorf("%s: got %q, %v; want an error with %q and %q", tt.name, found, fails, tt.form, tt.way)
		}
	}
	for _, content := range []string{"{a} text: x\r\n\r\n", "Subject: {\"a\": 1}\r\n\r\n", "1234\r\nSubject: a\r\n\r\n"} {
		if found, fails := walked(t, "a", content); len(fails) > 0 {
			t.Errorf("%q: got %v, %v; want a message", content, found, fails)
		}
	}
}

// TestEmlx holds: the message of an .emlx is neither its first line nor its property list, and it is
// not rewritten.
func TestEmlx(t *testing.T) {
	plist := `<?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict></dict></plist>`
	for name, content := range map[string]string{"1.emlx": "20        \n" + small + plist, "2": "20\n" + small + "\n" + plist, "3.partial.emlx": "20\n" + small} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		for m, err := range mailbox.Walk(path) {
			if err != nil {
				t.Fatal(err)
			}
			text, err := io.ReadAll(m.Reader())
			if string(text) != small || err != nil || !m.Compressed {
				t.Errorf("%s: got %q, %v, %v; want %q", name, text, err, m.Compressed, small)
			}
			m.Close()
		}
	}
}

// FuzzZips checks that the members of a zip archive, and any octets after its start, end in messages and
// errors with paths below the path of the archive.
func FuzzZips(f *testing.F) {
	f.Add([]byte(zipOf(f, "a.eml", small, "b.zip", zipOf(f, "c", small))))
	f.Add([]byte(zipOf(f)))
	f.Add([]byte("PK\x03\x04"))
	f.Fuzz(func(t *testing.T, content []byte) {
		path := filepath.Join(t.TempDir(), "a.zip")
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		n := 0
		for m, err := range (&mailbox.Walker{Zips: true}).Walk(path) {
			if n++; m.Path != path && !strings.HasPrefix(m.Path, path+mailbox.InZip) {
				t.Fatalf("got the path %q", m.Path)
			}
			if err == nil {
				if _, err := io.Copy(io.Discard, m.Reader()); err != nil {
					t.Fatal(err)
				}
			}
			m.Close()
		}
		if n == 0 && bytes.HasPrefix(content, []byte("PK\x03\x04")) {
			t.Fatal("got neither a message nor an error")
		}
	})
}
