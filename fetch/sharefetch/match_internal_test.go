package sharefetch

import (
	"testing"

	"github.com/go-extbody/extbody/fetch"
)

// TestMatchedOnce: Check and Fetch of one URL match the share link rules once, and another
// URL gets a match of its own.
func TestMatchedOnce(t *testing.T) {
	f := New(nil, nil).(*fetcher)
	const one, other = "https://www.dropbox.com/s/abc1231a2B3c4D5/a.bin?dl=0", "https://www.dropbox.com/s/def4561a2B3c4D5/b.bin?dl=0"
	match := func(text string) string {
		link, ok := f.match(&fetch.Request{Text: text})
		if !ok {
			return ""
		}
		return link.Direct
	}
	direct := match(one)
	first := f.last.Load()
	if match(one) != direct || f.last.Load() != first {
		t.Errorf("got a second match of %q, want the first one", one)
	}
	for _, text := range []string{other, "https://example.com/", one} {
		if got := match(text); (got == direct) != (text == one) {
			t.Errorf("%s: got %q, after %q for %s", text, got, direct, one)
		}
	}
}
