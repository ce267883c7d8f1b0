package throttle

import (
	"errors"
	"time"

	"github.com/go-extbody/extbody/fetch"
)

// ErrTurn is in the tree of a [fetch.Deferred] error if the request was not sent, because too
// many others were before it.
var ErrTurn = errors.New("too many requests are before this one")

// ErrRefused is in the tree of a [fetch.Deferred] error if the host refused a connection to another
// request, or had no address, within the last minute. The request was not sent, and would have had the
// same outcome: it is the answer of the host for each link at it. Other Deferred errors are not answers.
var ErrRefused = errors.New("the host refused a connection, or had no address, a moment ago")

var (
	errAsked  = errors.New("the host wants no requests for now")
	errLink   = errors.New("the host wants no requests for this link for now")
	errMute   = errors.New("the host is down: it did not answer several times in a row")
	errStall  = errors.New("the host is down: its bodies stopped coming several times in a row")
	errRefuse = errors.New("the host is down: it refused a connection, or has no address")
	errAway   = errors.New("no host answers, so that this machine's network may be away")
)

func deferred(cause error, after time.Time) error {
	return &fetch.Error{Kind: fetch.Deferred, Err: cause, After: after}
}
