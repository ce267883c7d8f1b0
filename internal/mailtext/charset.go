package mailtext

import (
	"strings"
	"unicode/utf8"

	textencoding "golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"

	"github.com/go-extbody/extbody/internal/codec/charset"
)

// A textDecoder converts text of one charset to UTF-8. In every supported charset,
// tags and line ends are ASCII octets, and these octets have no other meaning.
type textDecoder struct {
	utf8    bool                  // valid UTF-8 is read as UTF-8
	decoder *textencoding.Decoder // for other text; nil if the charset is UTF-8
	jis     bool                  // a charset.JISReader converts the text from ISO-2022-JP to EUC-JP
}

// newCharset returns the decoder for a label. If the label is "" or not known, valid
// UTF-8 is read as UTF-8, and other text as windows-1252 (HTML section 13.2.3.2).
func newCharset(label string) *textDecoder {
	label = strings.ToLower(strings.TrimSpace(label))
	if label == "utf-8" {
		return &textDecoder{utf8: true}
	}
	decoder, name := charset.Find(label)
	switch name {
	case "utf-8":
		return &textDecoder{utf8: true}
	case "iso-2022-jp":
		return &textDecoder{decoder: japanese.EUCJP.NewDecoder(), jis: true}
	}
	if decoder == nil || label == "us-ascii" || label == "ascii" {
		return &textDecoder{utf8: true, decoder: charmap.Windows1252.NewDecoder()}
	}
	return &textDecoder{decoder: decoder}
}

// text converts b to UTF-8.
func (c *textDecoder) text(b []byte) string {
	if c.jis {
		b = charset.WithoutEscapes(b)
	}
	if charset.IsASCII(b) {
		return string(b)
	}
	if c.decoder != nil && !(c.utf8 && utf8.Valid(b)) {
		if text, err := c.decoder.Bytes(b); err == nil {
			b = text
		}
	}
	return strings.ToValidUTF8(string(b), "\uFFFD")
}
