// Package redact makes URLs fit for logs, error texts and listings.
//
// Its results are for people. A result is one line of printable UTF-8 of at most
// [MaxRunes] characters, for any input. It need not be a URL, or lead anywhere. It is
// made from the text alone: nothing is parsed with net/url, so that a text that is not
// a valid URL is redacted too.
//
// All functions take time linear in their argument and little memory, and never panic.
// Applied to their own result, they change nothing. Several goroutines may call them at
// once.
package redact

import (
	"strings"

	"github.com/go-extbody/extbody/internal/link/sharelink"
)

// MaxRunes is the most characters that a redacted URL has.
const MaxRunes = 300

// URL returns raw without the parts that can be secret. It hides
//
//   - user names and passwords. If a password has characters that should have been
//     escaped, the host is hidden with it;
//   - the values of the query. The names stay, in their order, and so does the
//     difference between "a=" and "a". Only "&" separates, since the text after a
//     ";" can be part of a value. A name that can be a value, because it is long or has an "@",
//     is hidden as well, and so is a query that is not UTF-8;
//   - the fragment, which in share links is a decryption key;
//   - everything after ";URLAUTH=" (RFC 5092 section 6.1);
//   - the path of a share link of a known host, in the way of [Origin], also where the
//     link is in the path of another URL;
//   - the data of a data: URL. The media type and the number of octets after the comma
//     stay.
//
// A hidden part becomes "xxxxx", unless it was empty. A part that is too long ends
// with "...". White space, control characters, and everything that is not printable or
// not UTF-8 is percent-encoded. White space around the URL and a wrapper before it,
// such as "<URL:", are removed.
//
// The scheme, the host and the path are not hidden. If a URL is known to be a
// credential as a whole, use [Origin]. A long host loses its start and not its end,
// which shows its owner. The addresses of mailto:, cid: and mid: are shown. So is a
// user name that looks like a scheme or a host: a password before an unescaped "?" or
// "#" makes it look so.
func URL(raw string) string { return Rules{}.URL(raw) }

// URL is the function URL by these rules.
func (r Rules) URL(raw string) string {
	shown, _, _ := r.Analyze(raw)
	return shown
}

// Analyze returns the results of URL and Credential for one match of the share link rules.
// link is the share link that raw is, or nil.
func (r Rules) Analyze(raw string) (shown string, link *sharelink.Link, credential bool) {
	whole := raw
	raw = trim(raw)
	if rest, ok := cutPrefixFold(raw, "data:"); ok {
		return dataURL(rest), nil, false
	}
	link, credential = r.match(whole)
	if credential {
		return Origin(raw), link, true
	}
	text := r.appendURL(nil, raw)
	if string(text) == raw {
		return raw, nil, false // nothing was hidden, and raw is not a credential
	}
	if r.Credential(string(text)) { // raw has too much in it, or too little escaped, to be recognised
		return Origin(raw), nil, false
	}
	hierarchy, _, _ := split(string(text))
	if inner := r.innerCredential(hierarchy); inner >= 0 {
		text = append(text[:inner], cut...)
	}
	return string(text), nil, false
}

// appendURL appends the result of URL for a URL that is not a credential.
func (r Rules) appendURL(dst []byte, raw string) []byte {
	hierarchy, query, fragment := split(raw)
	inner := r.innerCredential(hierarchy)
	if inner >= 0 {
		hierarchy = hierarchy[:inner]
	}
	text, whole := appendHierarchy(dst, hierarchy, raw)
	if !whole {
		return text
	}
	if inner >= 0 {
		return append(text, cut...)
	}
	if query != "" {
		text = append(text, '?')
		text = appendQuery(text, query[1:])
	}
	if fragment != "" {
		text = append(text, '#')
	}
	if len(fragment) > len("#") {
		text = append(text, hidden...)
	}
	return text
}

// Origin returns the result of [URL] for the scheme and the host of raw, and "..." for
// the rest. It is for URLs that are a credential as a whole. Of a text without "//"
// after the scheme it returns the scheme, if any. For a data: URL it returns the same
// as URL.
func Origin(raw string) string {
	raw = trim(raw)
	if rest, ok := cutPrefixFold(raw, "data:"); ok {
		return dataURL(rest)
	}
	hierarchy, _, _ := split(raw)
	end := len(scheme(hierarchy))
	if !strings.HasPrefix(hierarchy[end:], "//") {
		return hierarchy[:end] + cut
	}
	end += len("//")
	if i := strings.IndexByte(hierarchy[end:], '/'); i >= 0 {
		end += i
	} else {
		end = len(hierarchy)
	}
	text, _ := appendHierarchy(nil, raw[:end], raw)
	if end < len(raw) {
		text = append(text, "/"+cut...)
	}
	return string(text)
}
