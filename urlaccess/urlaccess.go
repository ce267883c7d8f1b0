// Package urlaccess converts between a URL and the URL parameter of
// message/external-body; access-type=URL, as defined by RFC 2017.
//
// A header line is short and a URL is not, so RFC 2017 section 3.1 writes a URL
// as words of at most 40 characters with white space between them, all in one
// quoted string:
//
//	Content-Type: message/external-body; access-type=URL;
//		URL="ftp://ftp.deepdirs.org/1/2/3/4/5/6/7/8/
//		9/10/11/12/13/14/15/16/17/18/20/21/
//		file.html"
//
// [Decode] turns the value of such a parameter into the URL, and [Encode] and
// [Words] turn a URL into such a value. Quotes, folding, comments and RFC 2231
// belong to the reader or writer of the header; here a value has no quotes.
//
// The package works on text only. It does not parse a URL, does not undo
// percent-encoding, and does not judge whether a URL may be fetched. [Scheme] is
// for callers that prepare a URL for a parser.
//
// All functions take time linear in their argument, allocate at most a few
// times its size, and may be called from several goroutines concurrently.
package urlaccess

import (
	"strconv"
	"strings"

	"github.com/go-extbody/extbody/internal/link"
)

// Decode returns the URL that is the value of a URL parameter. The value comes
// without its quotes and with its quoted pairs undone.
//
// All linear white space (SP, HTAB, CR, LF) is removed, wherever it stands, and the
// rest is the URL (RFC 2017 section 3.1). A hyphen before white space stays. A fault
// that can have only one meaning is corrected; [DecodeReport] does the same and lists
// the corrections.
//
// The URL consists of printable US-ASCII without space, quote and backslash. It is not
// checked further: it can be relative, or not a URL, which [Scheme] reports. Nothing is
// percent-decoded. If nothing has to be changed, the result shares its memory with
// param.
//
// Decode refuses a value that has a control character other than white space,
// and one that holds no URL. The error is an [*Error].
func Decode(param string) (string, error) {
	rawURL, _, err := DecodeReport(param)
	return rawURL, err
}

// DecodeReport is [Decode], and also returns the corrections. Each [Repair] is
// returned at most once, in the order of the list at Repair.
func DecodeReport(param string) (rawURL string, repairs []Repair, err error) {
	c, err := scan(param)
	if err != nil {
		return "", nil, err
	}
	s := param
	if c.lwsp > 0 {
		s = removeLWSP(s, len(s)-c.lwsp)
	}
	if c.quote || c.backslash || c.eightBit {
		s = escape(s)
	}
	rawURL = unwrap(s)
	if rawURL == "" {
		return "", nil, &Error{Reason: Empty, Offset: len(param)}
	}
	for _, r := range []struct {
		made   bool
		repair Repair
	}{{len(rawURL) != len(s), wrapperRemoved}, {c.quote, quoteEncoded}, {c.backslash, BackslashEncoded}, {c.eightBit, eightBitEncoded}} {
		if r.made {
			repairs = append(repairs, r.repair)
		}
	}
	return rawURL, repairs, nil
}

// removeLWSP returns s without linear white space. n octets remain.
func removeLWSP(s string, n int) string {
	var b strings.Builder
	b.Grow(n)
	for s != "" {
		word := 0
		for word < len(s) && !isLWSP(s[word]) {
			word++
		}
		b.WriteString(s[:word])
		for word < len(s) && isLWSP(s[word]) {
			word++
		}
		s = s[word:]
	}
	return b.String()
}

// unwrap removes the wrappers that RFC 1738 (appendix) and RFC 3986 (appendix C)
// recommend for URLs in running text. None of them can start a URL.
func unwrap(s string) string {
	const prefix = "URL:"
	for {
		switch {
		case len(s) >= 2 && s[0] == '<' && s[len(s)-1] == '>':
			s = s[1 : len(s)-1]
		case len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix):
			s = s[len(prefix):]
		default:
			return s
		}
	}
}

// An Error is the reason why [Decode], [Escape] or a reader of [NewReader] refused
// a value. It does not quote the value, which can hold a secret or be very long.
type Error struct {
	Reason Reason
	Offset int // where in the value, in octets
}

// Error returns the reason and the offset.
func (e *Error) Error() string {
	return "url parameter: " + e.Reason.Error() + " at octet " + strconv.Itoa(e.Offset)
}

// Unwrap returns the reason, so that errors.Is(err, [Empty]) works.
func (e *Error) Unwrap() error { return e.Reason }

// A Reason is a cause of refusal, in words. It is itself an error.
type Reason string

const (
	// Empty means that there is no URL in the value.
	Empty Reason = "no URL"
	// ControlCharacter means that the value has a control character that is not white
	// space. The sender's meaning cannot be known, and such a character is dangerous
	// in every protocol.
	ControlCharacter Reason = "control character"
)

// Error returns the reason.
func (r Reason) Error() string { return string(r) }

// Scheme returns the scheme of a URL in lower case (RFC 3986 section 3.1). It returns
// false if there is none. The URL is then relative or not a URL, and access-type=URL
// allows only absolute ones. A value that a program would take for an option, such as
// "-o/x", has no scheme.
//
// Scheme does not decide whether the scheme is known, or whether it retrieves anything.
func Scheme(rawURL string) (string, bool) { return link.Scheme(rawURL) }

// Escape returns rawURL with every space, tab, line end, double quote, backslash and
// octet above 127 percent-encoded. That is the first step of RFC 2017 section 3.1: no
// white space in the URL can then be taken for a fold. A "%" stays as it is, so
// that escaping once more changes nothing.
//
// Escape is for a URL that a person or a configuration gave. It refuses other control
// characters, as [Decode] does, since they are a mistake or an attack. The error is an
// [*Error].
func Escape(rawURL string) (string, error) {
	for i := range len(rawURL) {
		if c := rawURL[i]; isCTL(c) && !isLWSP(c) {
			return "", &Error{Reason: ControlCharacter, Offset: i}
		}
	}
	return escape(rawURL), nil
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
