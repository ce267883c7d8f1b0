package interstitial

// A Reason is the subject of a page, in words for people.
type Reason string

const (
	Unknown Reason = "page"               // not known
	Scan    Reason = "virus scan warning" // the host asks whether to download a file that it has not scanned
	Expired Reason = "expired"            // the link has ended
	Deleted Reason = "deleted"            // the file is gone
	Denied  Reason = "access denied"      // the file is not for everybody
	Login   Reason = "login"              // the page wants a login
	Consent Reason = "consent"            // the page wants agreement first
	Archive Reason = "an archive"         // a folder was sent as an archive
	Quota   Reason = "quota exceeded"     // too many people have asked for the file; it is available again later
)

// IsKnown reports whether r is one of the constants, and not Unknown.
func (r Reason) IsKnown() bool {
	switch r {
	case Scan, Expired, Deleted, Denied, Login, Consent, Archive, Quota:
		return true
	}
	return false
}

// A mark is a text that occurs in pages about a reason.
type mark struct {
	reason Reason
	text   []byte
	title  bool // it counts only in the title
}

// A form is a class of types.
type form uint8

const (
	unknown form = iota
	markup       // HTML, or a format that can contain it literally
	text         // other text, which can start with a tag
	binary       // everything else
)

// A family is a set of formats that start with the same octets.
type family struct {
	beginnings []string
}
