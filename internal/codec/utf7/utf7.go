// Package utf7 writes and reads the names of IMAP mailboxes in modified UTF-7 (RFC
// 3501 section 5.1.3). Servers use it unless the client enables UTF-8.
package utf7

import (
	"encoding/base64"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// base64Encoding is the base64 of modified UTF-7: with "," instead of "/", and
// without padding.
var base64Encoding = base64.NewEncoding("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+,").WithPadding(base64.NoPadding)

// Encode returns a name in modified UTF-7, which is printable ASCII. The name must be
// valid UTF-8.
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

// Decode returns the name whose encoding is s. It reports false if Encode encodes no
// name as s: the client could not send such a name to the server again.
func Decode(s string) (name string, ok bool) {
	var b strings.Builder
	for rest := s; rest != ""; {
		before, after, coded := strings.Cut(rest, "&")
		b.WriteString(before)
		if !coded {
			break
		}
		run, after, ended := strings.Cut(after, "-")
		if !ended {
			return "", false
		}
		if rest = after; run == "" {
			b.WriteByte('&')
			continue
		}
		octets, err := base64Encoding.DecodeString(run)
		if err != nil {
			return "", false
		}
		units := make([]uint16, len(octets)/2)
		for i := range units {
			units[i] = uint16(octets[2*i])<<8 | uint16(octets[2*i+1])
		}
		b.WriteString(string(utf16.Decode(units)))
	}
	name = b.String()
	return name, utf8.ValidString(name) && Encode(name) == s
}
