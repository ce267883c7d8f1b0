package mailtext

import (
	"encoding/binary"
	"strings"
	"unicode/utf8"

	textencoding "golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"

	"github.com/go-extbody/extbody/internal/charsets"
)

// A charset is how the text of a part is encoded. In all those that are read, the
// octets of tags and line ends are ASCII and are nothing else.
type charset struct {
	utf8    bool                  // what is UTF-8 is read as that
	decoder *textencoding.Decoder // for what is not; nil if it is damaged UTF-8
	jis     bool                  // ISO-2022-JP, which a jisReader has made EUC-JP of
}

// newCharset returns the charset of a label. Of one that is not known, or of none,
// what is UTF-8 is read as that, and all else as windows-1252 (HTML section
// 13.2.3.2).
func newCharset(label string) *charset {
	label = strings.ToLower(strings.TrimSpace(label))
	if label == "utf-8" {
		return &charset{utf8: true}
	}
	enc, name := charsets.Find(label)
	switch name {
	case "utf-8":
		return &charset{utf8: true}
	case "iso-2022-jp":
		return &charset{decoder: japanese.EUCJP.NewDecoder(), jis: true}
	}
	if enc == nil || label == "us-ascii" || label == "ascii" {
		return &charset{utf8: true, decoder: charmap.Windows1252.NewDecoder()}
	}
	return &charset{decoder: enc.NewDecoder()}
}

// text returns b in UTF-8.
func (c *charset) text(b []byte) string {
	if c.jis {
		b = withoutEscapes(b)
	}
	if isASCII(b) {
		return string(b)
	}
	if c.decoder != nil && !(c.utf8 && utf8.Valid(b)) {
		if text, err := c.decoder.Bytes(b); err == nil {
			b = text
		}
	}
	return strings.ToValidUTF8(string(b), "\uFFFD")
}

func isASCII(b []byte) bool {
	for len(b) >= 8 {
		if binary.LittleEndian.Uint64(b)&0x8080808080808080 != 0 {
			return false
		}
		b = b[8:]
	}
	for _, c := range b {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
