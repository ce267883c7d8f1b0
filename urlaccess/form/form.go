// Package form reads and writes application/www-form-urlencoded, the compact form of an
// ordered list of name-value pairs defined by draft-hoehrmann-urlencoded-01.
//
// It resembles application/x-www-form-urlencoded, the format of HTML forms and
// [net/url.ParseQuery], and differs from it on purpose:
//
//   - Pairs keep their order and their duplicates.
//   - A name without "=" has no value, which is not an empty value.
//   - ";" separates pairs as "&" does.
//   - A "%" that escapes nothing stands for itself.
//   - A text that is not UTF-8 means nothing at all.
//
// # Queries of HTTP URLs
//
// Programs disagree whether ";" separates the pairs of a query. If one of them guards
// another, such as a cache or a filter in front of a server, the disagreement is an
// attack: "a=1;b=2" is one pair to one and two to the other, and the pair that one of
// them checked or stored is not the one that the other uses. Servers follow the WHATWG URL standard,
// where only "&" separates. So read the query of an HTTP URL with
// [Options.AmpersandOnly], and send it with the same.
//
// All functions take linear time. Several goroutines may call them at once.
package form

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-extbody/extbody/internal/codec/percent"
)

// A Field is one pair of a data set.
type Field struct {
	// Name is the name, which can be empty.
	Name string
	// Value is the value. It is "" if HasValue is false.
	Value string
	// HasValue distinguishes an empty value, "a=", from an undefined one, "a".
	HasValue bool
}

// Options choose between readings that the draft leaves open. The zero value is the
// draft's own reading: both separators, and no pairs in the empty string.
type Options struct {
	// AmpersandOnly makes "&" the only separator, for reading and for writing.
	AmpersandOnly bool
	// EmptyIsPair makes the empty string one pair of an empty name and no
	// value, instead of no pairs. It is for reading only.
	EmptyIsPair bool
}

// Parse returns the pairs of s with the zero [Options].
func Parse(s string) ([]Field, error) {
	return Options{}.Parse(s)
}

// Encode returns the text of a data set with the zero [Options].
func Encode(fields []Field) string {
	return Options{}.Encode(fields)
}

// Parse returns the pairs of s in their order.
//
// Every separator separates, so ";" is two pairs, and everything else is data: white
// space, line breaks, NUL and a leading U+FEFF stay. If any name or value is not valid
// UTF-8 after its escapes are undone, the whole data set is void: no pairs are returned,
// and the error is an [*Error]. Every other text is well-formed.
//
// Parse allocates at most twice. It needs 40 octets for each pair, of which there can
// be as many as octets in s, and at most the size of s for decoded escapes. The
// strings share that memory, or the memory of s.
func (o Options) Parse(s string) ([]Field, error) {
	if s == "" {
		if o.EmptyIsPair {
			return []Field{{}}, nil
		}
		return nil, nil
	}
	n := o.count(s)
	fields := make([]Field, 0, n)
	d := decoder{size: len(s)}
	for start := 0; start <= len(s); {
		// draft section 3: split first, at raw separators and at the first raw
		// "=", and undo the escapes of the pieces only then.
		pair := s[start:]
		if end := strings.IndexAny(pair, o.separators()); end >= 0 {
			pair = pair[:end]
		}
		name, value, has := strings.Cut(pair, "=")
		f := Field{HasValue: has}
		var err error
		f.Name, err = d.decode(name, start)
		if err == nil {
			f.Value, err = d.decode(value, start+len(name)+len("="))
		}
		if err != nil {
			return nil, err
		}
		fields = append(fields, f)
		start += len(pair) + 1
	}
	return fields, nil
}

// separators returns the octets that end a pair.
func (o Options) separators() string {
	if o.AmpersandOnly {
		return "&"
	}
	return "&;"
}

// count returns the number of pairs of s, which is not empty.
func (o Options) count(s string) int {
	n := 1 + strings.Count(s, "&")
	if !o.AmpersandOnly {
		n += strings.Count(s, ";")
	}
	return n
}

// A decoder undoes the escapes of the pieces of a text of size octets.
type decoder struct {
	size int
	// text holds all decoded pieces one after the other. It has room for the
	// rest of the text from the first one on and is never moved, so that pieces of it
	// can be handed out while it is filled.
	text strings.Builder
}

// decode returns the piece at an offset of the text with its escapes undone.
func (d *decoder) decode(piece string, offset int) (string, error) {
	if strings.ContainsAny(piece, "%+") {
		if d.text.Cap() == 0 {
			d.text.Grow(d.size - offset)
		}
		start := d.text.Len()
		for i := 0; i < len(piece); i++ {
			// draft section 3: a "%" that starts no escape is data.
			c := piece[i]
			if octet, ok := percent.Octet(piece[i:]); ok {
				c = octet
				i += len("HH")
			} else if c == '+' {
				c = ' '
			}
			d.text.WriteByte(c)
		}
		piece = d.text.String()[start:]
	}
	if !utf8.ValidString(piece) {
		return "", &Error{Offset: offset}
	}
	return piece, nil
}

// Encode returns the text of a data set, with ";" between the pairs, or with "&" if
// AmpersandOnly is set. Everything except letters, digits, "-", ".", "_" and "~" is
// percent-encoded. That is more than the draft demands: the text can then be in a URL
// and means the same to every reader.
//
// Parse(Encode(fields)) returns equal fields, with three exceptions:
//
//   - A single pair of an empty name and no value is written as the empty string, and
//     so is a data set without pairs. EmptyIsPair decides which of them is read.
//   - Text that is not UTF-8 is not a data set. It is written octet by octet, and
//     [Parse] refuses it.
//   - The value of a pair without HasValue is not written.
func (o Options) Encode(fields []Field) string {
	separators := o.separators()
	separator := separators[len(separators)-1]
	size := 2 * len(fields) // separators and equals signs
	for _, f := range fields {
		size += percent.EncodedLen(f.Name, &percent.Reserved)
		if f.HasValue {
			size += percent.EncodedLen(f.Value, &percent.Reserved)
		}
	}
	text := make([]byte, 0, size)
	for i, f := range fields {
		if i > 0 {
			text = append(text, separator)
		}
		text = percent.AppendEncode(text, f.Name, &percent.Reserved)
		if f.HasValue {
			text = append(text, '=')
			text = percent.AppendEncode(text, f.Value, &percent.Reserved)
		}
	}
	return string(text)
}

// An Error is the error of a text that is not a data set, since it is not UTF-8. It does not quote
// the text.
type Error struct {
	// Offset is where the faulty name or value starts, in octets.
	Offset int
}

// Error returns the reason and the offset.
func (e *Error) Error() string { return "form: not UTF-8 at octet " + strconv.Itoa(e.Offset) }
