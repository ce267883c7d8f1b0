package urlaccess

import "strconv"

// An Error is the reason why [Decode] refused a value. It does not quote the value,
// which can hold a secret or be very long.
type Error struct {
	Reason Reason
	Offset int // where in the value, in octets
}

// Error returns the reason and the offset.
func (e *Error) Error() string {
	return "url parameter: " + e.Reason.Error() + " at octet " + strconv.Itoa(e.Offset)
}

// Unwrap returns the reason, so that errors.Is(err, [Empty]) works.
func (e *Error) Unwrap() error { return e.Reason }

// A Reason is a cause of refusal. It is itself an error.
type Reason uint8

const (
	// Empty means that there is no URL in the value.
	Empty Reason = iota + 1
	// ControlCharacter means that the value has a control character that is not white
	// space. The sender's meaning cannot be known, and such a character is dangerous
	// in every protocol.
	ControlCharacter
)

// Error returns the reason in words.
func (r Reason) Error() string {
	switch r {
	case Empty:
		return "no URL"
	case ControlCharacter:
		return "control character"
	}
	return "unknown reason"
}
