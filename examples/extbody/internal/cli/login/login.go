// Package login finds out who logs in to servers: from a netrc file, from a command of
// the user, or from answers at a terminal.
package login

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/show"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/terminal"
	"github.com/go-extbody/extbody/fetch"
)

// Logins are the flags for logins to the servers of references. Strangers
// name these servers, so no login is sent to one that the user has not named as well.
type Logins struct {
	NetrcFile  string   // only entries that name a host count
	command    string   // asked about loginHosts alone
	loginHosts []string // HOST, USER@HOST, and either with a port
}

// Flags adds the flags, except for --netrc, which has other uses in some commands.
func (l *Logins) Flags(f *pflag.FlagSet) {
	f.StringVar(
		&l.command, "credentials-command", "",
		"log in to a --login-host with what the shell command `CMD` writes: JSON with user and "+
			"password, or with token; it reads JSON with scheme, host, port, realm and methods",
	)
	f.StringSliceVar(&l.loginHosts, "login-host", nil, "ask the --credentials-command about `[USER@]HOST[:PORT]` (repeatable)")
}

// Check returns an error for flags that do not fit together.
func (l *Logins) Check() error {
	switch {
	case l.command != "" && len(l.loginHosts) == 0:
		return errors.New("--credentials-command needs --login-host, which says for which hosts it is asked")
	case l.command == "" && len(l.loginHosts) > 0:
		return errors.New("--login-host needs --credentials-command")
	}
	return nil
}

// Identity returns the user whom the command logs in at the host of a URL: "*" if the
// command decides, and "" if it is not asked.
func (l *Logins) Identity(u *url.URL) string {
	for _, h := range l.loginHosts {
		user, host, ok := strings.Cut(h, "@")
		if !ok {
			user = "*"
			host = h
		}
		host = strings.TrimSuffix(host, ".")
		if strings.EqualFold(host, u.Hostname()) || strings.EqualFold(host, u.Host) {
			return user
		}
	}
	return ""
}

// Credentials returns a function that asks for logins: first the command, then the
// netrc file, then ask. Without any of them it
// returns nil.
func (l *Logins) Credentials(ask *terminal.Asker, errw io.Writer) func(context.Context, fetch.Challenge) (*fetch.Userinfo, error) {
	if l.command == "" && l.NetrcFile == "" {
		if ask == nil {
			return nil
		}
		return ask.Credentials
	}
	command := newCredentialsCommand(l.command, errw)
	return func(ctx context.Context, c fetch.Challenge) (*fetch.Userinfo, error) {
		server := net.JoinHostPort(c.Host, strconv.Itoa(int(c.Port)))
		if user := l.Identity(&url.URL{Host: server}); user != "" {
			if c.User == "" && user != "*" {
				c.User = user
			}
			if info, err := command.credentials(ctx, c); info != nil || err != nil {
				return info, err
			}
		}
		if l.NetrcFile != "" {
			// The entry "default" would be for any host that a stranger names.
			user, password, err := Netrc(l.NetrcFile, c.Host, c.User, false)
			if err == nil {
				return &fetch.Userinfo{User: user, Password: password}, nil
			}
			if !errors.Is(err, ErrNoPassword) && !errors.Is(err, ErrNoUser) {
				return nil, err
			}
		}
		if ask != nil {
			return ask.Credentials(ctx, c)
		}
		return nil, nil
	}
}

// A credentialsCommand runs the --credentials-command, one at a time. Its answers are
// used for a while: a token expires at some time, and a host may have thousands of
// references.
type credentialsCommand struct {
	run func(ctx context.Context, question []byte) ([]byte, error)

	turn    chan struct{}                // one at a time; its holder may use the maps
	answers map[string]credentialsAnswer // by question
	servers map[string]*questions        // by scheme, host and port
}

// questions are the questions about one server since a time.
type questions struct {
	since time.Time
	n     int
}

const (
	// answerTime is how long an answer of the command is used.
	answerTime = time.Minute

	// maxQuestions bounds the questions about a server within answerTime, which may name
	// another realm each time.
	maxQuestions = 4
)

type credentialsAnswer struct {
	info *fetch.Userinfo
	err  error // of the command, so that one that fails is not run for each reference
	at   time.Time
}

func newCredentialsCommand(command string, errw io.Writer) *credentialsCommand {
	return &credentialsCommand{
		run: func(ctx context.Context, question []byte) ([]byte, error) {
			return Command(ctx, command, question, errw)
		},
		turn:    make(chan struct{}, 1),
		answers: make(map[string]credentialsAnswer),
		servers: make(map[string]*questions),
	}
}

// A question is the input of the command.
type question struct {
	Scheme  string   `json:"scheme"`
	Host    string   `json:"host"`
	Port    uint16   `json:"port"`
	User    string   `json:"user,omitempty"`
	Realm   string   `json:"realm,omitempty"`
	Methods []string `json:"methods,omitempty"`
}

func (cc *credentialsCommand) credentials(ctx context.Context, c fetch.Challenge) (*fetch.Userinfo, error) {
	text, err := json.Marshal(question{c.Scheme, c.Host, c.Port, show.Escape(c.User), show.Escape(c.Realm), c.Methods})
	if err != nil {
		return nil, err
	}
	select {
	case cc.turn <- struct{}{}:
		defer func() { <-cc.turn }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	if a, known := cc.answers[string(text)]; known && time.Since(a.at) < answerTime {
		return a.info, a.err
	}
	if !cc.mayAsk(c) {
		return nil, &fetch.Error{Kind: fetch.Credentials, Err: errQuestions}
	}
	var a credentialsAnswer
	answer, err := cc.run(ctx, append(text, '\n'))
	if err != nil {
		err = fmt.Errorf("--credentials-command: %w", err)
	} else {
		a.info, err = parseAnswer(answer)
	}
	if err != nil {
		a.err = &fetch.Error{Kind: fetch.Credentials, Err: err}
	}
	if ctx.Err() == nil {
		a.at = time.Now()
		cc.answers[string(text)] = a
	}
	return a.info, a.err
}

var errQuestions = errors.New("--credentials-command: the server names another realm each time")

// mayAsk counts a question about a server, and reports whether the command may be asked.
func (cc *credentialsCommand) mayAsk(c fetch.Challenge) bool {
	server := fmt.Sprint(c.Scheme, "//", c.User, "@", c.Host, ":", c.Port)
	q := cc.servers[server]
	if q == nil || time.Since(q.since) >= answerTime {
		q = &questions{since: time.Now()}
		cc.servers[server] = q
	}
	q.n++
	return q.n <= maxQuestions
}

var errAnswer = errors.New(`--credentials-command: it did not write JSON with "user" and "password", or with "token"`)

// parseAnswer reads the output of the command. "" and "{}" mean no login. The error
// does not contain the text, which is secret.
func parseAnswer(text []byte) (*fetch.Userinfo, error) {
	if len(bytes.TrimSpace(text)) == 0 {
		return nil, nil
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	var a fetch.Userinfo
	err := d.Decode(&a)
	switch {
	case err != nil, d.More():
		return nil, errAnswer
	case a == fetch.Userinfo{}:
		return nil, nil
	case a.Token == "" && a.User == "":
		return nil, errAnswer
	}
	return &a, nil
}

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
	cmd.Stdout = &out
	cmd.Stderr = errw
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
