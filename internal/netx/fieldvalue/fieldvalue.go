// Package fieldvalue reads the values of HTTP header fields (RFC 9110 section
// 5.6): lists, tokens, quoted strings and entity tags. The values come from strangers: every
// function takes time linear in their length.
package fieldvalue

import (
	"iter"
	"strings"

	"github.com/go-extbody/extbody/internal/codec/ascii"
)

// Members yields the members of a list (RFC 9110 section 5.6.1), without the white
// space around them. A comma within a quoted string does not separate members. Empty
// members are left out. A quoted string that does not end extends to the end of value.
func Members(value string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for value != "" {
			var member string
			member, value = cut(value)
			member = strings.Trim(member, " \t")
			if member != "" && !yield(member) {
				return
			}
		}
	}
}

// cut cuts s at the first comma that is not within a quoted string.
func cut(s string) (member, rest string) {
	quoted := false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"':
			quoted = !quoted
		case c == '\\' && quoted:
			i++
		case c == ',' && !quoted:
			return s[:i], s[i+1:]
		}
	}
	return s, ""
}

// IsToken reports whether s is a token (RFC 9110 section 5.6.2).
func IsToken(s string) bool {
	for _, c := range []byte(s) {
		if !ascii.IsAlphanumeric(c) && strings.IndexByte("!#$%&'*+-.^_`|~", c) < 0 {
			return false
		}
	}
	return s != ""
}

// IsOpaqueTag reports whether s is an entity tag without "W/" (RFC 9110 section 8.8.3).
func IsOpaqueTag(s string) bool {
	if len(s) < 2 || s[0] != '"' || s[len(s)-1] != '"' {
		return false
	}
	return !strings.ContainsFunc(s[1:len(s)-1], func(c rune) bool { return c <= ' ' || c == '"' || c == 0x7f })
}

// Unquote returns the content of a quoted string (RFC 9110 section 5.6.4). It returns
// any other text unchanged.
func Unquote(s string) string {
	if len(s) < 2 || s[0] != '"' || s[len(s)-1] != '"' {
		return s
	}
	s = s[1 : len(s)-1]
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
