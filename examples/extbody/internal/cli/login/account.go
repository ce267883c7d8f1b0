package login

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/accountfetch"
	"github.com/go-extbody/extbody/internal/codec/lazyregexp"
)

// An Account is an account at a file host, as the settings of the user have it. It has no secret: its Command gives
// the tokens.
type Account struct {
	Name     string
	Provider string
	User     string
	Hosts    []string
	Command  string // the shell command for a token
	First    bool
	Cloud    string // the name of a cloud of the provider, or the URL of its API
	Digests  string // "refuse" or "note"
}

// clouds are the URLs of Graph in the clouds that have one of their own.
var clouds = map[string]string{
	"global": "",
	"us":     "https://graph.microsoft.us/v1.0",
	"dod":    "https://dod-graph.microsoft.us/v1.0",
	"china":  "https://microsoftgraph.chinacloudapi.cn/v1.0",
}

// isName matches the names of accounts.
var isName = lazyregexp.New(`^[A-Za-z0-9_-]{1,40}$`)

// Set sets the value of a key of the settings.
func (a *Account) Set(key string, values []string) error {
	if key == "hosts" {
		a.Hosts = values
		return nil
	}
	if len(values) != 1 {
		return fmt.Errorf("%s: want one value", key)
	}
	value := values[0]
	switch key {
	case "provider":
		a.Provider = value
	case "user":
		a.User = value
	case "token-command":
		a.Command = value
	case "first":
		if value != "true" && value != "false" {
			return errors.New("first: want true or false")
		}
		a.First = value == "true"
	case "cloud":
		a.Cloud = value
	case "digests":
		if value != "refuse" && value != "note" {
			return errors.New(`digests: want "refuse" or "note"`)
		}
		a.Digests = value
	default:
		return fmt.Errorf("there is no setting %q of an account: want provider, user, hosts, token-command, first, cloud or digests", key)
	}
	return nil
}

// Check returns the mistake in the account, or nil.
func (a *Account) Check() error {
	own, known := clouds[a.Cloud]
	switch {
	case !isName().MatchString(a.Name):
		return errors.New("the name of an account has letters, digits, - and _ alone")
	case a.Command == "":
		return errors.New("token-command is missing: the command that prints a token for the API")
	case a.Cloud != "" && !known && !strings.HasPrefix(a.Cloud, "https://"):
		return errors.New(`cloud: want "global", "us", "dod", "china", or the URL of an API with https`)
	}
	if own != "" && a.Provider != "graph" {
		return fmt.Errorf("cloud: %.20s has no cloud of that name", a.Provider) // whose tokens Graph must not get
	}
	return a.of(io.Discard).Check()
}

// of returns the account for a fetcher. Its command writes errors to errw.
func (a *Account) of(errw io.Writer) accountfetch.Account {
	base := a.Cloud
	if url, known := clouds[a.Cloud]; known {
		base = url
	}
	return accountfetch.Account{
		Name:        a.Name,
		User:        a.User,
		Provider:    a.Provider,
		Hosts:       a.Hosts,
		First:       a.First,
		NoteDigests: a.Digests == "note",
		Base:        base,
		Token:       func(ctx context.Context, _ string) (string, error) { return a.Token(ctx, errw) },
	}
}

// Token runs the command of the account, and returns the token that it prints.
func (a *Account) Token(ctx context.Context, errw io.Writer) (string, error) {
	out, err := Command(ctx, a.Command, nil, errw)
	if err != nil {
		return "", fmt.Errorf("the token-command of the account %s: %w", a.Name, err)
	}
	token := string(bytes.TrimSpace(out))
	if token == "" {
		return "", fmt.Errorf("the token-command of the account %s printed nothing", a.Name)
	}
	return token, nil
}

// Accounts are the accounts of a user. A command that no person starts has none: see [Accounts.Layer].
type Accounts []Account

// Layer returns the function for safefetch.Options.Accounts, and nil without accounts. It is the one place that
// gives accounts to fetchers.
func (l Accounts) Layer(errw io.Writer) func(next, api fetch.Fetcher) fetch.Fetcher {
	if len(l) == 0 {
		return nil
	}
	return func(next, api fetch.Fetcher) fetch.Fetcher {
		var list []accountfetch.Account
		for i := range l {
			list = append(list, l[i].of(errw))
		}
		return accountfetch.New(next, api, list...)
	}
}

// Named returns the account with a name.
func (l Accounts) Named(name string) (*Account, error) {
	i := slices.IndexFunc(l, func(a Account) bool { return a.Name == name })
	if i < 0 {
		return nil, fmt.Errorf("there is no account %q in the settings", name)
	}
	return &l[i], nil
}

// Of returns the name of the account for the file of req, or "". It uses no network.
func (l Accounts) Of(req *fetch.Request) string {
	layer := l.Layer(io.Discard)
	if layer == nil {
		return ""
	}
	mux := new(fetch.Mux)
	mux.Handle("https", layer(nil, nil))
	if a := mux.Account(req); a != nil {
		return a.Name
	}
	return ""
}
