// Package sharelink recognises the share links of file hosts by the shape of the
// URL. It knows about each host how to ask for the file itself instead of the
// page around it, and the side effects of a fetch there.
//
// This knowledge is data, the table in rules.go. To add a host, add a row, a
// note of where it was seen, and a case to the golden table of the tests. Some
// services can be run by anybody on any host, and their URLs do not show which
// host is one. A caller names such hosts in a [Table].
//
// A share link is a credential: anybody who knows its path, query and fragment
// can get the file. Only its scheme and host may appear in logs; see
// redact.Origin. No URL that this package makes of a link has a fragment.
//
// Nothing here uses the network. Several goroutines may call all functions at
// once.
package sharelink

import (
	"fmt"
	"strings"
	"time"
)

// A Link has the facts in a share link and about its host.
type Link struct {
	// Provider names the host, in lower case, such as "dropbox".
	Provider string

	Kind Kind

	// Shape is the pattern that the path of the link matched; see [Row].
	Shape string

	// ID identifies the file or folder at the provider, as written in the URL.
	// It is "" if no single piece of the URL does so. An ID is a secret: often
	// it is all that is needed to get the file.
	ID string

	// Name is the name of the file, or "" if the URL does not have it. It is decoded
	// and can contain any character. Do not use it as a path.
	Name string

	// MediaType is the media type of the octets at Direct, or "" if the URL does
	// not determine it.
	MediaType string

	// Size is the number of octets of the file, or -1 if it is not in the URL.
	Size int64

	// Expiration is when the link ends, or the zero Time if that is not in the URL.
	Expiration time.Time

	// Direct is the URL that gives the octets, without a fragment. It is the
	// link itself if that gives them, and "" if no such URL is known.
	Direct string

	// Rendition is true if Direct gives an export that the host makes of a
	// document, not the document itself.
	Rendition bool

	// Fallback is the URL of a rendition whose media type is FallbackType. It is
	// for a link whose Direct may turn out to give nothing. It is "" if there is
	// no such URL.
	Fallback, FallbackType string

	// Ask is the URL of a page, or of a text in JSON, from which [Table.FindDirect] can read the
	// URL that gives the octets. Direct is "" then. Ask may be "".
	Ask string

	// Needs is why Direct is "", if that is known.
	Needs Need

	// Once is true if a fetch may use up one of a limited number of downloads.
	Once bool

	// Cookies is true if the host sets a cookie when it redirects, and refuses the
	// next request of the same fetch without it.
	Cookies bool

	// EndToEnd is true if the octets are encrypted. The key is in the fragment,
	// and the host must not see it. Direct is "".
	EndToEnd bool

	// Cut is true if the key in the fragment is missing, or has another length than the keys
	// of the host: the text does not have all of the URL, or has more than it.
	Cut bool

	// Confirmed is true if Direct was found in a warning, after which no other is read. It
	// is for callers of FindDirect.
	Confirmed bool

	// Guessed is true if the host is not known: the URL has a shape that only the shares
	// of some program have. Only [Table.Guess] returns such Links.
	Guessed bool
}

// Match reads text as a share link. text is an absolute http or https URL without
// a wrapper; see package unwrap. Match reports false for every other text. Hosts are
// compared in their canonical form. A URL with user information is not a share link, and
// neither is one with a port other than the default of its scheme.
func Match(text string) (*Link, bool) { return (*Table)(nil).Match(text) }

// MatchShape is Match, and also reports whether text has the shape of a share link. The link is
// nil if only the token of text is too short, or a word. Such a URL may be a part of a share
// link, and is treated as a secret.
func MatchShape(text string) (link *Link, shaped bool) {
	_, _, link, shaped = (*Table)(nil).read(text)
	return link, shaped
}

// Fingerprint returns a text that changes with the rows of the table in rules.go, as far as
// they are data.
func Fingerprint() string {
	var b strings.Builder
	for i := range rules {
		r := &rules[i]
		fmt.Fprintf(&b, "%q %q %d %q %q %s %q\n", r.provider, r.hosts, r.port, r.paths, r.param, r.kind, r.mark)
	}
	return b.String()
}
