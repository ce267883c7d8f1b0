// Package charset converts text of mail to UTF-8: names and header fields, whose
// charsets are given in parameters (RFC 2231) and in encoded-words (RFC 2047).
package charset

import (
	"errors"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"
)

var (
	// ErrUnknown is the error of a label that does not name a charset of this package.
	ErrUnknown = errors.New("charsets: not known")

	// ErrInvalid is the error of octets that do not belong to the charset.
	ErrInvalid = errors.New("charsets: octets that are not of it")
)

// Find returns the encoding that a label names, and the name of that encoding in the
// WHATWG's Encoding Standard. It returns nil and "" for other labels. Like browsers,
// it takes ISO-8859-1 and US-ASCII for windows-1252, which includes both. UTF-16 is
// not supported. All supported encodings are supersets of US-ASCII, outside the
// escape sequences of ISO-2022-JP.
func Find(label string) (encoding.Encoding, string) {
	label = strings.ToLower(strings.TrimSpace(label))
	if page := codePages[codePage(label)]; page != nil {
		return page, "ibm" + codePage(label)
	}
	enc, err := htmlindex.Get(standard(label))
	if err != nil {
		return nil, ""
	}
	switch name, _ := htmlindex.Name(enc); name {
	case "replacement", "utf-16be", "utf-16le": // browsers refuse charsets of the replacement encoding, such as HZ
		return nil, ""
	case "gbk":
		return simplifiedchinese.GB18030, name // Encoding Standard section 10.1.1
	default:
		return enc, name
	}
}

// standard returns the label in the Encoding Standard for a label that the standard
// lacks: labels of Windows, of Japanese mailers, and other spellings.
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
	case "latin-9", "latin9":
		return "iso-8859-15"
	}
	for _, prefix := range [...]string{"windows-", "windows", "win-", "win", "cp-", "cp"} {
		if number, ok := strings.CutPrefix(label, prefix); ok && len(number) == 4 && strings.HasPrefix(number, "12") {
			return "windows-" + number
		}
	}
	if number, ok := strings.CutPrefix(label, "latin-"); ok {
		return "latin" + number
	}
	return label
}

// codePages are the code pages of DOS and OS/2 by their numbers.
var codePages = map[string]*charmap.Charmap{"437": charmap.CodePage437, "850": charmap.CodePage850, "852": charmap.CodePage852, "858": charmap.CodePage858}

// ebcdic are the code pages of EBCDIC by their numbers. IBM500 differs from IBM037
// only in brackets and similar characters.
var ebcdic = map[string]*charmap.Charmap{"037": charmap.CodePage037, "37": charmap.CodePage037, "500": charmap.CodePage037, "1047": charmap.CodePage1047, "01047": charmap.CodePage1047, "1140": charmap.CodePage1140, "01140": charmap.CodePage1140}

// codePage returns the number in a label such as "cp850", "cp-850", "ibm850" or "850".
func codePage(label string) string {
	for _, prefix := range [...]string{"ibm", "cp", "ccsid", "ebcdic-cp-", "csibm", "x-ibm", "dos"} {
		label = strings.TrimPrefix(label, prefix)
	}
	switch label = strings.Trim(label, "-_"); label {
	case "us", "ca", "wt", "nl": // EBCDIC-CP-US
		return "037"
	case "ch", "be":
		return "500"
	}
	return label
}

// IsEBCDIC reports whether label is a label of EBCDIC. It must be in lower case.
func IsEBCDIC(label string) bool { return ebcdic[codePage(label)] != nil }

// IsWide reports whether label is a label of UTF-16, UTF-32 or EBCDIC, which are not
// supersets of US-ASCII. It must be in lower case.
func IsWide(label string) bool {
	switch label {
	case "utf-16", "utf-16be", "utf-16le", "utf16", "unicode", "unicodefeff", "unicodefffe", "csunicode", "ucs-2", "iso-10646-ucs-2",
		"utf-32", "utf-32be", "utf-32le", "utf32", "ucs-4", "iso-10646-ucs-4":
		return true
	}
	return IsEBCDIC(label)
}

// Wide returns the encoding of a label for which [IsWide] reports true, and UTF-16
// for any other. little is the order of octets if neither the label nor a byte order
// mark gives one.
func Wide(label string, little bool) encoding.Encoding {
	label = strings.ToLower(strings.TrimSpace(label))
	if page := ebcdic[codePage(label)]; page != nil {
		return page
	}
	little = strings.HasSuffix(label, "le") || little && !strings.HasSuffix(label, "be")
	if strings.Contains(label, "32") || strings.HasSuffix(label, "ucs-4") {
		if little {
			return utf32.UTF32(utf32.LittleEndian, utf32.UseBOM)
		}
		return utf32.UTF32(utf32.BigEndian, utf32.UseBOM)
	}
	if little {
		return unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)
	}
	return unicode.UTF16(unicode.BigEndian, unicode.UseBOM)
}

// Text converts octets from the charset of a label to UTF-8. Octets that are labelled
// US-ASCII or UTF-8 must be valid US-ASCII or UTF-8. If the error is ErrUnknown or
// ErrInvalid, Text returns the octets unchanged.
func Text(label, octets string) (string, error) {
	switch strings.ToLower(label) {
	case "us-ascii", "ascii":
		if !isASCII(octets) {
			return octets, ErrInvalid
		}
		return octets, nil
	}
	enc, name := Find(label)
	if lower := strings.ToLower(strings.TrimSpace(label)); enc == nil && IsEBCDIC(lower) {
		enc = Wide(lower, false)
	}
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
