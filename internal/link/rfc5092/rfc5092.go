// Package rfc5092 knows the syntax of the URLs of IMAP (RFC 5092), with URLAUTH as well (RFC 4467).
// Its users check the values, and decide which of them they take.
package rfc5092

import (
	"strings"

	"github.com/go-extbody/extbody/internal/codec/lazyregexp"
)

// IsScheme reports whether a scheme, in lower case, is imap or imaps.
func IsScheme(scheme string) bool { return scheme == "imap" || scheme == "imaps" }

// Scheme returns imaps for TLS from the first octet, and otherwise imap.
func Scheme(implicit bool) string {
	if implicit {
		return "imaps"
	}
	return "imap"
}

// A Path has the values of the path of a URL, percent-encoded as they are there. A value is "" if the
// path does not have it.
type Path struct {
	Mailbox     string
	UIDValidity string
	UID         string
	Section     string
	Partial     string
	Expire      string
	URLAuth     string
}

// pathSyntax is the syntax of a path: the mailbox and the parameters in their order (RFC 5092 section 11). In
// a value a ";" is always encoded, so parameters are found first and decoded then.
var pathSyntax = lazyregexp.New(`(?i)^/([^;]*?)(?:;UIDVALIDITY=([^;]+?))?` +
	`(?:/;UID=([^;]+?))?(?:/;SECTION=([^;]+?))?(?:/;PARTIAL=([^;]+?))?` +
	`(?:;EXPIRE=([^;]+?))?(?:;URLAUTH=([^;]+))?$`)

// ParsePath reads an encoded path that begins with a slash. It returns false for a parameter that is unknown,
// empty, repeated or out of order.
func ParsePath(path string) (Path, bool) {
	v := pathSyntax().FindStringSubmatch(path)
	if v == nil {
		return Path{}, false
	}
	return Path{
		Mailbox: v[1], UIDValidity: v[2], UID: v[3], Section: v[4], Partial: v[5], Expire: v[6], URLAuth: v[7],
	}, true
}

// NamesMessage reports whether a URL has a UID. Without one it names no single object (RFC 5092 section 4).
func NamesMessage(rawURL string) bool { return strings.Contains(strings.ToLower(rawURL), "/;uid=") }

// HasURLAuth reports whether a URL has a URLAUTH, which is a credential (RFC 4467 section 3).
func HasURLAuth(rawURL string) bool { return strings.Contains(strings.ToLower(rawURL), ";urlauth") }

// urlAuth finds ";URLAUTH=" (RFC 4467 section 3) and the text after it, up to the end of the URL.
var urlAuth = lazyregexp.New(`(?i)(;URLAUTH=)[^ "]*`)

// ReplaceURLAuth puts a word in place of the URLAUTH of each URL in a text.
func ReplaceURLAuth(text, word string) string {
	return urlAuth().ReplaceAllString(text, "${1}"+word)
}
