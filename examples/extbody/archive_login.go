package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os/exec"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/go-extbody/extbody/fetch"
)

// logins are the flags that say where a program without a terminal logs in, and who.
type logins struct {
	hosts   []string // HOST, or USER@HOST
	command string
}

func (l *logins) flags(f *pflag.FlagSet) {
	f.StringSliceVar(&l.hosts, "login-host", nil, "log in at `[USER@]HOST` with what --credentials-command says (repeatable)")
	f.StringVar(&l.command, "credentials-command", "", "the shell command `CMD` is given the challenge as JSON, and writes user and password, or token, as JSON")
}

// identity returns who logs in at the host of a URL, "" if nobody does.
func (l *logins) identity(u *url.URL) string {
	for _, h := range l.hosts {
		user, host, ok := strings.Cut(h, "@")
		if !ok {
			user, host = "*", h
		}
		if strings.EqualFold(host, u.Hostname()) || strings.EqualFold(host, u.Host) {
			return user
		}
	}
	return ""
}

// credentials returns what a Resolver asks for a login; nil if there is none to give.
func (l *logins) credentials(errw io.Writer) func(context.Context, fetch.Challenge) (*fetch.Userinfo, error) {
	if l.command == "" || len(l.hosts) == 0 {
		return nil
	}
	return func(ctx context.Context, c fetch.Challenge) (*fetch.Userinfo, error) {
		host := c.Host
		if c.Port != 0 {
			host = fmt.Sprintf("%s:%d", c.Host, c.Port)
		}
		user := l.identity(&url.URL{Host: host})
		if user == "" {
			return nil, nil
		}
		if c.User == "" && user != "*" {
			c.User = user
		}
		return l.run(ctx, errw, c)
	}
}

var errCredentials = errors.New(`--credentials-command did not write {"user":...,"password":...} or {"token":...}`)

// run asks the command.
func (l *logins) run(ctx context.Context, errw io.Writer, c fetch.Challenge) (*fetch.Userinfo, error) {
	in, err := json.Marshal(map[string]any{"scheme": c.Scheme, "host": c.Host, "port": c.Port, "user": c.User, "realm": c.Realm})
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, "sh", "-c", l.command)
	cmd.Stdin, cmd.Stderr, cmd.WaitDelay = bytes.NewReader(in), errw, time.Second
	var out limited
	cmd.Stdout = &out
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("--credentials-command: %w", err)
	}
	var answer struct{ User, Password, Account, Token string }
	if err := json.Unmarshal(out.Bytes(), &answer); err != nil {
		return nil, errCredentials // without what it wrote
	}
	if answer.Token == "" && answer.User == "" {
		return nil, nil
	}
	return &fetch.Userinfo{User: answer.User, Password: answer.Password, Account: answer.Account, Token: answer.Token}, nil
}

// A limited keeps what a command writes, up to maxPassword.
type limited struct{ bytes.Buffer }

func (l *limited) Write(p []byte) (int, error) {
	if l.Len()+len(p) > maxPassword {
		return 0, errCredentials
	}
	return l.Buffer.Write(p)
}
