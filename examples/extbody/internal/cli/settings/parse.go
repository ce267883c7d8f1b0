package settings

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/exit"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/flagvalue"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/login"
	"github.com/go-extbody/extbody/examples/extbody/internal/tomltext"
)

// An origin is from where a setting is.
type origin struct {
	file     string // "" for a variable
	line     int
	variable string
}

func (o origin) String() string {
	if o.file == "" {
		return o.variable
	}
	return short(o.file) + ":" + strconv.Itoa(o.line)
}

// A setting is the default of a flag.
type setting struct {
	command string // its words below the root; "" is every command with the flag
	flag    string
	values  []string
	list    bool // the values were given as a list
	from    origin
}

// An agreement is a host that the user agreed to, for a way to it.
type agreement struct {
	host  string // as flagvalue.Way returns it
	since string // the date, if it is known
	from  origin
}

// encrypted is how an agreement for encrypted ways begins.
var encrypted = flagvalue.Way("https", "")

// shown returns the text of the host in the file. Without a scheme it is for encrypted ways.
func (a agreement) shown() string { return strings.TrimPrefix(a.host, encrypted) }

// isOne reports whether the agreement is about one of hosts. A host without a scheme is meant for
// every way.
func (a agreement) isOne(hosts flagvalue.Hosts) bool {
	_, host, _ := strings.Cut(a.host, "://")
	_, whole := hosts[host]
	_, way := hosts[a.host]
	return whole || way
}

// A document is the content of a file.
type document struct {
	settings []setting
	agreed   []agreement
	accounts []account
	table    int // the line of [agreed]; 0 if there is none
}

// agreedTable is the table of the hosts that were agreed to.
const agreedTable = "agreed"

// parse reads the text of a file. An error names the line.
func parse(file string, octets []byte) (*document, error) {
	at := func(line int, err error) error { return fmt.Errorf("%s: %w", origin{file: file, line: line}, err) }
	fault := func(err error) error {
		if e, ok := errors.AsType[*tomltext.Error](err); ok {
			return at(e.Line, err)
		}
		return err
	}
	text, err := tomltext.Read(octets)
	if err != nil {
		return nil, fault(err)
	}
	doc := new(document)
	var table []string
	err = text.Each(func(n *unstable.Node) error {
		keys, line := text.Key(n)
		switch n.Kind {
		case unstable.ArrayTable:
			return at(line, errors.New("a list of tables: want tables, such as [get]"))
		case unstable.Table:
			table = keys
			if slices.Equal(keys, []string{agreedTable}) {
				doc.table = line
			}
		case unstable.KeyValue:
			if err := doc.add(append(slices.Clone(table), keys...), n.Value(), origin{file: file, line: line}); err != nil {
				return at(line, err)
			}
		}
		return nil
	})
	if err != nil {
		return nil, fault(err)
	}
	return doc, nil
}

// add adds a value with its whole key.
func (d *document) add(keys []string, v *unstable.Node, from origin) error {
	last := len(keys) - 1
	if keys[0] == agreedTable {
		return d.agree(keys[1:], v, from)
	}
	s := setting{command: strings.Join(keys[:last], " "), flag: strings.TrimPrefix(keys[last], "--"), from: from}
	if err := s.take(v); err != nil {
		return err
	}
	if keys[0] == accountTable {
		return d.addTo(keys, s)
	}
	d.settings = append(d.settings, s)
	return nil
}

// take gives the setting a value, or the values of a list.
func (s *setting) take(v *unstable.Node) error {
	s.list = v.Kind == unstable.Array
	return tomltext.Values(v, func(v *unstable.Node) error {
		value, err := scalar(v)
		if err != nil {
			return fmt.Errorf("%s: %w", s.flag, err)
		}
		s.values = append(s.values, value)
		return nil
	})
}

func scalar(v *unstable.Node) (string, error) {
	switch v.Kind {
	case unstable.String, unstable.Bool, unstable.Float, unstable.LocalDate, unstable.DateTime:
		return string(v.Data), nil
	case unstable.Integer:
		return strings.ReplaceAll(string(v.Data), "_", ""), nil
	}
	return "", fmt.Errorf("it is of type %v: want a text, a number, true, false, or a list of these", v.Kind)
}

// agree adds a host of [agreed]. The value is the date since when, or true. A host without a scheme
// is agreed to for encrypted ways alone (OP-57).
func (d *document) agree(keys []string, v *unstable.Node, from origin) error {
	var hosts flagvalue.Hosts
	if len(keys) != 1 || keys[0] == "" || hosts.Add(keys[0], "") != nil {
		return errors.New("[agreed]: want a host in quotation marks, such as \"cloud.example\" or \"cloud.example:8443\"")
	}
	a := agreement{host: hosts.String(), from: from}
	if !strings.Contains(a.host, "://") {
		a.host = flagvalue.Way("https", a.host)
	}
	switch {
	case v.Kind == unstable.LocalDate, v.Kind == unstable.DateTime:
		a.since = string(v.Data)
	case v.Kind != unstable.Bool || string(v.Data) != "true":
		return errors.New("[agreed]: want the date since when, such as 2030-01-31, or true")
	}
	d.agreed = append(d.agreed, a)
	return nil
}

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

// checkAccounts returns the first mistake in an account. A host of two accounts is one: the second would never be used.
func (d *document) checkAccounts() error {
	owner := make(map[string]string)
	for _, a := range d.accounts {
		err := a.Check()
		for _, h := range a.Hosts {
			first := owner[h]
			if isSecond := first != "" && first != a.Name; isSecond && err == nil {
				err = fmt.Errorf("hosts: %s is a host of the account %s as well", h, first)
			}
			owner[h] = a.Name
		}
		if err != nil {
			return exit.Mistake(fmt.Errorf("%s: [account.%s]: %w", a.from, a.Name, err))
		}
	}
	return nil
}
