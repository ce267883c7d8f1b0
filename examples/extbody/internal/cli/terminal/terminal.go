// Package terminal is for people who watch a run: progress bars, a status line, and
// questions about decisions that the flags leave open.
package terminal

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"

	"golang.org/x/term"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/exit"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/show"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
)

// Width returns the number of columns of a terminal, and 0 if w is not a terminal.
func Width(w any) int {
	f, ok := w.(interface{ Fd() uintptr })
	if !ok {
		return 0
	}
	n, _, _ := term.GetSize(int(f.Fd()))
	return max(n, 0) // it is not positive with an error
}

// Is reports whether w is a terminal.
func Is(w any) bool {
	f, ok := w.(interface{ Fd() uintptr })
	return ok && term.IsTerminal(int(f.Fd()))
}

// An Asker asks at a terminal about decisions that the flags leave open: once for each
// scheme and host, and once for each login. Several goroutines may call its methods at
// once; one asks at a time. A nil *Asker does not ask.
type Asker struct {
	in       *bufio.Reader
	out      io.Writer
	bars     *Bars
	password func() (string, error) // reads a password without showing it

	mu      sync.Mutex
	allowed map[string]bool            // by scheme and host
	logins  map[string]*fetch.Userinfo // by scheme, host and port; nil: none
}

// NewAsker returns an Asker if in and terminal are terminals, and nil otherwise. No
// Bars are drawn while it asks.
func NewAsker(in io.Reader, terminal io.Writer, bars *Bars) *Asker {
	f, ok := in.(*os.File)
	if !ok || !Is(in) || !Is(terminal) {
		return nil
	}
	return AskerOf(in, terminal, bars, func() (string, error) {
		b, err := term.ReadPassword(int(f.Fd()))
		fmt.Fprintln(terminal)
		return string(b), err
	})
}

// AskerOf returns an Asker that reads answers from in, and passwords with password.
func AskerOf(in io.Reader, out io.Writer, bars *Bars, password func() (string, error)) *Asker {
	return &Asker{
		in:       bufio.NewReader(in),
		out:      out,
		bars:     bars,
		password: password,
		allowed:  make(map[string]bool),
		logins:   make(map[string]*fetch.Userinfo),
	}
}

var errNotAllowed = errors.New("not allowed at the terminal")

// Approve returns a function for the field Approve of a [externalbody.Resolver]. It
// asks about plans of schemes in asked.
func (a *Asker) Approve(asked map[string]bool) func(context.Context, *externalbody.Plan) error {
	return func(ctx context.Context, p *externalbody.Plan) error {
		if !asked[p.Scheme] {
			return nil
		}
		a.mu.Lock()
		defer a.mu.Unlock()
		if err := context.Cause(ctx); err != nil {
			return err // the run has ended
		}
		key := p.Scheme + "//" + p.Host
		ok, known := a.allowed[key]
		if !known {
			defer a.bars.hold()()
			fmt.Fprintf(a.out, "%s\nDo that? [y/N] ", show.Lines(p.String()))
			err := exit.OrInterrupted(ctx, func() error {
				ok = a.yes()
				return nil
			})
			if err != nil {
				return err
			}
			a.allowed[key] = ok
			if direct := "https//" + p.Direct; ok && p.Direct != "" {
				a.allowed[direct] = true // the question named it
			}
		}
		if !ok {
			return errNotAllowed
		}
		return nil
	}
}

// yes reads an answer.
func (a *Asker) yes() bool {
	line, err := a.in.ReadString('\n')
	return err == nil && slices.Contains([]string{"y", "yes"}, strings.ToLower(strings.TrimSpace(line)))
}

// Credentials is for the field Credentials of a [externalbody.Resolver].
func (a *Asker) Credentials(_ context.Context, c fetch.Challenge) (*fetch.Userinfo, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	key := fmt.Sprint(c.Scheme, "//", c.User, "@", c.Host, ":", c.Port)
	if info, known := a.logins[key]; known {
		return info, nil
	}
	a.logins[key] = nil
	defer a.bars.hold()()
	fmt.Fprintf(a.out, "%s://%s wants a login.\n", c.Scheme, show.Line(c.Host))
	user := c.User
	if user == "" {
		fmt.Fprint(a.out, "User (none to give up): ")
		line, err := a.in.ReadString('\n')
		if user = strings.TrimSpace(line); err != nil || user == "" {
			return nil, nil
		}
	}
	fmt.Fprintf(a.out, "Password of %s: ", show.Line(user))
	password, err := a.password()
	if err != nil {
		return nil, err
	}
	a.logins[key] = &fetch.Userinfo{User: user, Password: password}
	return a.logins[key], nil
}
