package policy

import (
	"context"
	"errors"
	"io"

	"github.com/spf13/pflag"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/login"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/mailfetch"
)

// outgoing are the flags about requests to mail servers.
type outgoing struct {
	command string
	from    string
}

func (o *outgoing) flags(f *pflag.FlagSet) {
	f.StringVar(&o.command, "sendmail", "", "request bodies of access type mail-server by mail, at most 10 in a run: the shell command `CMD`, such as \"sendmail -t -i\", reads each request")
	f.StringVar(&o.from, "mail-from", "", "the `ADDRESS` of these requests, to which the bodies are sent")
}

func (o *outgoing) check() error {
	if (o.command == "") != (o.from == "") {
		return errors.New("--sendmail and --mail-from need each other")
	}
	return nil
}

// fetcher returns the Fetcher for mailto.
func (o *outgoing) fetcher(errw io.Writer) fetch.Fetcher {
	return mailfetch.New(&mailfetch.Options{
		From: o.from,
		Send: func(ctx context.Context, _, _ string, msg []byte) error {
			_, err := login.Command(ctx, o.command, msg, errw)
			return err
		},
	})
}
