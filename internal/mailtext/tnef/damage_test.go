package tnef_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/internal/mailtext/tnef"
)

// whole is a file with each kind of value.
func whole() []byte {
	named := append(binary.LittleEndian.AppendUint32(nil, 0x8001001e), append(append(make([]byte, 16), 1, 0, 0, 0, 3, 0, 0, 0, 'a', 0, 0, 0), variable(0, 0, "x")[4:]...)...)
	several := append(binary.LittleEndian.AppendUint32(nil, 0x00171003), 2, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0)
	return file(
		attribute(1, 0x00069007, []byte{0xe3, 4, 0, 0, 0, 0, 0, 0}),
		attribute(1, 0x0002800C, []byte("Hi")),
		message(named, several, variable(0x1013, 0x102, "<p>Ho</p>"), variable(0x1009, 0x102, repeated), rtf(`{\rtf1\'e4\u228?{\field{\*\fldinst HYPERLINK "x"}}}`)),
		attachment(number(0x3705, 7), variable(0x370D, 0x1f, wide("https://a.example/")), variable(0x3707, 0x1e, "a.pdf\x00")),
		attachment(number(0x3705, 5), variable(0x3701, 0xd, "0123456789abcdef"+string(file(attribute(1, 0x0002800C, []byte("Hu")))))),
	)
}

// TestDamage reads files that are cut or changed at each octet. Texts before a cut are
// read.
func TestDamage(t *testing.T) {
	data := whole()
	all := 0
	for n := range len(data) + 1 {
		body, boundary, _, _ := tnef.Parts(bytes.Clone(data[:n]), 1<<20)
		got := len(parts(t, body, boundary))
		if got < all {
			t.Fatalf("got %d parts of the first %d octets, want %d at least, as of fewer octets", got, n, all)
		}
		all = got
	}
	if all != 6 {
		t.Errorf("got %d parts, want 6", all)
	}
	for i := range data {
		for _, c := range []byte{0, 0x7f, 0x80, 0xff} {
			changed := bytes.Clone(data)
			changed[i] = c
			body, boundary, _, _ := tnef.Parts(changed, 1<<20)
			parts(t, body, boundary)
		}
	}
}

// TestBounds has rows at and above the limits.
func TestBounds(t *testing.T) {
	const maxNested, maxReference = 8, 16 << 10
	nested := func(n int) []byte {
		data := file(attribute(1, 0x0002800C, []byte("Hi")))
		for range n {
			data = file(attachment(number(0x3705, 5), variable(0x3701, 0xd, "0123456789abcdef"+string(data))))
		}
		return data
	}
	address := func(n int) []byte {
		return file(attachment(number(0x3705, 7), variable(0x370D, 0x1f, wide(strings.Repeat("a", n)))))
	}
	name := func(n int) []byte {
		return file(attachment(number(0x3705, 7), variable(0x370D, 0x1f, wide("https://a.example/")), variable(0x3707, 0x1e, strings.Repeat("n", n))))
	}
	for _, tt := range []struct {
		name string
		data []byte
		want string
		ok   bool
	}{
		{"Nested", nested(maxNested), "Hi", true},
		{"NestedMore", nested(maxNested + 1), "Hi", false},
		{"Address", address(maxReference), "Document-Reference: a", true},
		{"AddressMore", address(maxReference + 1), "Document-Reference: a", false},
		{"Name", name(maxReference), ";FileName=n", true},
		{"NameMore", name(maxReference + 1), ";FileName=n", false},
		{"OtherSignature", append([]byte("y"), whole()[1:]...), "Hi", false},
		{"AttachmentWithoutMethod", file(attachment(variable(0x370D, 0x1f, wide("https://a.example/")))), "Document", false},
		{"CompressedOther", file(message(variable(0x1009, 0x102, "\x00\x00\x00\x00\x00\x00\x00\x00LZFv\x00\x00\x00\x00\x00hello"))), "hello", false},
		{"NotCompressedLong", file(message(rtf(strings.Repeat("x", 2<<20)))), "x", false},
	} {
		body, _, _, _ := tnef.Parts(tt.data, 1<<20)
		if got := bytes.Contains(body, []byte(tt.want)); got != tt.ok {
			t.Errorf("%s: got %q in %.100q: %t, want %t", tt.name, tt.want, body, got, tt.ok)
		}
	}
}

// TestRTF has texts in RTF with faults, and with rare constructs.
func TestRTF(t *testing.T) {
	const link = `{\field{\*\fldinst HYPERLINK "https://a.example/x"}{\fldrslt y}}`
	for _, tt := range []struct{ name, rtf, want string }{
		{"TooManyEnds", `{\rtf1 a}}}` + link, "a <https://a.example/x> y"},
		{"LinkInManyGroups", `{\rtf1` + strings.Repeat("{", 990) + link, " <https://a.example/x> y"},
		{"LinkInTwoGroups", `{\rtf1{\field{\*\fldinst {HYPERLINK }{"https://a.example/x"}}{\fldrslt y}}`, " <https://a.example/x> y"},
		{"HiddenInManyGroups", `{\rtf1{\pict` + strings.Repeat("{", 999) + "{a}b" + strings.Repeat("}", 1000) + "c", "c"},
		{"FallbackIsAWord", `{\rtf1\u8211\endash x`, "–x"},
		{"Fallbacks", `{\rtf1\uc2\u8211\'96-x\uc0\u8211 y`, "–x–y"},
		{"FallbackEndsWithGroup", `{\rtf1{\u8211}x`, "–x"},
		{"EndsWithBackslash", `{\rtf1 a\`, "a"},
		{"EndsInHex", `{\rtf1 a\'4`, "a"},
		{"NoHex", `{\rtf1 a\'zz`, "azz"},
		{"Characters", `{\rtf1\lquote a\rquote\~\tab\par`, "\u2018a\u2019\u00a0\t|"},
		{"Binary", `{\rtf1 a\bin3 {{{b\bin-1 c\bin99999 d`, "abc"},
		{"LongWord", `{\rtf1 a\` + strings.Repeat("w", 32) + "1 b", "ab"},
		{"LongerWord", `{\rtf1 a\` + strings.Repeat("w", 32) + "wb", "awb"},
		{"LongNumber", `{\rtf1 a\w` + strings.Repeat("1", 33) + "b", "a1b"},
		{"HTMLOff", `{\rtf1\fromhtml0 ` + link, " <https://a.example/x> y"},
	} {
		body, boundary, _, _ := tnef.Parts(file(message(rtf(tt.rtf))), 1<<20)
		want := fmt.Sprintf("[Content-Type: text/plain; charset=utf-8||%s]", tt.want)
		if got := fmt.Sprint(parts(t, body, boundary)); got != want {
			t.Errorf("%s: got %q, want %q", tt.name, got, want)
		}
	}
}
