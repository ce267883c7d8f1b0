package interstitial

import "bytes"

// htmlTags are the beginnings that identify HTML (MIME Sniffing Standard, section 7.1).
// Each of them except the comment must be followed by a space or ">".
var htmlTags = []string{
	"<!DOCTYPE HTML", "<HTML", "<HEAD", "<SCRIPT", "<IFRAME", "<H1", "<DIV", "<FONT", "<TABLE",
	"<A", "<STYLE", "<TITLE", "<B", "<BODY", "<BR", "<P", "<!--",
}

// sniff reports whether head begins as HTML does. It skips a byte order mark of UTF-8,
// as browsers do when they read text.
func sniff(head []byte) bool {
	head = begin(head)
	for _, tag := range htmlTags {
		n := len(tag)
		if len(head) >= n && bytes.EqualFold(head[:n], []byte(tag)) && (tag == "<!--" || len(head) > n && (head[n] == ' ' || head[n] == '>')) {
			return true
		}
	}
	return false
}

// canBeHTML reports whether sniff may report true for head with more octets after it.
func canBeHTML(head []byte) bool {
	if bytes.HasPrefix([]byte(byteOrderMark), head) {
		return true
	}
	head = begin(head)
	for _, tag := range htmlTags {
		if n := min(len(head), len(tag)); bytes.EqualFold(head[:n], []byte(tag[:n])) && (n == len(head) || sniff(head)) {
			return true
		}
	}
	return false
}

const byteOrderMark = "\xef\xbb\xbf"

// begin returns head without a byte order mark and the white space at its beginning.
func begin(head []byte) []byte {
	return bytes.TrimLeft(bytes.TrimPrefix(head, []byte(byteOrderMark)), "\t\n\f\r ")
}

// isBinary reports whether head contains a "binary data byte" (MIME Sniffing Standard,
// section 3) or begins a PDF file, which may have no such octet.
func isBinary(head []byte) bool {
	if bytes.HasPrefix(head, []byte("%PDF-")) {
		return true
	}
	for _, c := range head {
		switch {
		case c <= 0x08, c == 0x0b, 0x0e <= c && c <= 0x1a, 0x1c <= c && c <= 0x1f:
			return true
		}
	}
	return false
}
