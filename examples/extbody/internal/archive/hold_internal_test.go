package archive

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive/ledger"
)

// TestNamed holds: a hold or forget of any number of objects, exchanges and keys is told
// in lines that are short enough, and together they name each once.
func TestNamed(t *testing.T) {
	const n = 2*maxNamed + 1
	why := strings.Repeat("\x01", MaxReason)
	sums := make([]string, n)
	removed := make([]Removed, n)
	for i := range sums {
		sums[i] = digest(string(rune(i)))
		removed[i] = Removed{SHA256: sums[i], Size: 1 << 40, File: "00000012-0001.warc.gz", Offset: int64(i) << 40, Now: sums[i]}
	}
	g := &Forget{Objects: removed, Exchanges: removed[1:], Keys: sums, Selector: why, Reason: why}
	h := &Hold{Objects: sums, Keys: sums[1:], Selector: why, Reason: why, Release: true}
	var objects, exchanges, keys, held int
	entries := append(g.entries(), h.entries()...)
	for _, e := range entries {
		text, err := json.Marshal(e.Body)
		if err != nil || len(text) > ledger.MaxLine-1000 {
			t.Errorf("%s: got a line of %d octets, %v; want at most %d", e.Kind, len(text), err, ledger.MaxLine-1000)
		}
		switch b := e.Body.(type) {
		case *Forget:
			objects, exchanges, keys = objects+len(b.Objects), exchanges+len(b.Exchanges), keys+len(b.Keys)
			if b.Reason != why || b.At != g.At {
				t.Error("a line has not the reason and the time, want them in each")
			}
		case *Hold:
			held += len(b.Objects) + len(b.Keys)
			if !b.Release {
				t.Error("a line of a release holds, want that it releases")
			}
		}
	}
	if objects != n || exchanges != n-1 || keys != n || held != 2*n-1 || len(entries) != 6 {
		t.Errorf("got %d objects, %d exchanges, %d keys, %d held, %d lines; want %d, %d, %d, %d, 6", objects, exchanges, keys, held, len(entries), n, n-1, n, 2*n-1)
	}
	if e := (&Forget{}).entries(); len(e) != 1 {
		t.Errorf("nothing: got %d lines, want one", len(e))
	}
}
