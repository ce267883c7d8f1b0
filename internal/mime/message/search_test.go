package message

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/internal/mime/param"
)

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
