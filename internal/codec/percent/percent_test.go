package percent_test

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"net/url"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/internal/codec/percent"
)

// unreservedOnly escapes all octets but the unreserved ones of RFC 3986
// section 2.3.
var unreservedOnly = func() (s percent.Set) {
	for i := range s {
		c := byte(i)
		s[i] = !('0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' ||
			strings.IndexByte("-._~", c) >= 0)
	}
	return s
}()

func TestAppendDecode(t *testing.T) {
	long := strings.Repeat("0123456789", 20)
	tests := []struct{ name, in, want string }{
		{"Empty", "", ""},
		{"Plain", "abc", "abc"},
		{"Upper", "%41%C3%A9", "Aé"},
		{"Lower", "%c3%a9", "é"},
		{"MixedCase", "%aF%Fa", "\xaf\xfa"},
		{"Nul", "%00", "\x00"},
		{"PlusIsNoSpace", "a+b", "a+b"},
		{"Lone", "%", "%"},
		{"LoneAtEnd", "100%", "100%"},
		{"OneDigit", "%4", "%4"},
		{"OneDigitLong", long + "%4", long + "%4"},
		{"NotHex", "%zz", "%zz"},
		{"NotHexSecond", "%4z", "%4z"},
		{"NotHexAtEnd", "%z", "%z"},
		{"LiteralThenEscape", "%%41", "%A"},
		{"LiteralDigitThenEscape", "%4%41", "%4A"},
		{"DecodedOnce", "%2541", "%41"},
		{"Neighbours", "%2F%30%39%3A%40%47%60%67", "/09:@G`g"},
		{"NeighboursOfDigits", "%/0%:0%@0%G0%`0%g0%0/", "%/0%:0%@0%G0%`0%g0%0/"},
		{"HighBit", "%\xb4\xb1x%4\xb1", "%\xb4\xb1x%4\xb1"},
		{"LongPlain", long + "%41" + long, long + "A" + long},
		{"LongDense", strings.Repeat("a%2Cbc%zz", 99), strings.Repeat("a,bc%zz", 99)},
		{"LongLiteral", strings.Repeat("%", 999), strings.Repeat("%", 999)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := percent.AppendDecode(nil, tt.in); string(got) != tt.want {
				t.Errorf("AppendDecode(%q) = %q, want %q", tt.in, got, tt.want)
			}
			if got := percent.AppendDecode([]byte("pre"), tt.in); string(got) != "pre"+tt.want {
				t.Errorf("AppendDecode(pre, %q) = %q, want %q", tt.in, got, "pre"+tt.want)
			}
		})
	}
}

// TestAppendDecodeEnds puts an end of each kind at each place of a text that is
// decoded eight octets at a time.
func TestAppendDecodeEnds(t *testing.T) {
	for n := range 40 {
		for _, end := range []string{"", "%", "%4", "%41", "%zz", "%4z", "%41%", "%%41"} {
			in := "%41" + strings.Repeat("x", n) + end
			if got, want := percent.AppendDecode(nil, in), slowDecode(in); string(got) != want {
				t.Errorf("AppendDecode(%q) = %q, want %q", in, got, want)
			}
		}
	}
}

func TestDecode(t *testing.T) {
	tests := []struct {
		name   string
		room   int
		in     string
		nd, ns int
	}{
		{"All", 10, "a%41b", 3, 5},
		{"Full", 2, "a%41b", 2, 4},
		{"FullBeforeEscape", 1, "a%41b", 1, 1},
		{"NoRoom", 0, "a", 0, 0},
		{"Cut", 10, "a%", 1, 1},
		{"CutDigit", 10, "a%4", 1, 1},
		{"NotCut", 10, "a%z", 3, 3},
		{"NotCutDigit", 10, "a%4z", 4, 4},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if nd, ns := percent.Decode(make([]byte, tt.room), tt.in); nd != tt.nd || ns != tt.ns {
				t.Errorf("Decode = %d, %d; want %d, %d", nd, ns, tt.nd, tt.ns)
			}
		})
	}
}

func TestValid(t *testing.T) {
	for _, s := range []string{"", "abc", "%41", "a%41%fFb", "%00"} {
		if !percent.Valid(s) {
			t.Errorf("Valid(%q): got false, want true", s)
		}
	}
	for _, s := range []string{"%", "%4", "%4g", "%g4", "a%41%", "%%41", "%4%41", "% 41"} {
		if percent.Valid(s) {
			t.Errorf("Valid(%q): got true, want false", s)
		}
	}
}

func TestUnhex(t *testing.T) {
	for i := range 256 {
		c := byte(i)
		var buf [1]byte
		_, err := hex.Decode(buf[:], []byte{'0', c})
		v, ok := percent.Unhex(c)
		if ok != (err == nil) || ok && v != buf[0] {
			t.Errorf("Unhex(%q): got %d, %t; want %d, %t", c, v, ok, buf[0], err == nil)
		}
	}
}

func TestAppendEncode(t *testing.T) {
	for n := range 300 {
		in := make([]byte, n)
		for i := range in {
			in[i] = byte(i*7 + n)
		}
		var want strings.Builder
		for _, c := range in {
			if unreservedOnly[c] {
				fmt.Fprintf(&want, "%%%02X", c)
			} else {
				want.WriteByte(c)
			}
		}
		if got := percent.EncodedLen(string(in), &unreservedOnly); got != want.Len() {
			t.Errorf("EncodedLen = %d, want %d", got, want.Len())
		}
		for _, spare := range []int{0, 1, 3, n, 3 * n, 4*n + 8} {
			dst := append(make([]byte, 0, 3+spare), "pre"...)
			if got := percent.AppendEncode(dst, string(in), &unreservedOnly); string(got) != "pre"+want.String() {
				t.Fatalf("AppendEncode of %d octets into %d = %q, want %q", n, spare, got, want.String())
			}
		}
	}
}

// TestNoSpareAllocation holds the promise that a buffer of the exact size is
// enough.
func TestNoSpareAllocation(t *testing.T) {
	in := strings.Repeat("some text%2C%20more%C3%A9", 100)
	want := percent.AppendDecode(nil, in)
	dst := make([]byte, 0, len(want))
	if n := testing.AllocsPerRun(10, func() { percent.AppendDecode(dst, in) }); n != 0 {
		t.Errorf("AppendDecode allocates %v times into a buffer of the exact size, want 0", n)
	}
	if n := cap(percent.AppendDecode(nil, in)); n > len(want)+len(want)/4 {
		t.Errorf("AppendDecode makes a buffer of %d for %d octets", n, len(want))
	}
	enc := make([]byte, 0, percent.EncodedLen(in, &unreservedOnly))
	if n := testing.AllocsPerRun(10, func() { percent.AppendEncode(enc, in, &unreservedOnly) }); n != 0 {
		t.Errorf("AppendEncode allocates %v times into a buffer of the exact size, want 0", n)
	}
}

// slowDecode is the percent-decode algorithm of the URL standard, word for word.
func slowDecode(s string) string {
	var out strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			if b, err := hex.DecodeString(s[i+1 : i+3]); err == nil {
				out.WriteByte(b[0])
				i += 2
				continue
			}
		}
		out.WriteByte(s[i])
	}
	return out.String()
}

func FuzzDecode(f *testing.F) {
	f.Add("", 1, 1)
	f.Add("%41%4", 2, 3)
	f.Add("a%zz%%%41 plain text plain text plain text plain text %e2%80%a0", 5, 1)
	f.Add(strings.Repeat("%2c", 50)+strings.Repeat("x", 50)+"%", 7, 4)
	f.Add(strings.Repeat("ab%2ccdefg%zh%%41ijklmnop$", 30), 7, 4)
	f.Fuzz(func(t *testing.T, s string, piece, room int) {
		want := slowDecode(s)
		if got := percent.AppendDecode(nil, s); string(got) != want {
			t.Fatalf("AppendDecode(%q) = %q, want %q", s, got, want)
		}
		if percent.Valid(s) {
			if u, err := url.PathUnescape(s); err != nil || u != want {
				t.Fatalf("Valid(%q), but PathUnescape = %q, %v, want %q, nil", s, u, err, want)
			}
		} else if _, err := url.PathUnescape(s); err == nil {
			t.Fatalf("not Valid(%q), but PathUnescape accepts it, want an error", s)
		}

		// In pieces of any size the result is the same.
		piece, room = max(1, piece%16), max(1, room%16)
		var got []byte
		for start, end := 0, 0; start < len(s); {
			end = min(max(end, start+1)+piece, len(s))
			dst := make([]byte, room)
			nd, ns := percent.Decode(dst, s[start:end])
			got, start = append(got, dst[:nd]...), start+ns
			if nd < room && end == len(s) {
				got, start = append(got, s[start:]...), len(s)
			}
		}
		if string(got) != want {
			t.Fatalf("Decode(%q) in pieces = %q, want %q", s, got, want)
		}
	})
}

func FuzzRoundTrip(f *testing.F) {
	f.Add("", uint64(0))
	f.Add("a b%c\x00\xff", uint64(1))
	f.Fuzz(func(t *testing.T, s string, seed uint64) {
		set := percent.Set{'%': true}
		r := rand.New(rand.NewPCG(seed, 0))
		for range r.IntN(256) {
			set[r.IntN(256)] = true
		}
		enc := percent.AppendEncode(nil, s, &set)
		if len(enc) != percent.EncodedLen(s, &set) || !percent.Valid(string(enc)) {
			t.Fatalf("AppendEncode(%q): got %q, want valid text of %d octets", s, enc, percent.EncodedLen(s, &set))
		}
		if dec := percent.AppendDecode(nil, string(enc)); !bytes.Equal(dec, []byte(s)) {
			t.Fatalf("AppendDecode(%q): got %q, want %q", enc, dec, s)
		}
	})
}

// TestPrintable puts each octet at each place of a block, and after it.
func TestPrintable(t *testing.T) {
	for n := range 70 {
		for c := range 256 {
			text := []byte(strings.Repeat("~ \x80\xFF", 20))[:70]
			text[n] = byte(c)
			want := len(text)
			if c < ' ' {
				want = n
			}
			if got := percent.Printable(string(text)); got != want {
				t.Fatalf("Printable with %#x at %d: got %d, want %d", c, n, got, want)
			}
		}
	}
}

// TestDecodeBlocks puts escapes, and texts like escapes, at each place of a block and of its
// words.
func TestDecodeBlocks(t *testing.T) {
	filler := strings.Repeat("ab%2ccdefg%zh%%41ijklmnop$rstuvwxyz%c3%a9", 20)
	for n := range 300 {
		for _, piece := range []string{"%41", "%zz", "%", "%$41", "%4", strings.Repeat("x", 17) + "%41%42", strings.Repeat("%", 40)} {
			in := filler[:n] + piece + filler
			if got, want := percent.AppendDecode(nil, in), slowDecode(in); string(got) != want {
				t.Fatalf("AppendDecode(%q) = %q, want %q", in, got, want)
			}
		}
	}
}

func TestOctet(t *testing.T) {
	for _, tt := range []struct {
		in   string
		want byte
		ok   bool
	}{
		{"%41", 'A', true},
		{"%c3%a9", 0xC3, true},
		{"%4", 0, false},
		{"%4z", 0, false},
		{"a%41", 0, false},
		{"", 0, false},
	} {
		if got, ok := percent.Octet(tt.in); ok != tt.ok || ok && got != tt.want {
			t.Errorf("Octet(%q): got %#x, %t; want %#x, %t", tt.in, got, ok, tt.want, tt.ok)
		}
	}
}
