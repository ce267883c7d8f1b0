package dialect

import (
	"slices"
	"strings"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/internal/share"
	"github.com/go-extbody/extbody/internal/unwrap"
)

// shareLink reads links of HTML, those of areas of pictures too, and URLs in texts, whose URL has the shape of a
// share link of a file host that package share knows, or wraps such a one. The text
// of a link is taken as the name of the file if it can be one. Where the link leads
// elsewhere, to a gateway that keeps to itself what it wraps, and its text is such a
// URL, the text counts. So does such a URL in the JSON-LD of a notice; see actionURLs.
//
// table has the hosts of the caller as well. It may be nil.
func shareLink(table *share.Table, hosts map[string]string) externalbody.Dialect {
	return externalbody.Dialect{
		Name:  "share-link",
		Hosts: hosts,
		Hints: shareHints(table),
		Near:  links,
		Text: func(_ *externalbody.Entity, found func(*externalbody.Reference)) func(*externalbody.Token) {
			return shareLinkText(table, found)
		},
	}
}

func shareLinkText(table *share.Table, found func(*externalbody.Reference)) func(*externalbody.Token) {
	anchors := &anchorReader{done: func(a *anchor) {
		if url, ok := a.url(); ok && isShareLink(table, url) {
			r := a.reference(url, a.start, a.end)
			setName(r, a.fileName())
			found(r)
			return
		}
		if text, ok := webURL(a.text); ok && isShareLink(table, text) {
			r := (&anchor{quoted: a.quoted}).reference(text, a.start, a.end)
			diag(r, externalbody.DiagLinkText, "href")
			found(r)
		}
	}}
	script := int64(0) // where the last start tag begins
	return func(t *externalbody.Token) {
		switch t.Kind {
		case externalbody.DataToken:
			for _, url := range actionURLs(t.Text) {
				if isShareLink(table, url) {
					found((&anchor{quoted: t.Quoted}).reference(url, script, t.End))
				}
			}
		case externalbody.LinkToken:
			if url, ok := webURL(t.Text); ok && isShareLink(table, url) {
				found((&anchor{quoted: t.Quoted}).reference(url, t.Start, t.End))
			}
		case externalbody.URLToken:
			if url, end := standing(table, t); url != "" && !anchors.open {
				found((&anchor{quoted: t.Quoted}).reference(url, t.Start, end))
			}
		default:
			if t.Kind == externalbody.StartTagToken {
				script = t.Start
				if t.Name == "area" {
					readArea(table, t, found)
				}
			}
			anchors.read(t)
		}
	}
}

// readArea reads the link of an area of a picture.
func readArea(table *share.Table, t *externalbody.Token, found func(*externalbody.Reference)) {
	a := anchor{attrs: t.Attrs, quoted: t.Quoted}
	if url, ok := a.url(); ok && isShareLink(table, url) {
		found(a.reference(url, t.Start, t.End))
	}
}

// standing returns the share link that stands in a text, and where it ends; "" if
// there is none.
func standing(table *share.Table, t *externalbody.Token) (url string, end int64) {
	found := isShareLink(table, t.Text)
	switch {
	case t.Longer != "" && (t.Wrapped || !found) && isShareLink(table, t.Longer):
		return t.Longer, t.LongerEnd
	case found:
		return t.Text, t.End
	}
	return "", 0
}

func isShareLink(table *share.Table, url string) bool {
	_, ok := table.Match(unwrap.URL(url).URL)
	return ok
}

// shareHints returns the Hints of share links, wrapped ones as well. Wrappers
// encode what is no letter, digit, period or hyphen, so that the longest piece of
// a hint without that is what can be seen of it. Proofpoint encodes the hyphen, too,
// and Sophos all of the URL.
func shareHints(table *share.Table) []string {
	hints := []string{"protection.sophos.com"}
	for _, h := range table.Hints() {
		longest := ""
		for _, piece := range strings.FieldsFunc(h, func(c rune) bool {
			return c != '.' && c != '-' && !isAlphanumeric(c)
		}) {
			if len(piece) > len(longest) {
				longest = piece
			}
		}
		hints = append(hints, longest)
		if strings.Contains(longest, "-") {
			hints = append(hints, strings.ReplaceAll(longest, "-", "-2d"))
		}
	}
	// A hint that is in another one does for both.
	return slices.DeleteFunc(slices.Clone(hints), func(h string) bool {
		return slices.ContainsFunc(hints, func(o string) bool { return o != h && strings.Contains(h, o) })
	})
}
