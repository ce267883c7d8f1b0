// Package lastoctet gives out a body one octet late, so that the whole of it is out only
// after its verdict.
package lastoctet

import (
	"cmp"
	"io"
	"sync"
)

// A Reader reads from R and keeps the last octet that came. When R reports [io.EOF] the
// Reader returns that octet together with io.EOF. When R reports another error it never
// returns the octet. After that each Read reports the same error.
//
// The zero Reader with R set is ready to use, by one goroutine.
type Reader struct {
	R io.Reader

	held    byte
	holding bool
	err     error
	scratch [1]byte
}

// Read implements [io.Reader]. It reads straight into p.
func (r *Reader) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	for r.err == nil {
		if r.holding && len(p) == 1 {
			var n int
			n, r.err = r.R.Read(r.scratch[:])
			if n > 0 {
				p[0] = r.held
				r.held = r.scratch[0]
				return 1, nil
			}
			continue
		}
		// The octets are read to the start of p and then moved by one. Of a large p a
		// multiple of 64 octets is used: system calls that copy from or to odd
		// addresses take twice as long.
		room := p
		if r.holding {
			room = p[:len(p)-1]
			if len(room) >= 1<<10 {
				room = room[:len(room)&^63]
			}
		}
		n, err := r.R.Read(room)
		r.err = err
		if n == 0 {
			continue
		}
		last := p[n-1]
		if r.holding {
			copy(p[1:n], p[:n-1])
			p[0] = r.held
			r.held = last
			return n, nil
		}
		r.held = last
		r.holding = true
		if n > 1 {
			return n - 1, nil
		}
	}
	if r.err == io.EOF && r.holding {
		r.holding = false
		p[0] = r.held
		return 1, io.EOF
	}
	r.holding = false
	return 0, r.err
}

// Err returns the error or io.EOF that ended the Reader, or nil.
func (r *Reader) Err() error { return r.err }

// Abandon ends the Reader with err, unless it has ended already. The octet that it
// holds back is lost.
func (r *Reader) Abandon(err error) {
	r.holding = false
	r.err = cmp.Or(r.err, err)
}

// buffers holds the buffers of WriteTo. From 128 KiB on, a larger buffer saves no time.
var buffers = sync.Pool{New: func() any { return new([128 << 10]byte) }}

// WriteTo implements [io.WriterTo], which spares [io.Copy] a small buffer. It fills its
// own buffer before it writes, so that it seldom calls w.
func (r *Reader) WriteTo(w io.Writer) (int64, error) {
	buf := buffers.Get().(*[128 << 10]byte)
	defer buffers.Put(buf)
	var total int64
	for {
		var n int
		var err error
		for n < len(buf) && err == nil {
			var m int
			m, err = r.Read(buf[n:])
			n += m
		}
		if n > 0 {
			m, werr := w.Write(buf[:n])
			total += int64(m)
			if werr == nil && m < n {
				werr = io.ErrShortWrite
			}
			if werr != nil {
				return total, werr
			}
		}
		if err == io.EOF {
			return total, nil
		}
		if err != nil {
			return total, err
		}
	}
}
