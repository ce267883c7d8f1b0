package accountfetch_test

import (
	"context"
	"fmt"
	"net/url"
	"os/exec"
	"strings"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/accountfetch"
	"github.com/go-extbody/extbody/fetch/safefetch"
)

// A program gives safefetch the accounts of its user. Here a command that the user chose gives the tokens.
func Example() {
	work := accountfetch.Account{
		Name:     "work",
		User:     "ann@contoso.example",
		Provider: "graph",
		Hosts:    []string{"contoso.sharepoint.com", "contoso-my.sharepoint.com"},
		First:    true,
		Token: func(ctx context.Context, _ string) (string, error) {
			out, err := exec.CommandContext(ctx, "oama", "access", "ann@contoso.example").Output()
			return strings.TrimSpace(string(out)), err
		},
	}
	mux := safefetch.New(&safefetch.Options{
		Accounts: func(next, api fetch.Fetcher) fetch.Fetcher { return accountfetch.New(next, api, work) },
	})
	for _, text := range []string{
		"https://contoso.sharepoint.com/:b:/s/team/EabcdefghijklmnopqrsT",
		"https://stranger.sharepoint.com/:b:/s/team/EabcdefghijklmnopqrsT",
	} {
		u, err := url.Parse(text)
		if err != nil {
			fmt.Println(err)
			return
		}
		if a := mux.Account(&fetch.Request{URL: u}); a != nil {
			fmt.Println(u.Host, "is asked about at", a.API, "as", a.User)
		} else {
			fmt.Println(u.Host, "is asked without an account")
		}
	}
	// Output:
	// contoso.sharepoint.com is asked about at graph.microsoft.com as ann@contoso.example
	// stranger.sharepoint.com is asked without an account
}
