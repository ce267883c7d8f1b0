package source

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
)

// A file is read from where it stands; the error of a stream is returned, and so is the
// end of the context, though the stream gives nothing.
func TestHold(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	if err := os.WriteFile(path, []byte("0123456789"), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.Seek(4, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	text, release, err := Hold(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(text); string(got) != "456789" || err != nil {
		t.Errorf("a file: got %q, %v, want what is left of it", got, err)
	}
	release()

	bad := errors.New("bad")
	if _, _, err := Hold(t.Context(), io.MultiReader(strings.NewReader("x"), iotest.ErrReader(bad))); !errors.Is(err, bad) {
		t.Errorf("a stream that fails: got %v, want %v", err, bad)
	}

	r, w := io.Pipe()
	defer w.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := Hold(ctx, r); !errors.Is(err, context.Canceled) {
		t.Errorf("a stream that gives nothing: got %v, want %v", err, context.Canceled)
	}
}
