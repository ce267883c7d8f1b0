// Package hosts has the command that shows which file hosts are known.
package hosts

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/show"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/source"
	"github.com/go-extbody/extbody/internal/link/redact"
	"github.com/go-extbody/extbody/internal/link/sharelink"
	"github.com/go-extbody/extbody/internal/link/unwrap"
	"github.com/go-extbody/extbody/internal/link/weburl"
)

// Command returns the command.
func Command() *cobra.Command {
	var own source.ShareHosts
	var exact bool
	cmd := &cobra.Command{
		Use:   "hosts [URL...]",
		Short: "List the known file hosts, or explain URLs; no network",
		Long: `List the shapes of share links that are read: provider, kind, host, and patterns of
the path. A pattern stands for URLs with the same segments; {id} is the token. A host
that begins with a dot is any host below it, and * is any host.

For each URL, say whether it is a share link, and why or why not.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return list(cmd.OutOrStdout())
			}
			table, err := sharelink.NewTable(own)
			if err != nil {
				return err
			}
			for _, text := range args {
				shown := text
				if _, ok := table.Guess(unwrap.URL(text).URL); ok && !exact {
					shown = redact.Origin(text)
				} else if !exact {
					shown = redact.URL(text)
				}
				if _, err := fmt.Fprintf(cmd.OutOrStdout(), "%s: %s\n", show.Line(shown), show.Line(explain(table, text))); err != nil {
					return err
				}
			}
			return nil
		},
	}
	f := cmd.Flags()
	own.Flag(f)
	f.BoolVar(&exact, "exact-urls", false, "do not redact URLs")
	return cmd
}

func list(w io.Writer) error {
	for _, r := range sharelink.All() {
		hosts := r.Hosts
		if len(hosts) == 0 {
			hosts = []string{"*"}
		}
		for _, host := range hosts {
			if _, err := fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", r.Provider, r.Kind, host, strings.Join(r.Paths, " ")); err != nil {
				return err
			}
		}
	}
	return nil
}

// explain describes a URL in words.
func explain(table *sharelink.Table, text string) string {
	r := unwrap.URL(text)
	prefix := ""
	if len(r.Wrappers) > 0 {
		prefix = "wrapped by " + strings.Join(r.Wrappers, ", ") + "; "
	}
	switch {
	case r.Opaque:
		return prefix + "only the maker of the wrapper knows the URL within it"
	case r.Err != nil:
		return prefix + r.Err.Error()
	}
	u, ok := weburl.Parse(r.URL)
	if !ok {
		return prefix + "no reference: it is not an absolute http or https URL"
	}
	l, ok := table.Guess(r.URL)
	switch {
	case !ok && sharelink.Knows(u.Host):
		return prefix + "no reference: the host is known, and this is not the shape of its share links"
	case !ok:
		return prefix + "no reference: the host is not known (--share-host names one)"
	}
	s := fmt.Sprintf("%sshare link of %s, %s", prefix, l.Provider, l.Kind)
	if l.Guessed {
		s += ", guessed: its host is not known, and is contacted only with --guessed-hosts or --share-host"
	}
	if l.Name != "" {
		s += fmt.Sprintf(", name %q", l.Name)
	}
	switch {
	case l.Direct != "":
		s += ", fetched at " + redact.Origin(l.Direct)
	case l.Ask != "":
		s += ", fetched after " + redact.Origin(l.Ask) + " was asked for its URL"
	case l.EndToEnd:
		s += ", not fetched: it is encrypted, and the host does not have the key"
	case l.Needs != sharelink.NeedsNothing:
		s += fmt.Sprintf(", not fetched: it needs an %s", l.Needs)
		s = strings.Replace(s, "an program", "a program", 1)
	}
	if l.Once {
		s += "; a fetch may use up one of a limited number of downloads"
	}
	return s
}
