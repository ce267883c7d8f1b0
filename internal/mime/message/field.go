package message

import (
	"iter"
	"strings"
)

// A Field is a header field of a message.
type Field struct {
	// Name is the field name as written, without the colon and the blanks before it. It
	// is "" for a line that is not a field, such as a "From " line.
	Name string
	// Value is everything between the colon and the last line end. Blanks, folds and
	// octets above 127 are unchanged.
	Value string
	// Raw is the whole field with its line end, if it has one.
	Raw string
	// Span is the place of Raw in the source.
	Span Span
}

// Fields yields the fields of a header in order. base is the offset of the header in
// its source. The concatenated Raw texts are the header.
func Fields(header string, base int64) iter.Seq[Field] {
	return func(yield func(Field) bool) {
		for start := 0; start < len(header); {
			name, colon := fieldName(header[start:])
			end := start + fieldEnd(header[start:], colon > 0)
			f := Field{Raw: header[start:end], Span: Span{base + int64(start), base + int64(end)}}
			if colon > 0 {
				f.Name = f.Raw[:name]
				f.Value = FieldValue(f.Raw)
			}
			if !yield(f) {
				return
			}
			start = end
		}
	}
}

// Names yields the names of the fields of a header. It is faster than Fields.
func Names(header string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for len(header) > 0 {
			name, colon := fieldName(header)
			if !yield(header[:name]) {
				return
			}
			header = header[fieldEnd(header, colon > 0):]
		}
	}
}

// Lookup returns the first field with a name, whatever its case. It reports false if
// there is no such field.
func Lookup(header, name string, base int64) (Field, bool) {
	for f := range Fields(header, base) {
		if name != "" && strings.EqualFold(f.Name, name) {
			return f, true
		}
	}
	return Field{}, false
}

// fieldEnd returns the end of the first field of header. A line that is not a field
// ends with its line end.
func fieldEnd(header string, isField bool) int {
	for end := 0; ; {
		n := strings.IndexByte(header[end:], '\n')
		if n < 0 {
			return len(header)
		}
		end += n + 1
		if !isField || end == len(header) || !isBlank(header[end]) {
			return end
		}
	}
}

// fieldName returns the length of the field name at the start of line and the
// offset of the colon, or 0 and 0 if line is not a header field. Blanks before the
// colon are obsolete syntax (RFC 5322 section 4.5).
func fieldName[T string | []byte](line T) (name, colon int) {
	for name < len(line) && isNameOctet(line[name]) {
		name++
	}
	colon = name
	for colon < len(line) && isBlank(line[colon]) {
		colon++
	}
	if name == 0 || colon == len(line) || line[colon] != ':' {
		return 0, 0
	}
	return name, colon
}

// isNameOctet reports whether c may be in the name of a field. RFC 5322 section 3.6.8 allows no octets
// above 127, which are in mail nevertheless.
func isNameOctet(c byte) bool { return c > ' ' && c != ':' && c != 0x7f }

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

// Unfold returns the value of a field without the line ends of its folds. All blanks
// stay (RFC 5322 section 2.2.3).
func Unfold(value string) string {
	if !strings.Contains(value, "\n") {
		return value
	}
	return strings.NewReplacer("\r\n", "", "\n", "").Replace(value)
}

// Text returns the value of the field unfolded, without the blanks around it.
func (f Field) Text() string { return strings.Trim(Unfold(f.Value), " \t") }

// Line returns the value of the field for display and for records: each run of white
// space becomes one space.
func (f Field) Line() string { return strings.Join(strings.Fields(f.Value), " ") }

// FieldValue returns the Value of the single field raw.
func FieldValue(raw string) string {
	_, v, _ := strings.Cut(raw, ":")
	return strings.TrimRight(v, "\r\n")
}

// ContentID returns the msg-id in the value of a Content-ID, with its angle brackets,
// or "" if the msg-id is missing (RFC 2045 section 7). QUIRK: it accepts missing
// brackets, and text around them.
func ContentID(value string) string {
	id := Unfold(value)
	if _, rest, ok := strings.Cut(id, "<"); ok {
		id, _, _ = strings.Cut(rest, ">")
	}
	id = strings.TrimSpace(id)
	if id == "" {
		return ""
	}
	return "<" + id + ">"
}

// BareID removes the brackets from a result of ContentID, as in a cid: URL (RFC 2392
// section 2).
func BareID(id string) string { return strings.TrimSuffix(strings.TrimPrefix(id, "<"), ">") }
