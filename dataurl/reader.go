package dataurl

import "io"

// smallRead is the length of the shortest buffer that a reader decodes base64
// into. For shorter ones it has a buffer of its own.
const smallRead = 512

// A reader is the result of [URL.NewReader].
type reader struct {
	body body
	buf  []byte // nil until it is needed
	out  []byte // of buf, not yet returned
}

// Read implements [io.Reader].
func (r *reader) Read(p []byte) (n int, err error) {
	if len(p) == 0 {
		return 0, nil
	}
	for {
		switch {
		case len(r.out) > 0:
			n = copy(p, r.out)
			r.out = r.out[n:]
		case r.body.fault != nil:
			return 0, r.body.fault
		case r.body.done:
			return 0, io.EOF
		case !r.body.base64:
			n = r.body.nextText(p)
		case len(p) >= smallRead:
			n = r.body.next(p)
		default:
			if r.buf == nil {
				r.buf = make([]byte, 4<<10)
			}
			r.out = r.buf[:r.body.next(r.buf)]
		}
		if n > 0 {
			return n, nil
		}
	}
}
