package redact

import (
	"strings"
	"unicode"

	"github.com/go-extbody/extbody/internal/link/sharelink"
)

// Rules are the rules by which share links are recognised. The functions of this package use
// the zero Rules, which have the known hosts alone.
type Rules struct {
	// Own has hosts of the caller besides. It may be nil.
	Own *sharelink.Table
}

// split splits a URL into its hierarchical part, its query with the "?" and its
// fragment with the "#" (RFC 3986 section 3).
func split(raw string) (hierarchy, query, fragment string) {
	if i := strings.IndexByte(raw, '#'); i >= 0 {
		fragment = raw[i:]
		raw = raw[:i]
	}
	if i := strings.IndexByte(raw, '?'); i >= 0 {
		query = raw[i:]
		raw = raw[:i]
	}
	return raw, query, fragment
}

// trim removes the text around a URL: white space and control characters, and before
// it the delimiters of RFC 1738 (appendix). Otherwise a wrapped URL would not be
// recognised.
func trim(raw string) string {
	for {
		raw = strings.TrimFunc(raw, func(r rune) bool { return r == ' ' || !unicode.IsPrint(r) })
		if rest, ok := cutPrefixFold(raw, "url:"); ok {
			raw = rest
			continue
		}
		if raw == "" || strings.IndexByte(`<"'(`, raw[0]) < 0 {
			return raw
		}
		raw = raw[1:]
	}
}

// cutPrefixFold is strings.CutPrefix without regard to the case of US-ASCII.
func cutPrefixFold(s, prefix string) (rest string, ok bool) {
	if len(s) < len(prefix) || !strings.EqualFold(s[:len(prefix)], prefix) {
		return s, false
	}
	return s[len(prefix):], true
}
