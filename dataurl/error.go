package dataurl

import "fmt"

// A Kind is a fault of a data: URL or a media type. A Kind is itself
// an error, which [errors.Is] finds in an [*Error].
type Kind uint8

const (
	// NotData is the Kind of a text that does not begin with "data:".
	NotData Kind = iota + 1

	// NoComma is the Kind of a URL without the comma that ends the media type.
	NoComma

	// BadAuthority is the Kind of a URL that goes on with "//" and a user name,
	// host or port that the URL Standard rejects.
	BadAuthority

	// BadMediaType is the Kind of a text that is not a media type. It is an error of
	// [ParseMediaType] and [ParseStrict].
	BadMediaType

	// BadCharacter is the Kind of a body with a character that a URL cannot have, or a
	// "%" that two hexadecimal digits do not follow. It is an error of [ParseStrict].
	BadCharacter

	// BadBase64 is the Kind of a body in base64 with a character that is not of
	// its alphabet, or with a wrong length or padding.
	BadBase64

	// TooLong is the Kind of a URL of which [ParseReader] and [ParseReaderStrict] would
	// have to hold more than they do.
	TooLong
)

// Error returns a description that does not depend on the input.
func (k Kind) Error() string {
	switch k {
	case NotData:
		return "not a data: URL"
	case NoComma:
		return "no comma"
	case BadAuthority:
		return "invalid authority"
	case BadMediaType:
		return "invalid media type"
	case BadCharacter:
		return "invalid character or escape"
	case BadBase64:
		return "invalid base64"
	case TooLong:
		return "too much before the data"
	default:
		return "unknown error"
	}
}

// An Error is the error of all functions and readers of this package. Its text
// never quotes the input, which may be secret and long.
type Error struct {
	Kind Kind

	// Offset is the number of octets before the fault. They are octets of [URL.Encoded]
	// for BadCharacter and BadBase64, and of the function's argument for all others. If
	// something is missing, it counts all octets.
	Offset int
}

// Error returns the Kind and the Offset as text.
func (e *Error) Error() string {
	return fmt.Sprintf("dataurl: %v at octet %d", e.Kind, e.Offset)
}

// Unwrap returns the Kind.
func (e *Error) Unwrap() error { return e.Kind }
