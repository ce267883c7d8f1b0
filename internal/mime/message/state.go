package message

// A scanner builds one index.
type scanner struct {
	win    window
	array  *[windowSize]byte // of win
	index  *Index
	budget *budget
	stack  []frame    // the open parts, outermost first
	open   boundaries // of the multiparts on the stack that are not yet closed
	bareCR bool       // lineEnd has seen a CR that does not belong to a line end
	slab   []Part     // parts not yet used

	// work counts the steps that take time apart from reading: classified lines,
	// searches, and closed parts. Tests compare it with the size.
	work int64
}

// A frame is an open part on the stack.
type frame struct {
	part  *Part
	state multipartState
	plain string // the type if no delimiter line is found, of a part that is not a multipart by its type
	outer int    // the level of the multipart further out with the same boundary, or -1
}

// A multipartState is the progress in the body of a multipart.
type multipartState uint8

const (
	notMultipart multipartState = iota
	inPreamble
	inParts
	inEpilogue
)
