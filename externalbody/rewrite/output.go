package rewrite

import (
	"context"
	"io"
)

// A file is a destination that can be truncated.
type file interface {
	io.Writer
	io.Seeker
	Truncate(size int64) error
}

// An output is where the message is written. If it is a file that ends where writing
// begins, pieces are written to it before the rest is decided.
type output struct {
	*splicer
	file  file  // nil if nothing can be taken back
	start int64 // the length of file before
}

func newOutput(ctx context.Context, dst io.Writer, r io.ReaderAt, size int64) *output {
	o := &output{splicer: newSplicer(ctx, dst, r, size)}
	if f, ok := dst.(file); ok {
		if at := end(f); at >= 0 {
			o.file, o.start = f, at
			o.w.reset(at)
		}
	}
	return o
}

// end returns the length of a file that can be truncated and whose offset is at its
// end. It returns -1 for any other.
func end(f file) int64 {
	at, err := f.Seek(0, io.SeekCurrent)
	if err != nil {
		return -1
	}
	end, err := f.Seek(0, io.SeekEnd)
	if err == nil && end == at && f.Truncate(end) == nil {
		return end
	}
	f.Seek(at, io.SeekStart)
	return -1
}

// A mark is a place in the source and in the file to which an output can return.
type mark struct{ source, file int64 }

// mark returns the current place.
func (o *output) mark() (mark, error) {
	err := o.w.Flush()
	return mark{o.at, o.w.at}, local(err)
}

// back truncates the output to a mark.
func (o *output) back(m mark) error {
	o.at = m.source
	o.w.reset(m.file)
	if err := o.file.Truncate(m.file); err != nil {
		return local(err)
	}
	_, err := o.file.Seek(m.file, io.SeekStart)
	return local(err)
}

// abandon takes back everything, if possible.
func (o *output) abandon() {
	if o.file != nil {
		o.back(mark{file: o.start})
	}
}
