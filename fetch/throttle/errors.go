package throttle

import (
	"errors"
	"time"

	"github.com/go-extbody/extbody/fetch"
)

// ErrTurn is in the tree of a [fetch.Deferred] error if the request was not sent, because too
// many others were before it.
var ErrTurn = errors.New("too many requests are before this one")

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
