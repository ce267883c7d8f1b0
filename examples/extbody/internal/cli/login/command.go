package login

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os/exec"
	"time"
)

const (
	maxOutput = 64 << 10        // octets that a command may write
	maxTime   = 5 * time.Minute // for a command, which may ask the user
)

var errTime = errors.New("the command did not end in time")

// Command runs a command of the user with in as its standard input, and returns the first
// 64 KiB of its output. The command can talk to the user on errw and the terminal. After
// 5 minutes, and when ctx ends, it is killed with its children, which is an error.
// Processes that it leaves in the background are not waited for.
func Command(ctx context.Context, command string, in []byte, errw io.Writer) ([]byte, error) {
	return commandWithin(ctx, maxTime, command, in, errw)
}

func commandWithin(ctx context.Context, limit time.Duration, command string, in []byte, errw io.Writer) ([]byte, error) {
	ctx, stop := context.WithTimeoutCause(ctx, limit, errTime)
	defer stop()
	cmd := exec.CommandContext(ctx, "sh", "-c", command)
	var out limitedBuffer
	cmd.Stdout, cmd.Stderr = &out, errw
	if in != nil {
		cmd.Stdin = bytes.NewReader(in)
	}
	cmd.WaitDelay = time.Second
	defer group(cmd)()
	switch err := cmd.Run(); {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case out.full, err == nil, errors.Is(err, exec.ErrWaitDelay):
		return out.text.Bytes(), nil
	default:
		return nil, err
	}
}

// A limitedBuffer takes up to maxOutput octets.
type limitedBuffer struct {
	text bytes.Buffer
	full bool
}

// Write implements [io.Writer].
func (b *limitedBuffer) Write(p []byte) (int, error) {
	n, _ := b.text.Write(p[:min(len(p), maxOutput-b.text.Len())])
	if n < len(p) {
		b.full = true
		return n, io.ErrShortWrite // the next write of the command fails
	}
	return n, nil
}
