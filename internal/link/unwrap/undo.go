package unwrap

import (
	"encoding/base64"
	"encoding/json"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/go-extbody/extbody/internal/link/weburl"
)

// param returns a function that finds the target, percent-encoded, in the first of the
// parameters that the query has. A "+" stays as it is, since it cannot stand for a space:
// a URL contains none.
func param(names ...string) func(weburl.URL, string) (string, error) {
	return func(u weburl.URL, _ string) (string, error) {
		for _, name := range names {
			if value, ok := u.Param(name); ok && value != "" {
				return decode(value)
			}
		}
		return "", ErrNoTarget
	}
}

// paramOrToken is param for a wrapper with a second form that has a token instead of
// the parameter.
func paramOrToken(name string) func(weburl.URL, string) (string, error) {
	return func(u weburl.URL, text string) (string, error) {
		if _, ok := u.Param(name); !ok {
			return "", errOpaque
		}
		return param(name)(u, text)
	}
}

// fragment finds the target in the fragment, where it is not encoded.
func fragment(u weburl.URL, _ string) (string, error) {
	if u.Fragment == "" {
		return "", ErrNoTarget
	}
	return u.Fragment, nil
}

func opaque(weburl.URL, string) (string, error) { return "", errOpaque }

// google finds the target, percent-encoded, in the one of the parameters q and url that
// is a URL. If both are and differ, it finds none.
func google(u weburl.URL, text string) (string, error) {
	q, err := param("q")(u, text)
	other, otherErr := param("url")(u, text)
	_, isURL := weburl.Parse(q)
	_, otherIsURL := weburl.Parse(other)
	switch {
	case isURL && otherIsURL && q != other:
		return "", ErrNoTarget
	case otherErr == nil && (otherIsURL || err != nil):
		return other, nil
	}
	return q, err
}

// isGoogle reports whether the URL has a query, and the host is Google's for any country:
// "google.com", "google.de", "google.com.br" or "google.co.uk", with or without "www.".
func isGoogle(u weburl.URL) bool { return u.HasQuery && googleHost.MatchString(u.Host) }

var googleHost = regexp.MustCompile(`^(www\.)?google\.(com|((com|co)\.)?[^.]{2})$`)

// hostIs returns a function that reports whether the host matches a regular expression.
func hostIs(pattern string) func(weburl.URL) bool {
	host := regexp.MustCompile(pattern)
	return func(u weburl.URL) bool { return host.MatchString(u.Host) }
}

// isRoot reports whether the path is empty.
func isRoot(u weburl.URL) bool { return u.Path == "" || u.Path == "/" }

// sophos finds the target in the parameter u, in Base64 of either alphabet, with or
// without padding.
func sophos(u weburl.URL, text string) (string, error) {
	value, err := paramOrToken("u")(u, text)
	if err != nil {
		return "", err
	}
	return decodeBase64(value)
}

// cisco finds the target, percent-encoded, after a token in the path.
func cisco(u weburl.URL, _ string) (string, error) {
	_, target, ok := strings.Cut(strings.TrimPrefix(u.Path, "/"), "/")
	if !ok || target == "" {
		return "", errOpaque
	}
	return decode(target)
}

// checkpoint finds the target between "/___" and the last "___.", after which there is
// a token. The target is not encoded. One slash of its "//" may be lost.
func checkpoint(_ weburl.URL, text string) (string, error) {
	_, target, ok := strings.Cut(text, "/___")
	end := strings.LastIndex(target, "___.")
	if !ok || end < 0 {
		return "", ErrNoTarget
	}
	target = target[:end]
	if !strings.Contains(target, ":/") && strings.Contains(target, "%") {
		return decode(target) // QUIRK: seen with everything except the slashes escaped
	}
	return lostSlash(target), nil
}

// awstrack finds the target, percent-encoded, in the second segment of the path.
func awstrack(u weburl.URL, _ string) (string, error) {
	target := segment(u.Path, 1)
	if target == "" {
		return "", ErrNoTarget
	}
	return decode(target)
}

// isTrack reports whether the second segment of the path is a percent-encoded http or
// https URL.
func isTrack(u weburl.URL) bool {
	target := segment(u.Path, 1)
	if !strings.HasPrefix(target, "http") {
		return false // the form does not escape the scheme
	}
	target, err := decode(target)
	return err == nil && (strings.HasPrefix(target, "http://") || strings.HasPrefix(target, "https://"))
}

// segment returns segment n of a path, counted from 0, or "" if there is no such
// segment.
func segment(path string, n int) string {
	segments := strings.Split(strings.TrimPrefix(path, "/"), "/")
	if n >= len(segments) {
		return ""
	}
	return segments[n]
}

// postmark finds the target in the second segment of the path, percent-encoded and
// without its scheme. The first segment is the number of the form.
func postmark(u weburl.URL, _ string) (string, error) {
	form, target := segment(u.Path, 0), segment(u.Path, 1)
	if len(form) < 2 || len(form) > 3 || form[0] < '1' || form[0] > '9' || target == "" {
		return "", errOpaque
	}
	target, err := decode(target)
	return "https://" + target, err
}

// mandrill finds the target in the parameter p: Base64 of a JSON object, whose p is a
// string with another JSON object, whose url is the target.
func mandrill(u weburl.URL, text string) (string, error) {
	value, err := param("p")(u, text)
	if err == nil {
		value, err = decodeBase64(value)
	}
	if err != nil {
		return "", err
	}
	var outer struct {
		P string `json:"p"`
	}
	var inner struct {
		URL string `json:"url"`
	}
	if json.Unmarshal([]byte(value), &outer) != nil || json.Unmarshal([]byte(outer.P), &inner) != nil {
		return "", ErrEncoding
	}
	return inner.URL, nil
}

func decode(s string) (string, error) {
	d, ok := weburl.Decode(s)
	if !ok {
		return "", ErrEncoding
	}
	return d, nil
}

func decodeBase64(s string) (string, error) {
	s = strings.NewReplacer("+", "-", "/", "_").Replace(strings.TrimRight(s, "="))
	d, err := base64.RawURLEncoding.DecodeString(s)
	if err != nil {
		return "", ErrEncoding
	}
	return string(d), nil
}

// lostSlash restores the "//" after the scheme. Some servers make one slash of it,
// because to them it is a doubled slash in a path.
func lostSlash(s string) string {
	for _, scheme := range [...]string{"http:/", "https:/"} {
		if len(s) > len(scheme) && strings.EqualFold(s[:len(scheme)], scheme) && s[len(scheme)] != '/' {
			return s[:len(scheme)] + "/" + s[len(scheme):]
		}
	}
	return s
}

// proofpointV1 finds the target, percent-encoded, in the parameter u.
func proofpointV1(u weburl.URL, text string) (string, error) {
	target, err := param("u")(u, text)
	return unescapeAmp(target), err
}

// proofpointV2 finds the target in the parameter u. It is percent-encoded, and after
// that "%" was replaced by "-" and "/" by "_".
func proofpointV2(u weburl.URL, _ string) (string, error) {
	value, ok := u.Param("u")
	if !ok || value == "" {
		return "", ErrNoTarget
	}
	target, err := decode(strings.NewReplacer("-", "%", "_", "/").Replace(value))
	return unescapeAmp(target), err
}

// unescapeAmp replaces "&amp;" by "&". Versions 1 and 2 wrap the value of an attribute
// without decoding it. Other character references stay: a text such as "&copy=1" is
// more often a parameter than a reference.
func unescapeAmp(s string) string { return strings.ReplaceAll(s, "&amp;", "&") }

// proofpointV3 finds the target between "/v3/__" and the first "__;". The wrapper
// replaces some characters. One of them becomes "*", and a run of them becomes "**" and
// a letter for their number. The replaced characters follow between "__;" and the next
// "!", in UTF-8 and Base64.
func proofpointV3(_ weburl.URL, text string) (string, error) {
	_, target, ok := strings.Cut(text, "/v3/__")
	target, rest, ok2 := strings.Cut(target, "__;")
	encoded, _, ok3 := strings.Cut(rest, "!")
	if !ok || !ok2 || !ok3 {
		return "", ErrNoTarget
	}
	replaced, err := decodeBase64(encoded)
	if err != nil || !utf8.ValidString(replaced) {
		return "", ErrEncoding
	}
	target = lostSlash(target)
	out := make([]byte, 0, len(target)+len(replaced))
	for {
		plain, marked, found := strings.Cut(target, "*")
		out = append(out, plain...)
		if !found {
			break
		}
		n := 1
		if len(marked) >= 2 && marked[0] == '*' {
			if n = runLength(marked[1]); n == 0 {
				return "", ErrEncoding
			}
			marked = marked[2:]
		}
		for range n {
			_, size := utf8.DecodeRuneInString(replaced)
			if size == 0 {
				return "", ErrEncoding
			}
			out = append(out, replaced[:size]...)
			replaced = replaced[size:]
		}
		target = marked
	}
	if replaced != "" {
		return "", ErrEncoding
	}
	return string(out), nil
}

// runLength returns the number of characters that c stands for after "**", or 0.
func runLength(c byte) int {
	const two = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_" // "A" stands for 2
	if i := strings.IndexByte(two, c); i >= 0 {
		return i + 2
	}
	return 0
}
