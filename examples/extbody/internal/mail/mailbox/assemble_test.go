package mailbox_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"mime/quotedprintable"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/go-extbody/extbody/examples/extbody/internal/mail/mailbox"
)

// partial is a message of Apple Mail without the bodies of its parts 2 to 6, and of 7.1.
const partial = "Subject: a\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n" +
	"--b\nContent-Type: text/plain\n\ntext\n" +
	"--b\nContent-Type: application/pdf; name=a.pdf\nContent-Transfer-Encoding: base64\nX-Apple-Content-Length: 1234\n\n\n" +
	"--b\nContent-Type: text/calendar\nContent-Transfer-Encoding: quoted-printable\nX-Apple-Content-Length: 12\n\n" +
	"--b\nContent-Type: text/html\nX-Apple-Content-Length: 12\n\n\n" +
	"--b\nContent-Type: image/png\nContent-Transfer-Encoding: base64\nX-Apple-Content-Length: 99\n\n\n" +
	"--b\nContent-Type: image/gif\nContent-Transfer-Encoding: base64\nX-Apple-Content-Length: 7\n\n\n" +
	"--b\nContent-Type: multipart/mixed; boundary=c\n\n--c\nContent-Transfer-Encoding: base64\nX-Apple-Content-Length: 7\n\n\n--c--\n\n" +
	"--b\nContent-Type: text/plain\nX-Apple-Content-Length: 0\n\n\n" +
	"--b\nContent-Type: text/plain\nX-Apple-Content-Length: 9\n\nit is here\n--b--\n"

// appleMail returns a folder of Apple Mail with the messages 12 and 13, and attachments of 12. The part 6
// has two files, and 5 has none.
func appleMail(t *testing.T) (folder, path string, files map[string]string) {
	t.Helper()
	folder = t.TempDir()
	files = map[string]string{
		"2/report.pdf": strings.Repeat("%PDF-\x00\r\n", 1000), "3/a.ics": "BEGIN:VCALENDAR\r\n=\xE4 \r\n", "4/page.html": "<a href=x>", "7.1/x": "y",
		"6/one": "1", "6/two": "2", "2/.DS_Store": "Bud1",
	}
	for name, text := range files {
		write(t, filepath.Join(folder, "Data", "Attachments", "12", name), text)
	}
	path = filepath.Join(folder, "Data", "Messages", "12.partial.emlx")
	plist := `<?xml version="1.0" encoding="UTF-8"?><plist version="1.0"></plist>`
	write(t, path, fmt.Sprintf("%d\n%s%s", len(partial), partial, plist))
	write(t, filepath.Join(folder, "Data", "Messages", "13.emlx"), "20\n"+small+plist)
	write(t, filepath.Join(folder, "Data", "Messages", "12.5.emlxpart"), base64.StdEncoding.EncodeToString([]byte("PNG")))
	write(t, filepath.Join(folder, "Data", "Attachments", "99", "1.eml"), small) // of no message
	return folder, path, files
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestPartialEmlx holds: the bodies that Apple Mail keeps beside a message are in its octets, decoded as they
// are in their files. One that is not there, or not known, is missing, and the message has a mark for it. The
// files are not messages, and a file that is of no message is read as any other.
func TestPartialEmlx(t *testing.T) {
	folder, path, files := appleMail(t)
	var paths []string
	for m, err := range mailbox.Walk(folder) {
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, strings.TrimPrefix(m.Path, folder+string(filepath.Separator)))
		if m.Path != path {
			m.Close()
			continue
		}
		attachments := filepath.Join(folder, "Data", "Attachments", "12")
		want := []mailbox.ApartPart{
			{"2", 1234, filepath.Join(attachments, "2", "report.pdf")}, {"3", 12, filepath.Join(attachments, "3", "a.ics")},
			{"4", 12, filepath.Join(attachments, "4", "page.html")}, {"5", 99, filepath.Join(folder, "Data", "Messages", "12.5.emlxpart")},
			{"6", 7, ""}, {"7.1", 7, filepath.Join(attachments, "7.1", "x")},
		}
		if !reflect.DeepEqual(m.Apart, want) || !m.Compressed {
			t.Errorf("got %+v, want %+v", m.Apart, want)
		}
		text, err := io.ReadAll(m.Reader())
		if err != nil {
			t.Fatal(err)
		}
		if err := iotest.TestReader(m.Reader(), text); err != nil {
			t.Error(err)
		}
		bodies := strings.Split(string(text), "--b\n")
		body := func(n int) string { _, b, _ := strings.Cut(bodies[n], "\n\n"); return b }
		two, err := io.ReadAll(base64.NewDecoder(base64.StdEncoding, strings.NewReader(body(2))))
		if string(two) != files["2/report.pdf"] || err != nil {
			t.Errorf("part 2: got %.60q, %v", two, err)
		}
		three, err := io.ReadAll(quotedprintable.NewReader(strings.NewReader(strings.TrimSuffix(body(3), "\n"))))
		if string(three) != files["3/a.ics"] || err != nil {
			t.Errorf("part 3: got %.60q, %v", three, err)
		}
		if body(4) != "<a href=x>\n" || body(5) != "UE5H\n" || body(6) != "\n" || !strings.Contains(body(7), "7\n\neQ==\n") {
			t.Errorf("got %q", bodies)
		}
		must := strings.SplitN(partial, "--b\n", 3)
		if bodies[0] != must[0] || bodies[1] != must[1] || !strings.HasSuffix(string(text), partial[strings.Index(partial, "--b\nContent-Type: text/plain\nX-Apple-Content-Length: 0"):]) {
			t.Errorf("got %q, want the other octets of %q", text, partial)
		}
		m.Close()
	}
	if want := []string{"Data/Attachments/99/1.eml", "Data/Messages/12.partial.emlx", "Data/Messages/13.emlx"}; !reflect.DeepEqual(paths, want) {
		t.Errorf("got %q, want %q", paths, want)
	}
}

// TestPartialEmlxAlone holds: a message of Apple Mail whose attachments are not there has the octets of its file.
func TestPartialEmlxAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "12.partial.emlx")
	write(t, path, fmt.Sprintf("%d\n%s", len(partial), partial))
	for m, err := range mailbox.Walk(path) {
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(m.Reader())
		if string(text) != partial || err != nil || len(m.Apart) != 6 {
			t.Errorf("got %q, %v, %+v", text, err, m.Apart)
		}
		for _, p := range m.Apart {
			if p.File != "" {
				t.Errorf("got %+v, want no file", p)
			}
		}
		m.Close()
	}
}

// TestPartialEmlxLink holds: through a root, no attachment is read by a link that leads out of it.
func TestPartialEmlxLink(t *testing.T) {
	folder, path, _ := appleMail(t)
	secret := filepath.Join(t.TempDir(), "secret")
	write(t, secret, "secret")
	link := filepath.Join(folder, "Data", "Attachments", "12", "4", "page.html")
	if err := os.Remove(link); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(secret, link); err != nil {
		t.Skip(err)
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for m, err := range (&mailbox.Walker{Root: root}).Walk(path) {
		if err == nil {
			text, _ := io.ReadAll(m.Reader())
			if bytes.Contains(text, []byte("secret")) {
				t.Errorf("got %q", text)
			}
			m.Close()
		}
	}
}

// TestPartialEmlxChanged holds: an attachment that gets shorter while it is read is an error.
func TestPartialEmlxChanged(t *testing.T) {
	_, path, _ := appleMail(t)
	for m, err := range mailbox.Walk(path) {
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(m.Apart[0].File, 10); err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadAll(m.Reader()); err == nil {
			t.Error("got no error")
		}
		m.Close()
	}
}

// TestAssembledDigest pins the octets of an assembled message: archives name it by their digest.
func TestAssembledDigest(t *testing.T) {
	_, path, _ := appleMail(t)
	for m, err := range mailbox.Walk(path) {
		if err != nil {
			t.Fatal(err)
		}
		h := sha256.New()
		io.Copy(h, m.Reader())
		if got, want := hex.EncodeToString(h.Sum(nil))[:16], "9fb55709a2b4c4c0"; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		m.Close()
	}
}
