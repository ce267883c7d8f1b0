package form

import (
	"strings"
	"unicode/utf8"

	"github.com/go-extbody/extbody/internal/codec/percent"
)

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
	if o.MaxFields > 0 && n > o.MaxFields {
		return nil, &Error{Reason: TooManyFields, Offset: len(s)}
	}
	fields := make([]Field, 0, n)
	d := decoder{s: s}
	for start := 0; start <= len(s); {
		// draft section 3: split first, at raw separators and at the first raw
		// "=", and undo the escapes of the pieces only then.
		end, equals := start, -1
		for end < len(s) && !o.separates(s[end]) {
			if s[end] == '=' && equals < 0 {
				equals = end
			}
			end++
		}
		nameEnd := end
		if equals >= 0 {
			nameEnd = equals
		}
		name, err := d.decode(start, nameEnd)
		if err != nil {
			return nil, err
		}
		f := Field{Name: name}
		if equals >= 0 {
			f.HasValue = true
			f.Value, err = d.decode(equals+1, end)
			if err != nil {
				return nil, err
			}
		}
		fields = append(fields, f)
		start = end + 1
	}
	return fields, nil
}

// separates reports whether a raw c ends a pair.
func (o Options) separates(c byte) bool {
	return c == '&' || c == ';' && !o.AmpersandOnly
}

// count returns the number of pairs of s, which is not empty.
func (o Options) count(s string) int {
	n := 1 + strings.Count(s, "&")
	if !o.AmpersandOnly {
		n += strings.Count(s, ";")
	}
	return n
}

// A decoder undoes the escapes of pieces of s.
type decoder struct {
	s string
	// text holds all decoded pieces one after the other. It has room for the
	// rest of s from the first one on and is never moved, so that pieces of it
	// can be handed out while it is filled.
	text strings.Builder
}

// decode returns s[start:end] with its escapes undone.
func (d *decoder) decode(start, end int) (string, error) {
	piece := d.s[start:end]
	n := rawPrefix(piece)
	if n < len(piece) {
		if d.text.Cap() == 0 {
			d.text.Grow(len(d.s) - start)
		}
		piece = d.unescape(piece, n)
	}
	if !utf8.ValidString(piece) {
		return "", &Error{Reason: NotUTF8, Offset: start}
	}
	return piece, nil
}

// unescape appends piece to the text, of which the first n octets are raw.
func (d *decoder) unescape(piece string, n int) string {
	start := d.text.Len()
	for {
		d.text.WriteString(piece[:n])
		piece = piece[n:]
		if piece == "" {
			return d.text.String()[start:]
		}
		switch c, ok := escaped(piece); {
		case ok:
			d.text.WriteByte(c)
			piece = piece[len("%HH"):]
		case piece[0] == '+':
			d.text.WriteByte(' ')
			piece = piece[1:]
		default:
			// draft section 3: a "%" that begins no escape is data.
			d.text.WriteByte('%')
			piece = piece[1:]
		}
		n = rawPrefix(piece)
	}
}

// rawPrefix returns the length of the longest prefix without "%" and "+".
func rawPrefix(s string) int {
	for i := 0; i < len(s); i++ {
		if s[i] == '%' || s[i] == '+' {
			return i
		}
	}
	return len(s)
}

// escaped returns the octet whose escape s begins with.
func escaped(s string) (byte, bool) {
	if len(s) < len("%HH") || s[0] != '%' {
		return 0, false
	}
	hi, ok1 := percent.Unhex(s[1])
	lo, ok2 := percent.Unhex(s[2])
	return hi<<4 | lo, ok1 && ok2
}
