package archive

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive/ledger"
)

// dump returns the content of an index.
func (x *index) dump(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	err := x.each("", func(key string, value []byte) error {
		_, err := fmt.Fprintf(&b, "%q %x\n", key, value)
		return err
	})
	must(t, err)
	return b.Bytes()
}

// TestRebuild holds: an index that is made anew is the one that was deleted.
func TestRebuild(t *testing.T) {
	const n = 20_000
	dir := filepath.Join(t.TempDir(), "archive")
	FillLedger(t, dir, n)
	a, err := Read(dir, nil)
	must(t, err)
	before := a.index.dump(t)
	a.Close()
	must(t, os.Remove(filepath.Join(dir, "index")))
	if a, err = Open(dir, false, nil); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(before, a.index.dump(t)) {
		t.Error("the index that was made anew is another one")
	}
	a.index.mu.Lock()
	err = a.index.spill()
	a.index.mu.Unlock()
	if err != nil || len(a.index.held) > 0 || !bytes.Equal(before, a.index.dump(t)) {
		t.Errorf("spilled: got %v and another index, want the same", err)
	}
	// Each key is found in the table that was written and opened again.
	a.Close()
	if a, err = Read(dir, nil); err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	for i := range n {
		k := newAsk(digest(sampleURL(i)+"\n"), "")
		if s, ok := a.index.ask(k); !ok || s.outcome != askExcepted || len(a.index.held) > 0 {
			t.Fatalf("reference %d: got %+v, %v; want an exception, from the table", i, s, ok)
		}
	}
	due := 0
	err = a.index.asks(func(_ ask, s askState) error {
		if s.due != 0 || s.outcome != askExcepted {
			due++
		}
		return nil
	})
	if err != nil || due > 0 {
		t.Errorf("got %d due, %v; want none", due, err)
	}
}

// TestIndexOfOthers checks that Verify compares the content of a whole index with the ledger.
func TestIndexOfOthers(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "archive")
	FillLedger(t, dir, 100)
	a, err := Open(dir, false, nil)
	must(t, err)
	k := newAsk(digest(sampleURL(7)+"\n"), "")
	a.index.put(askKey(k), nil)
	a.index.saved = ledger.Head{}
	a.Close()
	v, err := Verify(t.Context(), dir, ledger.Head{})
	if err != nil || len(v.Faults) != 1 || !strings.HasPrefix(v.Faults[0], "index: it is not the one") {
		t.Errorf("got %q, %v; want a fault of the index", v.Faults, err)
	}
}

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
