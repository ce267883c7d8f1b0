// Command webview shows the references of messages as a page in a browser: where each one
// leads, which hosts opening it would contact, and the facts that they would learn. After
// the reader has agreed and the body is verified, it shows the body.
//
//	webview [-http ADDR] [-allow-net CIDR]... MESSAGE...
//
// It is an example for webmails. [Server] is an [http.Handler] without accounts: everyone
// who can reach it reads the messages. It answers only to the names of
// this machine unless it is given others, and the program listens on loopback.
//
// For the safety of the reader:
//
//   - No page has a script, and none can be put into one: html/template, and a
//     Content-Security-Policy that allows nothing but the style sheet.
//   - No host is contacted before the reader agrees to a Plan. The agreement is for
//     the Plan that was shown; a redirect to another host is asked about again. The files of a host
//     have one button, which agrees to the Plan of each.
//   - A body is shown only after it is whole and verified.
//   - Only pictures and plain text are shown. Everything else, including HTML and SVG,
//     can be saved. All bodies have nosniff, and a sandbox without an origin.
//   - Forms from other sites are refused.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"os"
	"os/signal"
	"time"

	"github.com/go-extbody/extbody/fetch/netguard"
	"github.com/go-extbody/extbody/fetch/safefetch"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "webview:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	flags := flag.NewFlagSet("webview", flag.ExitOnError)
	addr := flags.String("http", "127.0.0.1:8025", "listen on this `address`")
	guard := new(netguard.Guard)
	flags.Func("allow-net", "let references lead to the addresses of this `network` as well", func(s string) error {
		p, err := netip.ParsePrefix(s)
		guard.Allow = append(guard.Allow, p)
		return err
	})
	flags.Parse(args)
	if flags.NArg() == 0 {
		return errors.New("which messages?")
	}
	s := NewServer(safefetch.New(&safefetch.Options{Guard: guard}))
	defer s.Close()
	for _, path := range flags.Args() {
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		info, err := f.Stat()
		if err != nil {
			return err
		}
		if err := s.Add(f, info.Size()); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	l, err := net.Listen("tcp", *addr)
	if err != nil {
		return err
	}
	fmt.Printf("http://%s/\n", l.Addr())
	hs := &http.Server{Handler: s, ReadHeaderTimeout: 10 * time.Second, MaxHeaderBytes: 64 << 10}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	context.AfterFunc(ctx, func() { hs.Close() })
	if err := hs.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
