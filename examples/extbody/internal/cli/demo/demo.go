// Package demo shows the program on servers of its own, on this machine alone.
package demo

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/exit"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/output"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/record"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/show"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/terminal"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/dialect"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/netguard"
	"github.com/go-extbody/extbody/fetch/safefetch"
	"github.com/go-extbody/extbody/internal/wording"
)

// columns is how many columns the list of files has.
const columns = 78

// keptHost is the host of the message that is kept, and keptName the name of its file.
const (
	keptHost = "127.0.0.1:8642"
	keptName = "mail.eml"
)

// Command returns the command.
func Command() *cobra.Command {
	var keep string
	var serve bool
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Show all of it, on this machine alone",
		Long: `Start a web and an ftp server on this machine, write a message that refers to
them, and show how its references are found, judged, got and verified. Nothing
outside this machine is contacted, and nothing is left behind.

--keep leaves a message to try the other commands with, ` + keptName + `. One of its files is
at ` + keptHost + `, where --serve has it.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case keep != "" && serve:
				return exit.Mistake(errors.New("--keep and --serve exclude each other"))
			case keep != "":
				return keepMail(keep, cmd.OutOrStdout())
			case serve:
				return serveKept(cmd.Context(), cmd.OutOrStdout())
			}
			return run(cmd.Context(), cmd.OutOrStdout())
		},
	}
	cmd.Flags().StringVar(&keep, "keep", "", "leave a message in `DIR`, which is made if it is missing, and do nothing else")
	cmd.Flags().BoolVar(&serve, "serve", false, "serve the file of that message until it is interrupted")
	return cmd
}

// keepMail leaves the message in a folder. Another file of its name is not replaced.
func keepMail(dir string, out io.Writer) error {
	if err := output.MakeFolder(dir); err != nil {
		return err
	}
	path := filepath.Join(dir, keptName)
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.WriteString(f, strings.ReplaceAll(kept, "$HTTP", keptHost))
	if err := cmp.Or(err, f.Close()); err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%s points at two files. Now: extbody list %s\n", show.Line(path), show.Line(path))
	return err
}

// serveKept serves the file of the message that is kept until ctx ends.
func serveKept(ctx context.Context, out io.Writer) error {
	servers, err := startServers(keptHost, served)
	if err != nil {
		return err
	}
	defer servers.stop()
	if _, err := fmt.Fprintf(out, "http://%s has the file of %s until Control-C.\n", keptHost, keptName); err != nil {
		return err
	}
	<-ctx.Done()
	return nil
}

// run returns nil if everything went as it should, refusals included.
func run(ctx context.Context, out io.Writer) error {
	ctx, cancel := context.WithTimeout(ctx, demoTime)
	defer cancel()
	servers, err := startServers(loopback, served)
	if err != nil {
		return err
	}
	defer servers.stop()

	s := &tour{w: out, colors: terminal.Is(out) && os.Getenv("NO_COLOR") == ""}
	refs, err := s.message(servers.message())
	if err != nil {
		return err
	}
	resolver := servers.resolver()
	s.plans(resolver, refs)
	wrong := s.resolve(ctx, resolver, refs)
	if s.err != nil {
		return s.err
	}
	if wrong > 0 {
		return fmt.Errorf("%d of %s had a wrong end", wrong, wording.Count(len(refs), "reference"))
	}
	return nil
}

// message returns the message of the demo, which refers to the servers.
func (s *demoServers) message() string {
	return strings.NewReplacer("$HTTP", s.http.String(), "$FTP", s.ftp.String(), "\n", "\r\n").Replace(message)
}

// resolver returns a Resolver that may ask the servers, which are on this machine: that is refused
// otherwise.
func (s *demoServers) resolver() *externalbody.Resolver {
	return &externalbody.Resolver{Fetcher: safefetch.New(&safefetch.Options{Guard: &netguard.Guard{
		Allow: []netip.Prefix{netip.PrefixFrom(s.http.AddrPort().Addr().Unmap(), 32)},
		Ports: []uint16{uint16(s.http.Port), uint16(s.ftp.Port)},
	}})}
}

// A tour writes the demo. It keeps the first error of writing.
type tour struct {
	w      io.Writer
	colors bool
	err    error
}

func (s *tour) line(format string, args ...any) {
	if s.err == nil {
		_, s.err = fmt.Fprintf(s.w, format+"\n", args...)
	}
}

func (s *tour) heading(text string) {
	if s.colors {
		text = "\x1b[1m" + text + "\x1b[0m"
	}
	s.line("\n%s\n", text)
}

// message shows the message and its references.
func (s *tour) message(text string) ([]*externalbody.Reference, error) {
	s.line("Mail can say that a part of it is somewhere else: a message/external-body part")
	s.line("has a URL, and a header for what is there. Most mail programs of today write")
	s.line("forms of their own for that. This is such a message, with two servers on this")
	s.line("machine to go with it.")
	s.heading("1. The message")
	for l := range strings.Lines(text) {
		s.line("%s", strings.TrimRight("  "+l, " \r\n"))
	}

	s.heading("2. What it refers to (extbody list). Nobody was contacted for this.")
	r := strings.NewReader(text)
	msg, err := externalbody.Open(r, r.Size(), &externalbody.OpenOptions{Dialects: dialect.All()})
	if err != nil {
		return nil, err
	}
	refs := slices.Collect(msg.References())
	if len(refs) != len(parts) {
		return nil, fmt.Errorf("found %d of %s", len(refs), wording.Count(len(parts), "reference"))
	}
	var lines []*record.Line
	var numbers []int
	for i, ref := range refs {
		lines = append(lines, record.NewLine(ref))
		numbers = append(numbers, i+1)
	}
	for i, l := range record.Numbered(lines, numbers, columns) {
		s.line("  %s", l)
		s.line("     %s", parts[i].what)
	}
	return refs, nil
}

func (s *tour) plans(resolver *externalbody.Resolver, refs []*externalbody.Reference) {
	s.heading("3. What getting it would do (extbody get --dry-run). Still nobody was contacted.")
	for i, ref := range refs {
		plan, _ := strings.CutPrefix(resolver.Plan(ref).String(), "part "+ref.ID)
		for l := range strings.Lines(record.InList(i+1, ref) + plan) {
			s.line("  %s", strings.TrimRight(l, "\n"))
		}
	}
}

// resolve gets the bodies, and returns how many did not end as they should.
func (s *tour) resolve(ctx context.Context, resolver *externalbody.Resolver, refs []*externalbody.Reference) int {
	s.heading("4. Getting it (extbody get)")
	var wrong, verified, refused int
	for i, ref := range refs {
		body, err := resolver.SaveSpool(ctx, []*externalbody.Reference{ref}, "")
		if err == nil {
			verified++
			text, _ := io.ReadAll(body.NewReader())
			s.line("  %s: delivered: %s. %s", record.InList(i+1, ref), show.Octets(body.Report.Bytes), body.Report)
			s.line("          %q", strings.TrimSpace(string(text)))
			body.Close()
		} else {
			refused++
			s.line("  %s: refused: %s", record.InList(i+1, ref), reason(err))
		}
		if fetch.KindOf(err) != parts[i].want {
			wrong++
			s.line("          This is not what should have come of it.")
		}
	}
	s.line("")
	s.line("%d delivered whole, %d refused. Of what was refused not one octet was delivered.", verified, refused)
	s.line("Now with mail of your own: extbody list PATH")
	return wrong
}

func reason(err error) string {
	text, ok := reasons[fetch.KindOf(err)]
	if !ok {
		return err.Error()
	}
	return text + "\n          (" + err.Error() + ")"
}

var reasons = map[fetch.Kind]string{
	fetch.DigestMismatch: "what the server has is not what the message was written about.",
	fetch.Interstitial:   "a page is not the file, and is not saved as one.",
	fetch.Blocked:        "no message may send us to a private address. Nothing was sent there.",
}

//go:embed demo.eml
var message string

//go:embed mail.eml
var kept string

// parts are the references of the message, with the text for the reader, and the expected outcome:
// 0 for a verified body.
var parts = []struct {
	what string
	want fetch.Kind
}{
	{"a report on a web server; its URL is so long that it is folded over several lines", 0},
	{"a file on an ftp server", 0},
	{"a note that is inside its own URL", 0},
	{"a payment order that somebody changed after the message was sent", fetch.DigestMismatch},
	{"a trap: the address where a cloud keeps the secrets of its machines", fetch.Blocked},
	{"a file that was attached as a link, in the form that Thunderbird writes", 0},
	{"another one, of which the server has no more than a page to log in", fetch.Interstitial},
}

// served are the files of the servers, by path.
var served = map[string]string{
	"/archive/2030/06/14/minutes-of-the-working-group/final/report.txt": "Dear reader,\r\n\r\nthis report was on a web server, and the message had its digest.\r\n",
	"/pub/sources/readme.txt": "This file was on an ftp server.\r\n",
	"/orders/payment.txt":     "Pay 999 to Mallory.\r\n", // the digest is of "Pay 100 to Alice.\r\n"
	"/s/Xq3fT9/download":      "This file was too large to attach, so a mail program uploaded it.\r\n",
	"/s/kW81bz/download":      "<!DOCTYPE html><html><head><title>Sign in</title></head><body>Who are you?</body></html>\n",
}
