package filekind

import "io"

// isTar reports whether head is the start of a tar file (POSIX.1-2017, pax, ustar).
func isTar(head []byte) bool {
	return len(head) > tarMagicAt+5 && string(head[tarMagicAt:tarMagicAt+5]) == "ustar"
}

const tarMagicAt = 257

// isDiskImage reports whether a file is the image of a disc: ISO 9660 (ECMA-119 section 8.1) or UDF (ECMA-167
// section 2/9.1).
func isDiskImage(r io.ReaderAt) bool {
	id := make([]byte, 5)
	n, _ := r.ReadAt(id, 0x8001)
	return n == len(id) && (string(id) == "CD001" || string(id) == "BEA01")
}
