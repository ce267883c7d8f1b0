package accountfetch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/go-extbody/extbody/fetch/record"
	"github.com/go-extbody/extbody/internal/link/host"
	"github.com/go-extbody/extbody/internal/link/weburl"
)

// An Account is an account at a file host.
type Account struct {
	// Name names the account in records and errors. User names the person to whom it belongs,
	// for people.
	Name, User string

	// Provider is "graph" for OneDrive and SharePoint, or "drive" for Google Drive.
	Provider string

	// Hosts are the hosts of the links for which the account is used. One that starts with a dot stands for
	// all hosts below it. The owner of a file can see who asked for it, so list only hosts whose people may
	// know, such as the hosts of the user's own organisation.
	Hosts []string

	// First asks with the account before a link is asked for without it. Otherwise the account is used if a
	// link gives nothing without it. A Request with AsOf asks with the account first in either case.
	First bool

	// NoteDigests records a digest of the API that differs in the Checks of the Response, instead of an
	// error. It is for libraries whose files have labels or are encrypted: they send other octets than the
	// ones that they describe.
	NoteDigests bool

	// Base is the URL of the API of a national cloud. "" means the public API of
	// the Provider.
	Base string

	// Token returns a token for the API. refused is the one that the API has refused, or "". It is never
	// called by two goroutines at once: all fetches with the account share its result. A token is kept in
	// memory until the API refuses it.
	Token func(ctx context.Context, refused string) (string, error)
}

// A kind is the facts about a provider.
type kind struct {
	base     string
	contents []string // hosts to which the API leads for octets, besides the hosts of links
	at       func(base string) provider
}

var kinds = map[string]kind{
	"graph": {
		base:     "https://graph.microsoft.com/v1.0",
		contents: []string{"my.microsoftpersonalcontent.com", ".files.1drv.com"},
		at:       func(base string) provider { return graph(base) },
	},
	"drive": {
		base:     "https://www.googleapis.com/drive/v3",
		contents: []string{"drive.usercontent.google.com", ".googleusercontent.com"},
		at:       func(base string) provider { return drive(base) },
	},
}

// Check returns the mistake in the account, or nil. A mistake is an unknown provider, no name, no Token, a host
// that is not one, or a host of the API among Hosts. With such a host, a stranger's link to the API itself would
// be asked for with the token.
func (a Account) Check() error {
	k, known := kinds[a.Provider]
	base, err := url.Parse(cmp.Or(a.Base, k.base))
	switch {
	case a.Name == "":
		return errors.New("an account without a name")
	case !known:
		return fmt.Errorf("the provider %.40q is not known: want graph or drive", a.Provider)
	case err != nil || base.Scheme != "https" || base.Host == "" || base.User != nil || base.RawQuery != "":
		return errors.New("the base of the API is not a URL of https without a query")
	case len(a.Hosts) == 0:
		return errors.New("there are no hosts whose links the account is for")
	case a.Token == nil:
		return errors.New("there is no way to a token")
	}
	for _, h := range a.Hosts {
		name := strings.TrimPrefix(h, ".")
		canonical, err := host.Canonical(name)
		if err != nil || canonical != name || host.SingleLabel(name) {
			return fmt.Errorf("%.80q is not a host in canonical form, with or without a dot before it", h)
		}
		if isHost(h, base.Hostname()) {
			return fmt.Errorf("%.80q covers the host of the API", h)
		}
	}
	return nil
}

// isHost reports whether pattern, which may start with a dot, stands for a host in canonical form.
func isHost(pattern, host string) bool {
	return host == pattern || strings.HasPrefix(pattern, ".") && strings.HasSuffix(host, pattern)
}

// An account is an Account in use.
type account struct {
	Account
	base     *url.URL
	provider provider
	tokens   *tokens
	facts    *record.Account
}

// newAccount returns an account that Check has no objection to.
func newAccount(a Account) *account {
	k := kinds[a.Provider]
	text := strings.TrimSuffix(cmp.Or(a.Base, k.base), "/")
	base, err := url.Parse(text)
	if err != nil {
		panic(err)
	}
	return &account{
		Account:  a,
		base:     base,
		provider: k.at(text),
		tokens:   newTokens(a.Token),
		facts: &record.Account{
			Name:     a.Name,
			User:     a.User,
			API:      base.Host,
			Contents: slices.Concat(a.Hosts, k.contents),
		},
	}
}

// serves reports whether the account is for links at u.
func (a *account) serves(u weburl.URL) bool {
	usual := u.Scheme == "https" && u.Port == 0
	return usual && slices.ContainsFunc(a.Hosts, func(h string) bool { return isHost(h, u.Host) })
}
