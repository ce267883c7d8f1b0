//go:build unix

package login

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestCommand holds: no command keeps the program, whatever it does.
func TestCommand(t *testing.T) {
	long := strings.Repeat("x", maxOutput)
	for _, tt := range []struct {
		name, command string
		limit         time.Duration
		want          string
		err           error
	}{
		{"Reads", "cat", time.Minute, "question", nil},
		{"Most", "printf %s " + long, time.Minute, long, nil},
		{"More", "printf %sy " + long, time.Minute, long, nil},
		{"Endless", "yes", time.Minute, strings.Repeat("y\n", maxOutput/2), nil},
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

// TestCommandBackground holds: a process that a command leaves in the background, such as
// an agent, is not waited for, although it holds the output of the command open.
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

// A command that does not end in time takes its children with it.
func TestCommandChildren(t *testing.T) {
	var errw bytes.Buffer
	_, err := commandWithin(t.Context(), 200*time.Millisecond, "sleep 600 & echo $! >&2; wait", nil, &errw)
	pid, perr := strconv.Atoi(strings.TrimSpace(errw.String()))
	if !errors.Is(err, errTime) || perr != nil {
		t.Fatalf("got %v and %q, want %v and the number of a process", err, &errw, errTime)
	}
	for range 100 {
		// A killed process is a zombie until its new parent collects it.
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil || strings.Contains(string(stat), ") Z ") {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Error("got a child that runs, want it to end with the command")
}
