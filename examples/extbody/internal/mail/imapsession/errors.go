package imapsession

import (
	"errors"
	"fmt"

	"github.com/go-extbody/extbody/internal/imap/wire"
	"github.com/go-extbody/extbody/internal/wording"
)

func newChanged(from, to uint32) error {
	return wire.NewFault(ErrChanged, fmt.Errorf("%d instead of %d", to, from))
}

// The kinds of errors of this package, in addition to the kinds of package wire. Each
// is matched with [errors.Is].
var (
	ErrGone     = errors.New("the message is no longer in the mailbox")
	ErrChanged  = errors.New("the UIDVALIDITY of the mailbox is another one")
	ErrTooLarge = errors.New("the message is too large")
	ErrBudget   = errors.New("the limits of the session are reached")
)

// A lost is an error that ended the connection. Another connection may follow.
type lost struct{ error }

func (l *lost) Unwrap() error { return l.error }

// Unread is the error that ends a sweep before the end of the mailbox.
type Unread struct {
	// N is the number of messages that were not read. Their UIDs are from First to
	// Last; both are 0 if they are not known.
	N           int64
	First, Last uint32

	// Err is the reason.
	Err error
}

func (u *Unread) Error() string {
	messages := wording.Choose(u.N, "message was not read", "messages were not read")
	if u.First == 0 {
		return fmt.Sprintf("%s: %v", messages, u.Err)
	}
	return fmt.Sprintf("%s, from UID %d to %d: %v", messages, u.First, u.Last, u.Err)
}

func (u *Unread) Unwrap() error { return u.Err }
