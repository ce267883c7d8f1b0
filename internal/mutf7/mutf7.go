// Package mutf7 writes the names of IMAP mailboxes as they are sent to a server
// that has not been asked for UTF-8: in modified UTF-7 (RFC 3501 section
// 5.1.3).
package mutf7

import (
	"encoding/base64"
	"strings"
	"unicode/utf16"
)

// base64Encoding is that of modified UTF-7: "," in place of "/", and no padding.
var base64Encoding = base64.NewEncoding("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+,").WithPadding(base64.NoPadding)

// Encode returns a name, which is valid UTF-8, in modified UTF-7. It consists
// of printable ASCII.
func Encode(name string) string {
	var b strings.Builder
	var run []byte // UTF-16, big-endian
	flush := func() {
		if len(run) > 0 {
			b.WriteString("&" + base64Encoding.EncodeToString(run) + "-")
			run = run[:0]
		}
	}
	for _, r := range name {
		switch {
		case r == '&':
			flush()
			b.WriteString("&-")
		case r >= ' ' && r <= '~':
			flush()
			b.WriteRune(r)
		default:
			for _, u := range utf16.Encode([]rune{r}) {
				run = append(run, byte(u>>8), byte(u))
			}
		}
	}
	flush()
	return b.String()
}
