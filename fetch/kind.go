package fetch

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"slices"
)

// A Kind is the class of a failure, by which a program decides how to go on. It is an
// error itself, as [syscall.Errno] is, so that
//
//	errors.Is(err, fetch.NotFound)
//
// works on every error of this module. NotFound and Gone also match
// [fs.ErrNotExist]; Forbidden, Blocked and Denied match [fs.ErrPermission];
// Canceled matches [context.Canceled], unless it was a deadline; Unsupported matches
// [errors.ErrUnsupported]. Until v1, SizeMismatch matches DigestMismatch.
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
	DigestMismatch                 // the octets are not those that a digest promised
	Interstitial                   // a page (login, warning, consent) where a file was expected
	Pending                        // asked for, and will arrive later by another way
	Gone                           // deleted for good
	Unavailable                    // time-out, refused connection, name not resolved, or a server's temporary failure
	Untrusted                      // TLS: a certificate or a handshake that cannot be trusted
	Protocol                       // the server broke its protocol, or gave an answer that has no body in it
	Canceled                       // the caller's context ended
	Local                          // our own disk, sink or callback failed
	Deferred                       // not tried now: a budget is spent, or a host wants to be left alone, or is down
	SizeMismatch                   // the body is whole, and has not the number of octets that the reference announced
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
	SizeMismatch:   "size-mismatch",
}

// Kinds yields each Kind, in the order of their numbers. Programs that have a text for each
// Kind check with it that none is forgotten.
func Kinds() iter.Seq[Kind] {
	return func(yield func(Kind) bool) {
		for k := Kind(1); k < kindEnd && yield(k); k++ {
		}
	}
}

// Error returns the Kind's text, such as "not-found", and "none" for the zero Kind.
func (k Kind) Error() string {
	switch {
	case k == 0:
		return "none"
	case k >= kindEnd:
		return "unknown"
	}
	return kindText[k]
}

// String returns the same text as Error.
func (k Kind) String() string { return k.Error() }

// MarshalText returns the Kind's text, and an empty text for the zero Kind.
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

// Is reports whether the Kind means the same as another error: one of the standard library,
// or DigestMismatch; see the list at [Kind].
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
	case DigestMismatch:
		return k == SizeMismatch
	}
	return false
}

// Transient reports whether the same request may succeed at another time
// without anybody changing it. Local is not Transient: a fault of the caller's own functions
// stays, and so does a full disk.
func (k Kind) Transient() bool {
	switch k {
	case Unavailable, Truncated, Canceled, Deferred:
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
	CausePort                         // the port is not one of the ones that are allowed
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
