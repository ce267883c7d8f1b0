package filekind

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
)

// The parts of a zip file (APPNOTE.TXT sections 4.3.12 and 4.3.16).
const (
	zipEndBytes   = 22
	zipEntryBytes = 46
	maxZipEnd     = zipEndBytes + 65535 // with its comment
	maxZipDir     = 256 << 10           // octets of the directories that are read
)

// Members returns the names of the members of a zip file, as its central directory names them.
// It returns nil for any other file. Of a long directory it reads the beginning.
func Members(r io.ReaderAt, size int64) []string {
	tail := make([]byte, min(size, maxZipEnd))
	if n, err := r.ReadAt(tail, size-int64(len(tail))); err != nil && (err != io.EOF || n < len(tail)) {
		return nil
	}
	var names []string
	left := int64(maxZipDir)
	// Readers differ in the end record that they take if there are several.
	begins := []byte("PK\x05\x06")
	for end := bytes.LastIndex(tail[:max(len(tail)-zipEndBytes+len(begins), 0)], begins); end >= 0; end = bytes.LastIndex(tail[:end], begins) {
		length := int64(binary.LittleEndian.Uint32(tail[end+12:]))
		// The directory ends where the end record begins, whatever its offset says: the
		// file may have something before it. A zip64 file has its sizes elsewhere, so the
		// directory is looked for at its offset.
		at := size - int64(len(tail)-end) - length
		if length == 0xffffffff || at < 0 {
			at = int64(binary.LittleEndian.Uint32(tail[end+16:]))
			length = size - at
		}
		dir := bufio.NewReaderSize(io.NewSectionReader(r, at, min(length, left)), 1<<10)
		for entry := make([]byte, zipEntryBytes); ; {
			if _, err := io.ReadFull(dir, entry); err != nil || string(entry[:4]) != "PK\x01\x02" {
				break
			}
			name := make([]byte, binary.LittleEndian.Uint16(entry[28:]))
			n, _ := io.ReadFull(dir, name)
			names = append(names, string(name[:n]))
			more, _ := dir.Discard(int(binary.LittleEndian.Uint16(entry[30:])) + int(binary.LittleEndian.Uint16(entry[32:])))
			left -= int64(len(entry) + len(name) + more)
		}
	}
	return names
}
