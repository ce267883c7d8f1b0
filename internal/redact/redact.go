// Package redact makes URLs fit for logs, error texts and listings.
//
// What it returns is for people. It is one line of printable UTF-8 of at most
// [MaxRunes] characters, whatever comes in, and it may be neither a URL nor lead
// anywhere. It is made of the text alone: nothing is parsed with net/url, so that
// a text which is no valid URL is redacted as well.
//
// All functions take time linear in their argument and little memory, never
// panic, change nothing when they are applied to their own result, and may be
// called from several goroutines at once.
package redact

import "strings"

// MaxRunes is the most characters that a redacted URL has.
const MaxRunes = 300

// Each part has a limit of its own, so that what is redacted once keeps to all
// of them. A query may exceed its limit by a separator and cut.
const (
	maxHierarchy = 200
	maxHost      = 100
	maxQuery     = 80
	maxType      = 80
)

const (
	// hidden stands for what was hidden. It is the word that
	// [net/url.URL.Redacted] puts in place of a password.
	hidden = "xxxxx"
	// cut ends a part that was too long.
	cut = "..."
)

// URL returns raw without what can be a secret. Hidden are
//
//   - user names and passwords, also when the password has characters that
//     should have been escaped, in which case the host goes with it;
//   - the values of the query. The names stay, in their order, and so does the
//     difference between "a=" and "a". Only "&" separates, since what follows a
//     ";" can be part of a value. A name that can be a value, because it is long
//     or has an "@", is hidden as well, and so is a query that is not UTF-8;
//   - the fragment, which in share links is a decryption key;
//   - everything after ";URLAUTH=" (RFC 5092 section 6.1);
//   - the path of a share link of a host that is known, as [Origin] has it, also
//     where the link is in the path of another URL;
//   - the data of a data: URL, of which the media type and the number of octets
//     after the comma are left.
//
// What was hidden becomes "xxxxx", unless it was empty, and a part that is too
// long ends with "...". Space, control characters, what is not printable and
// what is not UTF-8 are percent-encoded. Removed are white space around the URL
// and a wrapper in front of it, such as "<URL:".
//
// Not hidden are the scheme, the host and the path. Where a URL is known to be a
// credential as a whole use [Origin]. A long host loses its beginning and not its end,
// which says whose it is. The addresses of
// mailto:, cid: and mid: are shown, and so is a user name that looks like a
// scheme or a host, which a password in front of an unescaped "?" or "#" makes
// of it.
func URL(raw string) string {
	raw = trim(raw)
	if rest, ok := cutPrefixFold(raw, "data:"); ok {
		return dataURL(rest)
	}
	if Credential(raw) {
		return Origin(raw)
	}
	text := appendURL(nil, raw)
	if Credential(string(text)) { // for which raw has too much in it, or too little escaped
		return Origin(raw)
	}
	hierarchy, _, _ := split(string(text))
	if inner := innerCredential(hierarchy); inner >= 0 {
		text = append(text[:inner], cut...)
	}
	return string(text)
}

// appendURL appends what URL returns for a URL that is no credential.
func appendURL(dst []byte, raw string) []byte {
	hierarchy, query, fragment := split(raw)
	inner := innerCredential(hierarchy)
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
		text = appendHidden(text, fragment[1:])
	}
	return text
}

// Origin returns what [URL] returns for the scheme and the host of raw, and
// "..." for the rest. It is for URLs that are a credential as a whole. Of a text
// without "//" after the scheme it returns the scheme, if any, and of a data:
// URL what URL returns.
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
