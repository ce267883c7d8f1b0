// Package mailtext reads the texts of mail, text/html and text/plain, as tokens:
// tags, texts and links. Each token has its place in the text and a flag for quoted
// or forwarded messages.
//
// It accepts any text. The time is linear in the length of the text. A text/plain
// from a Reader is read in a window of less than 400 KiB. Places are offsets in
// octets of the original text, before its charset is converted.
//
// [HTML] follows the tokenization of the HTML Standard, section 13.2.5. [Plain] joins
// URLs that programs have broken over lines (RFC 3986 appendix C).
package mailtext

import (
	"io"

	"github.com/go-extbody/extbody/internal/codec/charset"
)

// A Source is a text, in Octets or from Reader. It must not be used by several
// goroutines at once.
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

// HTML calls emit with the tokens of a text/html in s.Octets. The last token is an
// [EndToken].
//
// The tags include all tags of the tree that the HTML Standard builds from the text.
// If programs read a text in different ways, emit is called with the tokens of each
// reading, in the order in which they begin:
//
//   - Comments have no tokens. But a comment that Outlook may show, such as "<!--[if
//     mso]>", has the tokens that Outlook reads.
//   - The content of elements such as style, title and script has no tokens, but a
//     script that is data has a [DataToken]. After the beginning of an svg, math or
//     select element, the content of such elements is also read as markup. The
//     content of noscript is always also read as markup.
//   - The first base element with an href precedes all other tokens, because it also
//     applies to links before it.
//   - An xlink:href is also an href, unless the tag has an href.
//
// A text of more than 64 KiB is several tokens. A data script of more than 64 KiB is
// omitted, and so is an attribute of more than 64 KiB in a longer tag. Of more than
// 256 attributes in a tag, the further ones are omitted unless they may be links.
func HTML(s *Source, emit func(*Token)) {
	w := newHTMLWalker(s, emit)
	if base, ok := w.findBase(len(w.lexer.text)); ok {
		w.giveBase(&base)
	}
	w.walk()
}

// Plain calls emit with the tokens of a text/plain in order: its lines, and before
// each line the URLs that begin in it. The last token is an [EndToken]. A line of
// more than 64 KiB is several tokens.
func Plain(s *Source, emit func(*Token)) {
	f, chars := s.open()
	(&plainWalker{feed: f, chars: chars, emit: emit, limit: maxToken, delSp: s.DelSp}).walk()
}

// PlainNear is [Plain] without lines and with only some URLs: it calls emit with each
// [LinkToken] and [URLToken] that begins in a line for which wanted returns true, and
// with the EndToken. If wanted is nil, it calls emit with all of them. PlainNear
// calls wanted for each line with "://", and may call it for other lines. For a line
// of more than 64 KiB it calls wanted with each piece.
func PlainNear(s *Source, wanted func(line []byte) bool, emit func(*Token)) {
	f, chars := s.open()
	w := &plainWalker{feed: f, chars: chars, emit: emit, limit: maxToken, delSp: s.DelSp, near: true, wanted: wanted}
	w.walk()
}
