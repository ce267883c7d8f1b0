package urlaccess

import "github.com/go-extbody/extbody/internal/codec/percent"

// isPlain reports whether c stands for itself in a URL parameter: printable
// US-ASCII but space, quote and backslash. RFC 2017 section 3.1 writes "token",
// which no absolute URL is, so the specials of MIME are allowed.
func isPlain(c byte) bool {
	return ' ' < c && c < 0x7f && c != '"' && c != '\\'
}

// isLWSP reports whether c is linear white space (RFC 822 section 3.3), which includes
// the line break of a fold.
func isLWSP(c byte) bool {
	return c == ' ' || c == '\t' || c == '\r' || c == '\n'
}

// isCTL reports whether c is a control character (RFC 822 section 3.3).
func isCTL(c byte) bool {
	return c < ' ' || c == 0x7f
}

// plainPrefix returns the length of the longest prefix of plain octets.
func plainPrefix(s string) int {
	i := 0
	for len(s)-i >= 8 && allPlain(load64(s[i:])) {
		i += 8
	}
	for i < len(s) && isPlain(s[i]) {
		i++
	}
	return i
}

// load64 returns the first eight octets of s. The compiler makes it one load.
func load64(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// allPlain is isPlain for eight octets at once. Each term has the high bit of
// an octet set if that octet is not plain. A sum can only run over into the next
// octet if an octet is above 127, and then the word is not plain anyway.
func allPlain(x uint64) bool {
	const (
		ones = 0x0101010101010101
		high = 0x80 * ones
	)
	below := ^(x + (0x80-'!')*ones) // below "!"
	del := x + ones                 // 127
	quote := ^((x ^ '"'*ones) + 0x7f*ones)
	backslash := ^((x ^ '\\'*ones) + 0x7f*ones)
	return (x|below|del|quote|backslash)&high == 0
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

// scan looks through a value before anything is copied. A control character is an error.
func scan(param string) (scanResult, error) {
	var c scanResult
	for i := plainPrefix(param); i < len(param); i += 1 + plainPrefix(param[i+1:]) {
		switch octet := param[i]; {
		case isLWSP(octet):
			c.lwsp++
		case isCTL(octet):
			return c, &Error{Reason: ControlCharacter, Offset: i}
		case octet == '"':
			c.quote = true
		case octet == '\\':
			c.backslash = true
		default:
			c.eightBit = true
		}
	}
	return c, nil
}
