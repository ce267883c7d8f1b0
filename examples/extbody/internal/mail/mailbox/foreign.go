package mailbox

import "bytes"

// signatures are the beginnings of files that hold something other than mail, or mail
// in a form that is not read.
var signatures = []string{
	"PK\x03\x04", "PK\x05\x06", "7z\xBC\xAF\x27\x1C", "Rar!\x1A\x07", "MSCF", // archives
	"\x1F\x8B", "BZh", "\xFD7zXZ\x00", "\x28\xB5\x2F\xFD", "\x04\x22\x4D\x18", "Dovecot-LZ4", // compressed
	"!BDN", "\xCF\xAD\x12\xFE", "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", "\x78\x9F\x3E\x22", "// <!-- <mdb:mork", // mail programs
	"%PDF-", "{\\rtf", "\x89PNG\r\n\x1A\n", "\xFF\xD8\xFF", "GIF8", "II*\x00", "MM\x00*", "RIFF", "OggS", "ID3", // documents
	"\x7FELF", "MZ", "\xCA\xFE\xBA\xBE", "SQLite format 3\x00", "bplist00", // programs and their data
}

// tarMark is in a header of tar, at tarPlace.
const (
	tarMark  = "ustar"
	tarPlace = 257
)

// foreign reports whether b, the first octets of a file, cannot begin mail. A file that
// begins with a header field, or a line between messages, is mail whatever follows. So
// is text.
func foreign(b []byte) bool {
	if isField(b) || bytes.HasPrefix(b, fromWord) || delimiter(b) > 0 {
		return false
	}
	for _, s := range signatures {
		if bytes.HasPrefix(b, []byte(s)) {
			return true
		}
	}
	if len(b) > tarPlace && bytes.HasPrefix(b[tarPlace:], []byte(tarMark)) {
		return true
	}
	return bytes.IndexByte(b, 0) >= 0
}
