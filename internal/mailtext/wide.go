package mailtext

import (
	"bufio"
	"bytes"
	"io"
	"strings"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// maxSample is how many octets tell the order of octets in UTF-16.
const maxSample = 4 << 10

// IsWide reports whether a text that begins with start is UTF-16, in which letters have
// an octet that is zero, or UTF-7, which hides tags. label is asked for its charset, if
// there is need.
//
// A byte order mark alone does not make it UTF-16, as it does for browsers (Encoding
// Standard, section 6): mail programs go by the label, and a sender could hide from us what
// they show.
func IsWide(start []byte, label func() string) bool {
	return bytes.IndexByte(start, 0) >= 0 && isWideLabel(label()) || bytes.Contains(start, shiftASCII) && isUTF7Label(label())
}

// isWideLabel reports whether label is one of UTF-16 (Encoding Standard, section 4.2).
func isWideLabel(label string) bool {
	switch strings.ToLower(strings.TrimSpace(label)) {
	case "utf-16", "utf-16be", "utf-16le", "unicode", "unicodefeff", "unicodefffe", "csunicode", "ucs-2", "iso-10646-ucs-2":
		return true
	}
	return false
}

// Narrow returns in UTF-8 what r gives in UTF-16 or UTF-7. start is what r begins with. Without a
// mark, the order of octets is that of the label or, where that leaves it open, the one
// that has more letters of ASCII (RFC 2781 section 4.3 has no such rule: senders leave
// out the mark).
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
