package httpfetch

import (
	"encoding/base64"
	"strings"
)

// maxMembers bounds the members of a digest field. The registry of RFC 9530 has
// eight algorithms, six of them deprecated.
const maxMembers = 32

// parseDigestField parses the lines of a field that is a Dictionary whose
// values are Byte Sequences (RFC 9651 section 4.2.2). Of a key that occurs
// twice, the last value counts. It reports whether there is a field that can be parsed. A
// value of another type, or one with parameters, is not one that RFC 9530 defines.
func parseDigestField(lines []string) (map[string][]byte, bool) {
	s := strings.Trim(strings.Join(lines, ","), " ")
	if s == "" {
		return nil, false
	}
	members := make(map[string][]byte)
	for range maxMembers {
		key, rest := cutKey(s)
		if key == "" {
			return nil, false
		}
		sum, rest, ok := cutByteSequence(rest)
		if !ok {
			return nil, false
		}
		members[key] = sum
		rest = strings.TrimLeft(rest, " \t")
		if rest == "" {
			return members, true
		}
		if rest[0] != ',' {
			return nil, false
		}
		// After a comma there has to be another member.
		s = strings.TrimLeft(rest[1:], " \t")
	}
	return nil, false
}

// cutKey cuts a key off the front of s (RFC 9651 section 4.2.3.3). The key may
// be "".
func cutKey(s string) (key, rest string) {
	i := 0
	for i < len(s) && isKeyByte(s[i], i == 0) {
		i++
	}
	return s[:i], s[i:]
}

func isKeyByte(c byte, first bool) bool {
	switch {
	case 'a' <= c && c <= 'z', c == '*':
		return true
	case '0' <= c && c <= '9', c == '_', c == '-', c == '.':
		return !first
	}
	return false
}

// cutByteSequence cuts "=" and a Byte Sequence off the front of s (RFC 9651
// section 4.2.7). Missing padding and pad bits that are not zero are accepted,
// as that section recommends.
func cutByteSequence(s string) (data []byte, rest string, ok bool) {
	s, ok = strings.CutPrefix(s, "=:")
	if !ok {
		return nil, "", false
	}
	text, rest, ok := strings.Cut(s, ":")
	if !ok || strings.ContainsAny(text, "\r\n") { // which package base64 skips
		return nil, "", false
	}
	digits := strings.TrimRight(text, "=")
	if len(digits) < len(text) && (len(text)%4 != 0 || len(text)-len(digits) > 2) {
		return nil, "", false
	}
	data, err := base64.RawStdEncoding.DecodeString(digits)
	return data, rest, err == nil
}
