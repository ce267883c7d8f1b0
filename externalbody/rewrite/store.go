package rewrite

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"strings"
	"sync"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/codec/charset"
	"github.com/go-extbody/extbody/internal/mime/message"
	"github.com/go-extbody/extbody/internal/mime/param"
)

// A Store keeps bodies where the readers of a message find them.
//
// Put reads obj.Body to its end and returns the URL from which the octets can be had,
// at once or soon. If reading ends with an error other than io.EOF, the octets are not
// a body: Put then keeps nothing of them and returns the error. A body that was kept stays
// even if the message is not written in the end. The same body may be put again.
type Store interface {
	Put(ctx context.Context, obj *Object) (url string, err error)
}

// An Object is a part of a message that is, or may be, put into a Store.
type Object struct {
	Section     string // where the part is, as in externalbody.Reference.ID
	MediaType   string // type/subtype in lower case
	Name        string // safe to use as a file name on any system; "" if the part has no name
	Disposition string // in lower case, such as "attachment"; "" if the part has none

	// Size is the number of octets of the body. It is off by a few for base64, and
	// somewhat too large for quoted-printable.
	Size int64

	// Body gives the decoded octets. It is nil while parts are selected.
	Body io.Reader
}

// A candidate is a part that may be externalized.
type candidate struct {
	part   *message.Part
	fields []message.Field
	ct     string // the value of Content-Type
	eol    string
	object Object
}

// describe fills in the facts of the header.
func (c *candidate) describe(r io.ReaderAt) (err error) {
	ct, _ := find(c.fields, "Content-Type")
	c.ct = ct.Value
	c.eol, err = lineEnd(r, c.part)
	if err != nil {
		return err
	}
	c.object = Object{Section: c.part.Section(), MediaType: c.part.Type, Size: c.part.Body.Len()}
	if c.part.Encoding == message.Base64 {
		line := int64(76 + len(c.eol))
		c.object.Size = c.object.Size/line*57 + c.object.Size%line*3/4
	}
	c.object.Name, c.object.Disposition = announced(c.ct, c.fields)
	return nil
}

// announced returns the file name and the disposition type of a part. contentType is
// the value of its Content-Type, and fields are its other fields.
func announced(contentType string, fields []message.Field) (name, disposition string) {
	name, _ = param.Parse(contentType).Get("name")
	if f, ok := find(fields, "Content-Disposition"); ok {
		v := param.Parse(f.Value)
		disposition = v.Type
		if s, ok := v.Get("filename"); ok {
			name = s // RFC 2183 section 2.3
		}
	}
	return externalbody.FileName(charset.Words(name)), disposition
}

// An object decodes a part, and counts and hashes the octets.
type object struct {
	src   io.Reader
	raw   *message.ErrReader
	form  *form // the octets as they are
	err   error // the error that src ended with
	fault error // err, if it is one of the part

	decoder   message.Decoder // nil for an encoding that changes nothing
	canonical *form           // of text with CRLF instead of LF; nil if line ends are CRLF, or data
	addCR     *lineEnds       // into canonical
}

// open returns the decoded octets of the part.
func (c *candidate) open(r io.ReaderAt) *object {
	body := c.part.Body
	o := &object{raw: message.NewErrReader(body.Reader(r)), form: newForm("md5", "sha-256")}
	o.src = o.raw
	if d := message.DecodeChecked(o.raw, c.part.Encoding); d != nil {
		o.src = d
		o.decoder = d
	}
	charset, _ := param.Parse(c.ct).Get("charset")
	hasLines := c.part.Encoding != message.Base64 && c.part.Encoding != message.UUEncode
	isText := strings.HasPrefix(c.part.Type, "text/") && !isWide(charset)
	if c.eol == "\n" && hasLines && isText {
		o.canonical = newForm("md5", "sha-256")
		o.addCR = addCR(o.canonical)
	}
	return o
}

// promise returns the form that a reference to the object promises. It
// is the canonical form if the line ends are the line ends of the message and stand
// for CRLF (RFC 1864 section 2, EB-27). Otherwise it is the octets.
func (o *object) promise() *form { return cmp.Or(o.canonical, o.form) }

// digest takes the next octets. Text with a CR has no canonical form: its CRLFs could not
// be distinguished from LFs.
func (o *object) digest(p []byte) {
	o.form.Write(p)
	if o.canonical != nil && bytes.IndexByte(p, '\r') >= 0 {
		o.canonical = nil
	}
	if o.canonical != nil {
		o.addCR.Write(p)
	}
}

// Read implements io.Reader.
func (o *object) Read(p []byte) (int, error) {
	if o.err != nil {
		return 0, o.err
	}
	n, err := o.src.Read(p)
	o.digest(p[:n])
	o.end(err)
	return n, o.err
}

// WriteTo implements io.WriterTo. While a buffer is written, its digests are computed
// and the next one is filled.
func (o *object) WriteTo(w io.Writer) (int64, error) {
	var total int64
	var hashing sync.WaitGroup
	defer hashing.Wait()
	buf := make([]byte, copyBuffer)
	next := make([]byte, copyBuffer)
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
		total += int64(k)
		if err == nil && k < n {
			err = io.ErrShortWrite
		}
		if err != nil {
			o.err = local(err)
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
	case o.decoder != nil && message.Damaged(o.decoder, err):
		o.fault = leave(fetch.Malformed, errors.New("its transfer encoding is damaged: readers differ in what it stands for"))
		err = o.fault
	}
	o.err = err
}
