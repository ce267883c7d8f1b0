package sharelink

import "time"

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

// A Kind is the kind of thing that a share link leads to.
type Kind string

const (
	Page   Kind = "page"   // a page of the host, which can lead to a file, a folder or several files
	File   Kind = "file"   // one file
	Folder Kind = "folder" // a folder
	Native Kind = "native" // a document that exists only at the host and has no octets of its own
)

// A Need is a condition of a host for giving the octets of a link.
type Need string

const (
	NeedsNothing Need = ""        // for links with a Direct, and for links about which no more is known
	NeedsAccount Need = "account" // the link gives nothing without a login
	NeedsProgram Need = "program" // only a script in the host's page, or a client of its API, can ask for the octets
)
