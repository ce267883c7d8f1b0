// Package unwrap recovers the URLs that mail gateways and mail programs have
// wrapped, from the text of the wrapping URL alone. It contacts nobody: asking
// the gateway would tell it, and it may report a click.
//
// What comes out is what was wrapped, octet for octet, as far as the wrapper
// kept it. A wrapper of which it cannot be told what it wraps stays.
//
// All functions may be called by several goroutines at once.
package unwrap

import (
	"errors"
	"slices"

	"github.com/go-extbody/extbody/internal/weburl"
)

// maxNested bounds wrappers within wrappers. Mail that was forwarded through
// several companies has three; each level takes time linear in the text.
const maxNested = 8

// The reasons why a wrapper stays.
var (
	// ErrNoTarget is the reason where the wrapper has no part in which the
	// wrapped URL should be, or has it twice.
	ErrNoTarget = errors.New("the wrapper has no target in it")

	// ErrEncoding is the reason where that part is not encoded as it should be.
	ErrEncoding = errors.New("the target is not encoded as this wrapper does it")

	// ErrTarget is the reason where what is wrapped is no absolute http or
	// https URL, see [weburl.Parse].
	ErrTarget = errors.New("the target is no http URL")

	// ErrNested is the reason where there are more than 8 wrappers.
	ErrNested = errors.New("too many wrappers within one another")
)

// errOpaque is what a rule returns for a wrapper that has a token in place of
// the wrapped URL.
var errOpaque = errors.New("opaque")

// A Result is what a URL wraps.
type Result struct {
	// URL is the innermost URL that was found. It is the text itself where
	// nothing wraps it.
	URL string

	// Wrappers are the names of the wrappers that were found, outermost first.
	// All were undone, but for the last one if Opaque is set or Err is not nil,
	// which then is URL.
	Wrappers []string

	// Opaque says that URL is a wrapper of a kind that only its maker can undo.
	Opaque bool

	// Err is the reason why URL is a wrapper that should have been undone and
	// was not: one of ErrNoTarget, ErrEncoding, ErrTarget and ErrNested.
	Err error
}

// URL undoes the wrappers around text, which is a URL as it stands in a message
// after HTML has been decoded. A text that is no URL is returned as it is.
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

// Hints returns octet strings in lower case of which one occurs, letters
// compared without regard to case, in every text that [URL] changes, calls
// opaque or gives an error for.
func Hints() []string {
	var hints []string
	for i := range wrappers {
		hints = append(hints, wrappers[i].hints()...)
	}
	slices.Sort(hints)
	return slices.Compact(hints)
}
