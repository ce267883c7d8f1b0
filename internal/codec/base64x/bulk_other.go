//go:build !amd64 || purego

package base64x

// The library was not tested on other processors.
const (
	minBulk = 0
	hasBulk = false
)

func bulkDecode(dst, src []byte) (n int, ok bool) { return decodeTable(dst, src) }

func bulkEncode(dst, src []byte) {}
