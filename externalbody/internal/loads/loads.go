// Package loads finds the URLs that a program asks for when it shows the HTML of a mail. It is the one
// reader of that question: for the pictures that are put into a message, and for the message after
// that.
//
// It finds each URL that a browser would load, and some that only some browsers would. A text that
// programs read in several ways is read in each of them. So the content of noscript counts, which
// programs without scripts show. The content of template, textarea, title and comments does not,
// but for a template that becomes a shadow tree, and for comments that Outlook shows.
//
// A URL is read as the URL Standard reads it, the style sheets in a text as CSS Syntax does, and a
// srcdoc and the data: URL of a frame or a style sheet are read again. [Read] also reads the parts of the
// message that a text loads by a cid: or mid: URL or a Content-Location: style sheets, and documents in frames. These
// load nothing: a data: URL elsewhere, the cid: URL of a picture, which browsers draw without its
// target, all URLs whose scheme no browser asks the network for, and a file without a host.
//
// text/x-amp-html is a text like text/html: programs show its elements, with the same
// URLs. application/xhtml+xml is not read: it is XML, where other octets are markup than in HTML. [Opaque]
// finds such parts.
//
// Not found are the hosts of links, whose names a browser may look up, and files that a script would
// ask for. A script is found itself.
package loads

import (
	"cmp"
	"slices"
	"strings"

	"github.com/go-extbody/extbody/externalbody"
)

// A Kind is the kind of the thing that is loaded.
type Kind uint8

const (
	Picture Kind = iota
	Style        // a style sheet
	Font
	Media   // sound, film and subtitles
	Frame   // a document within the document: iframe, frame, embed, object
	Script  // a script, also one that is in the text itself
	Refresh // another document instead of this one
	Hint    // a file or a host that may be wanted later, an icon, a manifest
	Ping    // a URL that is notified of something, such as that a link is followed
	Other   // a piece of a drawing, or a string in a style sheet that may be used as a URL
)

// String returns the name of the kind in lower case.
func (k Kind) String() string {
	return [...]string{"picture", "style", "font", "media", "frame", "script", "refresh", "hint", "ping", "other"}[k]
}

// Active reports whether a Kind is removed from a message that loads nothing, whatever its URL is.
func (k Kind) Active() bool {
	switch k {
	case Frame, Script, Refresh, Hint:
		return true
	}
	return false
}

// A Load is one thing that is loaded.
type Load struct {
	Kind Kind

	// URL is the URL, absolute unless its base is not known. It is "" for a thing of an Active kind that
	// is in the text itself, such as a script, and for a thing that cannot be read, such as one that is too deep.
	URL string

	// Relative is true if no base element makes the URL whole. Such a URL leads to another part of the
	// message or to nothing, unless a program has a base of its own.
	Relative bool

	// Element is the name of the element, and Attr the name of the attribute; "" is the content of the
	// element. Both are in lower case.
	Element, Attr string

	// Section is the part, as in externalbody.Origin.
	Section string

	// Place is the URL in the text, and Exact is true, if the place of the URL is known. Otherwise it is
	// the attribute, the content or the tag around it.
	Place *externalbody.Token
	Exact bool

	// Value is the URL as the text has it.
	Value string

	// Within is true if the thing is loaded by a document within the text, as in a srcdoc, or by a part of the
	// message that the text loads.
	Within bool

	// Tag is the tag, or the content of an element. It is valid until found returns.
	Tag *externalbody.Token

	place func(n int) (*externalbody.Token, bool) // of the first octets of the URL

	// Cut is the edit after which the text does not load the thing.
	Cut Cut
}

// First returns the place of the first n octets of Value, if Exact is set and its place is known.
func (l *Load) First(n int) (*externalbody.Token, bool) {
	if !l.Exact || l.Place.Text != l.Value {
		return nil, false
	}
	return l.place(n)
}

// A Cut replaces the octets of a decoded part from Start to End by Text, which is in ASCII. If Value is set they
// are the value of an attribute without its quotation marks, if it has any. A Cut without octets is not known, for
// example in UTF-16.
type Cut struct {
	Start, End int64
	Text       string
	Value      bool
}

// Apply makes Cuts in a text, apart from the ones that overlap another one, which a later reading may find again.
// It reports false if one of them is not known or not in the text.
func Apply(text string, cuts []Cut) (string, bool) {
	edits, ok := Edits(text, cuts)
	var b strings.Builder
	at := 0
	for _, c := range edits {
		b.WriteString(text[at:c.Start])
		b.WriteString(c.Text)
		at = int(c.End)
	}
	b.WriteString(text[at:])
	return b.String(), ok
}

// Edits returns Cuts in order and as edits of the text, without the ones that overlap another one. It reports
// false if one of them is not known or not in the text.
func Edits(text string, cuts []Cut) (edits []Cut, ok bool) {
	cuts = slices.Clone(cuts)
	slices.SortFunc(cuts, func(a, b Cut) int { return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.End, a.End)) })
	end := int64(0)
	for _, c := range cuts {
		isWithin := 0 <= c.Start && c.Start < c.End && c.End <= int64(len(text))
		if !isWithin || c.Value && c.Start == 0 {
			return nil, false
		}
		if c.Start < end {
			continue
		}
		end = c.End
		if c.Value && text[c.Start-1] != '"' && text[c.Start-1] != '\'' {
			c.Text = `"` + c.Text + `"`
		}
		edits = append(edits, c)
	}
	return edits, true
}
