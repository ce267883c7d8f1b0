package unwrap

import (
	"strings"
	"unicode/utf8"

	"github.com/go-extbody/extbody/internal/link/weburl"
)

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

// runLength returns the number of characters that c stands for after "**". The values
// of "A" to "Z", "a" to "z", "0" to "9", "-" and "_" are 2 to 65, in this order. All
// other octets give 0.
func runLength(c byte) int {
	switch {
	case 'A' <= c && c <= 'Z':
		return int(c-'A') + 2
	case 'a' <= c && c <= 'z':
		return int(c-'a') + 28
	case '0' <= c && c <= '9':
		return int(c-'0') + 54
	case c == '-':
		return 64
	case c == '_':
		return 65
	}
	return 0
}
