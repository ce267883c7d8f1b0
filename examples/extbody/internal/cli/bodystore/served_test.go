package bodystore

import (
	"testing"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/exit"
)

// What is not the URL of a folder is a mistake, and no folder is made for it.
func TestServeBase(t *testing.T) {
	for _, base := range []string{"", "files.example", "https:///m", "https://u:p@files.example/", "https://files.example/?a", "https://files.example/#a"} {
		if _, err := Serve(t.TempDir(), base, false, HMAC); !exit.Is(err, exit.Usage) {
			t.Errorf("%q: got %v, want a mistake on the command line", base, err)
		}
	}
}
