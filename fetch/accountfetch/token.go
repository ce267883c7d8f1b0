package accountfetch

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/go-extbody/extbody/fetch"
)

// A tokens keeps the token of an account. One call of ask is under way at a time, and its result is for all that
// wait.
type tokens struct {
	ask  func(ctx context.Context, refused string) (string, error)
	turn chan struct{} // its holder may use the fields below

	token  string
	err    error // of the last call, so that one that fails is not repeated for each file
	failed time.Time
}

func newTokens(ask func(context.Context, string) (string, error)) *tokens {
	return &tokens{ask: ask, turn: make(chan struct{}, 1)}
}

// failureTime is how long a failure of ask stands for further calls.
const failureTime = time.Minute

var (
	errRefused  = &fetch.Error{Kind: fetch.Credentials, Err: errors.New("the API refuses the token of the account")}
	errBadToken = &fetch.Error{
		Kind: fetch.Credentials, Err: errors.New("the token of the account is not one word of ASCII"),
	}
)

// get returns the token, another one than refused, which is "" at first.
func (t *tokens) get(ctx context.Context, refused string) (string, error) {
	select {
	case t.turn <- struct{}{}:
		defer func() { <-t.turn }()
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
	switch {
	case t.token != "" && t.token != refused:
		return t.token, nil
	case t.err != nil && time.Since(t.failed) < failureTime:
		return "", t.err
	}
	token, err := t.ask(ctx, refused)
	switch {
	case ctx.Err() != nil:
		return "", context.Cause(ctx)
	case err != nil:
		err = &fetch.Error{Kind: fetch.Credentials, Err: err}
	case token == refused || token == "":
		err = errRefused
	case strings.ContainsFunc(token, func(c rune) bool { return c <= ' ' || c > '~' }):
		err = errBadToken
	}
	t.err = err
	t.failed = time.Now()
	if err != nil {
		t.token = ""
		return "", err
	}
	t.token = token
	return token, nil
}
