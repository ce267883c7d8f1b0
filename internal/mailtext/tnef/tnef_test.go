package tnef_test

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/go-extbody/extbody/internal/mailtext/tnef"
)

// attribute returns an attribute (MS-OXTNEF section 2.1.1).
func attribute(level byte, id uint32, value []byte) []byte {
	b := binary.LittleEndian.AppendUint32([]byte{level}, id)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(value)))
	return append(append(b, value...), 0, 0)
}

// file returns a part of the format.
func file(attributes ...[]byte) []byte {
	return append([]byte{0x78, 0x9f, 0x3e, 0x22, 1, 0}, bytes.Join(attributes, nil)...)
}

func number(id uint16, n uint32) []byte {
	b := binary.LittleEndian.AppendUint32(nil, uint32(id)<<16|3)
	return binary.LittleEndian.AppendUint32(b, n)
}

// variable returns a property with one value, which has a length.
func variable(id, typ uint16, value string) []byte {
	b := binary.LittleEndian.AppendUint32(nil, uint32(id)<<16|uint32(typ))
	b = binary.LittleEndian.AppendUint32(b, 1)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(value)))
	return append(append(b, value...), make([]byte, -len(value)&3)...)
}

func wide(text string) string {
	var b []byte
	for _, u := range utf16.Encode([]rune(text + "\x00")) {
		b = binary.LittleEndian.AppendUint16(b, u)
	}
	return string(b)
}

func list(properties ...[]byte) []byte {
	b := binary.LittleEndian.AppendUint32(nil, uint32(len(properties)))
	return append(b, bytes.Join(properties, nil)...)
}

func message(properties ...[]byte) []byte { return attribute(1, 0x00069003, list(properties...)) }

func attachment(properties ...[]byte) []byte { return attribute(2, 0x00069005, list(properties...)) }

// rtf returns RTF in the form that is not compressed.
func rtf(text string) []byte {
	b := binary.LittleEndian.AppendUint32(nil, uint32(len(text)+12))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(text)))
	return variable(0x1009, 0x102, string(b)+"MELA\x00\x00\x00\x00"+text)
}

// A sample of MS-OXRTFCP section 3.1.1 (and its sister with a repetition, section 3.2.1).
const (
	compressed = "\x2d\x00\x00\x00\x2b\x00\x00\x00LZFu\xf1\xc5\xc7\xa7\x03\x00\n\x00rcpg125B2\n\xf3 hel\t\x00 bw\x05\xb0ld}\n\x80\x0f\xa0"
	repeated   = "\x1a\x00\x00\x00\x1c\x00\x00\x00LZFu\xe2\xd4KQA\x00\x04 WXYZ\rn}\x01\x0e\xb0"
)

// parts returns the parts of a body without its boundary and the fields that are the same
// in all.
func parts(t *testing.T, body []byte, boundary string) []string {
	t.Helper()
	if len(body) == 0 {
		return nil
	}
	text, ok := strings.CutSuffix(string(body), "\r\n--"+boundary+"--\r\n")
	if !ok {
		t.Fatalf("%q does not end with its boundary", body)
	}
	pieces := strings.Split(text, "\r\n--"+boundary+"\r\n")
	for i, p := range pieces {
		pieces[i] = strings.ReplaceAll(strings.ReplaceAll(p, "Content-Transfer-Encoding: 8bit\r\n", ""), "\r\n", "|")
	}
	return pieces[1:]
}

func TestParts(t *testing.T) {
	const url = "https://files.example/s/a b.pdf"
	for _, tt := range []struct {
		name string
		data []byte
		want []string
	}{
		{"None", nil, nil},
		{"Other", []byte("PK\x03\x04 and more"), nil},
		{"NoTexts", file(attribute(1, 0x00089006, []byte{0, 0, 1, 0})), nil},
		{"Body", file(attribute(1, 0x0002800C, []byte("Hi\x00"))), []string{"Content-Type: text/plain; charset=windows-1252||Hi"}},
		{"Codepage", file(attribute(1, 0x00069007, []byte{0xe3, 4, 0, 0, 0, 0, 0, 0}), attribute(1, 0x0002800C, []byte("\xcf"))), []string{"Content-Type: text/plain; charset=windows-1251||\xcf"}},
		{"HTML", file(message(number(0x3FDE, 65001), variable(0x1013, 0x102, "<p>Hi</p>"))), []string{"Content-Type: text/html; charset=utf-8||<p>Hi</p>"}},
		{"WideBody", file(message(variable(0x1000, 0x1f, wide("Grüße\r\n")))), []string{"Content-Type: text/plain; charset=utf-8||Grüße|"}},
		{"AfterOthers", file(message(number(0x0017, 1), variable(0x8001, 0x1e, "")[:4], nil, nil)), nil},
		{"AfterNamed", file(message(append(binary.LittleEndian.AppendUint32(nil, 0x8001001e), append(append(make([]byte, 16), 1, 0, 0, 0, 3, 0, 0, 0, 'a', 0, 0, 0), variable(0, 0, "x")[4:]...)...), variable(0x1000, 0x1e, "Hi"))),
			[]string{"Content-Type: text/plain; charset=windows-1252||Hi"}},
		{"RTF", file(message(rtf(`{\rtf1\ansi\ansicpg1251{\fonttbl{\f0 Arial;}}{\*\generator x;}\'cf\u1087?: {\field{\*\fldinst HYPERLINK "https://a.example/x"}{\fldrslt link}}\par \{\}}`))), []string{"Content-Type: text/plain; charset=utf-8||Пп:  <https://a.example/x> link|{}"}},
		{"NestedInstruction", file(message(rtf(`{\rtf1{\field{\fldinst{ HYPERLINK  \\l "x" }}{\fldrslt y}} {\field{\*\fldinst {HYPERLINK https://a.example/x }}{\fldrslt z}}}`))), []string{"Content-Type: text/plain; charset=utf-8|| <\\l> y  <https://a.example/x> z"}},
		{"FromHTML", file(message(rtf(`{\rtf1\ansi\fromhtml1{\*\htmltag64 <p>}\htmlrtf {\htmlrtf0 Hi{\*\htmltag84 <a href="https://a.example/?x=1&amp;y">}\htmlrtf {\field{\*\fldinst{HYPERLINK "https://a.example/"}}{\fldrslt\htmlrtf0 you\htmlrtf }}\htmlrtf0{\*\htmltag92 </a>}{\*\mhtmltag64 <p>}\htmlrtf }\htmlrtf0}`))), []string{`Content-Type: text/html; charset=utf-8||<p>Hi<a href="https://a.example/?x=1&amp;y">you</a>`}},
		{"Compressed", file(message(variable(0x1009, 0x102, compressed))), []string{"Content-Type: text/plain; charset=utf-8||hello world"}},
		{"Repeated", file(message(variable(0x1009, 0x102, repeated))), []string{"Content-Type: text/plain; charset=utf-8||WXYZWXYZWXYZWXYZWXYZ"}},
		{"Surrogates", file(message(rtf(`{\rtf1\uc0\u-10179 \u-8704 x}`))), []string{"Content-Type: text/plain; charset=utf-8||😀x"}},
		{"WebReference", file(attachment(number(0x3705, 7), variable(0x370D, 0x1f, wide(url)), variable(0x3707, 0x1e, "a;b.pdf\x00"))), []string{"Content-Type: application/octet-stream|Document-Reference: https%3A%2F%2Ffiles.example%2Fs%2Fa%20b.pdf;FileName=a%3Bb.pdf||"}},
		{"File", file(attachment(number(0x3705, 1), variable(0x3701, 0x102, "octets"))), nil},
		{"Embedded", file(attachment(number(0x3705, 5), variable(0x3701, 0xd, "0123456789abcdef"+string(file(attribute(1, 0x0002800C, []byte("Ho"))))))),
			[]string{"Content-Type: message/rfc822||Content-Type: multipart/mixed; boundary=tnef-BOUNDARY|||--tnef-BOUNDARY|Content-Type: text/plain; charset=windows-1252||Ho|--tnef-BOUNDARY--|"}},
		{"Cut", file(attribute(1, 0x0002800C, []byte("Hi")), attribute(1, 0x0002800C, []byte("Ho"))[:10]), []string{"Content-Type: text/plain; charset=windows-1252||Hi", "Content-Type: text/plain; charset=windows-1252||H"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			body, boundary, whole, _ := tnef.Parts(tt.data, 1<<20)
			if !whole {
				t.Errorf("got a part of it, want all")
			}
			got := parts(t, body, boundary)
			if len(got) != len(tt.want) {
				t.Fatalf("got %q, want %q", got, tt.want)
			}
			for i := range got {
				if before, after, ok := strings.Cut(got[i], "boundary=tnef-"); ok {
					got[i] = strings.ReplaceAll(before+"boundary=tnef-"+after, after[:32], "BOUNDARY")
				}
				if got[i] != tt.want[i] {
					t.Errorf("got %q, want %q", got[i], tt.want[i])
				}
			}
		})
	}
}

// A text that would be too long is left out, and a small one beside it is kept.
func TestLimit(t *testing.T) {
	const token = "\xff" + "\x0d\x0f\x0d\x0f\x0d\x0f\x0d\x0f\x0d\x0f\x0d\x0f\x0d\x0f\x0d\x0f"
	bomb := "\x00\x00\x00\x00\x00\x00\x00\x00LZFu\x00\x00\x00\x00\x00{\\rtf1 x" + strings.Repeat(token, 10_000)
	data := file(attribute(1, 0x0002800C, []byte("Hi")), message(variable(0x1009, 0x102, bomb)))
	body, _, whole, _ := tnef.Parts(data, 10_000)
	if whole || !bytes.Contains(body, []byte("\r\n\r\nHi\r\n")) || len(body) > 10_000 {
		t.Errorf("got %d octets, whole %t, want the small text alone", len(body), whole)
	}
	deep := file(attribute(1, 0x0002800C, []byte("Hi")))
	for range 100 {
		deep = file(attachment(number(0x3705, 5), variable(0x3701, 0xd, "0123456789abcdef"+string(deep))))
	}
	if body, _, _, _ := tnef.Parts(deep, 1<<20); len(body) > 0 {
		t.Errorf("got %q, want nothing from below 100 messages", body)
	}
}

// The result is a multipart whose boundary is nowhere else, and no longer than the
// limit.
func FuzzParts(f *testing.F) {
	f.Add(file(attribute(1, 0x0002800C, []byte("Hi")), message(variable(0x1013, 0x102, "<p>Hi</p>"), rtf(`{\rtf1\fromhtml1{\*\htmltag64 <p>}Hi}`))), uint16(9999))
	f.Add(file(message(variable(0x1009, 0x102, compressed))), uint16(300))
	f.Add(file(message(variable(0x1009, 0x102, repeated))), uint16(100))
	f.Add(file(attachment(number(0x3705, 5), variable(0x3701, 0xd, "0123456789abcdef"+string(file(attribute(1, 0x0002800C, []byte("Ho"))))))), uint16(9999))
	f.Add(file(attachment(number(0x3705, 7), variable(0x370D, 0x1f, wide("https://a.example/")))), uint16(9999))
	f.Fuzz(func(t *testing.T, data []byte, limit uint16) {
		body, boundary, whole, _ := tnef.Parts(data, int64(limit))
		if len(body) > int(limit) {
			t.Fatalf("got %d octets, want at most %d", len(body), limit)
		}
		if len(body) == 0 {
			return
		}
		if !tnef.Begins(data) {
			t.Fatalf("got parts of what does not begin like the format")
		}
		if n := bytes.Count(body, []byte("\r\n--"+boundary+"--\r\n")); n != 1 || !bytes.HasPrefix(body, []byte("\r\n--"+boundary+"\r\nContent-Type: ")) {
			t.Fatalf("got %q, want parts between the boundary %s", body, boundary)
		}
		if again, _, all, _ := tnef.Parts(data, 1<<30); whole && (!all || !bytes.Equal(again, body)) {
			t.Fatalf("got %q with a limit that was not reached, want %q", body, again)
		}
	})
}
