package mailtext

import (
	"io"
	"strings"
	"unicode/utf8"

	textencoding "golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"

	"github.com/go-extbody/extbody/internal/codec/charset"
	"github.com/go-extbody/extbody/internal/codec/progress"
)

// A Source is a text, in Octets or from Reader. It must not be used by several
// goroutines concurrently.
type Source struct {
	// Octets are the text if Reader is nil. Reading may change them.
	Octets []byte

	// Reader reads a text/plain that is not in memory. An error ends the text and is
	// not reported: a caller that needs the error must record it in the Reader.
	Reader io.Reader

	// Charset is the label of the charset. If it is "" or not known, each piece of
	// text is read as UTF-8 if it is valid, and as windows-1252 otherwise.
	Charset string

	// DelSp is true for a text/plain in which a space at the end of a line was added
	// when the line was broken (RFC 3676 section 4.1: format=flowed; delsp=yes).
	DelSp bool

	// Window is a buffer for octets of Reader. It may be nil. Reading leaves the
	// buffer here, so that texts that are read one after the other with the same
	// Source share it.
	Window []byte
}

// open returns a feed of the text and its decoder.
func (s *Source) open() (*feed, *textDecoder) {
	chars := newCharset(s.Charset)
	if s.Reader == nil {
		if chars.jis {
			new(charset.JISReader).Set(s.Octets)
		}
		return &feed{buf: s.Octets}, chars
	}
	r := s.Reader
	if chars.jis {
		r = charset.NewJISReader(r)
	}
	f := newFeed(r, s.Window)
	s.Window = f.buf
	return f, chars
}

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

const (
	// maxToken bounds a text of HTML and a line of text/plain, in octets. Longer ones
	// are split. It also bounds an attribute.
	maxToken = 64 << 10

	// feedAhead is the number of octets that peek can look ahead.
	feedAhead = 2 * maxToken
)

// A feed reads a text in pieces, with lookahead and with offsets. It holds a window
// of the text, or all of a text in memory.
type feed struct {
	r   io.Reader // nil if buf is all of the text
	err error     // from r, io.EOF included

	buf []byte
	pos int   // in buf
	off int64 // of buf[0] in the text
}

// newFeed returns a feed that reads from r. It uses buf for its window if buf is
// large enough.
func newFeed(r io.Reader, buf []byte) *feed {
	if cap(buf) < 2*feedAhead {
		buf = make([]byte, 0, 2*feedAhead)
	}
	return &feed{r: r, buf: buf[:0]}
}

// offset returns the number of octets of the text that were read.
func (f *feed) offset() int64 { return f.off + int64(f.pos) }

// peek returns the next octets: n or more, or fewer if the text ends. n must be at
// most feedAhead. The octets are valid until the next call.
func (f *feed) peek(n int) []byte {
	for len(f.buf)-f.pos < n && f.r != nil && f.err == nil {
		if cap(f.buf)-f.pos < n {
			f.off += int64(f.pos)
			f.buf = f.buf[:copy(f.buf, f.buf[f.pos:])]
			f.pos = 0
		}
		k, err := progress.Read(f.r, f.buf[len(f.buf):cap(f.buf)])
		f.buf = f.buf[:len(f.buf)+k]
		f.err = err
	}
	return f.buf[f.pos:]
}

// advance skips n octets that peek has returned.
func (f *feed) advance(n int) { f.pos += n }
