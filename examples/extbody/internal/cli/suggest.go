package cli

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// didYouMean returns the end of an error that suggests names.
func didYouMean(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return ": did you mean " + strings.Join(names, " or ") + "?"
}

// nearFlags returns the flags of a command with a name near name.
func nearFlags(cmd *cobra.Command, name string) (names []string) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden && near(name, f.Name) {
			names = append(names, "--"+f.Name)
		}
	})
	return names
}

// near reports whether a is the beginning of b, or differs from it by one letter that is
// missing, added or changed, or by two letters that are exchanged.
func near(a, b string) bool {
	if len(a) < 2 {
		return false
	}
	if strings.HasPrefix(b, a) {
		return true
	}
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return len(a) <= 1 && len(b) <= 1 || len(a) == 2 && len(b) == 2 && a[0] == b[1] && a[1] == b[0]
}
