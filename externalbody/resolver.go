package externalbody

import (
	"context"
	"time"

	"github.com/go-extbody/extbody/fetch"
)

// A Resolver turns References into bodies. Its zero value can plan. To resolve it needs
// a Fetcher: for URLs from strangers, the one that package safefetch makes. A Resolver
// is safe for concurrent use as long as its fields are not changed.
type Resolver struct {
	// Fetcher gets the data. A [fetch.Mux] reaches only the schemes that it handles.
	Fetcher fetch.Fetcher

	// Approve, if set, is asked before anything is contacted. It is asked again when a
	// redirect leaves the host that was approved. Its error makes the resolution fail
	// with Denied, or with the error's own Kind. Without Approve, the call of Resolve
	// or Save is the consent.
	Approve func(ctx context.Context, p *Plan) error

	// Credentials is asked when a server wants a login. It may be nil.
	Credentials func(ctx context.Context, c fetch.Challenge) (*fetch.Userinfo, error)

	// Progress, if set, is called as a fetch goes on.
	Progress func(ref *Reference, e fetch.Event)

	// Observe, if set, is called with each [fetch.Exchange] for a Reference when the
	// exchange ends, even if it failed.
	Observe func(ref *Reference, x *fetch.Exchange)

	// Messages finds the message that a mid: URL names, by its Message-ID with angle
	// brackets. It returns a nil Message if it does not have the message. If Messages
	// is nil, such URLs are Unsupported.
	Messages func(ctx context.Context, messageID string) (*Message, error)

	// MaxBytes bounds a body. 0 means [fetch.DefaultMaxBytes], and a negative value
	// means no limit. A Reference whose SIZE is larger is not fetched.
	MaxBytes int64

	// GuessedHosts allows to contact hosts that are not known to keep files, for links
	// that have the shape of a share. Without it such a Reference, whose Claims have
	// "guessed", is Blocked. The Fetcher needs the same option; see
	// [github.com/go-extbody/extbody/fetch/sharefetch.Options].
	GuessedHosts bool

	// Timeouts are the time limits of one fetch.
	Timeouts fetch.Timeouts

	// Budget bounds the cost of all fetches of this Resolver together, for example in
	// one run of a program. nil means no limit. It applies in addition to the budget of
	// each message.
	Budget *fetch.Budget

	// MessageBudget returns the budget that the fetches for one message share. It is
	// called for each fetch for a Reference of that message, and returns nil for no
	// limit.
	//
	// If MessageBudget is nil, a message may cost [DefaultMessageFetches],
	// [DefaultMessageBytes] and [DefaultMessageTime] from its first fetch. A message
	// that refers to ten thousand files is thus listed whole and makes no more contacts
	// than others; the references that are left are Deferred. If a [Message] is kept
	// open, a new budget begins DefaultMessageTime after the old one has ended.
	//
	// A Reference that was read outside of a message has no such budget.
	MessageBudget func(m *Message) *fetch.Budget

	// Profile is the standard to follow; see [ProfileSIP].
	Profile Profile

	// AcceptTypes lists the media types that may be learnt from a server in the sip
	// profile, in the order of preference. If it is empty, any type may be.
	AcceptTypes []string

	// Strict makes errors of these faults, which are otherwise forgiven:
	//
	//   - each Diag of the Reference,
	//   - a server that names no media type, or another name of the announced one,
	//   - a size that differs from SIZE,
	//   - a digest that cannot be read.
	Strict bool

	// RefuseExpired makes a Reference past its Expiration an error of Kind Expired. By
	// default it is tried, with a warning: the date ends a guarantee and is not a ban
	// (RFC 2046 section 5.2.3.1).
	RefuseExpired bool

	// RefuseSize makes it an error of Kind DigestMismatch if the size of a body is not
	// the SIZE of its Reference. By default that is a warning, since SIZE is there to
	// decide before a fetch (RFC 2046 section 5.2.3.1). RefuseSize is for programs that
	// replace the Reference by the body.
	//
	// SIZE counts the octets of text with the line ends that it came with, or with all
	// line ends as CRLF, or as LF. A body agrees with SIZE if one of these counts does.
	RefuseSize bool

	// SameType reports whether a media type from a server is another name of the
	// announced type of ref, such as application/xml and text/xml. Both are in lower
	// case without parameters. If SameType is nil, it is [CommonTypes], or with Strict
	// only equal types agree (RFC 2017 section 3.1).
	SameType func(ctx context.Context, ref *Reference, announced, served string) bool

	// Accept, if set, is asked before a body is refused because it is of another media
	// type or size than its Reference announces. check is "type" or "size"; announced
	// and actual are media types without parameters, or numbers of octets. If Accept
	// returns true, the body is accepted with a warning. Its MediaType stays the
	// announced one. No time limit runs meanwhile. A digest that differs is never
	// accepted.
	Accept func(ctx context.Context, ref *Reference, check, announced, actual string) bool

	// BaseURL allows relative URLs, which are an error otherwise (RFC 1738 section
	// 2.1). They are resolved against the Content-Location of the part or of an
	// enclosing part, if that is absolute.
	BaseURL bool

	// AccessTypes adds access types, by their name in lower case, and replaces those
	// that are known. RFC 2046 section 5.2.3.1 lets anybody define some. The function
	// returns how to ask for the body, like [Reference.Request]. Its Request passes the
	// Fetcher, the checks and the limits like any other.
	AccessTypes map[string]func(ref *Reference) (*fetch.Request, error)

	// Order lists the mechanisms in the order in which Save tries alternatives. A
	// mechanism is the scheme of a URL, "ftp" for both access types of ftp, or the name
	// of another access type. "*" stands for all that are not listed, which otherwise
	// come last. nil means [DefaultOrder].
	Order []string

	// AnySite allows addresses, and names of one label, as the SITE of an ftp or tftp
	// reference, where RFC 2046 section 5.2.3.2 wants a fully qualified domain name.
	// The Fetcher judges the address all the same.
	AnySite bool

	// FileName names the file that SaveFile makes for a body. If it is nil or returns
	// "", the name is [Report.FileName].
	FileName func(rep *Report) string

	// Stored, if set, makes SaveFile keep a body once in a folder. If a file with the
	// name from FileName has the same octets, it is the file of the body. Otherwise
	// Stored returns the name of a file in the folder that may have the same octets, or
	// "". If that file has them, the new file is a hard link to it, so that a change of
	// one changes both. Octets are compared by their SHA-256: with
	// NoDigest nothing is compared.
	Stored func(rep *Report) string

	// NoDigest omits the SHA-256 of the body from the Report.
	NoDigest bool

	// Now returns the time that expirations are compared with. nil means [time.Now].
	Now func() time.Time
}
