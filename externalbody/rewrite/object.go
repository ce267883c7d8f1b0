package rewrite

import (
	"bufio"
	"bytes"
	"crypto/md5"
	"errors"
	"hash"
	"io"
	"mime/quotedprintable"
	"strings"
	"sync"

	"github.com/go-extbody/extbody/internal/base64x"
	"github.com/go-extbody/extbody/internal/mimescan"
)

// An object decodes a part, and counts and hashes what comes out.
type object struct {
	src   io.Reader
	raw   *errReader
	md5   hash.Hash
	n     int64
	ended bool
	err   error // that of src, once there is one
}

// open returns the decoded octets of the part. Those of text whose lines end
// with LF, because those of the message do, get CRLF (RFC 2046 section 4.1.1).
func (c *candidate) open(r io.ReaderAt) (*object, error) {
	body := c.part.Body
	section := io.NewSectionReader(r, body.Start, body.Len())
	canonical := false
	if c.eol == "\n" && strings.HasPrefix(c.part.Type, "text/") && c.part.Encoding != mimescan.Base64 {
		var s survey
		if _, err := io.CopyBuffer(&s, section, make([]byte, copyBuffer)); err != nil {
			return nil, err
		}
		s.finish()
		canonical = s.cr == 0 && s.crlf == 0
		section.Seek(0, io.SeekStart)
	}
	o := &object{raw: &errReader{r: section}, md5: md5.New()}
	o.src = o.raw
	switch c.part.Encoding {
	case mimescan.Base64:
		o.src = base64x.NewMailReader(o.raw)
	case mimescan.QuotedPrintable:
		o.src = quotedprintable.NewReader(bufio.NewReaderSize(o.raw, 64<<10))
	}
	if canonical {
		o.src = &canonicalReader{r: o.src}
	}
	return o, nil
}

// Read implements io.Reader.
func (o *object) Read(p []byte) (int, error) {
	if o.err != nil {
		return 0, o.err
	}
	n, err := o.src.Read(p)
	o.md5.Write(p[:n])
	o.n += int64(n)
	o.end(err)
	return n, err
}

// WriteTo implements io.WriterTo. The digest of one buffer is taken while it is
// written and the next one is filled.
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
		hashing.Go(func() { o.md5.Write(full) })
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

// end remembers that reading ended, and how.
func (o *object) end(err error) {
	if err != nil {
		o.err, o.ended = err, err == io.EOF
	}
}

// An errReader remembers an error of the source, which a decoder may hide.
type errReader struct {
	r   io.Reader
	err error
}

func (e *errReader) Read(p []byte) (int, error) {
	n, err := e.r.Read(p)
	if err != nil && err != io.EOF {
		e.err = err
	}
	return n, err
}

var errStrayCR = errors.New("text with a CR in a message without any")

// A canonicalReader gives text with CRLF for LF. A CR in the text is an error,
// since it would not be told from those.
type canonicalReader struct {
	r   io.Reader
	buf []byte
	out []byte // what of the result was not read yet
	err error
}

func (c *canonicalReader) Read(p []byte) (int, error) {
	for len(c.out) == 0 && c.err == nil {
		if c.buf == nil {
			c.buf = make([]byte, 3*(32<<10))
		}
		// What is read stands at the end of the buffer, and what becomes of it,
		// which is at most twice as much, grows from its start.
		in := c.buf[2*len(c.buf)/3:]
		n, err := c.r.Read(in)
		c.err = err
		if bytes.IndexByte(in[:n], '\r') >= 0 {
			c.err = errStrayCR
			break
		}
		c.out = appendCRLF(c.buf[:0], in[:n])
	}
	n := copy(p, c.out)
	c.out = c.out[n:]
	if n > 0 || len(p) == 0 {
		return n, nil
	}
	return 0, c.err
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
