package filekind

import (
	"encoding/binary"
	"io"
)

// The header of a compound file (MS-CFB sections 2.2 and 2.6).
const (
	compoundHeaderBytes = 512
	compoundEntryBytes  = 128
)

// isInstaller reports whether a compound file is a package of the Windows Installer: the class of
// its root entry says so.
func isInstaller(r io.ReaderAt, size int64) bool {
	root, ok := compoundRoot(r, size)
	// {000C108x-0000-0000-C000-000000000046}: packages, transforms and patches.
	return ok && binary.LittleEndian.Uint32(root[80:])&^7 == 0x000c1080 && string(root[84:96]) == "\x00\x00\x00\x00\xc0\x00\x00\x00\x00\x00\x00\x46"
}

// compoundRoot returns the first entry of the directory of a compound file.
func compoundRoot(r io.ReaderAt, size int64) ([]byte, bool) {
	header := make([]byte, compoundHeaderBytes)
	if _, err := r.ReadAt(header, 0); err != nil {
		return nil, false
	}
	shift := binary.LittleEndian.Uint16(header[30:])
	if shift != 9 && shift != 12 {
		return nil, false
	}
	at := (int64(binary.LittleEndian.Uint32(header[48:])) + 1) << shift
	root := make([]byte, compoundEntryBytes)
	if at+compoundEntryBytes > size {
		return nil, false
	}
	_, err := r.ReadAt(root, at)
	return root, err == nil || err == io.EOF
}
