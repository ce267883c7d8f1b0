package urlaccess

import (
	"iter"
	"strings"

	"github.com/go-extbody/extbody/internal/codec/percent"
)

// maxWord is the most characters a word may have (RFC 2017 section 3.1).
const maxWord = 40

// Encode returns the value of a URL parameter that stands for rawURL: its [Words] with
// one space between them. The caller puts it into double quotes, which are always
// needed, and may fold the header at any of the spaces.
//
// Decode(Encode(u)) is u with every space, control character, double quote, backslash
// and octet above 127 percent-encoded. That is the same URL written differently, and
// encoding it once more changes nothing. There are two exceptions: the empty string,
// which [Decode] refuses, and a text inside the wrapper that Decode removes ("URL:" or
// "<>"), which is not an absolute URL.
func Encode(rawURL string) string {
	escaped := escape(rawURL)
	if len(escaped) <= maxWord {
		return escaped
	}
	var b strings.Builder
	// Room for words of half the length, which few URLs need.
	b.Grow(len(escaped) + 2*len(escaped)/maxWord + 1)
	for word := range words(escaped) {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(word)
	}
	return b.String()
}

// Words returns an iterator over the words of the URL parameter that stands for
// rawURL, for callers that fold the header themselves. No word is empty or
// longer than 40 octets, and their concatenation is the URL as described at
// [Encode]. The empty string has no words.
//
// A cut is made after a "/" if there is one within reach, and otherwise as late as
// possible. It is never inside a percent-encoding. It is never after a "-", which RFC
// 1738 (appendix) warns of, unless the word has nothing else.
//
// The iterator may be used any number of times.
func Words(rawURL string) iter.Seq[string] {
	return func(yield func(string) bool) {
		words(escape(rawURL))(yield)
	}
}

// words cuts an escaped URL.
func words(escaped string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for rest := escaped; rest != ""; {
			n := cut(rest)
			if !yield(rest[:n]) {
				return
			}
			rest = rest[n:]
		}
	}
}

// cut returns the length of the first word of s, which is not empty.
func cut(s string) int {
	if len(s) <= maxWord {
		return len(s)
	}
	if i := strings.LastIndexByte(s[:maxWord], '/'); i >= 0 {
		return i + 1
	}
	n := maxWord
	switch {
	case isEscape(s[n-1:]):
		n--
	case isEscape(s[n-2:]):
		n -= 2
	}
	if trimmed := len(strings.TrimRight(s[:n], "-")); trimmed > 0 {
		return trimmed
	}
	return n
}

// isEscape reports whether s starts with a percent-encoded octet.
func isEscape(s string) bool { return len(s) >= 3 && s[0] == '%' && percent.Valid(s[:3]) }

// isPlain reports whether c stands for itself in a URL parameter: printable
// US-ASCII but space, quote and backslash. RFC 2017 section 3.1 writes "token",
// which no absolute URL is, so the specials of MIME are allowed.
func isPlain(c byte) bool { return ' ' < c && c < 0x7f && c != '"' && c != '\\' }

// isLWSP reports whether c is linear white space (RFC 822 section 3.3), which includes
// the line break of a fold.
func isLWSP(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// isCTL reports whether c is a control character (RFC 822 section 3.3).
func isCTL(c byte) bool { return c < ' ' || c == 0x7f }

// plainPrefix returns the length of the longest prefix of plain octets.
func plainPrefix(s string) int {
	for i := range len(s) {
		if mustEscape[s[i]] {
			return i
		}
	}
	return len(s)
}

// mustEscape is the set of octets that are not plain.
var mustEscape = percent.NewSet(func(c byte) bool { return !isPlain(c) })

// escape percent-encodes octets that must not stand raw in a URL (RFC 2017 section
// 3.1, step 1) and leaves everything else alone, "%" too.
func escape(rawURL string) string {
	if plainPrefix(rawURL) == len(rawURL) {
		return rawURL
	}
	return string(percent.AppendEncode(nil, rawURL, &mustEscape))
}

// A scanResult counts the octets of a value that are not plain.
type scanResult struct {
	lwsp                       int // octets
	quote, backslash, eightBit bool
}
