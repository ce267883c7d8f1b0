package rewrite

import (
	"io"

	"github.com/go-extbody/extbody/externalbody/internal/loads"
)

// A Load is one thing that a program asks for when it shows a message, or a script in it.
type Load struct {
	// Kind is "picture", "style", "font", "media" (sound, film and subtitles), "frame", "script",
	// "refresh" (another document instead of the text), "hint" (a file or host that may be wanted, an
	// icon), "ping" (a URL that is notified of something) or "other" (a piece of a drawing, or a string that
	// a style sheet may use as a URL).
	Kind string

	// URL is the URL, as the URL Standard reads it. It is "" if the thing is in the text itself, such as a
	// script.
	URL string

	// Element and Attr are the names of the element and the attribute, in lower case. Attr is "" for the
	// content of the element.
	Element, Attr string

	// Section is the part, as in externalbody.Origin. Start and End delimit the URL in the decoded body
	// of the part, or the attribute, content or tag that it is in. Both are 0 if that is not known.
	Section    string
	Start, End int64
}

// newLoad returns the public facts of a Load.
func newLoad(l *loads.Load) Load {
	return Load{l.Kind.String(), l.URL, l.Element, l.Attr, l.Section, l.Place.Start, l.Place.End}
}

// Loads returns the URLs that a program asks for when it shows a message, in the order of the parts. These are all
// URLs that a browser loads from HTML and CSS: in a text, in a srcdoc or a data: URL there, and in the parts of the
// message that the text loads. Each has its place in the text.
//
// A URL that no base element makes whole is left out. So are scripts without a URL of their own, which Report.Cut
// of [Seal] has.
//
// It reads the texts that externalbody.Open reads. The error is the one of Open, or of
// externalbody.Message.Incomplete. The URLs that were found are returned with it.
func Loads(r io.ReaderAt, size int64) (found []Load, err error) {
	m, err := loads.Read(r, size, func(l *loads.Load) {
		if l.URL != "" && !l.Relative {
			found = append(found, newLoad(l))
		}
	})
	if err == nil {
		err = m.Incomplete()
	}
	return found, err
}
