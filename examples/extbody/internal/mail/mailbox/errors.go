package mailbox

import "errors"

// Errors of mailboxes that other programs use. Nothing was changed.
var (
	// ErrChanged is the error of a mailbox that another program changed while it was
	// read: its messages are no longer where they were found.
	ErrChanged = errors.New("another program changed the mailbox meanwhile")

	// ErrLocked is the error of a mailbox that another program has locked, or that is
	// being replaced already.
	ErrLocked = errors.New("another program has locked the mailbox")
)
