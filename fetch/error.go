package fetch

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"net"
	"net/textproto"
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
	// that it is not known. AfterOf finds it in an error that wraps others.
	After time.Time
}

// ErrDamaged is the cause of an error of Kind Local: a body that was stored by an earlier
// fetch has changed in the store. The Fetcher that stored the body has deleted it, so that
// the same request fetches it again.
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

// Unwrap returns the Kind and the cause. If a deadline ended the caller's context, the error matches
// Canceled and [context.DeadlineExceeded], and not [context.Canceled], as the errors of net/http do.
func (e *Error) Unwrap() []error {
	switch {
	case e.Err == nil:
		return []error{e.Kind}
	case e.Kind == Canceled && errors.Is(e.Err, context.DeadlineExceeded):
		return []error{late{}, e.Err}
	}
	return []error{e.Kind, e.Err}
}

// A late is Canceled by a deadline. It matches that Kind, and not [context.Canceled].
type late struct{}

func (late) Error() string { return Canceled.Error() }

func (late) Is(target error) bool { return target == error(Canceled) }

func (late) As(target any) bool {
	k, ok := target.(*Kind)
	if ok {
		*k = Canceled
	}
	return ok
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
// errors of the standard library, otherwise Local: an error of no known type is one of the
// caller's own functions, or a panic that the caller caught. KindOf(nil) is 0.
func KindOf(err error) Kind { return kindOf(err, Local) }

// KindOfFetch is KindOf for an error that a Fetcher returned, except that an error of no known
// type is Unavailable. Fetchers around other Fetchers use it. The errors of [Do] have this
// Kind already.
func KindOfFetch(err error) Kind { return kindOf(err, Unavailable) }

// kindOf is KindOf, with the Kind of an error of no known type.
func kindOf(err error, unknown Kind) Kind {
	if err == nil {
		return 0
	}
	if k := KindOr(err, 0); k != 0 {
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
	return unknown
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

// KindOr returns the Kind of the first [*Error] or Kind in the tree of err, and otherwise kind. It
// is for the errors of callbacks, which may have a Kind.
func KindOr(err error, kind Kind) Kind {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Kind
	}
	if k, ok := errors.AsType[Kind](err); ok {
		return k
	}
	return kind
}
