//go:build unix

package check

import (
	"context"
	"errors"
	"path/filepath"
	"syscall"
	"testing"
)

// A pipe that nothing writes to does not keep check from being interrupted.
func TestPipeWithoutWriter(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe.eml")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := oneMessage(ctx, nil, []string{path}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}
}
