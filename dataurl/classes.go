package dataurl

import (
	"strings"

	"github.com/go-extbody/extbody/internal/codec/ascii"
	"github.com/go-extbody/extbody/internal/codec/percent"
)

// Characters other than letters and digits, by class.
const (
	tokenMarks = "!#$%&'*+-.^_`|~" // MIME Sniffing section 3
	reserved   = ";/?:@&=+$,"      // RFC 2396 section 2.2
	marks      = "-_.!~*'()"       // RFC 2396 section 2.3
)

// Percent-encode sets of the URL Standard.
var (
	controlSet  = encodeSet("")
	querySet    = encodeSet(" \"#<>")
	pathSet     = encodeSet(" \"#<>?^`{}")
	userinfoSet = encodeSet(" \"#<>?^`{}/:;=@[\\]|")
)

// httpSpace is HTTP whitespace of the Fetch Standard.
const httpSpace = "\t\n\r "

// chunk is the number of octets of text that are decoded at a time. The output of one
// step is then still in the processor's cache for the next.
const chunk = 8 << 10

const (
	token   class = 1 << iota // HTTP token code point, one of tokens
	upper                     // upper-case letter
	special                   // changed by URL parsing in a media type
	uric                      // may be in a URL by RFC 2396 section 2, unescaped
)

var classes = classTable()

// Percent-encode sets of RFC 2397 section 3.
var (
	bodySet       = unclassified(uric, "")
	nameSet       = unclassified(uric|token, "")
	serializedSet = unclassified(uric|token, "/;=")
)

// A class is a set of the properties of an octet.
type class uint8

func classTable() (t [256]class) {
	for i := range t {
		c := byte(i)
		isUpper := 'A' <= c && c <= 'Z'
		alphanumeric := ascii.IsAlphanumeric(c)
		if alphanumeric || strings.IndexByte(tokenMarks, c) >= 0 {
			t[i] |= token
		}
		if isUpper {
			t[i] |= upper
		}
		if c < ' ' || c > '~' || c == '#' || c == '?' {
			t[i] |= special
		}
		if alphanumeric || strings.IndexByte(reserved+marks, c) >= 0 {
			t[i] |= uric
		}
	}
	return t
}

// unclassified returns the set of octets that lack a property of c, without the
// characters in less.
func unclassified(c class, less string) percent.Set {
	t := classTable()
	return percent.NewSet(func(b byte) bool { return t[b]&c != c && strings.IndexByte(less, b) < 0 })
}

// encodeSet returns the C0 control percent-encode set with more added.
func encodeSet(more string) percent.Set {
	return percent.NewSet(func(c byte) bool { return c < ' ' || c > '~' || strings.IndexByte(more, c) >= 0 })
}
