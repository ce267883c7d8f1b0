package filekind

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/binary"
	"io"
	"iter"
	"path"
	"slices"
	"strings"

	"github.com/go-extbody/extbody/internal/codec/lazyregexp"
)

// The parts of a zip file (APPNOTE.TXT sections 4.3.7, 4.3.12, 4.3.14 and 4.3.16).
const (
	zipLocalBytes = 30
	zipEndBytes   = 22
	zipEnd64Bytes = 56
	zipEntryBytes = 46
	maxZipEnd     = zipEndBytes + 65535 // with its comment
)

// A zipDir is a central directory.
type zipDir struct {
	at, length int64
	base       int64 // the octet from which its offsets count
	entries    int64 // that it should have; negative if that is not known
	last       bool  // its end record is the last one
	ends       bool  // the file ends after its end record
}

// zipDirs returns the directories that the end records in a tail name, the last one first. Readers
// differ in the end record that they take if there are several.
func zipDirs(tail []byte, size int64) (list []zipDir) {
	begin := size - int64(len(tail))
	ends := false
	add := func(end int, length, offset, entries int64) {
		// The directory ends where the end record starts, whatever its offset says: the
		// file may have something before it.
		d := zipDir{at: begin + int64(end) - length, length: length, entries: entries, last: len(list) == 0, ends: ends}
		if length < 0 || d.at < 0 {
			d.at = offset
			d.length = size - offset
		}
		d.base = d.at - offset
		if d.at >= 0 && d.length > 0 {
			list = append(list, d)
		}
	}
	last := true
	for end := len(tail) - zipEndBytes; end >= 0; end-- {
		end = bytes.LastIndex(tail[:end+4], []byte("PK\x05\x06"))
		if end < 0 {
			break
		}
		length := int64(binary.LittleEndian.Uint32(tail[end+12:]))
		offset := int64(binary.LittleEndian.Uint32(tail[end+16:]))
		entries := int64(binary.LittleEndian.Uint16(tail[end+10:]))
		if !last || entries == 0xffff {
			entries = -1
		}
		last = false
		ends = end+zipEndBytes+int(binary.LittleEndian.Uint16(tail[end+20:])) == len(tail)
		if length != 0xffffffff && offset != 0xffffffff {
			add(end, length, offset, entries)
		}
	}
	for end := len(tail) - zipEnd64Bytes; end >= 0; end-- {
		end = bytes.LastIndex(tail[:end+4], []byte("PK\x06\x06"))
		if end < 0 {
			break
		}
		add(end, int64(binary.LittleEndian.Uint64(tail[end+40:])), int64(binary.LittleEndian.Uint64(tail[end+48:])), -1)
	}
	return list
}

// The methods of packing that are read (APPNOTE.TXT section 4.4.5).
const (
	zipStored   = 0
	zipDeflated = 8
)

// describes skips the sizes after a member (APPNOTE.TXT section 4.3.9), which may have a signature, and numbers of 4 or
// 8 octets, and reports whether another header follows.
func describes(r *bufio.Reader) bool {
	for _, n := range []int{12, 16, 20, 24} {
		next, err := r.Peek(n + 4)
		if err != nil {
			return false
		}
		if (n%8 != 0 || string(next[:4]) == "PK\x07\x08") && string(next[n:n+2]) == "PK" {
			_, err := r.Discard(n)
			return err == nil
		}
	}
	return false
}

// A zipEntry is a member as a central directory has it (APPNOTE.TXT section 4.3.12).
type zipEntry struct {
	name          string
	paths         []string // its names in Unicode
	flags, method uint16
	packed, at    int64
	octets        int64 // of the entry
}

// readZipEntry reads the next entry of a directory. It reports false at the end of it.
func readZipEntry(dir *bufio.Reader) (*zipEntry, bool) {
	entry := make([]byte, zipEntryBytes)
	if _, err := io.ReadFull(dir, entry); err != nil || string(entry[:4]) != "PK\x01\x02" {
		return nil, false
	}
	text := make([]byte, binary.LittleEndian.Uint16(entry[28:]))
	n, _ := io.ReadFull(dir, text)
	extra := make([]byte, binary.LittleEndian.Uint16(entry[30:]))
	more, _ := io.ReadFull(dir, extra)
	extra = extra[:more]
	comment, _ := dir.Discard(int(binary.LittleEndian.Uint16(entry[32:])))
	e := &zipEntry{
		name: string(text[:n]), paths: unicodePaths(extra),
		flags: binary.LittleEndian.Uint16(entry[8:]), method: binary.LittleEndian.Uint16(entry[10:]),
		octets: int64(len(entry) + len(text) + more + comment),
	}
	numbers := []int64{
		int64(binary.LittleEndian.Uint32(entry[24:])), int64(binary.LittleEndian.Uint32(entry[20:])),
		int64(binary.LittleEndian.Uint32(entry[42:])),
	}
	wide64(numbers, extra)
	e.packed = numbers[1]
	e.at = numbers[2]
	return e, true
}

// wide64 sets the sizes and the place of a member that its extra field for zip64 has (section 4.5.3).
func wide64(numbers []int64, extra []byte) {
	for id, value := range zipFields(extra) {
		if id != 1 {
			continue
		}
		for i, n := range numbers {
			if n == 0xffffffff && len(value) >= 8 {
				numbers[i] = int64(binary.LittleEndian.Uint64(value))
				value = value[8:]
			}
		}
	}
}

// zipFields yields the extra fields of a member by their numbers (section 4.5.1).
func zipFields(extra []byte) iter.Seq2[uint16, []byte] {
	return func(yield func(uint16, []byte) bool) {
		for len(extra) >= 4 {
			id := binary.LittleEndian.Uint16(extra)
			end := min(4+int(binary.LittleEndian.Uint16(extra[2:])), len(extra))
			if !yield(id, extra[4:end]) {
				return
			}
			extra = extra[end:]
		}
	}
}

// unicodePaths returns the names in the Unicode Path fields of a member (section 4.6.9). A program takes such a name
// if the checksum in it is right, and some programs take it anyway.
func unicodePaths(extra []byte) (names []string) {
	const before = 5 // the version and the checksum
	for id, value := range zipFields(extra) {
		if id == 0x7075 && len(value) > before {
			names = append(names, string(value[before:]))
		}
	}
	return names
}

// A zipLocal is the header of a member, before its octets (section 4.3.7).
type zipLocal struct {
	name          string
	paths         []string
	flags, method uint16
	octets        int64 // of the header
}

// readZipLocal reads the header of a member. It reports false without one.
func readZipLocal(r io.ReaderAt, at int64) (*zipLocal, bool) {
	if at < 0 {
		return nil, false
	}
	return zipLocalOf(bufio.NewReader(io.NewSectionReader(r, at, zipLocalBytes+2*65535)))
}

// zipLocalOf reads the header of a member at the start of r, up to the octets of the member.
func zipLocalOf(r *bufio.Reader) (*zipLocal, bool) {
	local := make([]byte, zipLocalBytes)
	if _, err := io.ReadFull(r, local); err != nil || string(local[:4]) != "PK\x03\x04" {
		return nil, false
	}
	text := make([]byte, binary.LittleEndian.Uint16(local[26:]))
	extra := make([]byte, binary.LittleEndian.Uint16(local[28:]))
	if _, err := io.ReadFull(r, text); err != nil {
		return nil, false
	}
	if _, err := io.ReadFull(r, extra); err != nil {
		return nil, false
	}
	return &zipLocal{
		name: string(text), paths: unicodePaths(extra),
		flags: binary.LittleEndian.Uint16(local[6:]), method: binary.LittleEndian.Uint16(local[8:]),
		octets: int64(len(local) + len(text) + len(extra)),
	}, true
}

// isSpelling reports whether a name in Unicode may be another spelling of a name in an older charset: the same but
// for the characters that the older one lacks, for which there may be question marks, underscores or numbers.
func isSpelling(name, unicode string) bool {
	if !strings.EqualFold(path.Ext(ascii(name)), path.Ext(ascii(unicode))) {
		return false
	}
	isASCII := ascii(name) == name && !strings.ContainsAny(name, "?_#")
	return !isASCII && ascii(name) == ascii(unicode)
}

// ascii returns the letters, digits and dots of ASCII in a name, without the numbers of others ("#U20ac").
func ascii(name string) string {
	name = escapedUnicode().ReplaceAllString(name, "")
	return strings.Map(func(c rune) rune {
		isLetter := 'a' <= c|0x20 && c|0x20 <= 'z'
		if isLetter || '0' <= c && c <= '9' || c == '.' || c == '/' {
			return c
		}
		return -1
	}, name)
}

var escapedUnicode = lazyregexp.New(`#[UL][0-9a-fA-F]{4,6}`)

// A zipSpan is where a member is in a file.
type zipSpan struct{ start, end int64 }

// gaps returns the octets from start to end that are in none of the spans.
func gaps(start, end int64, spans []zipSpan) (list []zipSpan) {
	slices.SortFunc(spans, func(a, b zipSpan) int { return cmp.Compare(a.start, b.start) })
	for _, s := range append(spans, zipSpan{end, end}) {
		if s.start-start >= zipLocalBytes {
			list = append(list, zipSpan{start, min(s.start, end)})
		}
		start = max(start, s.end)
	}
	return list
}
