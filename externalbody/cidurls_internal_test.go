package externalbody

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// A cid: URL is found wherever in the message it is, also across the pieces in
// which that is read.
func TestReadCIDURLs(t *testing.T) {
	for _, pad := range []int{0, 1, 60<<10 + 1, 64<<10 - 260, 64<<10 - 259, 64<<10 - 8, 64<<10 - 4, 64<<10 - 3, 64 << 10, 200 << 10} {
		text := strings.Repeat("c", pad) + "<cid:a@b>"
		for _, tail := range []string{"", "\"cid:" + strings.Repeat("x", 300) + "y", strings.Repeat(" ", 300)} {
			urls, err := readCIDURLs(strings.NewReader(text + tail))
			if err != nil || !urls.has("a@b") || urls.has("b") {
				t.Errorf("%d octets before, %d after: got %d URLs, %v, want a@b", pad, len(tail), len(urls), err)
			}
			if long := strings.Repeat("x", 300); urls.has(long) != strings.Contains(tail, long) {
				t.Errorf("%d octets before: got the long one %t, want %t", pad, urls.has(long), strings.Contains(tail, long))
			}
		}
	}
	urls, err := readCIDURLs(iotest.OneByteReader(strings.NewReader("cid:b cid:a cid:a\ncid:cid:c \"cid:\"")))
	if want := (cidURLs{"", "a", "b", "cid:c"}); !slices.Equal(urls, want) || err != nil {
		t.Errorf("got %q, %v, want %q", urls, err, want)
	}
	if _, err := readCIDURLs(iotest.ErrReader(iotest.ErrTimeout)); !errors.Is(err, iotest.ErrTimeout) {
		t.Errorf("got %v, want %v", err, iotest.ErrTimeout)
	}
}
