package source

import (
	"bytes"
	"context"
	"fmt"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/login"
	"github.com/go-extbody/extbody/examples/extbody/internal/mail/imapurl"
	"github.com/go-extbody/extbody/fetch"
)

// logIn returns who logs in to the server of a mailbox. It asks the first that there
// is: the password command, the netrc file, the terminal.
func (s *Servers) logIn(ctx context.Context, u *imapurl.URL) (user, password string, err error) {
	if s.Flags.passwordCommand != "" {
		if u.User == "" {
			return "", "", login.ErrNoUser
		}
		password, err := s.runPasswordCommand(ctx)
		return u.User, password, err
	}
	if s.Flags.Netrc != "" {
		return login.Netrc(s.Flags.Netrc, u.Host, u.User, true)
	}
	if s.Ask == nil {
		return "", "", login.ErrNoPassword
	}
	info, err := s.Ask.Credentials(ctx, fetch.Challenge{Scheme: u.Scheme(), Host: u.Host, Port: u.Port, User: u.User})
	if err != nil {
		return "", "", err
	}
	if info == nil {
		return "", "", login.ErrNoPassword
	}
	return info.User, info.Password, nil
}

// runPasswordCommand returns the first line that the command writes.
func (s *Servers) runPasswordCommand(ctx context.Context) (string, error) {
	text, err := login.Command(ctx, s.Flags.passwordCommand, nil, s.Err)
	if err != nil {
		return "", fmt.Errorf("--password-command: %w", err)
	}
	line, _, _ := bytes.Cut(text, []byte("\n"))
	if line = bytes.TrimSuffix(line, []byte("\r")); len(line) == 0 {
		return "", login.ErrNoPassword
	}
	return string(line), nil
}
