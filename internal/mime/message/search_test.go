package message

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/internal/mime/param"
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
// the words. Its boundary starts with dashes, as most do.
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
	}
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

// naiveIndexDashes is indexDashes without haste.
func naiveIndexDashes(w []byte) int {
	for i := 1; i < len(w); i++ {
		if (w[i-1] == '\n' || w[i-1] == '\r') && w[i] == '-' && (i+1 == len(w) || w[i+1] == '-') {
			return i
		}
	}
	return len(w)
}

func TestIndexDashes(t *testing.T) {
	// Each place in texts that are longer than a stretch, and each end.
	for _, fill := range []string{"x", "-", "\n", "\n-", "-\n", "\n-x", "x--\r\n", "\v.\x0a\x2c", "\x8a\xad\xad"} {
		text := []byte(strings.Repeat(fill, 2*stretch))
		for i := range 600 {
			w := bytes.Clone(text[:700])
			copy(w[i:], "\n--")
			for _, end := range []int{i + 1, i + 2, i + 3, len(w)} {
				if got, want := indexDashes(w[:end]), naiveIndexDashes(w[:end]); got != want {
					t.Fatalf("%q at %d of %d: %d, want %d", fill, i, end, got, want)
				}
			}
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		w := make([]byte, random.IntN(3*stretch))
		for i := range w {
			w[i] = "xxxx\n-\r\x0b\x2c\x2e\x8a\xff"[random.IntN(5+random.IntN(8))]
		}
		if got, want := indexDashes(w), naiveIndexDashes(w); got != want {
			t.Fatalf("%q: %d, want %d", w, got, want)
		}
	}
}

func FuzzIndexDashes(f *testing.F) {
	f.Add([]byte("a-\n-\n--b"))
	f.Add([]byte(strings.Repeat("\n-x", stretch) + "\n-"))
	f.Fuzz(func(t *testing.T, w []byte) {
		if got, want := indexDashes(w), naiveIndexDashes(w); got != want {
			t.Errorf("%q: %d, want %d", w, got, want)
		}
	})
}

func TestLeafType(t *testing.T) {
	tests := []struct{ value, want string }{
		{"text/plain", "text/plain"},
		{" Text/HTML; charset=x\r\n", "text/html"},
		{"\r\n\tapplication/vnd.a-b+c;", "application/vnd.a-b+c"},
		{"message/external-body; access-type=x", "message/external-body"},
		{"multipart/mixed; boundary=b", ""},
		{"MULTIPART/x; boundary=b", ""},
		{"", ""}, {"text", ""}, {"text/", ""}, {"text/;", ""}, {"/plain", ""}, {"a/b/c", ""},
		{"text/plain charset=x", ""}, {"text/plain (c)", ""}, {"text / plain", ""}, {"text/plain ;", ""}, {"te\xffxt/plain", ""},
	}
	for _, test := range tests {
		if got := leafType([]byte(test.value)); got != test.want {
			t.Errorf("%q: got %q, want %q", test.value, got, test.want)
		}
	}
}

// FuzzLeafType checks that the short way and the full parse agree.
func FuzzLeafType(f *testing.F) {
	for _, value := range []string{" text/plain; charset=x\r\n", "Message/RFC822", "a/b;c=d;;", "multipart/x", "a/b c"} {
		f.Add(value)
	}
	f.Fuzz(func(t *testing.T, value string) {
		got := leafType([]byte(value))
		if got == "" {
			return
		}
		if want := param.Parse(value).Type; got != want {
			t.Errorf("%q: %q, parsed %q", value, got, want)
		}
	})
}
