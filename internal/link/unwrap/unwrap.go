// Package unwrap recovers the URLs that mail gateways and mail programs have
// wrapped. It does so from the text of the wrapping URL alone and contacts no server:
// a gateway that is asked may count that as a click and report it.
//
// The result is the URL that was wrapped, octet for octet, as far as the wrapper
// kept it. If the text does not contain it, the wrapper stays.
//
// Several goroutines may call all functions at once.
package unwrap

import (
	"errors"

	"github.com/go-extbody/extbody/internal/link/weburl"
)

// maxNested bounds wrappers within wrappers. Mail that was forwarded through several
// companies has three. Each level takes time linear in the length of the text.
const maxNested = 8

// The reasons why a wrapper stays.
var (
	// ErrNoTarget means that the part of the wrapper that should hold the wrapped
	// URL is missing, or that there are two of them.
	ErrNoTarget = errors.New("the wrapper has no target in it")

	// ErrEncoding means that this part is not encoded as the wrapper does it.
	ErrEncoding = errors.New("the target is not encoded as this wrapper does it")

	// ErrTarget means that the wrapped text is not an absolute http or https URL;
	// see [weburl.Parse].
	ErrTarget = errors.New("the target is no http URL")

	// ErrNested means that there are more than 8 wrappers within one another.
	ErrNested = errors.New("too many wrappers within one another")
)

// errOpaque is returned by undo for a wrapper that has a token instead of the
// wrapped URL.
var errOpaque = errors.New("opaque")

// A Result is the URL inside others.
type Result struct {
	// URL is the innermost URL that was found. It is the text itself if that is
	// not a wrapper.
	URL string

	// Wrappers are the names of the wrappers that were found, outermost first. All
	// of them were undone, with one exception: if Opaque is set or Err is ErrNoTarget,
	// ErrEncoding or ErrTarget, URL is the last one. If Err is ErrNested, URL is one
	// more wrapper, which is not named.
	Wrappers []string

	// Opaque is true if URL is a wrapper that only its maker can undo.
	Opaque bool

	// Err is the reason why URL is a wrapper that could not be undone: ErrNoTarget,
	// ErrEncoding, ErrTarget or ErrNested. It is nil otherwise, and if Opaque is set.
	Err error
}

// URL undoes the wrappers around text, which is a URL as written in a message, with
// the character references of HTML decoded. A text that is not a URL is returned
// unchanged.
func URL(text string) Result {
	r := Result{URL: text}
	for {
		u, ok := weburl.Parse(r.URL)
		if !ok {
			return r
		}
		w := find(u)
		if w == nil {
			return r
		}
		if len(r.Wrappers) == maxNested {
			r.Err = ErrNested
			return r
		}
		r.Wrappers = append(r.Wrappers, w.name)
		target, err := w.undo(u, r.URL)
		if err == errOpaque {
			r.Opaque = true
			return r
		}
		if err != nil {
			r.Err = err
			return r
		}
		if _, ok := weburl.Parse(target); !ok {
			r.Err = ErrTarget
			return r
		}
		r.URL = target
	}
}
