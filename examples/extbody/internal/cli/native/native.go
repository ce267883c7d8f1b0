// Package native is the host of the extension for Thunderbird: it lists the files that the shown message
// points at, and gets the ones that a person agrees to.
//
// A mail program starts the host for one extension, by the name in a manifest that allows that extension
// alone. Both write frames to standard input and output: a length, and JSON. The host reads a message and
// the numbers of files in it, and no path and no URL, so that an extension cannot make it fetch anything
// that the message does not point at. Nothing is contacted without a plan that the host made.
package native

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/exit"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/flagvalue"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/open"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/policy"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/settings"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/source"
	"github.com/go-extbody/extbody/externalbody"
)

// A run is one run of the command.
type run struct {
	install, remove flagvalue.Choice
	policy          policy.Policy
	imap            source.ServerFlags
	dir             string
	max             flagvalue.Size
	yes             flagvalue.Hosts
	settings        *settings.Settings
}

// The program that has the extension.
const thunderbird = "thunderbird"

// Command returns the command. It has the settings of open.
func Command(s *settings.Settings) *cobra.Command {
	r := run{settings: s, max: 100 << 20}
	cmd := &cobra.Command{
		Use:   "native --install thunderbird | --remove thunderbird",
		Short: "Serve the extension for Thunderbird",
		Long: `Serve the extension for Thunderbird, which shows above a message the files that it
points at. READERS.md has the set-up.

--install writes a manifest, by which Thunderbird finds this program, and beside it a
script that runs it. --remove removes both. Thunderbird itself calls the command with the
path of the manifest and the id of the extension. Then it reads requests from standard input
and writes answers to standard output, each a length and JSON; schema/native.schema.json
has their keys. An extension with another id is refused.

The settings are those of open, in the table [open].`,
		Args: cobra.MaximumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case r.install.Value != "" && r.remove.Value == "" && len(args) == 0:
				return install(cmd.OutOrStdout())
			case r.remove.Value != "" && r.install.Value == "" && len(args) == 0:
				return remove(cmd.OutOrStdout())
			case r.install.Value+r.remove.Value != "":
				return exit.Mistake(errors.New("want --install or --remove, and nothing else"))
			}
			return r.serve(cmd.Context(), args, cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	f := cmd.Flags()
	r.install = flagvalue.OneOf("", thunderbird)
	r.remove = flagvalue.OneOf("", thunderbird)
	f.Var(&r.install, "install", "let the extension in this mail program find this program")
	f.Var(&r.remove, "remove", "take that back")
	f.StringVarP(&r.dir, "output", "o", "", "save in `DIR` (default: the folder for downloads)")
	f.Var(&r.max, "max-message", "do not look into messages of more than `N` octets; 10MB, 1GiB, none")
	f.Var(&r.yes, "yes", "agree to `HOST` without a question (repeatable)")
	r.policy.Flags(f)
	r.policy.Cache.Flags(f)
	r.imap.Flags(f, &r.policy.AllowPlaintext)
	return cmd
}

// serve serves the extension that started the program.
func (r *run) serve(ctx context.Context, args []string, in io.Reader, out, errw io.Writer) error {
	if len(args) != 2 {
		return exit.Mistake(errors.New("this command is run by Thunderbird: want --install thunderbird, once"))
	}
	if args[1] != extension {
		return exit.Mistake(fmt.Errorf("the extension %q is not %s", args[1], extension))
	}
	dir := r.dir
	if dir == "" {
		var err error
		dir, err = open.Downloads()
		if err != nil {
			return fmt.Errorf("there is no folder for downloads: name one with output in [open]: %w", err)
		}
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	r.policy.NetrcFile = r.imap.Netrc
	r.policy.Polite.PerHost = perHost
	r.policy.Polite.Fetches = perGet
	r.policy.Cache.Shared = sharedSize
	r.policy.Accounts = r.settings.Accounts()
	engine, err := r.policy.Engine(nil, errw)
	if err != nil {
		return err
	}
	defer engine.Close()
	agreed := r.settings.Agreed(r.yes)
	s := &session{
		out:      &writer{out: out},
		resolver: engine.Resolver,
		reading:  &r.policy.Reading,
		most:     int64(r.max),
		dir:      dir,
		remember: r.settings.Keeps(),
		agreed:   func(p *externalbody.Plan) (string, bool) { return agreed.Agrees(p.Scheme, p.Host) },
	}
	return s.serve(ctx, in)
}

const (
	// perHost is how many requests a host gets at a time.
	perHost = 2

	// sharedSize is how many octets of bodies are kept in memory for other files of the message.
	sharedSize = 2 << 20
)
