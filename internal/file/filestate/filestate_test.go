package filestate

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestState(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(t *testing.T, path string)
		same   bool
	}{
		{"Nothing", func(*testing.T, string) {}, true},
		{"Appended", func(t *testing.T, path string) { os.WriteFile(path, []byte("abcd"), 0o600) }, false},
		{"OctetsAndTimeSetBack", func(t *testing.T, path string) {
			info, _ := os.Stat(path)
			os.WriteFile(path, []byte("xyz"), 0o600)
			os.Chtimes(path, info.ModTime(), info.ModTime())
		}, false},
		{"Replaced", func(t *testing.T, path string) {
			info, _ := os.Stat(path)
			os.WriteFile(path+"2", []byte("abc"), 0o600)
			os.Chtimes(path+"2", info.ModTime(), info.ModTime())
			os.Rename(path+"2", path)
		}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "f")
			if err := os.WriteFile(path, []byte("abc"), 0o600); err != nil {
				t.Fatal(err)
			}
			before, err := os.Stat(path)
			if err != nil {
				t.Fatal(err)
			}
			if changeTime(before) == 0 {
				t.Skip("this system does not record when a file changed")
			}
			time.Sleep(20 * time.Millisecond)
			c.change(t, path)
			after, err := os.Stat(path)
			if err != nil {
				t.Fatal(err)
			}
			a, b := Of(before), Of(after)
			if a.Same(b) != c.same {
				t.Errorf("got %t, want %t", a.Same(b), c.same)
			}
		})
	}
}

// TestUnknown holds: a state that is not known is the same as itself alone.
func TestUnknown(t *testing.T) {
	info, err := os.Stat(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	var unknown State
	if known := Of(info); !unknown.Same(State{}) || unknown.Same(known) || known.Same(unknown) {
		t.Error("got a known state that is the same as an unknown one, or an unknown one that is not the same as itself")
	}
}
