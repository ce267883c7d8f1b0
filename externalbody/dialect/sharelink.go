package dialect

import (
	"slices"
	"strings"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/internal/share"
	"github.com/go-extbody/extbody/internal/unwrap"
)

// shareLink reads links of HTML, and URLs in angle brackets in text/plain, whose
// URL has the shape of a share link of a file host that package share knows, or
// wraps such a one. The text of the link is taken as the name of the file if it
// can be one.
func shareLink() externalbody.Dialect {
	return externalbody.Dialect{
		Name:  "share-link",
		Hints: shareHints(),
		Text:  shareLinkText,
	}
}

func shareLinkText(_ *externalbody.Entity, found func(*externalbody.Reference)) func(*externalbody.Token) {
	anchors := &anchorReader{done: func(a *anchor) {
		url, ok := a.url()
		if !ok || !isShareLink(url) {
			return
		}
		r := a.reference(url, a.start, a.end)
		setName(r, a.fileName())
		found(r)
	}}
	return func(t *externalbody.Token) {
		if t.Kind != externalbody.LinkToken {
			anchors.read(t)
			return
		}
		if url, ok := webURL(t.Text); ok && isShareLink(url) {
			found((&anchor{quoted: t.Quoted}).reference(url, t.Start, t.End))
		}
	}
}

func isShareLink(url string) bool {
	_, ok := share.Match(unwrap.URL(url).URL)
	return ok
}

// shareHints returns the Hints of share links, wrapped ones as well. Wrappers
// encode what is no letter, digit, period or hyphen, so that the longest piece of
// a hint without that is what can be seen of it. Proofpoint encodes the hyphen, too,
// and Sophos all of the URL.
func shareHints() []string {
	hints := []string{"protection.sophos.com"}
	for _, h := range share.Hints() {
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
