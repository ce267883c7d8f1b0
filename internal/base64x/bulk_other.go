//go:build !amd64 || purego

package base64x

// Without a library that was tested on it, a processor has the tables.
const (
	minBulk = 0
	hasBulk = false
)

func bulkDecode(dst, src []byte) (n int, ok bool) { return decodeTable(dst, src) }

func bulkEncode(dst, src []byte) { encodeTable(dst, src) }
