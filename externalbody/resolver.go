package externalbody

import (
	"cmp"
	"context"
	"errors"
	"fmt"
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

// sameType reports whether a server's media type is another name of the announced one.
func (r *Resolver) sameType(ctx context.Context, ref *Reference, announced, served string) bool {
	if r.SameType != nil {
		return r.SameType(ctx, ref, announced, served)
	}
	return !r.Strict && CommonTypes(ctx, ref, announced, served)
}

func (r *Resolver) maxBytes() int64 { return cmp.Or(r.MaxBytes, fetch.DefaultMaxBytes) }

func (r *Resolver) now() time.Time {
	if r.Now != nil {
		return r.Now()
	}
	return time.Now()
}

func (r *Resolver) newTrace(ref *Reference) *trace {
	return &trace{ref: ref, observe: r.Observe, started: now()}
}

// budget returns the budget of a fetch for ref.
func (r *Resolver) budget(ref *Reference) *fetch.Budget {
	switch m := ref.message(); {
	case m == nil:
		return r.Budget
	case r.MessageBudget != nil:
		return r.Budget.And(r.MessageBudget(m))
	default:
		return r.Budget.And(m.budget.get(time.Now()))
	}
}

// announced returns the media type that the data must have, or "" if it may have any.
func (r *Resolver) announced(ref *Reference) string {
	if r.Profile == ProfileSIP && ref.defaultType() {
		return "" // RFC 4483 section 5.8
	}
	return ref.MediaType
}

// refusesSize reports whether another size than SIZE is an error.
func (r *Resolver) refusesSize(ref *Reference) bool {
	return r.Strict || r.RefuseSize && (ref.Dialect == "" || ref.promised("size"))
}

// commonTypes maps other names of media types, as mail and servers have them, to the
// registered ones.
var commonTypes = map[string]string{
	"image/jpg":                    "image/jpeg",
	"image/pjpeg":                  "image/jpeg",
	"image/x-png":                  "image/png",
	"application/x-pdf":            "application/pdf",
	"application/x-zip":            "application/zip",
	"application/x-zip-compressed": "application/zip",
	"application/x-gzip":           "application/gzip",
	"application/x-rtf":            "application/rtf",
	"text/rtf":                     "application/rtf",
	"audio/mp3":                    "audio/mpeg",
	"audio/x-mp3":                  "audio/mpeg",
	"audio/x-wav":                  "audio/wav",
	"video/x-m4v":                  "video/mp4",
	"text/xml":                     "application/xml",
	"text/x-vcard":                 "text/vcard",
	"application/x-javascript":     "text/javascript",
	"application/javascript":       "text/javascript",
	"application/x-msword":         "application/msword",
	"application/x-tar-gz":         "application/gzip",
	"application/x-compressed-tar": "application/gzip",
	"application/x-download":       anyType,
	"application/force-download":   anyType,
	"application/x-force-download": anyType,
	"application/download":         anyType,
	"application/binary":           anyType,
	"binary/octet-stream":          anyType,
}

// CommonTypes is the [Resolver].SameType for mail in practice, and the default. It
// reports whether the two types are names of one type, such as image/jpg and
// image/jpeg, or one of them stands for any octets, such as application/x-download.
func CommonTypes(_ context.Context, _ *Reference, announced, served string) bool {
	a, s := cmp.Or(commonTypes[announced], announced), cmp.Or(commonTypes[served], served)
	return a == s || a == anyType || s == anyType
}

// A trace collects the facts about resolving one Reference for its Report, whether there
// is a body in the end or not.
type trace struct {
	ref     *Reference
	observe func(*Reference, *fetch.Exchange)
	started time.Time
	facts   Report  // of the Exchanges
	report  *Report // of the body; nil before there is one
}

// watch makes t record the Exchanges of req, the next request. It skips Exchanges with
// proxies, and those before a login or a repetition.
func (t *trace) watch(req *fetch.Request) {
	t.report = nil
	req.Brief = t.observe == nil
	req.Observe = func(x *fetch.Exchange) {
		if f := &t.facts; x.Protocol != "connect" && x.Protocol != "socks5" {
			if f.FinalURL != "" && f.FinalURL != x.URL {
				f.Hops = append(f.Hops, f.FinalURL)
			}
			f.FinalURL, f.RemoteAddr, f.TLS = x.URL, x.Remote, x.TLS
			if x.Protocol == "http" {
				f.Status = x.Status
			}
		}
		if t.observe != nil {
			t.observe(t.ref, x)
		}
	}
}

// found makes report the one of the body.
func (t *trace) found(report *Report) {
	t.report = report
	report.Started = t.started
}

// failed returns the Report of a Reference without a body. It has the facts of a
// response, or else of the last Exchange.
func (t *trace) failed(ref *Reference) *Report {
	if t.report == nil {
		t.found(&t.facts)
	}
	t.report.by(ref)
	t.report.Ended = now()
	return t.report
}

// now returns the real time for Reports, not the one that [Resolver].Now returns.
func now() time.Time { return time.Now().UTC() }

// DefaultOrder returns the order in which Save tries mechanisms if [Resolver].Order is
// nil: first bodies at hand, then mechanisms that verify the server. mail-server is last,
// since it cannot complete at once (EB-34).
func DefaultOrder() []string {
	return []string{"content-id", "local-file", "afs", "data", "cid", "mid", "https", "http", "ftps", "ftp", "imaps", "imap", "tftp", "*", "mail-server"}
}

// sender returns the address that the message of the Reference is from; see
// [Plan].Sender.
func (r *Reference) sender() string {
	if r.Sender != "" {
		if address := Sender(r.Sender); address != "" {
			return address
		}
		return r.Sender
	}
	if r.source == nil || r.part.Message().Parent != nil {
		return "" // anybody may have written the header of a message within the message
	}
	return Sender(r.source.message.from...)
}

// A Profile is the standard to follow where standards differ.
type Profile uint8

const (
	// ProfileMail is RFC 2046 and RFC 2017.
	ProfileMail Profile = iota

	// ProfileSIP is content indirection in SIP (RFC 4483, RFC 5621):
	//
	//   - EXPIRATION is mandatory and ends the validity of the URL: a Reference past it
	//     is Expired, as with RefuseExpired.
	//   - The phantom Content-Type may be left out. Then the media type is the one that
	//     the server names, if AcceptTypes allows it.
	//   - HASH is compared, and the data is withheld if it differs.
	//   - A body whose disposition is by-reference is Denied unless something else in
	//     the message refers to it.
	ProfileSIP
)

// within reports whether the scheme names something in a message.
func within(scheme string) bool { return scheme == "cid" || scheme == "mid" }

// maxNesting bounds how often a fetched body may be a reference again.
const maxNesting = 5

// A chain is the way from a Reference to the data if it refers to another reference
// (RFC 2046 section 5.2.3.7).
type chain struct {
	seen map[string]bool // the Plans that were followed
	left int64           // octets that may still be read; < 0: no limit

	trace *trace

	promised []claim // of the References on the way
}

// follow remembers a Plan. It refuses a Plan that it has seen, and refuses too many.
func (c *chain) follow(p *Plan) error {
	if c.seen == nil {
		c.seen = make(map[string]bool)
	}
	switch {
	case c.seen[p.ID]:
		return &fetch.Error{Op: "resolve", URL: p.URL, Kind: fetch.Malformed, Err: errors.New("the references form a circle")}
	case len(c.seen) > maxNesting:
		return &fetch.Error{Op: "resolve", URL: p.URL, Kind: fetch.Malformed, Err: fmt.Errorf("more than %d references one after the other", maxNesting)}
	}
	c.seen[p.ID] = true
	return nil
}
