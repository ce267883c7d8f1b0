package filekind

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
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
	base       int64 // what offsets in it count from
	entries    int64 // that it should have; negative if that is not known
}

// zipDirs returns the directories that the end records in a tail name, the last one first. Readers
// differ in the end record that they take if there are several.
func zipDirs(tail []byte, size int64) (list []zipDir) {
	begin := size - int64(len(tail))
	add := func(end int, length, offset, entries int64) {
		// The directory ends where the end record starts, whatever its offset says: the
		// file may have something before it.
		d := zipDir{begin + int64(end) - length, length, 0, entries}
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

// sameLocal reports whether the header of a member is as its entry in the directory says. Programs
// that unpack a stream go by the header.
func sameLocal(r io.ReaderAt, base int64, entry, name []byte) bool {
	offset := int64(binary.LittleEndian.Uint32(entry[42:]))
	if offset == 0xffffffff {
		return true // of zip64, which is not looked at
	}
	local := make([]byte, zipLocalBytes+len(name))
	if n, _ := r.ReadAt(local, base+offset); base+offset < 0 || n < len(local) {
		return false
	}
	if string(local[:4]) != "PK\x03\x04" {
		return false
	}
	sameName := int(binary.LittleEndian.Uint16(local[26:])) == len(name) && bytes.Equal(local[zipLocalBytes:], name)
	return sameName && bytes.Equal(local[8:10], entry[10:12]) && local[6]&1 == entry[8]&1
}
