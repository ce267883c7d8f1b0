package filekind

import (
	"bytes"
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
	return ok && binary.LittleEndian.Uint32(root[80:])&^7 == 0x000c1080 &&
		string(root[84:96]) == "\x00\x00\x00\x00\xc0\x00\x00\x00\x00\x00\x00\x46"
}

// isEncryptedCompound reports whether a compound file has an Office document under a password
// (MS-OFFCRYPTO section 2.3.4.4): an entry of its directory has that name.
func isEncryptedCompound(r io.ReaderAt, size int64) bool {
	at, ok := compoundDir(r, size)
	if !ok {
		return false
	}
	dir := make([]byte, min(size-at, maxCFBDir))
	n, _ := r.ReadAt(dir, at)
	var name []byte
	for _, c := range []byte("EncryptedPackage") {
		name = append(name, c, 0)
	}
	return bytes.Contains(dir[:n], name)
}

// isCompound reports whether a file with the start of a compound file has its directory too.
func isCompound(r io.ReaderAt, size int64) bool {
	root, ok := compoundRoot(r, size)
	const isRoot = 5 // the type of an entry (MS-CFB section 2.6.1)
	return ok && root[66] == isRoot
}

// compoundRoot returns the first entry of the directory of a compound file.
func compoundRoot(r io.ReaderAt, size int64) ([]byte, bool) {
	at, ok := compoundDir(r, size)
	if !ok {
		return nil, false
	}
	root := make([]byte, compoundEntryBytes)
	_, err := r.ReadAt(root, at)
	return root, err == nil || err == io.EOF
}

// compoundDir returns where the directory of a compound file starts.
func compoundDir(r io.ReaderAt, size int64) (at int64, ok bool) {
	header := make([]byte, compoundHeaderBytes)
	if _, err := r.ReadAt(header, 0); err != nil {
		return 0, false
	}
	shift := binary.LittleEndian.Uint16(header[30:])
	if shift != 9 && shift != 12 {
		return 0, false
	}
	at = (int64(binary.LittleEndian.Uint32(header[48:])) + 1) << shift
	return at, at+compoundEntryBytes <= size
}
