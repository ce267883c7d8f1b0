package archive

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"time"

	"github.com/spf13/cobra"

	core "github.com/go-extbody/extbody/examples/extbody/internal/archive"
	"github.com/go-extbody/extbody/examples/extbody/internal/archive/browse"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/exit"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/record"
	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/httpfront"
)

func (a *files) browseCommand() *cobra.Command {
	var address string
	var which core.Which
	cmd := &cobra.Command{
		Use:   "browse DIR",
		Short: "Show an archive in a browser of this machine",
		Long: `Show an archive as pages at ADDR: a search by the terms of archive search, each message
with its files, and each file with its proof, or with the reason why there is none. The
pages change nothing, and a run may be under way. They have no login: ADDR must be one of
this machine alone, whose users can all read the archive while it is shown.` + captures + ` The page of a message lists
all bodies that a reference had, whichever is chosen.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return a.browse(cmd.Context(), args[0], address, which) },
	}
	cmd.Flags().StringVar(&address, "http", "127.0.0.1:8028", "show the pages at `ADDR`, an address of this machine and a port")
	captureFlag(cmd.Flags(), &which)
	return cmd
}

// browse shows an archive until ctx ends.
func (a *files) browse(ctx context.Context, dir, address string, which core.Which) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil || !at.Addr().IsLoopback() {
		return exit.Mistake(fmt.Errorf("--http %s: want an address that only this machine has, such as 127.0.0.1:8028", address))
	}
	// A folder that is no archive is a mistake now, and not on the first page.
	if err := reading(dir, func(*core.Archive) error { return nil }); err != nil {
		return err
	}
	page := browse.New(dir, &core.Options{Agent: record.Version()}, which)
	defer page.Close()
	l, err := net.Listen("tcp", at.String())
	if err != nil {
		return err
	}
	fmt.Fprintf(a.out, "http://%s/\n", l.Addr())
	s := &http.Server{Handler: httpfront.Pages(nil, page), ReadHeaderTimeout: 10 * time.Second, MaxHeaderBytes: 64 << 10}
	defer context.AfterFunc(ctx, func() { s.Close() })()
	if err := s.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
