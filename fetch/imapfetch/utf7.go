package imapfetch

import (
	"encoding/base64"
	"strings"
	"unicode/utf16"
)

// mailboxBase64 is the base64 of modified UTF-7: "," in place of "/", and no
// padding (RFC 3501 section 5.1.3).
var mailboxBase64 = base64.NewEncoding("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+,").WithPadding(base64.NoPadding)

// modifiedUTF7 returns the name of a mailbox, which is valid UTF-8, as it is
// sent.
func modifiedUTF7(name string) string {
	var b strings.Builder
	var run []byte // UTF-16, big-endian
	flush := func() {
		if len(run) > 0 {
			b.WriteString("&" + mailboxBase64.EncodeToString(run) + "-")
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
