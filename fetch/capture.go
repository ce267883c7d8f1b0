package fetch

// A Capture is the relation of a body to the object that the sender referred to. What a
// host has today need not be the file that was meant.
type Capture string

const (
	// CaptureDeclared is the body that the reference describes: a digest that
	// the reference declared agrees with it, or it came within the message.
	CaptureDeclared Capture = "declared"

	// CaptureCurrent is the host's present version, which may have changed since.
	CaptureCurrent Capture = "current"

	// CaptureVersion is a version that the URL names.
	CaptureVersion Capture = "version"

	// CaptureRendition is made from the object by the host, in another format:
	// the export of a document that has no octets of its own.
	CaptureRendition Capture = "rendition"

	// CaptureUnknown is a body of which none of these is known.
	CaptureUnknown Capture = ""
)
