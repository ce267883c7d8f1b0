package interstitial

import (
	"bytes"
	"compress/gzip"
	"io"
	"slices"
	"strings"

	"github.com/go-extbody/extbody/internal/codec/charset"
	"github.com/go-extbody/extbody/internal/mime/param"
)

// sniff reports whether head starts as HTML does. It skips a byte order mark of UTF-8,
// as browsers do when they read text.
func sniff(head []byte) bool {
	head = begin(head)
	for _, tag := range htmlTags {
		n := len(tag)
		if len(head) < n || !bytes.EqualFold(head[:n], []byte(tag)) {
			continue
		}
		if tag == "<!--" || endsName(head[n:]) {
			return true
		}
	}
	return false
}

// endsName reports whether rest, which follows the name of a tag, ends it.
func endsName(rest []byte) bool { return len(rest) > 0 && (rest[0] == ' ' || rest[0] == '>') }

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

// begin returns head without a byte order mark and the white space at its start.
func begin(head []byte) []byte {
	return bytes.TrimLeft(bytes.TrimPrefix(head, []byte(byteOrderMark)), "\t\n\f\r ")
}

// isBinary reports whether head contains a "binary data byte" (MIME Sniffing Standard,
// section 3) or starts a PDF file, which may have no such octet.
func isBinary(head []byte) bool {
	if bytes.HasPrefix(head, []byte("%PDF-")) {
		return true
	}
	return bytes.ContainsFunc(head, func(c rune) bool { return c < ' ' && !strings.ContainsRune("\t\n\f\r\x1b", c) })
}

const gzBeginning = "\x1f\x8b"

// announcedFamily returns the family of the announced file, or nil. As in announced, the
// name counts before the media type.
func announcedFamily(want Expect) *family {
	ext := extension(want.Name)
	if f := familyOfExtension(ext); f != nil || formOf(ext) != unknown {
		return f
	}
	t := param.Parse(want.MediaType).Type
	switch {
	case strings.HasPrefix(t, "application/vnd.openxmlformats-officedocument."):
		return &families[ooxml]
	case strings.HasPrefix(t, "application/vnd.oasis.opendocument."):
		return &families[odf]
	}
	return familyOfType(t)
}

// entryBytes is how many octets isArchive needs.
const entryBytes = 30 + 64

// isArchive reports whether head starts a zip file that is not an Office document or an OpenDocument: its
// first entry (APPNOTE section 4.3.7) is a folder, or a file that such a document does not
// have.
func isArchive(head []byte) bool {
	const nameAt = 30
	if !bytes.HasPrefix(head, []byte(families[zip].beginnings[0])) || len(head) < nameAt {
		return false
	}
	n := min(int(head[26])|int(head[27])<<8, entryBytes-nameAt)
	name := strings.ToLower(string(head[nameAt:min(len(head), nameAt+n)]))
	return name != "" && len(head) >= nameAt+n && !slices.ContainsFunc(
		officeEntries, func(entry string) bool { return strings.HasPrefix(name, entry) },
	)
}

// maxBeforePDF is how many octets PDF readers search for the header of a file.
const maxBeforePDF = 1024

// starts reports whether head is the start of a file of the family.
func (f *family) begins(head []byte) bool {
	if f == &families[pdf] {
		return bytes.Contains(head[:min(len(head), maxBeforePDF)], []byte(f.beginnings[0])) && !sniff(head)
	}
	return slices.ContainsFunc(f.beginnings, func(b string) bool { return bytes.HasPrefix(head, []byte(b)) })
}

// Starts reports whether it is known how a file announced as want starts, and whether
// head, its first octets, start so.
func Begins(want Expect, head []byte) (known, begins bool) {
	f := announcedFamily(want)
	return f != nil, f != nil && f.begins(head)
}

// plain returns head as text: uncompressed if it is gzip, then converted from UTF-16 or
// without a few NULs. It returns anything else unchanged.
func plain(head []byte) []byte {
	if bytes.HasPrefix(head, []byte(gzBeginning)) {
		if z, err := gzip.NewReader(bytes.NewReader(head)); err == nil {
			out := make([]byte, HeadBytes)
			n, _ := io.ReadFull(z, out) // an error is expected, since head is cut
			return plainText(out[:n])
		}
	}
	return plainText(head)
}

func plainText(head []byte) []byte {
	switch {
	case bytes.HasPrefix(head, []byte("\xff\xfe")), wide(head, 1):
		return fromUTF16(head, "utf-16le")
	case bytes.HasPrefix(head, []byte("\xfe\xff")), wide(head, 0):
		return fromUTF16(head, "utf-16be")
	}
	if n := bytes.Count(head, []byte{0}); n > 0 && n <= maxNULs && !isBinary(bytes.ReplaceAll(head, []byte{0}, nil)) {
		return bytes.ReplaceAll(head, []byte{0}, nil)
	}
	return head
}

// maxNULs bounds the zero octets in a page.
const maxNULs = 16

// wide reports whether head starts with ASCII in UTF-16. zero is the index of the zero
// octet in each unit, 0 or 1.
func wide(head []byte, zero int) bool {
	n := min(len(head), 32) &^ 1
	if n < 8 {
		return false
	}
	for i := 0; i < n; i += 2 {
		if head[i+zero] != 0 || head[i+1-zero] == 0 || head[i+1-zero] >= 0x80 {
			return false
		}
	}
	return true
}

// fromUTF16 returns text in UTF-8 and without a byte order mark.
func fromUTF16(text []byte, label string) []byte {
	text, _ = io.ReadAll(charset.Narrow(bytes.NewReader(text[:len(text)&^1]), nil, label))
	return text
}
