// Package settings has the defaults of flags that a user sets in a file or in the environment, and
// the hosts that the user agreed to for good.
package settings

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/exit"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/flagvalue"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/show"
	"github.com/go-extbody/extbody/internal/file/filestate"
)

// maxBytes bounds the text of a file.
const maxBytes = 1 << 20

// Settings are the settings of a user. The zero Settings are none, and keep nothing.
type Settings struct {
	file      string // "" if settings are not read
	document         // of the file
	variables []setting

	applied []setting
}

// Load reads the settings of the file, if there is one, and of an environment, as
// os.Environ returns it. root returns the root command with all commands, whose flags the
// settings have to be of; a flag of it must not be used after that. Each error is a mistake
// (status 2): a file that another user may write, an unknown key, a wrong value, a secret, or a
// variable for a flag that adds trust.
func (s *Settings) Load(file string, environ []string, root func() *cobra.Command) error {
	s.file = file
	text, err := read(file)
	if err != nil {
		return exit.Mistake(err)
	}
	if text == nil && !given(environ) {
		return nil
	}
	doc, err := parse(file, text)
	if err != nil {
		return exit.Mistake(err)
	}
	if err := doc.checkAccounts(); err != nil {
		return err
	}
	all := root()
	s.document = *doc
	s.variables, err = fromEnvironment(all, environ)
	if err != nil {
		return exit.Mistake(err)
	}
	for _, set := range slices.Concat(s.settings, s.variables) {
		if err := check(all, set); err != nil {
			return exit.Mistake(fmt.Errorf("%s: %w", set.from, err))
		}
	}
	return nil
}

// read returns the text of a file, and nil if there is none. A file that this user cannot reach
// is not the user's.
func read(file string) ([]byte, error) {
	if file == "" {
		return nil, nil
	}
	real, others, err := resolve(file)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR), errors.Is(err, fs.ErrPermission):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("%s: %w", short(file), err)
	case others != "":
		return nil, openToOthers(file, others)
	}
	f, err := os.Open(real)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || filestate.IsOthers(info) {
		return nil, openToOthers(file, real)
	}
	text, err := io.ReadAll(io.LimitReader(f, maxBytes+1))
	if err == nil && len(text) > maxBytes {
		err = fmt.Errorf("it has more than %d octets", maxBytes)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", short(file), err)
	}
	return append([]byte{}, text...), nil // which is not nil
}

func openToOthers(file, others string) error {
	return fmt.Errorf(
		"%s does not count, since others than you may write %s: take that from them (chown, chmod go-w), or give --no-config",
		short(file), short(others),
	)
}

// check returns the mistake in a setting. The flags of root get its values.
func check(root *cobra.Command, s setting) error {
	of, err := commandsOf(root, s.command)
	if err != nil {
		return err
	}
	var names []string
	known := false
	for _, cmd := range of {
		f := cmd.Flags().Lookup(s.flag)
		if f == nil {
			cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
			continue
		}
		known = true
		if classOf(f.Name) == once {
			return fmt.Errorf("%s: it is about one run: give --%s on the command line", f.Name, f.Name)
		}
		if slices.ContainsFunc(s.values, hasSecret) {
			return fmt.Errorf("%s: %w", f.Name, errSecret)
		}
		if err := set(f, s); err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	switch {
	case known:
		return nil
	case isSecretName(s.flag):
		return errSecret
	case s.command == "" && slices.Contains(readers, s.flag):
		return fmt.Errorf("%s is a command: want a table [%s]", s.flag, s.flag)
	}
	slices.Sort(names)
	text := fmt.Sprintf("there is no setting %q", s.flag)
	if s.command != "" {
		text += " of " + s.command
	}
	return errors.New(text + show.DidYouMean(s.flag, slices.Compact(names)))
}

func commandsOf(root *cobra.Command, table string) (list []*cobra.Command, err error) {
	eachReader(root, func(cmd *cobra.Command) {
		if of := path(cmd); table == "" || of == table || strings.HasPrefix(of, table+" ") {
			list = append(list, cmd)
		}
	})
	if len(list) > 0 {
		return list, nil
	}
	if cmd, rest, err := root.Find(strings.Fields(table)); err == nil && len(rest) == 0 {
		return nil, fmt.Errorf("[%s]: %s reads no settings", dotted(table), path(cmd))
	}
	names := append(slices.Clone(readers), agreedTable)
	eachReader(root, func(cmd *cobra.Command) { names = append(names, dotted(path(cmd))) })
	slices.Sort(names)
	return nil, fmt.Errorf("[%s]: there is no such command%s", dotted(table), show.DidYouMean(dotted(table), slices.Compact(names)))
}

// dotted returns the words of a command as the name of a table.
func dotted(command string) string { return strings.ReplaceAll(command, " ", ".") }

// set gives a flag the values of a setting.
func set(f *pflag.Flag, s setting) error {
	if len(s.values) != 1 && !strings.Contains(f.Usage, "(repeatable)") {
		return errors.New("want one value")
	}
	if slice, ok := f.Value.(pflag.SliceValue); ok {
		if err := slice.Replace(nil); err != nil {
			return err
		}
	}
	for _, value := range s.values {
		if hosts, ok := f.Value.(*flagvalue.Hosts); ok {
			if err := hosts.Add(value, s.from.String()); err != nil {
				return err
			}
			continue
		}
		value, err := expand(f, value)
		if err != nil {
			return err
		}
		if f.Value.Set(value) != nil {
			return wanted(f, value)
		}
	}
	return nil
}

// wanted returns the error of a value that a flag does not take.
func wanted(f *pflag.Flag, value string) error {
	switch f.Value.Type() {
	case "bool":
		return errors.New("want true or false")
	case "int", "int64", "float64":
		return errors.New("want a number")
	case "duration":
		return errors.New("want a time such as 90s or 5m")
	}
	return f.Value.Set(value)
}

// expand returns a value in which a path is absolute. A path starts at the root or with ~/, since
// a setting holds in whatever folder a command is started.
func expand(f *pflag.Flag, value string) (string, error) {
	switch name, _ := pflag.UnquoteUsage(f); name {
	case "DIR", "FILE":
	default:
		return value, nil
	}
	if below, ok := strings.CutPrefix(value, "~/"); ok {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", err
		}
		return filepath.Join(home, below), nil
	}
	if value != "" && !filepath.IsAbs(value) {
		return "", errors.New("want an absolute path, or one with ~/")
	}
	return value, nil
}

// Explain returns the error of a command with the origin of each applied setting whose flag it
// names.
func (s *Settings) Explain(err error) error {
	if !exit.Is(err, exit.Usage) {
		return err
	}
	words := strings.FieldsFunc(err.Error(), func(c rune) bool { return c != '-' && (c < '0' || c > '9') && (c < 'a' || c > 'z') })
	for _, set := range s.applied {
		if slices.Contains(words, "--"+set.flag) {
			err = exit.Mistake(fmt.Errorf("%w (--%s is from %s)", err, set.flag, set.from))
		}
	}
	return err
}

// Apply gives the flags of a command the values of the settings about it, apart from those that
// the command line has. A variable counts before the file, and a setting of the command before
// one of all commands.
func (s *Settings) Apply(cmd *cobra.Command) (err error) {
	best := make(map[string]setting)
	for _, list := range [][]setting{s.settings, s.variables} {
		here := make(map[string]setting)
		for _, set := range list {
			if isAbout(set.command, cmd) && len(set.command) >= len(here[set.flag].command) {
				here[set.flag] = set
			}
		}
		for flag, set := range here {
			best[flag] = set
		}
	}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if chosen, ok := best[f.Name]; ok && !f.Changed {
			s.applied = append(s.applied, chosen)
			if e := set(f, chosen); e != nil {
				err = cmp.Or(err, exit.Mistake(fmt.Errorf("%s: %s: %w", chosen.from, f.Name, e)))
			}
		}
	})
	return err
}

func isAbout(table string, cmd *cobra.Command) bool {
	of := path(cmd)
	return table == "" || of == table || strings.HasPrefix(of, table+" ")
}

// Agreed returns the hosts that the user agreed to for good, each with where that is written, and
// the hosts of more.
func (s *Settings) Agreed(more flagvalue.Hosts) flagvalue.Hosts {
	hosts := make(flagvalue.Hosts)
	for _, a := range s.agreed {
		hosts[a.host] = a.from.String()
	}
	for host, by := range more {
		hosts[host] = by
	}
	return hosts
}
