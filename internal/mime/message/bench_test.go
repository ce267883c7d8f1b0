package message

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/emersion/go-message"
)

// attachments returns a message of about 25 MB with random attachments in base64.
func attachments() []byte {
	raw := make([]byte, 6<<20)
	var b bytes.Buffer
	b.WriteString("From: a@example.org\r\nSubject: s\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=\"=_b\"\r\n\r\n--=_b\r\n\r\nSee the files.\r\n")
	random := rand.NewChaCha8([32]byte{})
	for i := range 3 {
		random.Read(raw)
		fmt.Fprintf(&b, "\r\n--=_b\r\nContent-Type: application/octet-stream; name=\"%d\"\r\nContent-Transfer-Encoding: base64\r\n\r\n", i)
		b.Write(encode(raw))
	}
	b.WriteString("\r\n--=_b--\r\n")
	return b.Bytes()
}

// encode returns base64 in lines of 76.
func encode(raw []byte) []byte {
	text := base64.StdEncoding.EncodeToString(raw)
	var b bytes.Buffer
	for len(text) > 0 {
		n := min(76, len(text))
		b.WriteString(text[:n] + "\r\n")
		text = text[n:]
	}
	return b.Bytes()
}

// words returns a message of two bodies of that size, each a random sequence of
// the words. Its boundary begins with dashes, as most do.
func words(size int, list ...string) []byte {
	random := rand.New(rand.NewPCG(1, 2))
	var b bytes.Buffer
	b.WriteString("Content-Type: multipart/alternative; boundary=\"-----=_b\"\r\n\r\n")
	for range 2 {
		b.WriteString("-------=_b\r\nContent-Type: text/html\r\n\r\n")
		for end := b.Len() + size; b.Len() < end; {
			b.WriteString(list[random.IntN(len(list))])
		}
		b.WriteString("\r\n")
	}
	b.WriteString("-------=_b--\r\n")
	return b.Bytes()
}

// smallMessages returns many small multiparts, as one message of messages. It
// has about 8,000 parts, of which go-message, which does not enter messages, sees 2,000.
func smallMessages() []byte {
	var b bytes.Buffer
	b.WriteString("Content-Type: multipart/digest; boundary=d\r\n\r\n")
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 2000 {
		fmt.Fprintf(&b, "--d\r\n\r\nFrom: a%d@example.org\r\nSubject: a message\r\nMessage-ID: <%x@example.org>\r\nContent-Type: multipart/mixed; boundary=\"=_%d\"\r\n\r\n", i, random.Uint64(), i)
		for range 1 + random.IntN(3) {
			fmt.Fprintf(&b, "--=_%d\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n%s\r\n", i, strings.Repeat("Some words of text.\r\n", random.IntN(20)))
		}
		fmt.Fprintf(&b, "--=_%d--\r\n", i)
	}
	b.WriteString("--d--\r\n")
	return b.Bytes()
}

func BenchmarkScan(b *testing.B) {
	messages := []struct {
		name string
		text []byte
	}{
		{"Attachments", attachments()},
		{"HTML", words(4<<20, "<div class=\"x-y\">", "text ", "and ", "more ", "</div>\r\n", "<!-- -->", "font-size: 1px; ", "<p>", "word ", "&nbsp;", "\r\n")},
		{"Dashes", words(4<<20, "-", "--", "---", "\r\n", " ", "x")},
		{"Small", smallMessages()},
	}
	for _, m := range messages {
		b.Run(m.name+"/Scan", func(b *testing.B) { benchmarkScan(b, bytes.NewReader(m.text), m.text) })
		b.Run(m.name+"/IndexByte", func(b *testing.B) {
			b.SetBytes(int64(len(m.text)))
			b.ReportAllocs()
			for b.Loop() {
				n := 0
				for i := 0; i >= 0 && n < len(m.text); n += i + 1 {
					i = bytes.IndexByte(m.text[n:], '-')
				}
			}
		})
		b.Run(m.name+"/GoMessage", func(b *testing.B) {
			b.SetBytes(int64(len(m.text)))
			b.ReportAllocs()
			for b.Loop() {
				if err := walk(bytes.NewReader(m.text)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("Attachments/File", func(b *testing.B) {
		name := filepath.Join(b.TempDir(), "m")
		if err := os.WriteFile(name, messages[0].text, 0o600); err != nil {
			b.Fatal(err)
		}
		f, err := os.Open(name)
		if err != nil {
			b.Fatal(err)
		}
		defer f.Close()
		benchmarkScan(b, f, messages[0].text)
	})
}

func benchmarkScan(b *testing.B, r io.ReaderAt, text []byte) {
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		x, err := Scan(r, int64(len(text)), Limits{})
		if err != nil {
			b.Fatal(err)
		}
		if len(x.Parts) < 3 || x.Limit != nil {
			b.Fatalf("%d parts, %v", len(x.Parts), x.Limit)
		}
	}
}

// walk reads a message with go-message, bodies skipped.
func walk(r io.Reader) error {
	e, err := message.Read(r)
	if err != nil && !message.IsUnknownCharset(err) && !message.IsUnknownEncoding(err) {
		return err
	}
	return e.Walk(func(path []int, e *message.Entity, err error) error { return nil })
}
