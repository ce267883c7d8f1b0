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
	maxSaid = 64 << 10        // octets that a command for secrets may write
	maxTime = 5 * time.Minute // for a command that talks to the user as well
)

var errTime = errors.New("the command did not end in time")

// Command runs a command of the user with in as its standard input, and returns what it
// writes: the first 64 KiB, after which it is not listened to. The command can talk to the
// user on errw and the terminal. It is an error if it does not end within 5 minutes. What
// it leaves running in the background is not waited for.
func Command(ctx context.Context, command string, in []byte, errw io.Writer) ([]byte, error) {
	return commandWithin(ctx, maxTime, command, in, errw)
}

func commandWithin(ctx context.Context, limit time.Duration, command string, in []byte, errw io.Writer) ([]byte, error) {
	ctx, stop := context.WithTimeoutCause(ctx, limit, errTime)
	defer stop()
	cmd := exec.CommandContext(ctx, "sh", "-c", command)
	var said saying
	cmd.Stdout, cmd.Stderr = &said, errw
	if in != nil {
		cmd.Stdin = bytes.NewReader(in)
	}
	cmd.WaitDelay = time.Second
	switch err := cmd.Run(); {
	case said.full, err == nil, errors.Is(err, exec.ErrWaitDelay):
		return said.text.Bytes(), nil
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	default:
		return nil, err
	}
}

// A saying takes what a command writes, up to maxSaid.
type saying struct {
	text bytes.Buffer
	full bool
}

// Write implements [io.Writer].
func (s *saying) Write(p []byte) (int, error) {
	n, _ := s.text.Write(p[:min(len(p), maxSaid-s.text.Len())])
	if n < len(p) {
		s.full = true
		return n, io.ErrShortWrite // the command is told by its next write
	}
	return n, nil
}
