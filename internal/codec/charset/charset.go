// Package charset converts text of mail to UTF-8: texts, and names and header fields, whose
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
	"golang.org/x/text/transform"
)

var (
	// ErrUnknown is the error of a label that does not name a charset of this package.
	ErrUnknown = errors.New("charset: not known")

	// ErrInvalid is the error of octets that do not belong to the charset.
	ErrInvalid = errors.New("charset: octets that are not of it")
)

// Find returns a new decoder for a label, and the name of the charset in the WHATWG's
// Encoding Standard. It returns nil and "" for other labels, also if [IsWideLabel] knows them.
// Like browsers, it takes ISO-8859-1 and US-ASCII for windows-1252, which includes both.
// All these charsets are supersets of US-ASCII, outside the escape sequences of
// ISO-2022-JP.
func Find(label string) (*encoding.Decoder, string) {
	label = normalized(label)
	if page := codePages[codePage(label)]; page != nil {
		return page.NewDecoder(), "ibm" + codePage(label)
	}
	enc, name := standardEncoding(label)
	switch name {
	case "":
		return nil, ""
	case "gbk", "gb18030":
		return gb18030(simplifiedchinese.GB18030.NewDecoder()), name // Encoding Standard section 10.1.1
	case "shift_jis":
		return shiftJIS(enc.NewDecoder()), name
	case "iso-8859-8-i":
		enc = charmap.ISO8859_8
	}
	if page, ok := enc.(*charmap.Charmap); ok {
		return octets(func(c byte) rune {
			r := page.DecodeByte(c)
			if r == utf8.RuneError && c < 0xA0 {
				return rune(c)
			}
			return r
		}).decoder(), name
	}
	return enc.NewDecoder(), name
}

// Name returns the name of the charset that [Find] finds.
func Name(label string) string {
	label = normalized(label)
	if number := codePage(label); codePages[number] != nil {
		return "ibm" + number
	}
	_, name := standardEncoding(label)
	return name
}

// standardEncoding returns the encoding that the Encoding Standard has for a label, and its name. Browsers refuse
// charsets of the replacement encoding. For these and for other labels it returns nil and "".
func standardEncoding(label string) (encoding.Encoding, string) {
	enc, err := htmlindex.Get(standard(label))
	if err != nil {
		return nil, ""
	}
	name, _ := htmlindex.Name(enc)
	switch name {
	case "replacement", "utf-16be", "utf-16le":
		return nil, ""
	}
	return enc, name
}

func normalized(label string) string { return strings.ToLower(strings.TrimSpace(label)) }

// octets decodes a charset in which each octet is a character.
type octets func(c byte) rune

func (o octets) decoder() *encoding.Decoder { return &encoding.Decoder{Transformer: o} }

// Transform implements transform.Transformer.
func (o octets) Transform(dst, src []byte, _ bool) (nDst, nSrc int, err error) {
	for ; nSrc < len(src); nSrc++ {
		if nDst+utf8.UTFMax > len(dst) {
			return nDst, nSrc, transform.ErrShortDst
		}
		nDst += utf8.EncodeRune(dst[nDst:], o(src[nSrc]))
	}
	return nDst, nSrc, nil
}

// Reset implements transform.Transformer.
func (o octets) Reset() {}

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
var codePages = map[string]*charmap.Charmap{
	"437": charmap.CodePage437, "850": charmap.CodePage850, "852": charmap.CodePage852, "858": charmap.CodePage858,
}

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
