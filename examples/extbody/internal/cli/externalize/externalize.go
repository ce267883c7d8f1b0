// Package externalize has the command that takes bodies out of messages.
package externalize

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/bodystore"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/exit"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/flagvalue"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/rewriting"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/rewrite"
)

type flags struct {
	rewriting.Flags
	store, base string
	names       bool
	kind        flagvalue.Choice
	minSize     flagvalue.Size
	options     rewrite.ExternalizeOptions
}

// Command returns the command.
func Command() *cobra.Command {
	var x flags
	cmd := &cobra.Command{
		Use:   "externalize --store DIR --base-url URL --min-size N [PATH]",
		Short: "Take large bodies out of messages, and leave references",
		Long: `Put the bodies of large parts into a folder, and replace the parts by references to
them. Nothing else is changed.

A web server must serve the folder at the URL. A body is a file ab/cd/abcd... in it, and
its URL ends in the same way. Whoever knows a URL can read the body. --store-names
decides who can know it:

  hmac    the HMAC-SHA-256 of the body under a key, which is made in DIR/.extbody-key.
          Only those who have seen the mail know the URL. Do not serve the key; its
          owner alone can read it.
  sha256  the SHA-256 of the body. The sender of a body knows its URL, and anybody can
          ask whether a file that they have was received.

Files in DIR with names of the other kind stay where they are. If a file in DIR is not
the body that it should be, that is an error, and the part stays in the message.

` + rewriting.PathHelp + `
A part that cannot be taken out stays in the message.

The exit status is
   0  when the message was written, also with parts left in it;
   1  when a message or mailbox of a PATH was not written, or the disk had no room for a
      body;
   2  for a mistake on the command line;
  75  when a filter did not write the whole message, or with --tempfail when the folder
      did not take a body: throw the output away, and try again.`,
		Args: cobra.MaximumNArgs(1),
		RunE: x.run,
	}
	f := cmd.Flags()
	x.Flags.Add(f)
	x.AddTimeout(f)
	f.StringVar(&x.store, "store", "", "put bodies into `DIR`, which is made if it is missing")
	f.StringVar(&x.base, "base-url", "", "the `URL` at which DIR is served")
	f.Var(&x.minSize, "min-size", "take out parts of at least `N` octets; 10MB, 1GiB")
	f.BoolVar(&x.names, "names", false, "add the file's name to the URL; the server must ignore it")
	x.kind = flagvalue.OneOf("hmac", "sha256")
	f.Var(&x.kind, "store-names", "how the name of a body in DIR is made")
	o := &x.options
	f.Func("expires", "say that bodies are kept until a date, or for a `TIME` such as 720h or 30d", func(s string) (err error) {
		if d, serr := flagvalue.ParseSpan(s); serr == nil {
			o.Expiration = time.Now().Add(d)
		} else if o.Expiration, err = flagvalue.ParseDate(s); err != nil {
			return errors.New("want a date of mail or RFC 3339, or a time such as 720h or 30d")
		}
		return nil
	})
	f.StringVar(&o.Domain, "domain", "", "the domain of new Content-IDs (default: the host of the URL)")
	f.BoolVar(&o.Twin, "twin", false, "put a text with the link beside each reference, for readers that do not know references")
	return cmd
}

// run rewrites a message or mailbox.
func (x *flags) run(cmd *cobra.Command, args []string) error {
	if x.store == "" || x.base == "" || x.minSize <= 0 {
		return exit.Mistake(errors.New("want --store, --base-url and --min-size"))
	}
	o := x.options
	o.MinSize = int64(x.minSize)
	o.At = x.At()
	o.Nested = x.Nested
	w := rewriting.New(cmd, &x.Flags)
	w.Least = o.MinSize
	kind := bodystore.HMAC
	if x.kind.Value == "sha256" {
		kind = bodystore.SHA256
	}
	served, err := bodystore.Serve(x.store, x.base, x.names, kind)
	if err != nil {
		return w.Status(err, w.IsFilter(args))
	}
	var store *bodystore.Bodies
	w.Rewrite = func(ctx context.Context, dst io.Writer, msg *externalbody.Message) (*rewrite.Report, error) {
		store = served.Message()
		o := o
		o.Store = store
		return rewrite.Externalize(ctx, dst, msg, &o)
	}
	w.Records = func(l *rewriting.Letter, i rewrite.Item) []*rewriting.Record { return w.Externalized(l, i, store) }
	return w.Do(cmd.Context(), args)
}
