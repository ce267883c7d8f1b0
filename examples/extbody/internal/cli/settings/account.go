package settings

import (
	"errors"
	"fmt"
	"slices"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/exit"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/login"
)

// accountTable is the table of the accounts at file hosts, each with its name: [account.work].
const accountTable = "account"

// An account is an account of the file. It names a program and adds trust, so that the file alone has it.
type account struct {
	login.Account
	from origin
}

// addTo adds a setting to the account that its key names.
func (d *document) addTo(keys []string, s setting) error {
	if len(keys) != 3 {
		return errors.New("want a table for each account, such as [account.work]")
	}
	if slices.ContainsFunc(s.values, hasSecret) {
		return fmt.Errorf("%s: %w", s.flag, errSecret)
	}
	i := slices.IndexFunc(d.accounts, func(a account) bool { return a.Name == keys[1] })
	if i < 0 {
		i = len(d.accounts)
		d.accounts = append(d.accounts, account{login.Account{Name: keys[1]}, s.from})
	}
	return d.accounts[i].Set(s.flag, s.values)
}

// checkAccounts returns the first mistake in an account.
func (d *document) checkAccounts() error {
	for _, a := range d.accounts {
		if err := a.Check(); err != nil {
			return exit.Mistake(fmt.Errorf("%s: [account.%s]: %w", a.from, a.Name, err))
		}
	}
	return nil
}

// Accounts returns the accounts at file hosts, for a command that a person starts.
func (s *Settings) Accounts() (list login.Accounts) {
	for _, a := range s.accounts {
		list = append(list, a.Account)
	}
	return list
}

// ReadAccounts reads the accounts of a file alone, for a command that reads no other settings.
func ReadAccounts(file string) (login.Accounts, error) {
	text, err := read(file)
	if err != nil {
		return nil, exit.Mistake(err)
	}
	doc, err := parse(file, text)
	if err != nil {
		return nil, exit.Mistake(err)
	}
	s := Settings{file: file, document: *doc}
	return s.Accounts(), doc.checkAccounts()
}
