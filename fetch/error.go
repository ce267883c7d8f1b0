package fetch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/textproto"
	"net/url"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/go-extbody/extbody/internal/file/diskfull"
)

// An Error is the error of every function of this module that resolves a
// reference. Match its Kind with [errors.Is]:
//
//	if errors.Is(err, fetch.Blocked) { ... }
type Error struct {
	Op   string // the operation: "fetch", "read", "resolve", ...
	URL  string // fit for logs: without credentials, query values or payload; "" if not known
	Kind Kind
	Err  error // the cause, or nil

	// After is the time before which another try is useless: the Retry-After of the
	// server, or the end of the reason why the request was Deferred. The zero Time means
	// that it is not known. [AfterOf] finds it in an error that wraps others.
	After time.Time
}

// ErrDamaged is the cause of the error, of Kind Local, of a body that was kept from an
// earlier fetch and is not as it was. The Fetcher that kept it has deleted it, so that the
// same request fetches the body again.
var ErrDamaged = errors.New("the stored copy of the body is damaged")

// Error returns the operation, the URL, the Kind and the cause, in that order.
func (e *Error) Error() string {
	s := e.Op
	if e.URL != "" {
		if s != "" {
			s += " "
		}
		s += e.URL
	}
	if s != "" {
		s += ": "
	}
	s += e.Kind.Error()
	if e.Err != nil && e.Err != error(e.Kind) {
		s += ": " + e.Err.Error()
	}
	if !e.After.IsZero() && AfterOf(e.Err).IsZero() {
		s += "; try again after " + e.After.UTC().Format(time.RFC3339)
	}
	return s
}

// Unwrap returns the Kind and the cause.
func (e *Error) Unwrap() []error {
	if e.Err == nil {
		return []error{e.Kind}
	}
	return []error{e.Kind, e.Err}
}

// Timeout reports whether the cause is a time-out.
func (e *Error) Timeout() bool {
	t, ok := errors.AsType[interface {
		error
		Timeout() bool
	}](e.Err)
	return ok && t.Timeout()
}

// KindOf returns the Kind of err: the Kind of the first [*Error] or Kind in its
// tree, otherwise the one that the table in the package comment gives for the
// errors of the standard library, otherwise Unavailable. KindOf(nil) is 0.
func KindOf(err error) Kind {
	if err == nil {
		return 0
	}
	if k := ownKind(err); k != 0 {
		return k
	}
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return Canceled
	case errors.Is(err, io.ErrUnexpectedEOF):
		return Truncated
	case isUntrusted(err):
		return Untrusted
	case diskfull.Is(err), isExhausted(err):
		return Local
	case isA[*textproto.Error](err), isA[textproto.ProtocolError](err), isNotTLS(err):
		return Protocol
	case errors.Is(err, fs.ErrNotExist):
		return NotFound
	case errors.Is(err, fs.ErrPermission):
		return Forbidden
	case isA[net.Error](err): // every syscall.Errno is one
		return Unavailable
	case errors.Is(err, errors.ErrUnsupported):
		return Unsupported
	case isA[*os.PathError](err):
		return Local
	}
	return Unavailable
}

// isExhausted reports whether there was no file descriptor left, which is not the server's
// fault. QUIRK: of an error below a lookup net keeps the text alone.
func isExhausted(err error) bool {
	lookup, isLookup := errors.AsType[*net.DNSError](err)
	return slices.ContainsFunc([]syscall.Errno{syscall.EMFILE, syscall.ENFILE}, func(cause syscall.Errno) bool {
		return errors.Is(err, cause) || isLookup && strings.HasSuffix(lookup.Err, cause.Error())
	})
}

// AfterOf returns the After of the first [*Error] in the tree of err that has
// one, and otherwise the zero Time.
func AfterOf(err error) time.Time {
	if e, ok := err.(*Error); ok && !e.After.IsZero() {
		return e.After
	}
	switch u := err.(type) {
	case interface{ Unwrap() error }:
		return AfterOf(u.Unwrap())
	case interface{ Unwrap() []error }:
		for _, err := range u.Unwrap() {
			if t := AfterOf(err); !t.IsZero() {
				return t
			}
		}
	}
	return time.Time{}
}

func isA[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

// wrap makes err an *Error about req. An *Error with Op and URL stays as it is.
// In another one a missing Op, URL or After is filled in, the After from its cause. A
// [url.Error] is replaced by its cause, because its text quotes the
// URL.
func wrap(op string, req *Request, kind Kind, err error) *Error {
	if e, ok := err.(*Error); ok {
		if e.URL != "" && e.Op != "" {
			return e
		}
		c := *e
		c.Op = cmp.Or(c.Op, op)
		c.URL = cmp.Or(c.URL, req.shown())
		if c.After.IsZero() {
			c.After = AfterOf(c.Err)
		}
		return &c
	}
	if u, ok := errors.AsType[*url.Error](err); ok {
		err = u.Err
	}
	return &Error{Op: op, URL: req.shown(), Kind: kind, Err: err, After: AfterOf(err)}
}

// failed classifies an error of a Fetcher. When ctx has ended, the reason for
// which it ended explains every failure that may be its consequence.
func failed(ctx context.Context, req *Request, err error) error {
	kind := KindOf(err)
	if ctx.Err() != nil {
		switch kind {
		case Canceled, Unavailable, Truncated, Protocol:
			return ended(ctx, "fetch", req)
		}
	}
	return wrap("fetch", req, kind, err)
}

// ended returns the reason why ctx, made by watch, has ended: one of our own time limits,
// or the caller.
func ended(ctx context.Context, op string, req *Request) error {
	cause := context.Cause(ctx)
	if e, ok := errors.AsType[timeoutError](cause); ok {
		return wrap(op, req, Unavailable, e)
	}
	return wrap(op, req, Canceled, cause)
}

// Refusal returns the error of a callback, such as [Request].CheckHop or
// [Request].Credentials, as an [*Error]: of the Kind that it has, or of kind if it has
// none. Fetchers return it.
func Refusal(kind Kind, err error) *Error {
	if k := ownKind(err); k != 0 {
		kind = k
	}
	return &Error{Kind: kind, Err: err}
}

// ownKind returns the Kind of the first [*Error] or Kind in the tree of err, 0 if there
// is neither.
func ownKind(err error) Kind {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Kind
	}
	k, _ := errors.AsType[Kind](err)
	return k
}

// A Kind is the class of a failure, by which a program decides how to go on. It is an
// error itself, as [syscall.Errno] is, so that
//
//	errors.Is(err, fetch.NotFound)
//
// works on every error of this module. NotFound and Gone also match
// [fs.ErrNotExist]; Forbidden, Blocked and Denied match [fs.ErrPermission];
// Canceled matches [context.Canceled]; Unsupported matches
// [errors.ErrUnsupported].
//
// The zero Kind stands for no fault.
type Kind uint8

// The Kinds. Their texts are stable, for output.
const (
	Unsupported    Kind = iota + 1 // an access type, scheme, coding or option that nothing here implements
	Malformed                      // a reference or URL that cannot mean anything
	Blocked                        // refused by the address guard, or a scheme that the Mux does not have
	Denied                         // refused by the caller: Approve, CheckHop or Credentials
	Expired                        // past its expiration, and the caller's policy is not to try
	Credentials                    // the server asks for credentials and none were given, or it refused them
	NotFound                       // the server has no such object
	Forbidden                      // the server refuses access
	TooLarge                       // over a limit on octets, or on the ratio of decompression
	Truncated                      // the body ended before its end
	TypeMismatch                   // the server's media type disagrees with the announced one (RFC 2017 section 3.1)
	DigestMismatch                 // the octets are not those that a digest or a size promised
	Interstitial                   // a page (login, warning, consent) where a file was expected
	Pending                        // asked for, and will arrive later by another way
	Gone                           // deleted for good
	Unavailable                    // time-out, refused connection, name not resolved, or a server's temporary failure
	Untrusted                      // TLS: a certificate or a handshake that cannot be trusted
	Protocol                       // the server broke its protocol, or gave an answer that has no body in it
	Canceled                       // the caller's context ended
	Local                          // our own disk, sink or callback failed
	Deferred                       // not tried now: a budget is spent, or a host wants to be left alone, or is down
	kindEnd
)

var kindText = [kindEnd]string{
	Unsupported:    "unsupported",
	Malformed:      "malformed",
	Blocked:        "blocked",
	Denied:         "denied",
	Expired:        "expired",
	Credentials:    "credentials",
	NotFound:       "not-found",
	Forbidden:      "forbidden",
	TooLarge:       "too-large",
	Truncated:      "truncated",
	TypeMismatch:   "type-mismatch",
	DigestMismatch: "digest-mismatch",
	Interstitial:   "interstitial",
	Pending:        "pending",
	Gone:           "gone",
	Unavailable:    "unavailable",
	Untrusted:      "untrusted",
	Protocol:       "protocol",
	Canceled:       "canceled",
	Local:          "local",
	Deferred:       "deferred",
}

// Error returns the Kind's text, such as "not-found".
func (k Kind) Error() string {
	if k == 0 || k >= kindEnd {
		return "unknown"
	}
	return kindText[k]
}

// String returns the same text as Error.
func (k Kind) String() string { return k.Error() }

// MarshalText returns the Kind's text, and none for the zero Kind.
func (k Kind) MarshalText() ([]byte, error) {
	if k == 0 {
		return nil, nil
	}
	return []byte(k.Error()), nil
}

// UnmarshalText accepts the results of MarshalText.
func (k *Kind) UnmarshalText(text []byte) error {
	i := slices.Index(kindText[:], string(text))
	if i < 0 {
		return fmt.Errorf("unknown kind %.20q", text)
	}
	*k = Kind(i)
	return nil
}

// Is reports whether the Kind means the same as one of the standard library's
// errors; see the list at [Kind].
func (k Kind) Is(target error) bool {
	switch target {
	case fs.ErrNotExist:
		return k == NotFound || k == Gone
	case fs.ErrPermission:
		return k == Forbidden || k == Blocked || k == Denied
	case context.Canceled:
		return k == Canceled
	case errors.ErrUnsupported:
		return k == Unsupported
	}
	return false
}

// Transient reports whether the same request may succeed at another time
// without anybody changing it.
func (k Kind) Transient() bool {
	switch k {
	case Unavailable, Truncated, Canceled, Local, Deferred:
		return true
	}
	return false
}

// A Cause is the rule by which a fetch was [Blocked]. It is an error itself, and an
// error with that Cause matches it:
//
//	if errors.Is(err, fetch.CausePort) { ... }
type Cause uint8

const (
	CauseScheme      Cause = iota + 1 // no fetcher is registered for the scheme
	CausePort                         // the port is not one of those that are allowed
	CauseAddress                      // the address is not public, or was denied
	CauseName                         // the name is for local use, or does not resolve
	CauseCredentials                  // a user or password in a URL in which they can only mislead
	CauseDowngrade                    // a redirect from https to http
)

// String returns the cause in one word: "scheme", "port", "address", "name",
// "credentials" or "downgrade", and "" for none.
func (c Cause) String() string {
	names := [...]string{"", "scheme", "port", "address", "name", "credentials", "downgrade"}
	if int(c) < len(names) {
		return names[c]
	}
	return ""
}

// Error implements error.
func (c Cause) Error() string { return c.String() + " not allowed" }

// CauseOf returns the Cause in the tree of err, or 0.
func CauseOf(err error) Cause {
	c, _ := errors.AsType[Cause](err)
	return c
}

// With returns an error with the text of err that matches err and c, for fetchers.
func (c Cause) With(err error) error { return &caused{err, c} }

// A caused is an error with its Cause.
type caused struct {
	error
	cause Cause
}

func (e *caused) Unwrap() []error { return []error{e.error, e.cause} }
