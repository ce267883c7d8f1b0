// Package hosts has the command that shows which file hosts are known.
package hosts

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/exit"
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
	var exact, asJSON, providers bool
	cmd := &cobra.Command{
		Use:   "hosts [URL...]",
		Short: "List the known file hosts, or explain URLs; no network",
		Long: `List the shapes of share links that are read: provider, kind, host, why they are not
fetched ("-" if they are, or if it depends on the link), and patterns of the path. A pattern
stands for URLs with the same segments; {id} is the token. A host that begins with a dot is
any host below it, and * is any host.

With --providers, list the providers by how their files can be had: those of some links
at least are fetched, or an account at the host is needed, or only a browser opens them.

For each URL, say whether it is a share link, and why or why not.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			table, err := sharelink.NewTable(own)
			if err != nil {
				return err
			}
			var b bytes.Buffer
			switch {
			case providers && len(args) > 0:
				return exit.Mistake(errors.New("--providers is about all providers: leave out the URL"))
			case providers:
				listProviders(&b, table, asJSON)
			case len(args) == 0:
				list(&b, table, asJSON)
			}
			for _, text := range args {
				a := explain(table, text)
				a.URL = text
				if a.Reference && !exact {
					a.URL = redact.Origin(text)
				} else if !exact {
					a.URL = redact.URL(text)
				}
				if asJSON {
					show.JSON(&b, a)
				} else {
					fmt.Fprintf(&b, "%s: %s\n", show.Line(a.URL), show.Line(a.Why))
				}
			}
			_, err = cmd.OutOrStdout().Write(b.Bytes())
			return err
		},
	}
	f := cmd.Flags()
	own.Flags(f, func(h source.ShareHosts) error {
		_, err := sharelink.NewTable(h)
		return err
	})
	f.BoolVar(&exact, "exact-urls", false, "do not redact URLs")
	f.BoolVar(&providers, "providers", false, "list the providers, by how their files can be had")
	f.BoolVar(&asJSON, "json", false, "write one JSON object a line")
	return cmd
}

// accesses are how files can be had, as headings.
var accesses = []struct {
	access sharelink.Access
	text   string
}{
	{sharelink.Fetched, "Fetched, the files of some links at least"},
	{sharelink.WithLogin, "Only with an account at the host"},
	{sharelink.ByBrowser, "Only in a browser"},
}

// listProviders lists the providers, by how their files can be had.
func listProviders(b *bytes.Buffer, table *sharelink.Table, asJSON bool) {
	names := make(map[sharelink.Access][]string)
	for _, p := range table.Providers() {
		if asJSON {
			show.JSON(b, p)
		}
		names[p.Access] = append(names[p.Access], p.Name)
	}
	if asJSON {
		return
	}
	for _, a := range accesses {
		fmt.Fprintf(b, "%s:\n", a.text)
		text := show.Fill(strings.Join(names[a.access], ", "), providerColumns)
		fmt.Fprintf(b, "  %s\n", strings.ReplaceAll(text, "\n", "\n  "))
	}
}

// providerColumns is the width of the lists of providers.
const providerColumns = 76

func list(b *bytes.Buffer, table *sharelink.Table, asJSON bool) {
	for _, r := range table.All() {
		if asJSON {
			show.JSON(b, r)
			continue
		}
		if len(r.Hosts) == 0 {
			r.Hosts = []string{"*"}
		}
		for _, host := range r.Hosts {
			fmt.Fprintf(b, "%s\t%s\t%s\t%s\t%s\n", r.Provider, r.Kind, host, cmp.Or(r.Needs, "-"), strings.Join(r.Paths, " "))
		}
	}
}

// An answer is the explanation of a URL.
type answer struct {
	URL       string         `json:"url"`
	Reference bool           `json:"reference"`
	Why       string         `json:"why"`
	Wrappers  []string       `json:"wrappers,omitempty"`
	Provider  string         `json:"provider,omitempty"`
	Kind      sharelink.Kind `json:"kind,omitempty"`
	Shape     string         `json:"shape,omitempty"`
	Name      string         `json:"name,omitempty"`
	Direct    string         `json:"direct,omitempty"` // the site that has the octets, or knows where they are
	Needs     string         `json:"needs,omitempty"`
	Guessed   bool           `json:"guessed,omitempty"`
	Once      bool           `json:"once,omitempty"`
}

func explain(table *sharelink.Table, text string) answer {
	r := unwrap.URL(text)
	a := answer{Wrappers: r.Wrappers}
	if len(r.Wrappers) > 0 {
		a.Why = "wrapped by " + strings.Join(r.Wrappers, ", ") + "; "
	}
	u, isURL := weburl.Parse(r.URL)
	l, ok := table.Guess(r.URL)
	switch {
	case r.Opaque:
		a.Why += "only the maker of the wrapper knows the URL within it"
	case r.Err != nil:
		a.Why += r.Err.Error()
	case !isURL:
		a.Why += "no reference: it is not an absolute http or https URL"
	case !ok && table.Knows(u.Host):
		a.Why += "no reference: the host is known, and this is not the shape of its share links"
	case !ok:
		a.Why += "no reference: the host is not known (--share-host or --share-hosts names one)"
	default:
		a.explain(l)
	}
	return a
}

func (a *answer) explain(l *sharelink.Link) {
	a.Reference = true
	a.Provider = l.Provider
	a.Kind = l.Kind
	a.Shape = l.Shape
	a.Name = l.Name
	a.Needs = string(l.Needs)
	a.Guessed = l.Guessed
	a.Once = l.Once
	a.Why += fmt.Sprintf("share link of %s, %s", l.Provider, l.Kind)
	if l.Guessed {
		a.Why += ", guessed: its host is not known, and is contacted only with --guessed-hosts or --share-host"
	}
	if l.Name != "" {
		a.Why += fmt.Sprintf(", name %q", l.Name)
	}
	switch {
	case l.EndToEnd:
		a.Needs = "key"
		a.Why += ", not fetched: it is encrypted, and the host does not have the key"
	case l.Kind == sharelink.Folder:
		a.Why += ", not fetched: it is a folder"
	case l.Direct != "":
		a.Direct = redact.Origin(l.Direct)
		a.Why += ", fetched at " + a.Direct
	case l.Ask != "":
		a.Direct = redact.Origin(l.Ask)
		a.Why += ", fetched after " + a.Direct + " was asked for its URL"
	case l.Needs != sharelink.NeedsNothing:
		a.Why += ", not fetched: it needs the host's " + a.Needs
	default:
		a.Why += ", not fetched: no URL is known that gives the octets"
	}
	a.Why += "; the path matches " + cmp.Or(l.Shape, "/")
	if l.Cut {
		a.Why += "; its key is missing or not whole"
	}
	if l.Once {
		a.Why += "; a fetch may use up one of a limited number of downloads"
	}
}
