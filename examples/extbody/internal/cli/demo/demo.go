// Package demo shows the program on servers of its own, on this machine alone.
package demo

import (
	"context"
	"crypto/md5"
	"encoding/base64"
	"fmt"
	"io"
	"net/netip"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/go-extbody/extbody/dataurl"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/record"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/show"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/terminal"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/dialect"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/netguard"
	"github.com/go-extbody/extbody/fetch/safefetch"
)

// Command returns the command.
func Command() *cobra.Command {
	return &cobra.Command{
		Use:   "demo",
		Short: "Show all of it, on this machine alone",
		Long: `Start a web and an ftp server on this machine, write a message that refers to
them, and show how its references are found, judged, got and verified. Nothing
outside this machine is contacted, and nothing is left behind.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return run(cmd.Context(), cmd.OutOrStdout()) },
	}
}

// demoTime bounds the whole demo.
const demoTime = 30 * time.Second

// run returns nil if everything went as it should, refusals included.
func run(ctx context.Context, out io.Writer) error {
	ctx, cancel := context.WithTimeout(ctx, demoTime)
	defer cancel()
	servers, err := startServers(map[string]string{
		reportPath: demoReport, forgedPath: demoForged, sharedPath: demoShared, loginPath: demoLogin, sourcePath: demoSource,
	})
	if err != nil {
		return err
	}
	defer servers.stop()

	s := &tour{w: out, colors: terminal.Is(out) && os.Getenv("NO_COLOR") == ""}
	parts := demoParts(servers)
	text, err := demoMessage(parts)
	if err != nil {
		return err
	}
	refs, err := s.message(text, parts)
	if err != nil {
		return err
	}
	resolver := servers.resolver()
	s.plans(resolver, refs)
	wrong := s.resolve(ctx, resolver, refs, parts)
	if s.err != nil {
		return s.err
	}
	if wrong > 0 {
		return fmt.Errorf("%d of %d references did not end as they should", wrong, len(parts))
	}
	return nil
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
func (s *tour) message(text string, parts []demoPart) ([]*externalbody.Reference, error) {
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
		return nil, fmt.Errorf("found %d of %d references", len(refs), len(parts))
	}
	var rows [][]string
	for _, ref := range refs {
		rows = append(rows, record.New(record.Place{Message: "demo"}, ref, false).Row())
	}
	for i, l := range show.Table(rows) {
		s.line("  %s", l)
		s.line("     %s", parts[i].what)
	}
	return refs, nil
}

func (s *tour) plans(resolver *externalbody.Resolver, refs []*externalbody.Reference) {
	s.heading("3. What getting it would do (extbody get --dry-run). Still nobody was contacted.")
	for _, ref := range refs {
		for l := range strings.Lines(resolver.Plan(ref).String()) {
			s.line("  %s", strings.TrimRight(l, "\n"))
		}
	}
}

// resolve gets the bodies, and returns how many did not end as they should.
func (s *tour) resolve(ctx context.Context, resolver *externalbody.Resolver, refs []*externalbody.Reference, parts []demoPart) int {
	s.heading("4. Getting it (extbody get)")
	wrong, verified, refused := 0, 0, 0
	for i, ref := range refs {
		body, err := resolver.SaveSpool(ctx, []*externalbody.Reference{ref}, "")
		if err == nil {
			verified++
			text, _ := io.ReadAll(body.NewReader())
			s.line("  part %s  delivered: %s. %s", ref.ID, show.Octets(body.Report.Bytes), body.Report)
			s.line("          %q", strings.TrimSpace(string(text)))
			body.Close()
		} else {
			refused++
			s.line("  part %s  refused: %s", ref.ID, reason(err))
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

// A demoPart is a reference in the message of the demo.
type demoPart struct {
	what string     // for the reader
	url  string     // where the body is
	size int        // announced, in canonical form; 0 for none
	md5  string     // announced; "" for none
	file string     // the name of a file that was attached as a link; "" for the standard form
	want fetch.Kind // the expected outcome; 0 for a verified body
}

const (
	demoReport = "Dear reader,\r\n\r\nthis report was on a web server, and the message had its digest.\r\n"
	demoSource = "This file was on an ftp server.\r\n"
	demoNote   = "This note travelled in the message itself."
	demoSigned = "Pay 100 to Alice.\r\n"
	demoForged = "Pay 999 to Mallory.\r\n"
	demoShared = "This file was too large to attach, so a mail program uploaded it.\r\n"
	demoLogin  = "<!DOCTYPE html><html><head><title>Sign in</title></head><body>Who are you?</body></html>\n"
)

// The paths of the demo's servers. One is long, so that its URL has to be
// folded.
const (
	reportPath = "/archive/2030/06/14/minutes-of-the-working-group/final/report.txt"
	forgedPath = "/orders/payment.txt"
	sourcePath = "/pub/sources/readme.txt"
	sharedPath = "/s/Xq3fT9/download"
	loginPath  = "/s/kW81bz/download"
)

// demoParts returns references to the files of the servers.
func demoParts(s *demoServers) []demoPart {
	return []demoPart{
		{
			what: "a report on a web server; its URL is so long that it is folded over several lines",
			url:  fmt.Sprintf("http://%s%s", s.http, reportPath),
			md5:  digest(demoReport),
		},
		{
			what: "a file on an ftp server",
			url:  fmt.Sprintf("ftp://%s%s", s.ftp, sourcePath),
			size: len(demoSource),
		},
		{
			what: "a note that is inside its own URL",
			url:  dataurl.Encode("text/plain", []byte(demoNote)),
		},
		{
			what: "a payment order that somebody changed after the message was sent",
			url:  fmt.Sprintf("http://%s%s", s.http, forgedPath),
			md5:  digest(demoSigned),
			want: fetch.DigestMismatch,
		},
		{
			what: "a trap: the address where a cloud keeps the secrets of its machines",
			url:  "http://169.254.169.254/latest/meta-data/",
			want: fetch.Blocked,
		},
		{
			what: "a file that was attached as a link, in the form that Thunderbird writes",
			url:  fmt.Sprintf("http://%s%s", s.http, sharedPath),
			file: "large.txt",
		},
		{
			what: "another one, of which the server has no more than a page to log in",
			url:  fmt.Sprintf("http://%s%s", s.http, loginPath),
			file: "plans.pdf",
			want: fetch.Interstitial,
		},
	}
}

func digest(text string) string {
	sum := md5.Sum([]byte(text))
	return base64.StdEncoding.EncodeToString(sum[:])
}

// demoMessage writes a message with the parts.
func demoMessage(parts []demoPart) (string, error) {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\r\n", args...) }
	line("From: Demo <demo@example.com>")
	line("Subject: Seven things that are not in this message")
	line("MIME-Version: 1.0")
	line(`Content-Type: multipart/mixed; boundary="demo"`)
	for i, p := range parts {
		line("")
		line("--demo")
		if p.file != "" {
			line("Content-Type: text/html; name=\"%s.html\"", p.file)
			line("X-Mozilla-Cloud-Part: cloudFile; url=%s", p.url)
			line("")
			line("<a href=\"%s\">%s</a>", p.url, p.file)
			continue
		}
		ref := externalbody.NewReference(p.url)
		ref.MediaType, ref.ContentID, ref.Name = "text/plain; charset=us-ascii", fmt.Sprintf("<%d@demo.example.com>", i+1), ""
		if p.size > 0 {
			ref.Size = int64(p.size)
		}
		if p.md5 != "" {
			ref.Header = externalbody.Header{{Name: "Content-MD5", Value: p.md5}}
		}
		if _, err := ref.WriteTo(&b); err != nil {
			return "", err
		}
	}
	line("--demo--")
	return b.String(), nil
}
