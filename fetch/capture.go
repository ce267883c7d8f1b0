package fetch

// A Capture says what a body is to the thing that was referred to, so that
// nobody takes what a host has today for what was sent.
type Capture string

const (
	// CaptureDeclared is the body that the reference describes: a digest that
	// the reference declared agrees with it, or it came within the message.
	CaptureDeclared Capture = "declared"

	// CaptureCurrent is what the host has now, which may have changed since.
	CaptureCurrent Capture = "current"

	// CaptureVersion is a version that the URL names.
	CaptureVersion Capture = "version"

	// CaptureRendition is made from the object by the host, in another format:
	// the export of a document that has no octets of its own.
	CaptureRendition Capture = "rendition"

	// CaptureUnknown is a body of which none of these is known.
	CaptureUnknown Capture = ""
)
