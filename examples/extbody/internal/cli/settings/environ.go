package settings

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// prefix is how the variables of settings start.
const prefix = "EXTBODY_"

// A variable is the name of a variable for a flag: EXTBODY_JOBS, or EXTBODY_GET_JOBS for one
// command.
func variable(command, flag string) string {
	name := flag
	if command != "" {
		name = command + " " + flag
	}
	return prefix + strings.ToUpper(strings.NewReplacer(" ", "_", "-", "_").Replace(name))
}

// variables returns the settings for which there can be variables, by their names. A name that
// fits a flag of all commands is of that.
func variables(root *cobra.Command) map[string]setting {
	m := make(map[string]setting)
	add := func(command, flag string) {
		name := variable(command, flag)
		if had, ok := m[name]; ok && had.command == "" {
			return
		}
		m[name] = setting{command: command, flag: flag, from: origin{variable: name}}
	}
	eachReader(root, func(cmd *cobra.Command) {
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			add("", f.Name)
			words := strings.Fields(path(cmd))
			for n := range words {
				add(strings.Join(words[:n+1], " "), f.Name)
			}
		})
	})
	return m
}

// eachReader calls a function with each command that reads settings and runs.
func eachReader(cmd *cobra.Command, do func(*cobra.Command)) {
	if cmd.HasParent() && !isReader(cmd) {
		return
	}
	if cmd.HasParent() && !cmd.HasSubCommands() {
		do(cmd)
	}
	for _, c := range cmd.Commands() {
		eachReader(c, do)
	}
}

// given reports whether an environment has variables that may be settings.
func given(environ []string) bool {
	return slices.ContainsFunc(environ, func(line string) bool { return strings.HasPrefix(line, prefix) })
}

// fromEnvironment returns the settings of an environment, in the order of their names. Other
// variables whose names start alike are not settings.
func fromEnvironment(root *cobra.Command, environ []string) (list []setting, err error) {
	known := variables(root)
	environ = slices.Sorted(slices.Values(environ))
	for _, line := range environ {
		name, value, _ := strings.Cut(line, "=")
		s, ok := known[name]
		if !ok || value == "" {
			continue
		}
		switch classOf(s.flag) {
		case once:
			return nil, fmt.Errorf("%s: --%s is about one run: give it on the command line", name, s.flag)
		case fromFile:
			return nil, fmt.Errorf(
				"%s: --%s adds trust, which no variable does: give it on the command line or in config.toml", name, s.flag,
			)
		}
		s.values = []string{value}
		list = append(list, s)
	}
	return list, nil
}
