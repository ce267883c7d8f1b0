package message

import "io"

// An IndexedReader reads the octets of a scanned message and has its index. It passes an
// index from the package that scanned a message to a package that rewrites it,
// through interfaces without these types: see [IndexOf]. externalbody.Open does not
// scan an IndexedReader again.
type IndexedReader struct {
	io.ReaderAt
	Index *Index
}

// IndexOf returns the index of the message that r reads, and the source from which the
// message was scanned. The reader of r must be an IndexedReader.
func IndexOf(r *io.SectionReader) (*Index, io.ReaderAt) {
	outer, _, _ := r.Outer()
	x := outer.(IndexedReader)
	return x.Index, x.ReaderAt
}

// Sections returns the parts of x by their sections.
func (x *Index) Sections() map[string]*Part {
	sections := make(map[string]*Part, len(x.Parts))
	for _, p := range x.Parts {
		sections[p.Section()] = p
	}
	return sections
}
