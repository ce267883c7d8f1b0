package externalbody_test

import (
	"io"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
)

// A cutReader is a file that somebody cuts off after it was opened.
type cutReader struct{ r io.ReaderAt }

func (c *cutReader) ReadAt(p []byte, off int64) (int, error) { return c.r.ReadAt(p, off) }

// A body within the message does not end where the file that holds it was cut off.
func TestBodyOfCutFile(t *testing.T) {
	for _, body := range []string{"8bit\n\nthe whole body\n", "quoted-printable\n\nthe=20whole=20body\n", "base64\n\ndGhlIHdob2xlIGJvZHkK\n"} {
		text := "Content-Type: multipart/mixed; boundary=b\n\n" +
			"--b\nContent-Type: message/external-body; access-type=content-id\n\nContent-Type: x/y\nContent-ID: <1@x>\n\n" +
			"--b\nContent-ID: <1@x>\nContent-Type: x/y\nContent-Transfer-Encoding: " + body
		begin := strings.LastIndex(text, "\n\n") + 2
		for cut := begin; cut < len(text); cut++ {
			src := &cutReader{strings.NewReader(text)}
			m, err := externalbody.Open(src, int64(len(text)), nil)
			if err != nil {
				t.Fatal(err)
			}
			for ref := range m.References() {
				new(externalbody.Resolver).Plan(ref) // reads all of it once
				src.r = strings.NewReader(text[:cut])
				b, err := (&externalbody.Resolver{}).Resolve(t.Context(), ref)
				if err == nil {
					_, err = io.ReadAll(b)
					b.Close()
				}
				if fetch.KindOf(err) != fetch.Local {
					t.Errorf("%.6q cut off at %d of %d: got %v, want %v", body, cut-begin, len(text)-begin, err, fetch.Local)
				}
			}
		}
	}
}
