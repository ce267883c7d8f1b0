package sharelink

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
