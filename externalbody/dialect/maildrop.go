package dialect

import (
	"time"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/internal/link/sharelink"
	"github.com/go-extbody/extbody/internal/link/unwrap"
)

// maildrop reads the elements that Apple Mail puts into mail for attachments that it
// has stored with Mail Drop. They are of class x-apple-maildrop or
// x-apple-maildropbanner. They have the attributes data-url, data-size (0 if not
// known), data-filename and data-expiration, and a link inside.
//
// The attributes are known from the program that reads them in Apple's own mail. No
// message with them is public. The form of data-expiration is not known: it counts if
// it is a number of seconds or milliseconds, or as in RFC 3339. The webmail of iCloud
// puts rules for these classes into the style of ordinary mail. These are text and not
// elements.
func maildrop() externalbody.Dialect {
	return externalbody.Dialect{
		Name:  "maildrop",
		Hints: []string{"x-apple-maildrop"},
		Near:  links,
		Text:  readClasses(maildropBlock, "x-apple-maildrop", "x-apple-maildropbanner"),
	}
}

func maildropBlock(b *block, found func(*externalbody.Reference)) {
	link := maildropAnchor(b)
	url, ok := link.url()
	if !ok {
		return
	}
	r := link.reference(url, b.start, b.end)
	r.Quoted = b.quoted
	setName(r, b.attr("data-filename"))
	if n := digits(b.attr("data-size")); n > 0 {
		r.Size = n
	}
	if text := b.attr("data-expiration"); text != "" {
		if n := digits(text); n > 0 {
			setExpiration(r, epoch(n))
		} else if t, err := time.Parse(time.RFC3339, text); err == nil {
			setExpiration(r, t)
		} else {
			diag(r, externalbody.DiagBadExpiration, "data-expiration")
		}
	}
	found(r)
}

// maildropAnchor returns the link that people see if it is one of Mail Drop, since
// other places name the same. Otherwise it returns data-url as a link.
func maildropAnchor(b *block) *anchor {
	for i := range b.anchors {
		if url, ok := b.anchors[i].url(); ok {
			if l, ok := sharelink.Match(unwrap.URL(url).URL); ok && l.Provider == "icloud" {
				return &b.anchors[i]
			}
		}
	}
	return &anchor{
		attrs:  []externalbody.Param{{Name: "href", Value: b.attr("data-url")}},
		quoted: b.quoted,
	}
}
