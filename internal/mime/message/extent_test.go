package message

import (
	"strings"
	"testing"
	"testing/iotest"
)

// OP-46: an Extent is the same in whatever pieces the octets come.
func TestExtent(t *testing.T) {
	for _, c := range []struct {
		name, text   string
		body         int64
		size, bodies int64
		want         Completeness
	}{
		{"Right", "A: b\r\n\r\nhello\r\n", 7, 15, 7, Whole},
		{"SizeMore", "A: b\r\n\r\nhello\r\n", 7, 20, 7, Whole},
		{"NothingKnown", "A: b\r\n\r\nhello\r\n", 7, 0, -1, Whole},
		{"NoSize", "A: b\r\n\r\nhello\r\n", 7, -1, 7, Whole},
		{"Unix", "A: b\n\nhello\n", 6, 15, 7, Whole},
		{"UnixHeader", "A: b\n\nhello\r\n", 7, 15, 7, Whole},
		{"BothMore", "A: b\r\n\r\nhello\r\n", 7, 30, 9, Doubtful},
		{"BodiesMore", "A: b\r\n\r\nhello\r\n", 7, 16, 9, Whole}, // by more than the size: both cannot be right
		{"Less", "A: b\r\n\r\nhel", 3, 15, 7, Doubtful},
		{"Header", "A: b\r\n\r\n", 0, 15, 7, Doubtful},
		{"HeaderOfMore", "A: b\r\n\r\n", 0, 90, 80, Cut},
		{"StartOfHeader", "A: ", 0, 15, 7, Cut},
		{"NoHeader", "\r\nhello\r\n", 7, 9, 7, Whole},
		{"CRInHeader", "A: b\r\r\n\r\nhello", 5, 14, 5, Whole},
		{"Empty", "", 0, 15, -1, Cut},
		{"EmptyOfBodies", "", 0, 0, 7, Cut},
		{"EmptyMessage", "", 0, 0, 0, Whole},
	} {
		var whole, single Extent
		whole.Write([]byte(c.text))
		r := iotest.OneByteReader(strings.NewReader(c.text))
		for b := make([]byte, 1); ; {
			n, err := r.Read(b)
			single.Write(b[:n])
			if err != nil {
				break
			}
		}
		for _, e := range []*Extent{&whole, &single} {
			all, body := e.Octets()
			got := e.Against(c.size, c.bodies)
			if all != int64(len(c.text)) || body != c.body || got != c.want {
				t.Errorf("%s: got %d octets, %d of them in the body, and %d; want %d, %d and %d", c.name, all, body, got, len(c.text), c.body, c.want)
			}
		}
	}
}
