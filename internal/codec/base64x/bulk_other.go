//go:build !amd64 || purego

package base64x

// A processor on which no library was tested uses the tables.
const (
	minBulk = 0
	hasBulk = false
)

func bulkDecode(dst, src []byte) (n int, ok bool) { return decodeTable(dst, src) }

func bulkEncode(dst, src []byte) { encodeTable(dst, src) }
