// Package charset turns texts of mail in other charsets into UTF-8: names and header
// fields, whose charsets are named in parameters (RFC 2231) and in encoded-words (RFC
// 2047).
package charset

import (
	"errors"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
)

var (
	// ErrUnknown is the error of a label that does not name a charset of this package.
	ErrUnknown = errors.New("charsets: not known")

	// ErrInvalid is the error of octets that do not belong to the charset.
	ErrInvalid = errors.New("charsets: octets that are not of it")
)

// Find returns the encoding that a label names, and the name of that encoding in the
// WHATWG's Encoding Standard. It returns nil and "" for other labels. Like browsers, it
// takes ISO-8859-1 and US-ASCII for windows-1252, of which they are a part. UTF-16 is
// not among the encodings. In all of them the octets of US-ASCII mean themselves,
// outside the escape sequences of ISO-2022-JP.
func Find(label string) (encoding.Encoding, string) {
	enc, err := htmlindex.Get(standard(strings.ToLower(strings.TrimSpace(label))))
	if err != nil {
		return nil, ""
	}
	switch name, _ := htmlindex.Name(enc); name {
	case "replacement", "utf-16be", "utf-16le": // the first is what browsers refuse, such as HZ
		return nil, ""
	default:
		return enc, name
	}
}

// standard returns the label of the standard for a label of Windows or of Japanese
// mailers that the standard does not have.
func standard(label string) string {
	switch label {
	case "cp932":
		return "shift_jis"
	case "cp936", "ms936", "windows-936":
		return "gbk"
	case "cp949", "ms949":
		return "euc-kr"
	case "cp950", "ms950":
		return "big5"
	case "iso-2022-jp-ms", "cp50220", "cp50221":
		return "iso-2022-jp"
	}
	return label
}

// Text returns octets in the charset of a label as UTF-8. Octets that are labelled
// US-ASCII or UTF-8 must be just that. On an error, ErrUnknown or ErrInvalid, Text
// returns the octets as they are.
func Text(label, octets string) (string, error) {
	switch strings.ToLower(label) {
	case "us-ascii", "ascii":
		if !isASCII(octets) {
			return octets, ErrInvalid
		}
		return octets, nil
	}
	enc, name := Find(label)
	switch {
	case enc == nil:
		return octets, ErrUnknown
	case name == "utf-8":
		if !utf8.ValidString(octets) {
			return octets, ErrInvalid
		}
		return octets, nil
	}
	text, err := enc.NewDecoder().String(octets)
	if err != nil || strings.ContainsRune(text, utf8.RuneError) {
		return octets, ErrInvalid
	}
	return text, nil
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
