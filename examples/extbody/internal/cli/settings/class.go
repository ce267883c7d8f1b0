package settings

import (
	"errors"
	"net/url"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// A class says from where a flag can be set, apart from the command line.
type class int

const (
	// fromFile are the flags that the file alone sets. They add trust: they allow addresses,
	// schemes, hosts or files, name programs to run, or make a command ask less. Every flag that
	// is not in another class is in this one.
	fromFile class = iota

	// anywhere are the flags that the environment sets too.
	anywhere

	// once are the flags about one run.
	once
)

// classes has the flags of the other classes.
var classes = map[class]string{
	anywhere: "8bit alternatives as at capture csv digest domain drop-outer expect-mail expires give-up inline jobs json " +
		"keep-alternatives link location lock-timeout max-bytes max-message max-run-bytes min-free min-size names nested " +
		"no-progress notice ordered output profile quiet rate report result-field store-names " +
		"tempfail timeout trace twin until user-agent verbose verify-sources",
	once: "account all-matches gone providers head help in-place install message name no-config reason ref refs remove retry skip-done kind host stdout tenant text undo version watch",
}

func classOf(flag string) class {
	for c, names := range classes {
		if slices.Contains(strings.Fields(names), flag) {
			return c
		}
	}
	return fromFile
}

// readers are the commands that read settings, and those below them. A filter, a server and a
// verdict depend on nothing but their flags.
var readers = []string{"list", "open", "get", "inline", "externalize", "normalize", "hosts", "archive", "fleet"}

// noConfig is the flag of the commands that read settings.
const noConfig = "no-config"

// Flag adds the flag with which a command reads no settings, unless it never does.
func Flag(cmd *cobra.Command) {
	if isReader(cmd) {
		cmd.Flags().Bool(noConfig, false, "read no settings")
	}
}

// Reads reports whether a command reads settings: it is one of those that do, it is no filter,
// and it has no --no-config. The flags of the command have been read.
func Reads(cmd *cobra.Command, args []string) bool {
	return isReader(cmd) && !isFilter(cmd, args) && !cmd.Flags().Changed(noConfig)
}

// isReader reports whether a command, or one above it, is one of the readers.
func isReader(cmd *cobra.Command) bool {
	return slices.Contains(readers, strings.Split(path(cmd)+" ", " ")[0])
}

// isFilter reports whether a command that rewrites writes to standard output or reads standard
// input.
func isFilter(cmd *cobra.Command, args []string) bool {
	f := cmd.Flags()
	if f.Lookup("in-place") == nil || f.Changed("watch") {
		return false
	}
	return len(args) == 0 || args[0] == "-" || !f.Changed("output") && !f.Changed("in-place")
}

// path returns the words of a command below the root. The host of an extension has the settings of
// open, which does the same at a terminal.
func path(cmd *cobra.Command) string {
	_, below, _ := strings.Cut(cmd.CommandPath(), " ")
	if below == "native" {
		return "open"
	}
	return below
}

var errSecret = errors.New("secrets are not kept here: a login comes from --netrc, --password-command or --credentials-command")

// secretWords are in the names of values that are secret.
var secretWords = []string{"password", "passwd", "token", "secret", "apikey", "api-key", "api_key"}

// isSecretName reports whether a key asks for a secret. Flags are looked up before.
func isSecretName(key string) bool {
	return slices.ContainsFunc(secretWords, func(word string) bool { return strings.Contains(strings.ToLower(key), word) })
}

// hasSecret reports whether a value has a password or the like in it: in a URL, or as NAME=.
func hasSecret(value string) bool {
	for word := range strings.FieldsSeq(value) {
		if u, err := url.Parse(word); err == nil && u.User != nil {
			if _, has := u.User.Password(); has {
				return true
			}
		}
		for _, name := range secretWords {
			if strings.Contains(strings.ToLower(word), name+"=") {
				return true
			}
		}
	}
	return false
}
