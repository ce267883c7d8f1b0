package base64x

import (
	"bytes"
	"encoding/base64"
	"math/rand/v2"
	"slices"
	"testing"
)

// random returns n octets that are the same in each run.
func random(n int) []byte {
	r := rand.NewChaCha8([32]byte{1})
	b := make([]byte, n)
	r.Read(b)
	return b
}

func TestDecode(t *testing.T) {
	for n := 0; n <= 600; n += 3 {
		want := random(n)
		src := []byte(base64.StdEncoding.EncodeToString(want))
		for _, spare := range []int{0, 1, 7, 8, 100} {
			dst := bytes.Repeat([]byte{0xA5}, n+spare)
			got, ok := Decode(dst, src)
			if !ok || got != n || !bytes.Equal(dst[:n], want) {
				t.Fatalf("Decode of %d octets with %d spare: got %d, %t, right %t; want %d, true, true", n, spare, got, ok, bytes.Equal(dst[:n], want), n)
			}
			if got, ok := DecodeString(dst, string(src)); !ok || got != n || !bytes.Equal(dst[:n], want) {
				t.Fatalf("DecodeString of %d octets with %d spare: got %d, %t, right %t; want %d, true, true", n, spare, got, ok, bytes.Equal(dst[:n], want), n)
			}
			if len(dst) > len(src) && slices.ContainsFunc(dst[len(src):], func(c byte) bool { return c != 0xA5 }) {
				t.Fatalf("Decode of %d octets with %d spare: got octets after the length of src changed, want them as they were", n, spare)
			}
		}
		if got, ok := Decode(src, src); !ok || got != n || !bytes.Equal(src[:n], want) {
			t.Fatalf("Decode of %d octets in place: got %d, %t, right %t; want %d, true, true", n, got, ok, bytes.Equal(src[:n], want), n)
		}
	}
}

func TestDecodeShortDst(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("Decode into a buffer that is too short does not panic")
		}
	}()
	Decode(make([]byte, 299, 1000), bytes.Repeat([]byte("AAAA"), 100))
}

// TestDecodeEveryOctet puts each octet at each position of texts that end in
// each part of the bulk decoder.
func TestDecodeEveryOctet(t *testing.T) {
	for _, n := range []int{4, 8, 12, 128, 132, 140, 160, 200} {
		src := []byte(base64.StdEncoding.EncodeToString(random(n / 4 * 3)))
		dst := make([]byte, n)
		for pos := range src {
			old := src[pos]
			for c := range 256 {
				src[pos] = byte(c)
				valid := bytes.IndexByte([]byte(alphabet), byte(c)) >= 0
				if valid != IsAlphabet(byte(c)) {
					t.Fatalf("IsAlphabet(%#x): got %t, want %t", c, !valid, valid)
				}
				got, ok := Decode(dst, src)
				if ok != valid {
					t.Fatalf("Decode of %d characters with %#x at %d: got %t, want %t", n, c, pos, ok, valid)
				}
				if _, ok := DecodeGroup([4]byte(src[pos&^3:])); ok != valid {
					t.Fatalf("DecodeGroup with %#x at %d: got %t, want %t", c, pos%4, ok, valid)
				}
				if !ok {
					continue
				}
				want, err := base64.StdEncoding.DecodeString(string(src))
				if err != nil || !bytes.Equal(want, dst[:got]) {
					t.Fatalf("Decode of %d characters with %#x at %d: got %q, want %q, %v", n, c, pos, dst[:got], want, err)
				}
			}
			src[pos] = old
		}
		for k := 1; k <= 3; k++ {
			if _, ok := Decode(dst, src[:n-k]); ok {
				t.Errorf("Decode of %d characters: got true, want false", n-k)
			}
		}
	}
}

func TestDecodeLineBreaks(t *testing.T) {
	// The library skips line breaks, and two groups of them have the length of
	// one group of octets.
	src := bytes.Repeat([]byte("AAAA"), 64)
	for i := range len(src) - 8 {
		bad := slices.Clone(src)
		copy(bad[i:], "\r\n\r\n")
		if _, ok := Decode(make([]byte, len(bad)), bad); ok {
			t.Errorf("Decode with line breaks at %d: got true, want false", i)
		}
	}
}

func TestAppendTail(t *testing.T) {
	tests := []struct {
		name, tail, want string
		ok, zero         bool
	}{
		{"None", "", "", true, true},
		{"One", "Y", "", false, true},
		{"Two", "YQ", "a", true, true},
		{"TwoBitsLeft", "YR", "a", true, false},
		{"TwoBitsLeftHigh", "YY", "a", true, false},
		{"Three", "YWI", "ab", true, true},
		{"ThreeBitsLeft", "YWJ", "ab", true, false},
		{"Four", "YWJj", "", false, true},
		{"TwoInvalid", "Y=", "", false, true},
		{"ThreeInvalid", "-WI", "", false, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, ok := AppendTail([]byte("pre"), tt.tail)
			if string(got) != "pre"+tt.want || ok != tt.ok {
				t.Errorf("AppendTail = %q, %t; want %q, %t", got, ok, "pre"+tt.want, tt.ok)
			}
			if !tt.ok {
				return
			}
			if zero := ZeroTail([]byte(tt.tail)); zero != tt.zero {
				t.Errorf("ZeroTail = %t, want %t", zero, tt.zero)
			}
		})
	}
}

func TestRun(t *testing.T) {
	for n := range 40 {
		for c := range 256 {
			src := bytes.Repeat([]byte("z"), 40)
			src[n] = byte(c)
			want := len(src)
			if c < '+' {
				want = n
			}
			for _, room := range []int{0, 1, n, n + 1, 39, 40, 60} {
				dst := make([]byte, room)
				got := Run(dst, src)
				if got != min(want, room) || !bytes.Equal(dst[:got], src[:got]) {
					t.Fatalf("Run into %d with %#x at %d: got %d, want %d and the same octets", room, c, n, got, min(want, room))
				}
				if s := Run(dst, string(src)); s != got {
					t.Fatalf("Run of a string: got %d, want %d as of octets", s, got)
				}
			}
		}
	}
}

func TestLines(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		room     int
		want     string
		used     int
	}{
		{"None", "", 9, "", 0},
		{"LF", "ab\ncd\n", 9, "abcd", 6},
		{"CRLF", "ab\r\ncd\r\n", 9, "abcd", 8},
		{"Empty", "\n\r\n\nab\n", 9, "ab", 7},
		{"Cut", "ab\ncd", 9, "abcd", 5},
		{"CutBreak", "ab\ncd\r", 9, "abcd\r", 6},
		{"LoneCR", "a\rb\n\r\r\nc", 9, "a\rb\rc", 8},
		{"Other", "a b\n%0A=\n", 9, "a b%0A=", 9},
		{"Full", "ab\ncd\n", 3, "abc", 4},
		{"FullAtEnd", "ab\ncd\n", 4, "abcd", 5},
		{"FullAtBreak", "ab\r\ncd", 2, "ab", 2},
		{"NoRoom", "ab\n", 0, "", 0},
		{"Equal", "abcd\r\nefgh\r\nijkl\r\nmn", 20, "abcdefghijklmn", 20},
		{"Shorter", "abcd\nefg\nhi\n", 20, "abcdefghi", 12},
		{"Longer", "ab\nabc\ndef", 20, "ababcdef", 10},
		{"Within", "abcde\nab\ncd\n", 20, "abcdeab\ncd", 12},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dst := make([]byte, tt.room)
			nd, ns := LinesString(dst, tt.in)
			if string(dst[:nd]) != tt.want || ns != tt.used {
				t.Errorf("Lines(%q) into %d: got %q, %d; want %q, %d", tt.in, tt.room, dst[:nd], ns, tt.want, tt.used)
			}
		})
	}
}

func TestAppendEncode(t *testing.T) {
	for n := range 600 {
		src := random(n)
		want := "pre" + base64.StdEncoding.EncodeToString(src)
		if got := AppendEncode([]byte("pre"), src); string(got) != want {
			t.Fatalf("AppendEncode of %d octets = %q, want %q", n, got, want)
		}
		dst := make([]byte, n/3*3)
		if k, ok := decodeTable(dst, []byte(want[3:][:EncodedLen(len(dst))])); !ok || k != len(dst) || !bytes.Equal(dst, src[:k]) {
			t.Fatalf("decodeTable of %d octets = %d, %t, want %d, true", n, k, ok, len(dst))
		}
	}
}

// FuzzDecode compares Decode with encoding/base64, which skips line breaks.
func FuzzDecode(f *testing.F) {
	f.Add([]byte("YWJj"))
	f.Add([]byte("YW\r\nJj"))
	f.Add(bytes.Repeat([]byte("+/9z"), 60))
	f.Add(append(bytes.Repeat([]byte("AAAA"), 60), "YQ=="...))
	f.Fuzz(func(t *testing.T, src []byte) {
		want, err := base64.StdEncoding.DecodeString(string(src))
		wantOK := err == nil && !bytes.ContainsAny(src, "\r\n=")
		dst := make([]byte, len(src))
		n, ok := Decode(dst, src)
		if ok != wantOK || ok && !bytes.Equal(dst[:n], want) {
			t.Fatalf("Decode(%q) = %q, %t; want %q, %t", src, dst[:n], ok, want, wantOK)
		}
		if !ok {
			return
		}
		if back := AppendEncode(nil, dst[:n]); !bytes.Equal(back, src) {
			t.Fatalf("encoded again: got %q, want %q", back, src)
		}
	})
}
