package archive_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive"
)

// TestDamagedIndex checks that an index in any state costs nothing but the time to make it
// anew: every command gives the results that it gives with a whole index, and Verify
// reports the damage.
func TestDamagedIndex(t *testing.T) {
	made, _, _ := filled(t, 5)
	path := filepath.Join(made, "index")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	n := often("EXTBODY_TEST_DAMAGES", 120)
	for i := range n {
		text := append([]byte{}, whole...)
		from := r.IntN(len(text))
		name := "cut"
		switch i % 6 {
		case 0:
			text = text[:from]
		case 1:
			name = "flip"
			text[from] ^= 1 << r.IntN(8)
		case 2:
			name = "zeros"
			clear(text[from:min(len(text), from+1+r.IntN(8192))])
		case 3:
			name = "noise"
			for k := from; k < min(len(text), from+1+r.IntN(64)); k++ {
				text[k] = byte(r.Uint32())
			}
		case 4:
			name = "cut to pages"
			text = text[:from&^4095]
		case 5:
			name = "longer"
			text = append(text, whole[:from]...)
		}
		if string(text) == string(whole) {
			continue
		}
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		a, err := archive.Read(made, nil)
		if err != nil {
			t.Fatalf("%s at %d: got %v, want an index made anew", name, from, err)
		}
		s, err := a.Status()
		a.Close()
		if err != nil || s.Captures != 5 || s.Exceptions != 1 || s.Messages != 6 {
			t.Fatalf("%s at %d: got %+v, %v; want 5 captures and an exception", name, from, s, err)
		}
		if i%10 > 0 {
			continue
		}
		if v := verify(t, made); len(v.Faults) != 1 || !strings.HasPrefix(v.Faults[0], "index: ") {
			t.Errorf("%s at %d: got %q, want a fault of the index", name, from, v.Faults)
		}
		open(t, made).Close()
		if v := verify(t, made); len(v.Faults) > 0 {
			t.Errorf("%s at %d, after a command that writes: got %q, want no fault", name, from, v.Faults)
		}
	}
}
