package sharelink

// A Need is what a host wants before it gives the octets of a link.
type Need uint8

const (
	// NeedsNothing is for links with a Direct, and for links about which no more
	// is known.
	NeedsNothing Need = iota

	// NeedsAccount is for links that give nothing without a login.
	NeedsAccount

	// NeedsProgram is for links whose octets only a script in the host's page, or
	// a client of its API, can ask for.
	NeedsProgram
)
