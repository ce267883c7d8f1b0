package mailtext

import (
	"bufio"
	"bytes"
	"io"
	"strings"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// maxSample is how many octets are looked at for the order of octets in UTF-16.
const maxSample = 4 << 10

// IsWide reports whether a text that begins with start must go through [Narrow]: it is
// UTF-16, where letters have a zero octet, or UTF-7, which hides tags. label returns the
// label of its charset. It is called only if start could be in one of these.
//
// A byte order mark alone does not make a text UTF-16, although it does for browsers
// (Encoding Standard, section 6). Mail programs go by the label, so a sender could use the
// mark to hide from us what they show.
func IsWide(start []byte, label func() string) bool {
	return bytes.IndexByte(start, 0) >= 0 && isWideLabel(label()) || mayShiftASCII(start) && isUTF7Label(label())
}

// isWideLabel reports whether label is one of UTF-16 (Encoding Standard, section 4.2).
func isWideLabel(label string) bool {
	switch strings.ToLower(strings.TrimSpace(label)) {
	case "utf-16", "utf-16be", "utf-16le", "unicode", "unicodefeff", "unicodefffe", "csunicode", "ucs-2", "iso-10646-ucs-2":
		return true
	}
	return false
}

// Narrow returns a reader that gives in UTF-8 what r gives in UTF-16 or UTF-7. start is the
// beginning of what r gives. The first of these that tells the order of octets in UTF-16
// counts:
//
//   - a byte order mark,
//   - the label,
//   - start: the order that makes more of its characters ASCII. RFC 2781 section 4.3 has
//     no such rule, but senders leave out the mark.
func Narrow(r io.Reader, start []byte, label string) io.Reader {
	if isUTF7Label(label) {
		return &utf7Reader{r: bufio.NewReader(r)}
	}
	order := unicode.BigEndian
	switch label = strings.ToLower(strings.TrimSpace(label)); {
	case strings.HasSuffix(label, "be"):
	case strings.HasSuffix(label, "le"), isLittle(start):
		order = unicode.LittleEndian
	}
	return transform.NewReader(r, unicode.UTF16(order, unicode.UseBOM).NewDecoder())
}

// isLittle reports whether more octets at odd places are zero than at even ones.
func isLittle(start []byte) bool {
	odd := 0
	for i, c := range start[:min(len(start), maxSample)] {
		if c == 0 {
			odd += 2*(i%2) - 1
		}
	}
	return odd > 0
}
