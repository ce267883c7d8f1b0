package rewrite

import (
	"bytes"
	"crypto/md5"
	"crypto/sha256"
	"errors"
	"hash"
	"io"
	"strings"
	"sync"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/mime/message"
	"github.com/go-extbody/extbody/internal/mime/param"
)

// An object decodes a part, and counts and hashes the octets.
type object struct {
	src   io.Reader
	raw   *message.ErrReader
	sums  sums
	n     int64
	ended bool
	err   error // the error that src ended with
	fault error // err, if it is one of the part

	decoder   message.Decoder // nil for an encoding that changes nothing
	canonical *canonical      // nil if line ends are CRLF, or data
}

var errForgiven = errors.New("its transfer encoding is damaged: readers differ in what it stands for")

// sums are the digests that a reference promises.
type sums struct{ md5, sha256 hash.Hash }

func newSums() sums { return sums{md5.New(), sha256.New()} }

// Write takes the next octets. It never fails.
func (s sums) Write(p []byte) (int, error) {
	s.md5.Write(p)
	return s.sha256.Write(p)
}

// open returns the decoded octets of the part.
func (c *candidate) open(r io.ReaderAt) *object {
	body := c.part.Body
	o := &object{raw: message.NewErrReader(body.Reader(r)), sums: newSums()}
	o.src = o.raw
	if d := message.DecodeChecked(o.raw, c.part.Encoding); d != nil {
		o.src, o.decoder = d, d
	}
	charset, _ := param.Parse(message.FieldValue(c.ct)).Get("charset")
	if c.eol == "\n" && strings.HasPrefix(c.part.Type, "text/") && c.part.Encoding != message.Base64 && c.part.Encoding != message.UUEncode && !isWide(charset) {
		o.canonical = newCanonical()
	}
	return o
}

// promise returns the digests and the size that a reference to the object promises. They
// are of the canonical form if the line ends are the line ends of the message and stand
// for CRLF (RFC 1864 section 2, EB-27). Otherwise they are of the octets.
func (o *object) promise() (s sums, size int64) {
	if o.canonical.holds() {
		return o.canonical.sums, o.canonical.n
	}
	return o.sums, o.n
}

// digest takes the next octets.
func (o *object) digest(p []byte) {
	o.sums.Write(p)
	o.canonical.write(p)
}

// Read implements io.Reader.
func (o *object) Read(p []byte) (int, error) {
	if o.err != nil {
		return 0, o.err
	}
	n, err := o.src.Read(p)
	o.digest(p[:n])
	o.n += int64(n)
	o.end(err)
	return n, o.err
}

// WriteTo implements io.WriterTo. While a buffer is written, its digests are computed
// and the next one is filled.
func (o *object) WriteTo(w io.Writer) (int64, error) {
	var total int64
	var hashing sync.WaitGroup
	defer hashing.Wait()
	buf, next := make([]byte, copyBuffer), make([]byte, copyBuffer)
	for o.err == nil {
		n := 0
		for n < len(buf) && o.err == nil {
			k, err := o.src.Read(buf[n:])
			n += k
			o.end(err)
		}
		full := buf[:n]
		hashing.Wait()
		hashing.Go(func() { o.digest(full) })
		k, err := w.Write(full)
		o.n += int64(n)
		total += int64(k)
		if err == nil && k < n {
			err = io.ErrShortWrite
		}
		if err != nil {
			o.err, o.ended = err, false
			return total, err
		}
		buf, next = next, buf
	}
	if o.err == io.EOF {
		return total, nil
	}
	return total, o.err
}

// end records that reading ended, and how. The faults that a decoder met are the
// reason to leave the part.
func (o *object) end(err error) {
	switch {
	case err == nil:
		return
	case o.raw.Failure() != nil:
		err = o.raw.Failure()
	case o.decoder != nil && (err != io.EOF || o.decoder.Forgiven() > 0):
		o.fault = leave(fetch.Malformed, errForgiven)
		err = o.fault
	}
	o.err, o.ended = err, err == io.EOF
}

// A canonical counts and hashes text with CRLF instead of LF. It is not valid for text
// with a CR, which could not be distinguished from these.
type canonical struct {
	sums   sums
	addCR  addCR // into sums
	n      int64
	broken bool // there was a CR
}

func newCanonical() *canonical {
	s := newSums()
	return &canonical{sums: s, addCR: addCR{w: s}}
}

func (c *canonical) holds() bool { return c != nil && !c.broken }

// write takes the next octets.
func (c *canonical) write(p []byte) {
	if !c.holds() {
		return
	}
	if c.broken = bytes.IndexByte(p, '\r') >= 0; c.broken {
		return
	}
	c.n += int64(len(p) + bytes.Count(p, []byte("\n")))
	c.addCR.Write(p)
}

// appendCRLF appends text with each LF as CRLF.
func appendCRLF(dst, text []byte) []byte {
	for {
		i := bytes.IndexByte(text, '\n')
		if i < 0 {
			return append(dst, text...)
		}
		dst = append(append(dst, text[:i]...), "\r\n"...)
		text = text[i+1:]
	}
}
