package filekind

import (
	"bytes"
)

// isTar reports whether head is the beginning of a tar file (POSIX.1-2017, pax, ustar).
func isTar(head []byte) bool {
	return len(head) > tarMagicAt+5 && string(head[tarMagicAt:tarMagicAt+5]) == "ustar"
}

// isSVG reports whether the first element of a text is svg.
func isSVG(head []byte) bool {
	text := bytes.TrimPrefix(head, []byte("\xef\xbb\xbf"))
	for {
		text = bytes.TrimLeft(text, " \t\r\n")
		switch {
		case bytes.HasPrefix(text, []byte("<?")), bytes.HasPrefix(text, []byte("<!--")), bytes.HasPrefix(text, []byte("<!DOCTYPE")), bytes.HasPrefix(text, []byte("<!doctype")):
			end := []byte(">")
			if bytes.HasPrefix(text, []byte("<!--")) {
				end = []byte("-->")
			}
			_, after, ok := bytes.Cut(text, end)
			if !ok {
				return false
			}
			text = after
		default:
			name, _, _ := bytes.Cut(text, []byte(" "))
			name, _, _ = bytes.Cut(name, []byte(">"))
			_, local, prefixed := bytes.Cut(name, []byte(":"))
			return bytes.EqualFold(bytes.TrimSpace(name), []byte("<svg")) || prefixed && bytes.EqualFold(local, []byte("svg")) ||
				bytes.HasPrefix(bytes.ToLower(name), []byte("<svg\n")) || bytes.HasPrefix(bytes.ToLower(name), []byte("<svg\r"))
		}
	}
}

const tarMagicAt = 257
