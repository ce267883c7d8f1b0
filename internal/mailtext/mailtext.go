// Package mailtext reads the texts of mail, text/html and text/plain, as tokens:
// tags, texts and links. Each token has its place in the text and says whether it is
// in a quoted or forwarded message.
//
// It is for texts from strangers. Whatever the text is, it is read once, in time linear
// in its length, and in a window of less than 400 KiB if it comes from a Reader. Places
// count the octets of the text as it is read, before its charset is converted.
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

	// Reader gives a text that is not in memory. An error ends the text and is not
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

// HTML calls emit with the tokens of a text/html in order. The last is an [EndToken].
//
//   - Comments give no tokens. But what a "<!--[if mso]>" hides from all programs except
//     Outlook does.
//   - The content of elements such as style, title and script gives no tokens. But a
//     script that is data gives a [DataToken].
//   - Beyond about 64 KiB, a tag has no Attrs, a text is several tokens, and a script
//     gives no token.
func HTML(s *Source, emit func(*Token)) {
	f, chars := s.open()
	w := &htmlWalker{feed: f, chars: chars, emit: emit, limit: maxToken}
	if s.Reader == nil {
		w.walkHeld()
		return
	}
	w.walk()
}

// Plain calls emit with the tokens of a text/plain in order: its lines, and before each
// line the URLs that begin in it. The last is an [EndToken]. A line of more than 64 KiB is
// several tokens. If linksOnly is true, only each [LinkToken] and the EndToken are given.
func Plain(s *Source, linksOnly bool, emit func(*Token)) {
	walkPlain(s, linksOnly, emit)
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

// HasLink reports whether text, a text/plain, may contain a URL in angle brackets. It is
// faster than [Plain].
func HasLink(text []byte) bool { return hasLink(text) }
