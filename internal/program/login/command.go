package login

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os/exec"
	"time"
)

// maxSaid bounds what a command for secrets may write.
const maxSaid = 64 << 10

// Command runs a command of the user with in as its standard input, and returns what it
// writes. The command can talk to the user on errw and the terminal.
func Command(ctx context.Context, command string, in []byte, errw io.Writer) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "sh", "-c", command)
	cmd.Stderr = errw
	if in != nil {
		cmd.Stdin = bytes.NewReader(in)
	}
	cmd.WaitDelay = time.Second
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(pipe, maxSaid))
	io.Copy(io.Discard, pipe)
	return text, errors.Join(err, cmd.Wait())
}
