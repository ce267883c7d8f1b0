package form

import "strconv"

// An Error is the error of a text that is not a data set. It does not quote the text.
type Error struct {
	Reason Reason
	// Offset is where the faulty name or value begins, in octets. For [TooManyFields]
	// it is the length of the text.
	Offset int
}

// Error returns the reason and the offset.
func (e *Error) Error() string {
	return "form: " + e.Reason.Error() + " at octet " + strconv.Itoa(e.Offset)
}

// Unwrap returns the reason, so that errors.Is(err, [NotUTF8]) works.
func (e *Error) Unwrap() error { return e.Reason }

// A Reason is a cause why a text is not a data set. It is itself an error.
type Reason uint8

const (
	// NotUTF8 means that a name or a value is not UTF-8.
	NotUTF8 Reason = iota + 1
	// TooManyFields means that there are more than [Options.MaxFields] pairs.
	TooManyFields
)

// Error returns the reason in words.
func (r Reason) Error() string {
	switch r {
	case NotUTF8:
		return "not UTF-8"
	case TooManyFields:
		return "too many fields"
	}
	return "unknown reason"
}
