package inline

import (
	"errors"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/exit"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/login"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/settings"
)

// useAccount lets the run use the account that --account names. A message that a stranger sends must not get files
// of the user by itself, so that the line of one run names the account, and a watch has none (OP-55).
func (n *flags) useAccount() error {
	if n.account == "" {
		return nil
	}
	if n.watched != "" {
		return exit.Mistake(errors.New("--account is for one run, and not for --watch"))
	}
	all, err := settings.ReadAccounts(settings.Path())
	if err != nil {
		return err
	}
	a, err := all.Named(n.account)
	if err != nil {
		return exit.Mistake(err)
	}
	n.policy.Accounts = login.Accounts{*a}
	return nil
}
