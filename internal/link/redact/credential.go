package redact

import (
	"strings"

	"github.com/go-extbody/extbody/internal/codec/percent"
	"github.com/go-extbody/extbody/internal/link/sharelink"
)

const (
	// maxInner is how many octets of a hierarchy are searched for another URL. Fewer
	// are shown.
	maxInner = 4 * maxHierarchy
	// maxLink is how many octets of a share link are looked at.
	maxLink = 8192
)

// Credential reports whether raw has the shape of a share link of a known host. Such a URL is all
// that a stranger needs to get the file.
func Credential(raw string) bool {
	_, is := match(raw)
	return is
}

// match is Credential. It also returns the share link if raw is one as it stands.
func match(raw string) (link *sharelink.Link, credential bool) {
	text := first(trim(raw), maxLink)
	if i := strings.IndexAny(text, "<>\"'"); i >= 0 {
		text = text[:i] // the other end of a wrapper
	}
	if link, is := sharelink.MatchShape(text); is {
		if text != raw {
			link = nil
		}
		return link, true
	}
	text, _, cut := strings.Cut(text, "#")
	if !cut {
		return nil, false
	}
	_, is := sharelink.MatchShape(text)
	return nil, is
}

// PathHoldsCredential reports whether raw has a URL in its path that is a Credential.
func PathHoldsCredential(raw string) bool {
	hierarchy, _, _ := split(trim(raw))
	return innerCredential(hierarchy) >= 0
}

// innerCredential returns the index in hierarchy, the beginning of a URL that is not a
// credential, at which another URL begins that is one, or -1. The other URL may be
// percent-encoded.
func innerCredential(hierarchy string) int {
	tries := 0
	for start := 1; start < min(len(hierarchy), maxInner) && tries <= maxHierarchy/len("http://"); start++ {
		if hierarchy[start]|0x20 != 'h' {
			continue
		}
		inner := hierarchy[start:]
		rest, ok := cutPrefixFold(inner, "http")
		if !ok {
			continue
		}
		rest, _ = cutPrefixFold(rest, "s")
		switch {
		case strings.HasPrefix(rest, "://"):
		case strings.HasPrefix(rest, "%3A"), strings.HasPrefix(rest, "%3a"):
			inner = string(percent.AppendDecode(nil, first(inner, maxLink)))
		default:
			continue
		}
		if tries++; Credential(inner) {
			return start
		}
	}
	return -1
}

// first returns the first n octets of s.
func first(s string, n int) string { return s[:min(len(s), n)] }
