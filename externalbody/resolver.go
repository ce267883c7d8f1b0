package externalbody

import (
	"context"
	"time"

	"github.com/go-extbody/extbody/fetch"
)

// A Resolver turns References into bodies. Its zero value can plan; to resolve
// it needs a Fetcher, for URLs from strangers the one that package safefetch
// makes. A Resolver is safe for concurrent use as long as its fields are not
// changed.
type Resolver struct {
	// Fetcher gets the data. A [fetch.Mux] is also the list of what may be
	// used at all.
	Fetcher fetch.Fetcher

	// Approve, if set, is asked before anything is contacted, and again when a
	// redirect leaves the host that was approved. Its error makes the
	// resolution fail with Denied, or with the error's own Kind. Without
	// Approve the call of Resolve or Save is the consent.
	Approve func(ctx context.Context, p *Plan) error

	// Credentials is asked when a server wants a login. nil means that there
	// are none.
	Credentials func(ctx context.Context, c fetch.Challenge) (*fetch.Userinfo, error)

	// Progress, if set, is told how a fetch goes.
	Progress func(ref *Reference, e fetch.Event)

	// Observe, if set, is told what was said on the wire for a Reference: each
	// [fetch.Exchange], in full, when it ends, failed ones too. Without it the
	// Exchanges of the [Report] are all there is, and nothing else is recorded.
	Observe func(ref *Reference, x *fetch.Exchange)

	// Messages finds the message that a mid: URL names, by its Message-ID with
	// angle brackets. It returns a nil Message for one that it does not have.
	// nil means that such URLs are Unsupported.
	Messages func(ctx context.Context, messageID string) (*Message, error)

	// MaxBytes bounds a body; 0 means [fetch.DefaultMaxBytes], a negative
	// value no limit. A Reference whose SIZE is larger is not fetched.
	MaxBytes int64

	// Timeouts are the limits on time of one fetch.
	Timeouts fetch.Timeouts

	// Budget is what all that this Resolver fetches may cost together, such as
	// one run of a program. nil means that there is none. It holds besides that
	// of each message.
	Budget *fetch.Budget

	// MessageBudget returns what the fetches for one message may cost together;
	// nil means no limit. It is called for each fetch for a Reference of that
	// message.
	//
	// If MessageBudget is nil, a message has DefaultMessageFetches,
	// DefaultMessageBytes and DefaultMessageTime from its first fetch, so that
	// one that refers to ten thousand files is listed whole and makes no more
	// contacts than others. The references that are left are Deferred. Whoever
	// keeps a [Message] open can go on with it another DefaultMessageTime after
	// the end of that time.
	//
	// A Reference that was read outside of a message has no such budget.
	MessageBudget func(m *Message) *fetch.Budget

	// Profile is mail, or sip; see [ProfileSIP].
	Profile Profile

	// Accept lists the media types that may be learnt from a server in the sip
	// profile, in the order of preference; empty means any.
	Accept []string

	// TrustHash fetches from https servers whose certificate cannot be
	// verified if the Reference has a HASH, which is compared, as RFC 4483
	// section 7 has it. SHA-1 does not withstand an attacker, so the default
	// is to verify both.
	TrustHash bool

	// LongHash lets HASH of the sip profile be a SHA-256, SHA-384 or SHA-512 as
	// well, which its length tells. RFC 4483 has SHA-1 only.
	LongHash bool

	// Strict makes errors of what is otherwise forgiven: each Diag of the
	// Reference, a server that names no media type, a size that differs from
	// SIZE, a digest that cannot be read.
	Strict bool

	// RefuseExpired makes a Reference past its Expiration an error of Kind
	// Expired. By default it is tried and flagged: the date ends a guarantee,
	// it is not a ban (RFC 2046 section 5.2.3.1).
	RefuseExpired bool

	// RefuseSize makes a body of another size than the SIZE of its Reference an
	// error of Kind DigestMismatch; text may have either line ends. By default
	// that is a warning, since SIZE is there to decide before a fetch (RFC 2046
	// section 5.2.3.1). It is for who gives up the Reference for the body.
	RefuseSize bool

	// SameType reports whether a server's media type, which differs from the
	// announced one of ref, agrees with it all the same, such as application/xml
	// with text/xml. Both are in lower case without parameters. nil means that
	// only equal types agree (RFC 2017 section 3.1). [CommonTypes] knows those
	// that are different names of one type.
	SameType func(ctx context.Context, ref *Reference, announced, served string) bool

	// BaseURL allows relative URLs, which are an error otherwise (RFC 1738
	// section 2.1): they are resolved against the Content-Location of the
	// part or of what encloses it, if that is absolute.
	BaseURL bool

	// AccessTypes adds access types of the caller's own, by their name in lower
	// case, and replaces those that are known (RFC 2046 section 5.2.3.1 lets
	// anybody define some). The function says how to ask for the body, as
	// [Reference.Request] does; its Request passes the Fetcher, the checks and
	// the limits like any other.
	AccessTypes map[string]func(ref *Reference) (*fetch.Request, error)

	// Order lists the mechanisms, in the order in which Save tries alternatives:
	// schemes of URLs, and the other access types by their name, "ftp" for
	// both kinds of ftp. "*" stands for those that are not listed, which come
	// last otherwise. nil means [DefaultOrder].
	Order []string

	// RepairMode lets Save repeat a transfer once, in image mode, if a
	// reference without MODE was transferred as text by default and the body
	// is neither text nor what its digest or SIZE promised (AT-8).
	RepairMode bool

	// AnySite allows addresses, and names of one label, as the SITE of an ftp or
	// tftp reference, where a fully qualified domain name belongs (RFC 2046
	// section 5.2.3.2). The Fetcher judges the address all the same.
	AnySite bool

	// FileName names the file that SaveFile makes for a body. nil, or "", means
	// [Report.FileName].
	FileName func(rep *Report) string

	// Stored, if set, has SaveFile keep a body once in a folder. A file that has
	// the name of FileName and the same octets already is the file of the body.
	// Otherwise Stored returns the name of a file in the folder that may have the
	// same octets, "" if it knows none; if it does have them, the new file is a hard
	// link to it. Octets are compared by their SHA-256, so that nothing is compared
	// with NoDigest. Whoever changes one of two such files changes both.
	Stored func(rep *Report) string

	// NoDigest omits the SHA-256 of the body from the Report.
	NoDigest bool

	// Now returns the time that expirations are compared with; nil means
	// [time.Now].
	Now func() time.Time
}
