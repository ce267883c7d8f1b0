package fetch

import "errors"

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
