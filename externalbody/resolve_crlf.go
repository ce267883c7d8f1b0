package externalbody

import (
	"hash"
)

// A crlfText counts and hashes text in canonical form, with each line end (LF, CR or
// CRLF) as CRLF (RFC 2046 section 4.1.1).
type crlfText struct {
	hashes []hash.Hash
	n      int64
	cr     bool // the last octet was a CR whose line end is not yet written
}

var crlf = []byte("\r\n")

// Write takes the next octets. It never fails.
func (c *crlfText) Write(p []byte) (int, error) {
	start := 0
	for i, b := range p {
		if b != '\r' && b != '\n' && !c.cr {
			continue
		}
		switch {
		case c.cr && b == '\n':
			c.put(crlf)
			c.cr = false
			start = i + 1
		case c.cr && b == '\r':
			c.put(crlf)
			start = i + 1
		case c.cr:
			c.put(crlf)
			c.cr = false
			start = i
		case b == '\r':
			c.put(p[start:i])
			c.cr = true
			start = i + 1
		default:
			c.put(p[start:i])
			c.put(crlf)
			start = i + 1
		}
	}
	if !c.cr {
		c.put(p[start:])
	}
	return len(p), nil
}

// finish ends the text.
func (c *crlfText) finish() {
	if c.cr {
		c.put(crlf)
		c.cr = false
	}
}

func (c *crlfText) put(p []byte) {
	c.n += int64(len(p))
	for _, h := range c.hashes {
		h.Write(p)
	}
}

// octets returns the number of octets in canonical form, or 0 if c is nil.
func (c *crlfText) octets() int64 {
	if c == nil {
		return 0
	}
	return c.n
}
