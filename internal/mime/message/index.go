package message

// An Index has the offsets of the parts of a message. It keeps offsets, media types
// and boundaries, but not the octets of bodies. Several goroutines may read it. It
// does not change, except that [Index.ScanDecoded], [Index.ScanContent] and
// [Index.ScanParts] count against its limits.
type Index struct {
	// Parts has all parts in message order: a part precedes its children. The first
	// part is the whole message, and always exists.
	Parts []*Part

	// Size is the number of octets of the source.
	Size int64

	// Limit is the first limit that was reached; nil if the index is complete.
	// Everything before that place is indexed as usual. The rest is an opaque body or
	// epilogue, so the pieces are still the whole message. The part at that place has
	// a Diag for the limit.
	Limit *LimitError

	budget *budget
}

// Root returns the part that is the whole message.
func (x *Index) Root() *Part { return x.Parts[0] }
