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
	"strings"
)

// HTML calls emit with the tokens of a text/html in s.Octets. The last token is an
// [EndToken].
//
// The tags include all tags of the tree that the HTML Standard builds from the text.
// If programs read a text in different ways, emit is called with the tokens of each
// reading, in the order in which they start:
//
//   - Comments have no tokens. But a comment that Outlook may show, such as "<!--[if
//     mso]>", has the tokens that Outlook reads.
//   - The content of elements such as title and textarea has no tokens. A script that is
//     data has a [DataToken], and style elements and other scripts have [ContentToken]s. In an svg, math or
//     select element, the content of such elements is also read as markup. The
//     content of noscript is always also read as markup.
//   - The first base element with an href precedes all other tokens, because it also
//     applies to links before it.
//   - An xlink:href is also an href, unless the tag has an href.
//
// A text of more than 64 KiB is several tokens. A data script of more than 64 KiB is
// one ContentToken. An attribute of more than 64 KiB is omitted unless it may load something.
// Of more than 256 attributes in a tag, the further ones are omitted unless they may be links
// or load something.
func HTML(s *Source, emit func(*Token)) {
	w := newHTMLWalker(s, emit)
	if base, ok := w.findBase(len(w.lexer.text)); ok {
		w.giveBase(&base)
	}
	w.walk()
}

// Plain calls emit with the tokens of a text/plain in order: its lines, and before
// each line the URLs that start in it. The last token is an [EndToken]. A line of
// more than 64 KiB is several tokens.
func Plain(s *Source, emit func(*Token)) {
	f, chars := s.open()
	(&plainWalker{feed: f, chars: chars, emit: emit, limit: maxToken, delSp: s.DelSp}).walk()
}

// PlainNear is [Plain] without lines and with only some URLs: it calls emit with each
// [LinkToken] and [URLToken] that starts in a line for which wanted returns true, and
// with the EndToken. If wanted is nil, it calls emit with all of them. PlainNear
// calls wanted for each line with "://", and may call it for other lines. For a line
// of more than 64 KiB it calls wanted with each piece, up to the end of its last URL.
func PlainNear(s *Source, wanted func(line []byte) bool, emit func(*Token)) {
	f, chars := s.open()
	w := &plainWalker{feed: f, chars: chars, emit: emit, limit: maxToken, delSp: s.DelSp, near: true, wanted: wanted}
	w.walk()
}

// IsHTML reports whether some mail programs show a text of this media type as HTML:
// text/html and two alternatives to it, for AMP for Email and for Apple Watch.
// mediaType must be in lower case.
func IsHTML(mediaType string) bool {
	switch mediaType {
	case "text/html", "text/x-amp-html", "text/watch-html":
		return true
	}
	return false
}

// IsPlain reports whether mail programs show a text of this media type with few or no
// changes: text/plain and each unknown subtype of text (RFC 2046 section 4.1.4), but
// not HTML and not file formats. mediaType must be in lower case.
func IsPlain(mediaType string) bool {
	subtype, ok := strings.CutPrefix(mediaType, "text/")
	switch subtype {
	case "calendar", "csv", "css", "directory", "javascript", "ecmascript", "rtf", "richtext", "sgml", "tab-separated-values",
		"vcard", "x-vcard", "x-vcalendar", "xml", "xml-external-parsed-entity", "rfc822-headers", "x-patch", "x-diff":
		return false
	}
	return ok && !IsHTML(mediaType)
}
