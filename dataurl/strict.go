package dataurl

import (
	"cmp"
	"strings"

	"github.com/go-extbody/extbody/internal/codec/base64x"
	"github.com/go-extbody/extbody/internal/codec/percent"
)

// ParseStrict parses the whole of s by the grammar of RFC 2397 section 3: a body that
// it accepts can be decoded. It takes time in proportion to the length of s.
//
// If the RFC leaves something open, ParseStrict takes the narrow reading:
//
//   - A fragment is not part of the URL, and is not looked at.
//   - Names and values of the media type are percent-decoded. Names must then be
//     tokens.
//   - A value without characters to escape must be a token. A value in quotes, which
//     must be escaped, is unquoted.
//   - The same parameter twice is an error.
//   - A body in base64 must be as in RFC 4648 section 4 after percent-decoding, with
//     padding and without white space. The bits that are left over must be zero.
//
// The error is an [*Error].
func ParseStrict(s string) (*URL, error) {
	const scheme = "data:"
	if len(s) < len(scheme) || !strings.EqualFold(s[:len(scheme)], scheme) {
		return nil, &Error{kind: notData}
	}
	rest := s[len(scheme):]
	end := len(rest)
	if i := strings.IndexByte(rest, '#'); i >= 0 {
		end = i
	}
	comma := strings.IndexByte(rest[:end], ',')
	if comma < 0 {
		return nil, &Error{noComma, len(s)}
	}
	u := &URL{Encoded: rest[comma+1:]}
	head := rest[:comma]
	if mediaType, ok := cutBase64(head); len(head) == len(mediaType)+len(";base64") {
		head = mediaType
		u.Base64 = ok
	}
	m, ok := u.parseHead(head)
	if !ok {
		return nil, &Error{badMediaType, len(scheme)}
	}
	u.MediaType = m
	if err := u.check(rest[comma+1 : end]); err != nil {
		return nil, err
	}
	return u, nil
}

// parseHead parses the media type. It records in u if it unquotes a value.
func (u *URL) parseHead(head string) (mediaType string, ok bool) {
	if head == "" {
		return defaultMediaType, true
	}
	essence, rest, more := strings.Cut(head, ";")
	essence = cmp.Or(essence, "text/plain")
	typ, subtype, _ := strings.Cut(essence, "/")
	typ, ok1 := unescape(typ)
	subtype, ok2 := unescape(subtype)
	if !ok1 || !ok2 {
		return "", false
	}
	if !isToken(typ) || !isToken(subtype) {
		return "", false
	}
	m := mediaTypeRecord{essence: strings.ToLower(typ + "/" + subtype)}
	for more {
		var item string
		item, rest, more = strings.Cut(rest, ";")
		name, value, _ := strings.Cut(item, "=")
		name, ok1 = unescape(name)
		value, ok2 = unescape(value)
		if !ok1 || !ok2 {
			return "", false
		}
		if !isToken(name) || value == "" || !isQuotable(value) {
			return "", false
		}
		if v, ok := unquote(value); ok {
			value = v
			u.unquoted = true
		}
		if !m.add(strings.ToLower(name), value) {
			return "", false
		}
	}
	return m.String(), true
}

// unescape percent-decodes a token of RFC 2045 that has "URL escaped encoding of
// RFC 2396 as necessary": an unescaped octet must be in both a token and a URL.
func unescape(s string) (string, bool) {
	escaped := false
	for i := range len(s) {
		if s[i] == '%' {
			escaped = true
		} else if classes[s[i]]&(token|uric) != token|uric {
			return "", false
		}
	}
	if !escaped {
		return s, true
	}
	return string(percent.AppendDecode(nil, s)), percent.Valid(s)
}

// unquote returns the content of value if it is a quoted string.
func unquote(value string) (string, bool) {
	if !strings.HasPrefix(value, `"`) {
		return "", false
	}
	// The end of the text ends a quoted string just as a quote does. With something
	// after it, the two can be distinguished.
	v, rest := cutQuoted(value + ";")
	return v, rest == ";"
}

// check checks the body, which has no fragment.
func (u *URL) check(text string) error {
	c := checker{base64: u.Base64}
	for i := range len(text) {
		if err := c.add(text[i]); err != nil {
			return err
		}
	}
	return c.end()
}

// A checker checks a body against the grammar of RFC 2397 section 3, octet by octet.
type checker struct {
	base64 bool

	seen    int     // octets of the text
	escaped int     // of them, in an escape that is not complete
	value   byte    // of that escape
	group   [4]byte // the last characters of base64
	n, pads int     // how many there were, and how much padding
}

// add checks the next octet of the text.
func (k *checker) add(c byte) error {
	at := k.seen
	k.seen++
	switch {
	case k.escaped > 0:
		digit, ok := percent.Unhex(c)
		if !ok {
			return &Error{badCharacter, at - k.escaped}
		}
		k.value = k.value<<4 | digit
		if k.escaped++; k.escaped < 3 {
			return nil
		}
		c = k.value
		k.value = 0
		k.escaped = 0
		at -= 2
	case c == '%':
		k.escaped = 1
		return nil
	case classes[c]&uric == 0:
		return &Error{badCharacter, at}
	}
	switch {
	case !k.base64:
	case base64x.IsAlphabet(c) && k.pads == 0:
		k.group[k.n%4] = c
		k.n++
	case c == '=' && k.pads < 2:
		k.pads++
	default:
		return &Error{badBase64, at}
	}
	return nil
}

// end checks that the text may end here.
func (k *checker) end() error {
	if k.escaped > 0 {
		return &Error{badCharacter, k.seen - k.escaped}
	}
	if (k.n+k.pads)%4 != 0 || k.pads > 0 && !base64x.ZeroTail(k.group[:k.n%4]) {
		return &Error{badBase64, k.seen}
	}
	return nil
}
