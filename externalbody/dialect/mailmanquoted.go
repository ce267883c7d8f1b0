package dialect

import (
	"strings"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/internal/link/unwrap"
	"github.com/go-extbody/extbody/internal/link/weburl"
)

// A quotedScrubReader finds the parts that Mailman scrubbed in a digest that is quoted as
// HTML.
type quotedScrubReader struct {
	found   func(*externalbody.Reference)
	anchors anchorReader
}

func (r *quotedScrubReader) read(t *externalbody.Token) {
	if t.Kind == externalbody.URLToken && !r.anchors.open && isArchived(t.Text) {
		r.found((&anchor{quoted: t.Quoted}).reference(t.Text, t.Start, t.End))
	}
	r.anchors.read(t)
}

// anchor reads a link whose text is its URL.
func (r *quotedScrubReader) anchor(a *anchor) {
	url, ok := a.url()
	text, ok2 := webURL(a.text)
	if ok && ok2 && isArchived(url) && unwrap.URL(text).URL == unwrap.URL(url).URL {
		r.found(a.reference(url, a.start, a.end))
	}
}

// isArchived reports whether a URL is one under which Mailman stores parts, below
// the public or the private archive of a list.
func isArchived(url string) bool {
	u, ok := weburl.Parse(unwrap.URL(url).URL)
	return ok && (strings.Contains(u.Path, "/pipermail/") || strings.Contains(u.Path, "/mailman/private/")) && isScrubbedURL(url)
}
