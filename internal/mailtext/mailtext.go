// Package mailtext reads the texts of mail, text/html and text/plain, as tokens:
// tags, texts and links with their places, and with what is quoted or forwarded
// marked as such.
//
// It is for texts from strangers. A text is read once, in time linear in its length
// and in a window of less than 400 KiB, whatever it is. Places are octets of the
// text as it is read, before its charset is converted.
//
// [HTML] follows the tokenization of the HTML Standard, section 13.2.5. [Plain]
// puts together the URLs that programs break over lines (RFC 3986 appendix C).
package mailtext

import "io"

// A Source is a text: Octets, or what Reader gives. It is not used by several
// goroutines at once.
type Source struct {
	// Octets are the text if Reader is nil. They may be changed while they are
	// read.
	Octets []byte

	// Reader gives a text that is not held. Its errors, of which whoever made
	// it has to know, end the text.
	Reader io.Reader

	// Charset is the label of the charset; "" or one that is not known means
	// UTF-8, and windows-1252 where the text is not UTF-8.
	Charset string

	// DelSp says of a text/plain that a space at the end of a line was added where the
	// line was broken (RFC 3676 section 4.1: format=flowed; delsp=yes).
	DelSp bool

	// Window is a buffer for what Reader gives. It is kept here, so that texts
	// read one after the other with the same Source share it. It may be nil.
	Window []byte
}

// open returns the octets and the charset of the text.
func (s *Source) open() (*feed, *charset) {
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

// HTML gives the tokens of a text/html, in order and the last an [EndToken], to
// emit. There are none for comments and for the content of elements such as style and
// title, but for scripts that are data. What a "<!--[if mso]>" hides from all programs but
// Outlook is given. A tag of more than 64 KiB has no Attrs, a longer text is several
// tokens, and a longer script gives none.
func HTML(s *Source, emit func(*Token)) {
	f, chars := s.open()
	w := &htmlWalker{feed: f, chars: chars, emit: emit, limit: maxToken}
	if s.Reader == nil {
		w.walkHeld()
		return
	}
	w.walk()
}

// Plain gives the tokens of a text/plain, in order and the last an [EndToken], to
// emit: its lines, and before each the URLs that begin in it. With linksOnly it gives
// each [LinkToken] and the EndToken alone.
func Plain(s *Source, linksOnly bool, emit func(*Token)) {
	walkPlain(s, linksOnly, emit)
}

// PlainNear gives each [LinkToken] and [URLToken] of a text/plain that begins in a line
// for which wanted, unless it is nil, reports true, and the EndToken, as [Plain] gives
// them. wanted is asked for lines with "://" in them, and may be asked for others; of
// a line of more than 64 KiB it is asked for each piece.
func PlainNear(s *Source, wanted func(line []byte) bool, emit func(*Token)) {
	f, chars := s.open()
	w := &plainWalker{feed: f, chars: chars, emit: emit, limit: maxToken, delSp: s.DelSp, near: true, wanted: wanted}
	w.walk()
}

// HasLink reports whether text, a text/plain, has a URL in angle brackets, or what
// may be one. It is quicker than [Plain].
func HasLink(text []byte) bool { return hasLink(text) }
