package sharefetch

import (
	"testing"

	"github.com/go-extbody/extbody/fetch"
)

// TestMatchedOnce: Check and Fetch of one URL match the share link rules once, and another
// URL gets a match of its own.
func TestMatchedOnce(t *testing.T) {
	f := New(nil).(*fetcher)
	const one, other = "https://www.dropbox.com/s/abc1231a2B3c4D5/a.bin?dl=0", "https://www.dropbox.com/s/def4561a2B3c4D5/b.bin?dl=0"
	match := func(text string) string {
		m, err := f.match(&fetch.Request{Text: text})
		if err != nil {
			t.Fatal(err)
		}
		if m.link == nil {
			return ""
		}
		return m.link.Direct
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

// TestMatchHosts: the hosts of a Request count for it alone, whatever was matched before.
func TestMatchHosts(t *testing.T) {
	f := New(nil).(*fetcher)
	const own, guessed = "https://files.example/s/aB1", "https://cloud.example/index.php/s/AbCdEfGhIjKlMnO"
	hosts := map[string]string{"files.example": "nextcloud"}
	for _, tt := range []struct {
		text  string
		hosts map[string]string
		guess bool
		want  bool
	}{
		{own, nil, false, false},
		{own, hosts, false, true},
		{own, map[string]string{"other.example": "nextcloud"}, false, false},
		{own, hosts, false, true},
		{guessed, hosts, false, false},
		{guessed, hosts, true, true},
		{guessed, nil, false, false},
	} {
		m, err := f.match(&fetch.Request{Text: tt.text, ShareHosts: tt.hosts, GuessedHosts: tt.guess})
		if err != nil || (m.link != nil) != tt.want {
			t.Errorf("%s with %v, guess %v: got %+v, %v, want a link: %v", tt.text, tt.hosts, tt.guess, m, err, tt.want)
		}
	}
	req := &fetch.Request{Text: own, ShareHosts: map[string]string{"files.example": "nothing"}}
	if err := f.Check(req); fetch.KindOf(err) != fetch.Malformed {
		t.Errorf("got %v of Check, want malformed", err)
	}
	if _, err := f.Fetch(t.Context(), req); fetch.KindOf(err) != fetch.Malformed {
		t.Errorf("got %v of Fetch, want malformed", err)
	}
}
