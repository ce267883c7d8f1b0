package charset

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
)

// find is Find for the charset of octets. It also finds those that IsWideLabel knows, but
// UTF-16 and UTF-32 only if there is a zero octet: ASCII with such a label stays as it is.
func find(label, octets string) (*encoding.Decoder, string) {
	decoder, name := Find(label)
	if decoder != nil {
		return decoder, name
	}
	label = normalized(label)
	isKnown := ebcdic[codePage(label)] != nil || shifts(label)
	if isKnown || IsWideLabel(label) && strings.IndexByte(octets, 0) >= 0 {
		decoder = wide(label, isLittle([]byte(octets)))
	}
	return decoder, name
}

// Text converts octets from the charset of a label to UTF-8. Octets that are labelled
// US-ASCII or UTF-8 must be valid US-ASCII or UTF-8. If the error is ErrUnknown or
// ErrInvalid, Text returns the octets unchanged.
func Text(label, octets string) (string, error) {
	switch strings.ToLower(label) {
	case "us-ascii", "ascii":
		if !IsASCII([]byte(octets)) {
			return octets, ErrInvalid
		}
		return octets, nil
	}
	decoder, name := find(label, octets)
	switch {
	case decoder == nil:
		return octets, ErrUnknown
	case name == "utf-8":
		if !utf8.ValidString(octets) {
			return octets, ErrInvalid
		}
		return octets, nil
	}
	text, err := decoder.String(octets)
	if err != nil || strings.ContainsRune(text, utf8.RuneError) {
		return octets, ErrInvalid
	}
	return text, nil
}
