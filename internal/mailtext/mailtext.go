// Package mailtext reads the texts of mail, text/html and text/plain, as tokens:
// tags, texts and links. Each token has its place in the text and says whether it is
// in a quoted or forwarded message.
//
// It is for texts from strangers. The time is linear in the length of the text. A
// text/plain from a Reader is read in a window of less than 400 KiB. Places count the
// octets of the text as it is read, before its charset is converted.
//
// [HTML] follows the tokenization of the HTML Standard, section 13.2.5. [Plain]
// puts together URLs that programs have broken over lines (RFC 3986 appendix C).
package mailtext

import "io"

// A Source is a text: Octets, or what Reader gives. It must not be used by several
// goroutines at once.
type Source struct {
	// Octets are the text if Reader is nil. Reading may change them.
	Octets []byte

	// Reader gives a text/plain that is not in memory. An error ends the text and is not
	// reported: a caller that needs to know of it must note it in the Reader.
	Reader io.Reader

	// Charset is the label of the charset. If it is "" or not known, each piece of
	// text is read as UTF-8 if it is valid, and as windows-1252 otherwise.
	Charset string

	// DelSp says that in a text/plain, a space at the end of a line was added when the
	// line was broken (RFC 3676 section 4.1: format=flowed; delsp=yes).
	DelSp bool

	// Window is a buffer for what Reader gives. It may be nil. Reading leaves the
	// buffer here, so that texts read one after the other with the same Source share it.
	Window []byte
}

// open returns the octets and the charset of the text.
func (s *Source) open() (*feed, *textDecoder) {
	chars := newCharset(s.Charset)
	if s.Reader == nil {
		if chars.jis {
			new(jisReader).set(s.Octets)
		}
		return &feed{buf: s.Octets}, chars
	}
	r := s.Reader
	if chars.jis {
		r = &jisReader{r: r}
	}
	f := newFeed(r, s.Window)
	s.Window = f.buf
	return f, chars
}

// HTML calls emit with the tokens of a text/html in s.Octets. The last is an [EndToken].
//
// The tags include those of the tree that the HTML Standard builds of the text. Where
// programs read a text in different ways, the tokens of each reading are given, in the
// order in which they begin:
//
//   - Comments give no tokens. But a comment that Outlook may show, such as
//     "<!--[if mso]>", gives those that Outlook reads.
//   - The content of elements such as style, title and script gives no tokens, but a
//     script that is data gives a [DataToken]. After an svg, math or select element has
//     begun, the content of such elements is read as markup too, and so is always that of
//     noscript.
//   - The first base element with an href comes before all other tokens, since it counts
//     for links before it.
//   - An xlink:href is an href too, if there is no other.
//
// A text of more than 64 KiB is several tokens. A data script of more than that is left
// out, and so is an attribute of more than that in a longer tag. Of more than 256
// attributes in a tag, only those that lead somewhere are given.
func HTML(s *Source, emit func(*Token)) {
	w := newHTMLWalker(s, emit)
	if base, ok := w.findBase(); ok {
		w.giveBase(&base)
	}
	w.walk()
}

// Plain calls emit with the tokens of a text/plain in order: its lines, and before each
// line the URLs that begin in it. The last is an [EndToken]. A line of more than 64 KiB is
// several tokens.
func Plain(s *Source, emit func(*Token)) {
	f, chars := s.open()
	(&plainWalker{feed: f, chars: chars, emit: emit, limit: maxToken, delSp: s.DelSp}).walk()
}

// PlainNear is [Plain] without lines and with only some URLs: it gives each [LinkToken]
// and [URLToken] that begins in a line for which wanted reports true, and the EndToken.
// If wanted is nil, it gives all of them. wanted is called for each line with "://" in it,
// and may be called for others. For a line of more than 64 KiB it is called with each
// piece.
func PlainNear(s *Source, wanted func(line []byte) bool, emit func(*Token)) {
	f, chars := s.open()
	w := &plainWalker{feed: f, chars: chars, emit: emit, limit: maxToken, delSp: s.DelSp, near: true, wanted: wanted}
	w.walk()
}
