package fieldvalue

import (
	"strings"
	"unicode/utf8"

	"github.com/go-extbody/extbody/internal/codec/percent"
)

// FileName returns the file name of a Content-Disposition of HTTP (RFC 6266), or "" if it has none. It
// differs from the field of mail: there are no comments, so that "report(1).docx" needs no quotes.
//
//   - The first filename* that can be read counts (RFC 6266 section 4.3). One that cannot be read
//     gives way to the first filename.
//   - The octets of filename are UTF-8, or else of the charset label, or else ISO-8859-1.
//   - QUIRK: a value without quotes extends to the next semicolon, and one in single quotes is
//     between them. A backslash is itself unless a quote or a backslash follows, as in the paths of
//     Windows.
//
// decode converts octets of a charset to UTF-8, or has an error.
func FileName(value, label string, decode func(label, octets string) (string, error)) string {
	plain := ""
	for name, v := range dispositionParams(value) {
		switch {
		case v == "":
		case strings.EqualFold(name, "filename*"):
			if text, ok := extended(v, decode); ok {
				return text
			}
		case strings.EqualFold(name, "filename") && plain == "":
			plain = v
		}
	}
	if utf8.ValidString(plain) {
		return plain
	}
	for _, l := range [...]string{label, "iso-8859-1"} {
		if l == "" {
			continue
		}
		if text, err := decode(l, plain); err == nil && utf8.ValidString(text) {
			return text
		}
	}
	return strings.ToValidUTF8(plain, "\uFFFD")
}

// dispositionParams yields the parameters of a Content-Disposition, without quotes.
func dispositionParams(value string) func(yield func(name, value string) bool) {
	return func(yield func(name, value string) bool) {
		for value != "" {
			end := strings.IndexAny(value, ";=")
			if end < 0 {
				return
			}
			name := strings.TrimSpace(value[:end])
			sign := value[end]
			value = value[end+1:]
			if sign == ';' {
				continue // the type, or a piece without a value
			}
			v := ""
			v, value = paramValue(strings.TrimLeft(value, " \t"))
			if !yield(name, v) {
				return
			}
		}
	}
}

// paramValue cuts the value of a parameter, and the semicolon after it, off s.
func paramValue(s string) (value, rest string) {
	if strings.HasPrefix(s, `"`) {
		var b strings.Builder
		i := 1
		for ; i < len(s) && s[i] != '"'; i++ {
			escapes := s[i] == '\\' && i+1 < len(s) && (s[i+1] == '"' || s[i+1] == '\\')
			if escapes {
				i++
			}
			b.WriteByte(s[i])
		}
		_, rest, _ = strings.Cut(s[min(i, len(s)):], ";")
		return b.String(), rest
	}
	value, rest, _ = strings.Cut(s, ";")
	value = strings.Trim(value, " \t")
	if len(value) > 1 && value[0] == '\'' && value[len(value)-1] == '\'' {
		value = value[1 : len(value)-1]
	}
	return value, rest
}

// extended returns the text of an extended value (RFC 8187 section 3.2.1). The charset must be UTF-8 there;
// RFC 5987 had ISO-8859-1 too, and servers use others.
func extended(v string, decode func(label, octets string) (string, error)) (string, bool) {
	label, rest, ok := strings.Cut(v, "'")
	if !ok {
		return "", false
	}
	_, coded, ok := strings.Cut(rest, "'")
	if !ok {
		return "", false
	}
	octets := make([]byte, 0, len(coded))
	for i := 0; i < len(coded); i++ {
		if coded[i] != '%' {
			octets = append(octets, coded[i])
			continue
		}
		c, ok := percent.Octet(coded[i:])
		if !ok {
			return "", false
		}
		octets = append(octets, c)
		i += 2
	}
	text, err := decode(label, string(octets))
	return text, err == nil && text != "" && utf8.ValidString(text)
}
