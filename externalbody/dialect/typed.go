package dialect

import (
	"strings"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/internal/codec/percent"
)

// readTyped reads the share links in a text that have no scheme, as people type them and
// as hosts show them: "we.tl/t-AbCdEfGhIj". Such a link is a host with a dot in it, a
// slash, and more. It begins after white space or an opening bracket or quote, and ends
// as a URL does. https is its scheme.
func (r *shareReader) readTyped(t *externalbody.Token) {
	exact := int64(len(t.Text)) == t.End-t.Start
	for pos := 0; pos < len(t.Text); {
		n := strings.IndexByte(t.Text[pos:], '/')
		if n < 0 {
			return
		}
		start, end := pos+n, pos+n+1
		for start > pos && !separates[t.Text[start-1]] {
			start--
		}
		for end < len(t.Text) && !separates[t.Text[end]] {
			end++
		}
		host := t.Text[start : pos+n]
		pos = end
		word := strings.TrimRight(t.Text[start:end], ".,;:!?*")
		if !strings.Contains(host, ".") || len(word) > maxText || strings.HasPrefix(word[min(len(word), len(host)+1):], "/") {
			continue
		}
		at := t.Start
		if exact {
			at += int64(start)
		}
		if at < r.until || !r.isLink("https://"+word) {
			continue
		}
		if exact {
			r.add("https://"+word, t, at, at+int64(len(word)))
		} else {
			r.add("https://"+word, t, t.Start, t.End)
		}
	}
}

// separates has the octets that can be before or after a typed link. Octets outside ASCII are
// never in one.
var separates = percent.NewSet(func(c byte) bool {
	return c <= ' ' || c >= 0x7f || strings.IndexByte("<>()[]{}\"'`|", c) >= 0
})
