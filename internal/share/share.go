// Package share recognises the share links of file hosts by the shape of the
// URL, and says what is known about each host: how to ask for the file itself
// in place of the page around it, and what a fetch does there.
//
// What is known is data, the table in rules.go. To add a host, add a row, a
// hint of where it was seen, and a case to the golden table of the tests. Nothing
// in the URLs of hosts that anybody can run tells them from others: a caller names
// these in a [Table].
//
// A share link is a credential: who knows its path, its query or its fragment
// can get the file. Nothing of it but scheme and host is fit for logs; see
// redact.Origin. The fragment is never part of what this package makes of a
// link.
//
// Nothing here uses the network. All functions may be called by several
// goroutines at once.
package share

import "time"

// A Link is what the URL of a share link says, and what is known of its host.
type Link struct {
	// Provider names the host, in lower case, such as "dropbox".
	Provider string

	Kind Kind

	// ID is what identifies the file or folder at the provider, as it stands
	// in the URL; "" if that is not one piece of it. Often it is all that is
	// needed to get it.
	ID string

	// Name is the name of the file, "" if the URL does not say. It is decoded
	// and can have any character in it; it is not fit for a path.
	Name string

	// MediaType is the media type of what Direct gives; "" if the URL does not
	// settle it.
	MediaType string

	// Size is the number of octets of the file, -1 if the URL does not say.
	Size int64

	// Expiration is when the link ends; the zero Time if the URL does not say.
	Expiration time.Time

	// Direct is the URL that gives the octets, without a fragment: the link
	// itself if it does. It is "" if none is known.
	Direct string

	// Rendition says that Direct gives what the host makes of a document, and
	// not the document.
	Rendition bool

	// Fallback is the URL of a rendition, of the type FallbackType, for a link
	// whose Direct may turn out to give nothing; "" if there is none.
	Fallback, FallbackType string

	// Page says that the page that the link leads to names the URL that gives
	// the octets, which [FindDirect] reads. Direct is "" then.
	Page bool

	// Needs says why Direct is "", if that is known.
	Needs Need

	// Once says that a fetch may use up one of a limited number of downloads.
	Once bool

	// Cookies says that the host redirects with a cookie, without which it
	// refuses the next request of the same fetch.
	Cookies bool

	// EndToEnd says that the octets are encrypted, with a key in the fragment
	// that the host must not see. Direct is "".
	EndToEnd bool
}

// Match recognises text, an absolute http or https URL that nothing wraps, as a
// share link. It reports false for all other texts. The host is compared in its
// canonical form; a link to another port than that of the scheme, or with user
// information, is not a share link.
func Match(text string) (*Link, bool) { return (*Table)(nil).Match(text) }

// FindDirect returns the URL that gives the octets of the share link text, as
// the first octets of the page that it leads to tell. It is "" if they do not.
// It is at the host of the link.
func FindDirect(text string, page []byte) string { return (*Table)(nil).FindDirect(text, page) }

// Hints returns octet strings in lower case of which one occurs, letters
// compared without regard to case, in every text that [Match] recognises.
func Hints() []string { return (*Table)(nil).Hints() }
