package settings

import (
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/exit"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/login"
)

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
