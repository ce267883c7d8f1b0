package dialect_test

import (
	"encoding/base64"
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/dialect"
)

// winmail returns a winmail.dat in base64 with a list of properties of the message
// (MS-OXTNEF section 2.1.3.4) and one for each attachment.
func winmail(message string, attachments ...string) string {
	b := []byte{0x78, 0x9f, 0x3e, 0x22, 1, 0}
	add := func(level byte, id uint32, list string) {
		b = binary.LittleEndian.AppendUint32(append(b, level), id)
		b = binary.LittleEndian.AppendUint32(b, uint32(4+len(list)))
		b = append(append(append(b, 0, 0, 0, 0), list...), 0, 0)
	}
	add(1, 0x00069003, message)
	for _, a := range attachments {
		add(2, 0x00069005, a)
	}
	return base64.StdEncoding.EncodeToString(b)
}

// property returns a text, or a value of any type with a length.
func property(id, typ uint16, value string) string {
	b := binary.LittleEndian.AppendUint32(nil, uint32(id)<<16|uint32(typ))
	b = binary.LittleEndian.AppendUint32(append(b, 1, 0, 0, 0), uint32(len(value)))
	return string(b) + value + strings.Repeat("\x00", -len(value)&3)
}

// TestTNEF has messages of Outlook whose links are in a winmail.dat.
func TestTNEF(t *testing.T) {
	const (
		url    = "https://www.dropbox.com/s/AbCdEf1a2B3c4D5/a.pdf?dl=0"
		found  = "share-link | url | " + url + " | name=a.pdf | provider=dropbox"
		tnef   = "Content-Type: application/ms-tnef; name=winmail.dat\nContent-Transfer-Encoding: base64\n\n"
		method = "\x03\x00\x05\x37"
	)
	html := property(0x1013, 0x102, `<p><a href="`+url+`">a.pdf</a>`)
	forwarded := func(text string) string {
		inner, _ := base64.StdEncoding.DecodeString(winmail(property(0x1000, 0x1e, text)))
		return method + "\x05\x00\x00\x00" + property(0x3701, 0xd, "0123456789abcdef"+string(inner))
	}
	mixed := func(text, second string) string {
		return strings.Replace(part(second), "Hello", text, 1)
	}
	for _, tt := range []struct {
		name, text string
		want       []string
	}{
		{"HTML", part(tnef + winmail(html)), []string{found + " | at=2.1[3,75]"}},
		{"Plain", part(tnef + winmail(property(0x1000, 0x1e, "See "+url+"\r\n"))), []string{found + " | at=2.1[4,56]"}},
		{"RTF", part(tnef + winmail(property(0x1009, 0x102, "\x00\x00\x00\x00\x00\x00\x00\x00MELA\x00\x00\x00\x00"+`{\rtf1{\field{\*\fldinst HYPERLINK "`+url+`"}{\fldrslt a.pdf}}}`))), []string{found + " | at=2.1[1,55]"}},
		{"Twin", mixed("See "+url, tnef+winmail(html)), []string{found + " | at=1[4,56] | at=2.1[3,75]"}},
		{"WholeMessage", "MIME-Version: 1.0\n" + tnef + winmail(html), []string{found + " | at=1[3,75]"}},
		{"OtherType", part(strings.Replace(tnef, "ms-tnef", "octet-stream", 1) + winmail(html)), []string{found + " | at=2.1[3,75]"}},
		{"OtherName", part("Content-Type: application/octet-stream; name=a.dat\nContent-Transfer-Encoding: base64\n\n" + winmail(html)), nil},
		{
			"WebReference", part(tnef + winmail("", method+"\x07\x00\x00\x00"+property(0x370D, 0x1e, "https://files.example/1?a=b")+property(0x3707, 0x1e, "a b.pdf"))),
			[]string{"document-reference | url | https://files.example/1?a=b | name=a b.pdf | at=2.1:Document-Reference"},
		},
		{"Forwarded", part(tnef + winmail(html, forwarded(url))), []string{found + " | at=2.1[3,75]", found + " | at=2.2.1[0,52]"}},
		{"NotTNEF", part(tnef + base64.StdEncoding.EncodeToString([]byte("PK"+html))), nil},
		{"Encrypted", part(strings.Replace(tnef, "base64", "x-other", 1) + winmail(html)), nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, ref := range open(t, tt.text) {
				got = append(got, describe(ref))
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(tt.want, "\n"))
			}
		})
	}
}

// TestTNEFLimit has texts that are compressed to an eighth. The others are read, and it is
// told that these were not.
func TestTNEFLimit(t *testing.T) {
	rtf := []byte("\x00\x00\x00\x00\x00\x00\x00\x00LZFu\x00\x00\x00\x00\x00{\\rtf1 x")
	const begin, longest = 207 + len("{\\rtf1 x"), 17
	for i := range 1_000_000 {
		if i%8 == 0 {
			rtf = append(rtf, 0xff)
		}
		// A copy from where the next octet goes would be the end.
		rtf = binary.BigEndian.AppendUint16(rtf, uint16((begin+longest*i+100)%4096)<<4|longest-2)
	}
	text := part("Content-Type: application/ms-tnef\nContent-Transfer-Encoding: base64\n\n" + winmail(property(0x1009, 0x102, string(rtf))+property(0x1000, 0x1e, "https://we.tl/t-AbCdEfGhIj")))
	m, err := externalbody.Open(strings.NewReader(text), int64(len(text)), &externalbody.OpenOptions{Dialects: dialect.All()})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(references(m)); n != 1 || m.Incomplete() == nil {
		t.Errorf("got %d references, incomplete: %v, want 1 and a limit", n, m.Incomplete())
	}
}
