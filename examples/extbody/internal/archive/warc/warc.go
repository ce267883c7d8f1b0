// Package warc writes and reads records of WARC 1.1 (ISO 28500:2017). Each record is a gzip
// member of its own, as is usual in files whose names end in .warc.gz. Sections in the
// comments are sections of WARC 1.1.
package warc

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
)

// Types of the records that are written here (section 5.5).
const (
	Info     = "warcinfo"
	Request  = "request"
	Response = "response"
	Resource = "resource"
	Metadata = "metadata"
	Revisit  = "revisit"
)

// IdenticalPayload is the profile of a revisit record whose payload is kept
// elsewhere, under its digest (section 6.7.2).
const IdenticalPayload = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"

// Content types of blocks.
const (
	RequestType  = "application/http;msgtype=request"
	ResponseType = "application/http;msgtype=response"
	FieldsType   = "application/warc-fields"
)

// A Field is a named field of the header of a record.
type Field struct{ Name, Value string }

// The block of a Record is the octets of Block, and then the octets of Body.
type Record struct {
	Type        string    // WARC-Type
	URI         string    // WARC-Target-URI; "" for none
	Date        time.Time // WARC-Date, written to the microsecond in UTC
	ContentType string    // of the block; "" for none
	Fields      []Field   // the other fields, apart from the ones that are made of the record
	Block       []byte

	// Body has the rest of the block, which is exactly Size octets, and Sum is the
	// SHA-256 of the block as a whole. They are nil and 0 if Block is all of it.
	Body io.Reader
	Size int64
	Sum  []byte
}

// ID returns the WARC-Record-ID: a UUID (version 8, RFC 9562 section 5.8). It is made of
// the type, the URI, the date, the fields and the block, so equal records have equal IDs.
func (r *Record) ID() string {
	h := sha256.New()
	fmt.Fprintf(h, "%s\n%s\n%s\n", r.Type, r.URI, r.date())
	for _, f := range r.Fields {
		fmt.Fprintf(h, "%s: %s\n", f.Name, f.Value)
	}
	h.Write(r.sum())
	b := h.Sum(nil)[:16]
	b[6] = b[6]&0x0f | 0x80
	b[8] = b[8]&0x3f | 0x80
	return fmt.Sprintf("<urn:uuid:%x-%x-%x-%x-%x>", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

func (r *Record) date() string { return r.Date.UTC().Format("2006-01-02T15:04:05.000000Z") }

func (r *Record) sum() []byte {
	if r.Sum != nil {
		return r.Sum
	}
	s := sha256.Sum256(r.Block)
	return s[:]
}

// Digest returns a SHA-256 as a labelled digest (section 5.8).
func Digest(sum []byte) string { return "sha256:" + hex.EncodeToString(sum) }

// header returns the header with the empty line that ends it.
func (r *Record) header() []byte {
	var b bytes.Buffer
	field := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&b, "%s: %s\r\n", name, clean(value))
		}
	}
	b.WriteString("WARC/1.1\r\n")
	field("WARC-Type", r.Type)
	field("WARC-Target-URI", r.URI)
	field("WARC-Date", r.date())
	field("WARC-Record-ID", r.ID())
	for _, f := range r.Fields {
		field(f.Name, f.Value)
	}
	field("WARC-Block-Digest", Digest(r.sum()))
	field("Content-Type", r.ContentType)
	field("Content-Length", strconv.FormatInt(int64(len(r.Block))+r.Size, 10))
	b.WriteString("\r\n")
	return b.Bytes()
}

// clean makes a value fit for one line: control characters become spaces.
func clean(s string) string {
	return strings.Map(func(c rune) rune {
		if c < ' ' || c == 0x7f {
			return ' '
		}
		return c
	}, s)
}

// Write writes the record as a gzip member. Equal records give equal octets. The error is
// not nil if Body does not have exactly Size octets.
func (r *Record) Write(w io.Writer) error {
	z := gzip.NewWriter(w)
	if err := r.write(z); err != nil {
		return err
	}
	return z.Close()
}

var errSize = errors.New("the body of a record has another size than announced")

func (r *Record) write(w io.Writer) error {
	if _, err := w.Write(r.header()); err != nil {
		return err
	}
	if _, err := w.Write(r.Block); err != nil {
		return err
	}
	if r.Body != nil {
		n, err := io.Copy(w, r.Body)
		if err == nil && n != r.Size {
			err = errSize
		}
		if err != nil {
			return err
		}
	}
	_, err := io.WriteString(w, "\r\n\r\n")
	return err
}

// maxHeader bounds the header of a record, in octets.
const maxHeader = 1 << 20

// A Reader reads records.
type Reader struct {
	in  *bufio.Reader
	z   gzip.Reader
	n   *counter
	max int64
}

type counter struct {
	r io.Reader
	n int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

// NewReader returns a Reader. A record whose block has more than max octets is an error.
func NewReader(r io.Reader, max int64) *Reader {
	n := &counter{r: r}
	return &Reader{in: bufio.NewReader(n), n: n, max: max}
}

var errRecord = errors.New("no record of WARC 1.1")

// Next returns the next record with its whole block in Block, and the offset of its end
// from where the Reader started. It does not check digests. At the end the error is io.EOF.
// If the last record is not whole it is io.ErrUnexpectedEOF.
func (r *Reader) Next() (*Record, int64, error) {
	if _, err := r.in.Peek(1); err != nil {
		return nil, r.offset(), err
	}
	var rec *Record
	err := r.z.Reset(r.in)
	if err == nil {
		r.z.Multistream(false)
		rec, err = r.record(&io.LimitedReader{R: &r.z, N: maxHeader})
	}
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return rec, r.offset(), err
}

func (r *Reader) offset() int64 { return r.n.n - int64(r.in.Buffered()) }

// record reads a record from z, whose limit is the limit of a header until the size of the
// block is known.
func (r *Reader) record(z *io.LimitedReader) (*Record, error) {
	in := bufio.NewReader(z)
	rec := new(Record)
	size := int64(-1)
	for first := true; ; first = false {
		line, err := in.ReadString('\n')
		if err == io.EOF && z.N <= 0 {
			err = errRecord
		}
		if err != nil {
			return nil, err
		}
		line = strings.TrimSuffix(line, "\r\n")
		if line == "" {
			break
		}
		if first {
			if line != "WARC/1.1" {
				return nil, errRecord
			}
			continue
		}
		name, value, ok := strings.Cut(line, ": ")
		if !ok {
			return nil, errRecord
		}
		switch name {
		case "WARC-Type":
			rec.Type = value
		case "WARC-Target-URI":
			rec.URI = value
		case "WARC-Date":
			rec.Date, err = time.Parse(time.RFC3339Nano, value)
			if err != nil {
				return nil, errRecord
			}
		case "Content-Type":
			rec.ContentType = value
		case "Content-Length":
			size, err = strconv.ParseInt(value, 10, 64)
			if err != nil {
				return nil, errRecord
			}
		case "WARC-Record-ID", "WARC-Block-Digest":
		default:
			rec.Fields = append(rec.Fields, Field{name, value})
		}
	}
	if size < 0 || size > r.max {
		return nil, errRecord
	}
	z.N += size + int64(len("\r\n\r\n")) + 1
	var err error
	rec.Block, err = io.ReadAll(io.LimitReader(in, size))
	if err != nil {
		return nil, err
	}
	end, err := io.ReadAll(io.LimitReader(in, 5))
	if err != nil {
		return nil, err
	}
	if int64(len(rec.Block)) != size || string(end) != "\r\n\r\n" {
		return nil, errRecord
	}
	return rec, nil
}

// Field returns the value of the first field in Fields with a name, or "".
func (r *Record) Field(name string) string {
	for _, f := range r.Fields {
		if f.Name == name {
			return f.Value
		}
	}
	return ""
}

// maxComment bounds the comment in the header of a gzip member, in octets.
const maxComment = 500

// removed is the target of the record in a Padding.
const removed = "urn:extbody:removed"

// Padded reports whether r begins with a [Padding] of at most max octets.
func Padded(r io.Reader, max int64) bool {
	rec, _, err := NewReader(r, max).Next()
	return err == nil && rec.Type == Metadata && rec.URI == removed
}

// Padding returns a gzip member of exactly size octets that replaces removed records. It has
// one metadata record with the text. Equal arguments give equal octets. It returns nil if
// size is too small for the text.
func Padding(size int, date time.Time, text string) []byte {
	write := func(fill int, comment string) []byte {
		rec := &Record{
			Type:        Metadata,
			URI:         removed,
			Date:        date,
			ContentType: "text/plain",
			Block:       []byte(text + "\n" + strings.Repeat(" ", fill)),
		}
		var b bytes.Buffer
		z, err := gzip.NewWriterLevel(&b, gzip.NoCompression)
		if err != nil {
			return nil
		}
		z.Comment = comment
		if rec.write(z) != nil || z.Close() != nil {
			return nil
		}
		return b.Bytes()
	}
	// Every stored block of gzip adds octets of its own, so the fill alone cannot give
	// every size. The comment in the header of gzip takes up the rest. It ends with a zero
	// octet, and readers accept at most maxComment octets of it.
	fill := max(0, size-len(write(0, ""))-maxComment/2-size/4000)
	need := size - len(write(fill, ""))
	if need > maxComment {
		fill += need - maxComment/2
		need = size - len(write(fill, ""))
	}
	switch {
	case need < 0, need == 1 && fill == 0:
		return nil
	case need == 0:
		return write(fill, "")
	case need == 1:
		fill--
		need = 2
	}
	if b := write(fill, strings.Repeat("-", need-1)); len(b) == size {
		return b
	}
	return nil
}
