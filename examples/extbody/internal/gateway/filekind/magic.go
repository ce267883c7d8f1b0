package filekind

// isTar reports whether head is the beginning of a tar file (POSIX.1-2017, pax, ustar).
func isTar(head []byte) bool {
	return len(head) > tarMagicAt+5 && string(head[tarMagicAt:tarMagicAt+5]) == "ustar"
}

const tarMagicAt = 257
