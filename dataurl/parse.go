package dataurl

import (
	"strings"

	"github.com/go-extbody/extbody/internal/codec/percent"
)

// Parse parses s as browsers do: by the Fetch Standard, section "data: URLs", on the
// output of the URL Standard's parser. It reads only the text before the body, and
// takes no longer for a longer body. An invalid body is an error when it is decoded.
//
// The error is an [*Error] of Kind [NotData], [NoComma] or [BadAuthority]. An invalid
// media type is not an error; [DefaultMediaType] takes its place.
func Parse(s string) (*URL, error) {
	u, err := parse(s)
	if err != nil {
		return nil, err
	}
	return &u, nil
}

func parse(s string) (URL, error) {
	start, end := trim(s)
	n, ok := scheme(s[start:end])
	if !ok {
		return URL{}, &Error{NotData, start}
	}
	rest := s[start+n : end]
	if hierarchical(rest) {
		path, ok := normalize(breaks.Replace(rest))
		if !ok {
			return URL{}, &Error{BadAuthority, start + n}
		}
		rest = path
	}

	// Fetch, data: URL processor, steps 5 to 9. A comma in the fragment does not count.
	comma := strings.IndexByte(rest, ',')
	if comma < 0 {
		return URL{}, &Error{NoComma, len(s)}
	}
	head := rest[:comma]
	u := URL{MediaType: DefaultMediaType, Encoded: rest[comma+1:]}
	if mediaType, ok := strings.CutSuffix(head, ";base64"); isSerialized(mediaType) {
		u.MediaType, u.Base64 = mediaType, ok
		return u, nil
	}
	if strings.ContainsFunc(head, isSpecial) {
		if strings.IndexByte(head, '#') >= 0 {
			return URL{}, &Error{NoComma, len(s)}
		}
		head = serializeOpaque(breaks.Replace(head))
	}

	// Steps 6 and 11 to 14. Of white space only spaces are left.
	head = strings.Trim(head, " ")
	head, u.Base64 = cutBase64(head)
	if head == "" {
		return u, nil
	}
	if head[0] == ';' {
		head = "text/plain" + head
	}
	if t, err := ParseMediaType(head); err == nil {
		u.MediaType = t
	}
	return u, nil
}

// trim returns where s starts and ends without the C0 controls and spaces at both ends.
// The URL parser removes these.
func trim(s string) (start, end int) {
	start, end = 0, len(s)
	for start < end && s[start] <= ' ' {
		start++
	}
	for start < end && s[end-1] <= ' ' {
		end--
	}
	return start, end
}

// scheme returns the length of the "data:" that s begins with, in any case and
// with the tabs and line breaks in it that the URL parser removes.
func scheme(s string) (n int, ok bool) {
	name, _, ok := strings.Cut(s, ":")
	return len(name) + 1, ok && strings.EqualFold(breaks.Replace(name), "data")
}

// hierarchical reports whether the first character of rest, except tabs and line
// breaks, is "/". The URL then has no opaque path for the URL parser.
func hierarchical(rest string) bool { return strings.HasPrefix(strings.TrimLeft(rest, "\t\n\r"), "/") }

// isSpecial reports whether the URL parser changes c in a media type.
func isSpecial(c rune) bool { return c >= 0x80 || classes[c]&special != 0 }

// serializeOpaque returns the start of a path as the URL Standard's opaque path state
// and query state write it. The path has no tabs and line breaks.
func serializeOpaque(head string) string {
	path, query, found := strings.Cut(head, "?")
	b := percent.AppendEncode(nil, path, &controlSet)
	if !found {
		return string(b)
	}
	if n := len(b) - 1; n >= 0 && b[n] == ' ' {
		b = append(b[:n], "%20"...)
	}
	b = append(b, '?')
	return string(percent.AppendEncode(b, query, &querySet))
}

// cutBase64 cuts ";base64" from the end of the media type. The case does not matter,
// and spaces may follow the ";".
func cutBase64(head string) (mediaType string, ok bool) {
	const mark = "base64"
	n := len(head) - len(mark)
	if n < 0 || !strings.EqualFold(head[n:], mark) {
		return head, false
	}
	mediaType, ok = strings.CutSuffix(strings.TrimRight(head[:n], " "), ";")
	if !ok {
		return head, false
	}
	return mediaType, true
}

// isBreak reports whether c is an ASCII tab or newline, which the URL parser
// removes wherever they are.
func isBreak(c byte) bool { return c == '\t' || c == '\n' || c == '\r' }

// breaks removes tabs and line breaks.
var breaks = strings.NewReplacer("\t", "", "\n", "", "\r", "")
