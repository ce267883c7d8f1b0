//go:build unix

package login

import (
	"context"
	"errors"
	"io"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestCommand holds: no command keeps the program, whatever it does.
func TestCommand(t *testing.T) {
	long := strings.Repeat("x", maxSaid)
	for _, tt := range []struct {
		name, command string
		limit         time.Duration
		want          string
		err           error
	}{
		{"Reads", "cat", time.Minute, "question", nil},
		{"Most", "printf %s " + long, time.Minute, long, nil},
		{"More", "printf %sy " + long, time.Minute, long, nil},
		{"Endless", "yes", time.Minute, strings.Repeat("y\n", maxSaid/2), nil},
		{"Hangs", "exec sleep 600", 50 * time.Millisecond, "", errTime},
		{"HangsInside", "sleep 600; echo x", 50 * time.Millisecond, "", errTime},
		{"ReadsNothing", "echo x", time.Minute, "x\n", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := commandWithin(t.Context(), tt.limit, tt.command, []byte("question"), io.Discard)
			if string(got) != tt.want || !errors.Is(err, tt.err) {
				t.Errorf("got %.40q, %v; want %.40q, %v", got, err, tt.want, tt.err)
			}
		})
	}
	if _, err := Command(t.Context(), "exit 3", nil, io.Discard); err == nil {
		t.Error("exit 3: got no error, want one")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Command(ctx, "echo x", nil, io.Discard); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: got %v, want %v", err, context.Canceled)
	}
}

// TestCommandBackground holds: what a command leaves in the background, as an agent is, is
// not waited for, although it holds the output of the command open.
func TestCommandBackground(t *testing.T) {
	got, err := Command(t.Context(), "sleep 600 & echo $!", nil, io.Discard)
	pid, perr := strconv.Atoi(strings.TrimSpace(string(got)))
	if err != nil || perr != nil {
		t.Fatalf("got %q, %v; want the number of the process", got, err)
	}
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Errorf("got %v from the process, want it to run", err)
	}
}
