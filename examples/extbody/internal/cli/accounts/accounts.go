// Package accounts has the command that shows the accounts at file hosts, and tries one.
package accounts

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/exit"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/login"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/policy"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/settings"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/show"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
	"github.com/go-extbody/extbody/fetch/record"
	"github.com/go-extbody/extbody/internal/wording"
)

// Command returns the command.
func Command() *cobra.Command {
	c := new(checking)
	cmd := &cobra.Command{
		Use:   "accounts [check NAME [LINK]]",
		Short: "Show the accounts at file hosts, or try one",
		Long: `List the accounts of config.toml, with which open, get, archive and the Thunderbird extension
ask for files that want a login. Nothing else uses them, except inline with --account.
ACCOUNTS.md has how to set them up.

With check, run the token-command of the account NAME, and ask for the file of LINK with
it, at a host of the account. A line each says what the token, the API, the octets and the
history gave. The octets are read and not kept. The owner of the file can see that it was
asked for. The exit status is 3 if any of these failed.`,
		Args: func(_ *cobra.Command, args []string) error {
			isCheck := len(args) > 0 && args[0] == "check"
			if len(args) > 0 && (!isCheck || len(args) < 2 || len(args) > 3) {
				return errors.New("want nothing, or check NAME, or check NAME LINK")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			c.out = cmd.OutOrStdout()
			all, err := settings.ReadAccounts(settings.Path())
			if err != nil {
				return err
			}
			if len(args) == 0 {
				return list(c.out, all)
			}
			a, err := all.Named(args[1])
			if err != nil {
				return exit.Mistake(err)
			}
			return c.run(cmd.Context(), a, args[2:], cmd.ErrOrStderr())
		},
	}
	c.policy.Flags(cmd.Flags())
	return cmd
}

// list writes a line about each account.
func list(out io.Writer, all login.Accounts) error {
	lines := []string{"There are no accounts. A table [account.NAME] of config.toml makes one."}
	if len(all) > 0 {
		var rows [][]string
		for _, a := range all {
			when := "if a link is refused"
			if a.First {
				when = "first"
			}
			rows = append(rows, []string{a.Name, a.Provider, show.Line(a.User), show.Line(strings.Join(a.Hosts, ", ")), when})
		}
		lines = show.Table(rows)
	}
	for _, line := range lines {
		if _, err := fmt.Fprintln(out, line); err != nil {
			return err
		}
	}
	return nil
}

// A checking is one run of accounts check.
type checking struct {
	policy policy.Policy
	out    io.Writer
}

var errFailed = exit.With(exit.Some, nil)

// line writes the outcome of a step.
func (c *checking) line(step, format string, args ...any) {
	fmt.Fprintf(c.out, "%-8s %s\n", step, show.Line(fmt.Sprintf(format, args...)))
}

// run tries the token, and then the link if there is one.
func (c *checking) run(ctx context.Context, a *login.Account, links []string, errw io.Writer) error {
	a.First = true
	c.policy.Accounts = login.Accounts{*a}
	engine, err := c.policy.Engine(nil, errw)
	if err != nil {
		return err
	}
	defer engine.Close()
	var req *fetch.Request
	if len(links) > 0 {
		req, err = c.request(links[0], a)
		if err != nil {
			return exit.Mistake(err)
		}
	}
	token, err := a.Token(ctx, errw)
	if err != nil {
		c.line("token", "failed: %s", err)
		return errFailed
	}
	c.line("token", "the command printed one of %s", wording.Count(len(token), "character"))
	if req == nil {
		c.line("API", "not asked: give the LINK of a file at %s", strings.Join(a.Hosts, ", "))
		return nil
	}
	return c.file(ctx, engine.Fetcher, req)
}

// request returns the request for a link at a host of the account.
func (c *checking) request(link string, a *login.Account) (*fetch.Request, error) {
	u, err := url.Parse(link)
	if err != nil {
		return nil, errors.New("LINK is not a URL")
	}
	req := &fetch.Request{URL: u, Text: link, Secret: true, MaxBytes: int64(c.policy.MaxBytes)}
	if c.policy.Accounts.Of(req) == "" {
		return nil, fmt.Errorf(
			"LINK is not a link with https to a file at %s, the hosts of the account", strings.Join(a.Hosts, ", "),
		)
	}
	return req, nil
}

// file asks for a file, and for the version before the present one.
func (c *checking) file(ctx context.Context, f fetch.Fetcher, req *fetch.Request) error {
	resp, err := fetch.Do(ctx, f, req)
	if err != nil {
		c.line("API", "failed: %s", reason(err))
		return errFailed
	}
	defer resp.Body.Close()
	o := driver.OfResponse(resp).Object
	if o == nil {
		c.line("API", "refused: the file is public, and was had without the account")
		return errFailed
	}
	c.line("API", "%s has %s, %s, changed %s", resp.URL.Host, o.Name, wording.Count(o.Size, "octet"), stamp(o.Modified))
	n, err := io.Copy(io.Discard, resp.Body)
	if err != nil {
		c.line("octets", "failed: %s", reason(err))
		return errFailed
	}
	c.line("octets", "%d came%s", n, digests(resp.Checks))
	return c.history(ctx, f, req, o)
}

// history asks for the version before the present one.
func (c *checking) history(ctx context.Context, f fetch.Fetcher, req *fetch.Request, o *record.Object) error {
	before := *req
	before.AsOf = o.Modified.Add(-time.Second)
	resp, err := fetch.Do(ctx, f, &before)
	if err != nil {
		c.line("history", "failed: %s", reason(err))
		return errFailed
	}
	resp.Body.Close()
	old := driver.OfResponse(resp).Object
	if old == nil || old.History != "" {
		c.line("history", "no version before that one: %s", why(old))
		return nil
	}
	c.line("history", "the version before, %s, was made %s and in force until %s", old.Version, stamp(old.Modified), stamp(old.Until))
	return nil
}

// why returns the reason for which there is no earlier version.
func why(o *record.Object) string {
	if o == nil {
		return "the host told nothing"
	}
	reasons := map[string]string{
		"cut":       "the host has kept none",
		"younger":   "the file is as old as that",
		"hidden":    "the account may not see the versions",
		"deleted":   "it was deleted",
		"clock":     "the times of the host contradict each other",
		"long":      "the history is longer than is read",
		"rendition": "the host makes the octets, and keeps no earlier ones",
	}
	if text, ok := reasons[o.History]; ok {
		return text
	}
	return o.History
}

// reason returns an error in words, with a hint that may help.
func reason(err error) string {
	text := err.Error()
	switch fetch.KindOf(err) {
	case fetch.Forbidden:
		text += ". The account may not see the file, or the organisation has not approved the program that makes the tokens"
	case fetch.Credentials:
		text += ". Log in again with the program that makes the tokens"
	}
	return text
}

// digests names the digests that agreed.
func digests(checks []fetch.Check) string {
	text := ""
	for _, c := range checks {
		text += ", " + c.Name + " " + string(c.Status)
	}
	if text == "" {
		return ", and the API has no digest"
	}
	return text
}

func stamp(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05Z") }
