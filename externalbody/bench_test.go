package externalbody_test

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/emersion/go-message"

	"github.com/go-extbody/extbody/externalbody"
)

// attachments returns a message of about size octets: base64 attachments, and
// references between them.
func attachments(size int) []byte {
	raw := make([]byte, 1<<20)
	rand.Read(raw)
	lines := base64Lines(raw)
	var b bytes.Buffer
	b.WriteString("MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=\"----=_Part_1\"\r\n\r\n")
	for i := 0; b.Len() < size; i++ {
		b.WriteString("------=_Part_1\r\nContent-Type: application/pdf\r\nContent-Transfer-Encoding: base64\r\n\r\n")
		b.WriteString(lines)
		fmt.Fprintf(&b, "\r\n------=_Part_1\r\nContent-Type: message/external-body; access-type=URL;\r\n\tURL=\"http://h.example/%d\"\r\n\r\nContent-Type: image/png\r\nContent-ID: <%d@h.example>\r\n\r\n", i, i)
	}
	b.WriteString("\r\n------=_Part_1--\r\n")
	return b.Bytes()
}

// BenchmarkOpen finds the references in 25 MB of attachments, beside go-message
// walking the same message, and beside the search for one octet in it.
func BenchmarkOpen(b *testing.B) {
	text := attachments(25 << 20)
	b.Run("Open", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		b.ReportAllocs()
		for b.Loop() {
			m, err := externalbody.Open(bytes.NewReader(text), int64(len(text)), nil)
			must(b, err)
			n := 0
			for range m.References() {
				n++
			}
			if n < 15 {
				b.Fatalf("%d references", n)
			}
		}
	})
	b.Run("GoMessage", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		b.ReportAllocs()
		for b.Loop() {
			e, err := message.ReadWithOptions(bytes.NewReader(text), &message.ReadOptions{MaxHeaderBytes: -1})
			must(b, err)
			n := 0
			if err := e.Walk(func(_ []int, e *message.Entity, err error) error {
				if t, _, _ := e.Header.ContentType(); t == "message/external-body" {
					n++
				}
				return err
			}); err != nil || n < 15 {
				b.Fatalf("%d references, %v", n, err)
			}
		}
	})
	b.Run("IndexByte", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			bytes.IndexByte(text, 0)
		}
	})
}

// TestAdversarial: messages that are made to be slow are read fast. A Content-Type
// after a field that is longer than the limit of a header is not looked for.
func TestAdversarial(t *testing.T) {
	var nested strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&nested, "Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n", i, i)
	}
	const field = 100 << 20
	long := "Content-Type: message/external-body; access-type=URL; URL=\"http://h.example/\"; x=\""
	type source interface {
		io.ReaderAt
		Size() int64
	}
	for name, c := range map[string]struct {
		r    source
		refs int
	}{
		"NestedMultiparts": {strings.NewReader(nested.String()), 0},
		"HeaderOf100MB":    {vast{"X: ", "x", field, "\nContent-Type: message/external-body; access-type=x\n\n"}, 0},
		"BodyOf100MB":      {vast{"X: y\nContent-Type: message/external-body; access-type=x\n\nContent-ID: <a@b>\n\n", "x", field, "\n"}, 1},
		"ParamOf100MB":     {vast{long, "x", field, "\"\n\nContent-ID: <a@b>\n\n"}, 1},
		"PhantomOf100MB":   {vast{"Content-Type: message/external-body; access-type=x\n\nX: ", "x", field, "\nContent-ID: <a@b>\n"}, 1},
	} {
		m, err := externalbody.Open(c.r, c.r.Size(), nil)
		if err != nil {
			t.Errorf("%s: got error %v, want none", name, err)
			continue
		}
		n := 0
		for ref := range m.References() {
			n++
			ref.Request()
		}
		if n != c.refs || n == 0 && m.Incomplete() == nil {
			t.Errorf("%s: got %d references, want %d; incomplete: %v", name, n, c.refs, m.Incomplete())
		}
	}
}

// A vast reader has a text, a line that is repeated up to a length, and a text.
type vast struct {
	before, line string
	length       int64
	after        string
}

func (v vast) Size() int64 { return int64(len(v.before)) + v.length + int64(len(v.after)) }

func (v vast) ReadAt(p []byte, off int64) (int, error) {
	for n := range p {
		switch at := off + int64(n) - int64(len(v.before)); {
		case at < 0:
			p[n] = v.before[off+int64(n)]
		case at < v.length:
			p[n] = v.line[at%int64(len(v.line))]
		case at < v.length+int64(len(v.after)):
			p[n] = v.after[at-v.length]
		default:
			return n, io.EOF
		}
	}
	return len(p), nil
}
