// Command partviewer is a reader of mail at a terminal that opens the files which mail points at. It is built
// as aerc is: on go-imap v1 and its BODYSTRUCTURE, with parameters that are decoded, one part at a time.
// README.md lists the pieces that a mail program takes from it.
package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"maps"
	"mime"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/emersion/go-imap"
	"github.com/emersion/go-imap/client"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/dialect"
	"github.com/go-extbody/extbody/externalbody/imapbody"
	"github.com/go-extbody/extbody/fetch/safefetch"
)

func main() {
	log.SetFlags(0)
	user := flag.String("user", "", "the login; its password is in $IMAP_PASSWORD")
	dir := flag.String("o", ".", "the folder for files")
	flag.Parse()
	if flag.NArg() < 1 || flag.NArg() > 2 {
		log.Fatal("usage: partviewer -user USER [-o FOLDER] HOST:PORT [MAILBOX]")
	}
	mailbox := "INBOX"
	if flag.NArg() == 2 {
		mailbox = flag.Arg(1)
	}
	c, err := client.DialTLS(flag.Arg(0), nil)
	if err != nil {
		log.Fatal(err)
	}
	defer c.Logout()
	root, err := os.OpenRoot(*dir)
	if err == nil {
		err = c.Login(*user, os.Getenv("IMAP_PASSWORD"))
	}
	if err != nil {
		log.Fatal(err)
	}
	v := newViewer(c, os.Stdin, os.Stdout, &externalbody.Resolver{Fetcher: safefetch.New(nil)}, root)
	v.open = func(path string) error { return exec.Command("xdg-open", path).Start() }
	if err := v.mailbox(context.Background(), mailbox); err != nil {
		log.Fatal(err)
	}
}

// A viewer shows messages and opens the files that they point at.
type viewer struct {
	client   *client.Client
	in       *bufio.Scanner
	out      io.Writer
	resolver *externalbody.Resolver
	folder   *externalbody.Folder
	open     func(path string) error // the program for a file
}

func newViewer(c *client.Client, in io.Reader, out io.Writer, r *externalbody.Resolver, root *os.Root) *viewer {
	v := &viewer{client: c, in: bufio.NewScanner(in), out: out, resolver: r, folder: &externalbody.Folder{Root: root}}
	consent := &externalbody.Consent{Ask: v.ask}
	r.Approve = consent.Approve
	return v
}

// mailbox shows the messages of a mailbox.
func (v *viewer) mailbox(ctx context.Context, name string) error {
	defer v.folder.Close()
	box, err := v.client.Select(name, true)
	if err != nil || box.Messages == 0 {
		return err
	}
	all := new(imap.SeqSet)
	all.AddRange(1, 0)
	found, err := fetch(v.client, all, []imap.FetchItem{imap.FetchUid, imap.FetchEnvelope, imap.FetchBodyStructure, imap.FetchRFC822Size})
	if err != nil {
		return err
	}
	for _, m := range found {
		if m.BodyStructure == nil {
			continue // it tells of flags
		}
		if err := v.message(ctx, m); err != nil {
			return err
		}
	}
	return nil
}

// message shows the parts of a message, and the files that are elsewhere.
func (v *viewer) message(ctx context.Context, m *imap.Message) error {
	fmt.Fprintf(v.out, "%d: %q\n", m.Uid, m.Envelope.Subject)
	src := stored{v.client, m.Uid}
	shown := make(map[string]bool) // by section
	var failed error
	m.BodyStructure.Walk(func(path []int, bs *imap.BodyStructure) bool {
		section := strings.Trim(strings.Join(strings.Fields(fmt.Sprint(path)), "."), "[]")
		if !isReference(bs) || failed != nil {
			return failed == nil
		}
		// The beginning holds the header of the file, which is elsewhere.
		octets, err := src.Sections(ctx, []imapbody.Section{{Part: slices.Clone(path), Size: 64 << 10}})
		if err != nil {
			failed = err
			return false
		}
		ref := externalbody.ReadPart(maps.All(bs.Params), octets[0])
		ref.Sender = sender(m)
		if v.resolver.Plan(ref).NeedsMessage {
			return true // imapbody gets it
		}
		shown[section] = true
		v.file(ctx, "part "+section, []*externalbody.Reference{ref})
		return true
	})
	if failed != nil {
		return failed
	}
	msg, err := imapbody.Open(ctx, src, part{m.BodyStructure}, int64(m.Size), &externalbody.OpenOptions{Dialects: dialect.All()})
	if err != nil {
		return err
	}
	for alts := range msg.Alternatives() {
		where := "link"
		if alts[0].Dialect == "" {
			where = "part " + alts[0].ID
		}
		if !slices.ContainsFunc(alts, func(ref *externalbody.Reference) bool { return shown[ref.ID] }) {
			v.file(ctx, where, alts)
		}
	}
	return nil
}

// isReference reports whether a part is one that aerc has no filter for.
func isReference(bs *imap.BodyStructure) bool {
	return strings.EqualFold(bs.MIMEType+"/"+bs.MIMESubType, "message/external-body") && !strings.EqualFold(bs.Encoding, "base64")
}

// sender returns the one address that a message is from, or "".
func sender(m *imap.Message) string {
	if len(m.Envelope.From) != 1 {
		return ""
	}
	return m.Envelope.From[0].Address()
}

// file shows a file, gets it if the reader agrees, and opens it.
func (v *viewer) file(ctx context.Context, where string, alts []*externalbody.Reference) {
	plan := v.resolver.Plan(alts[0])
	fmt.Fprintf(v.out, "  %s: %s\n", where, plan.Summary())
	if plan.Kind != 0 && len(alts) == 1 {
		return
	}
	name, report, err := v.folder.Save(ctx, v.resolver, alts) // asks
	if err != nil {
		fmt.Fprintf(v.out, "  not saved: %v\n", err)
		return
	}
	fmt.Fprintf(v.out, "  saved as %s. %s\n", name, report)
	if err := v.show(name, report.MediaType); err != nil {
		fmt.Fprintf(v.out, "  not opened: %v\n", err)
	}
}

// ask asks about a Plan, which can be one of a redirect.
func (v *viewer) ask(_ context.Context, p *externalbody.Plan) (bool, error) {
	if p.Hop {
		fmt.Fprintf(v.out, "  %s\n", p.Summary())
	}
	fmt.Fprint(v.out, "  get it? [y/N] ")
	return v.in.Scan() && strings.EqualFold(strings.TrimSpace(v.in.Text()), "y"), v.in.Err()
}

// opened are the types that cannot run or script anything.
var opened = []string{"application/pdf", "image/gif", "image/jpeg", "image/png", "image/webp", "text/plain", "video/mp4", "video/webm"}

// show opens a file that has the type that it was verified to have, if that is one of opened.
func (v *viewer) show(name, contentType string) error {
	mediaType, _, _ := mime.ParseMediaType(contentType)
	if !slices.Contains(opened, mediaType) {
		return fmt.Errorf("%q may run or script", mediaType)
	}
	f, err := v.folder.Root.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	head := make([]byte, 512)
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && err != io.EOF {
		return err
	}
	if real, _, _ := mime.ParseMediaType(http.DetectContentType(head[:n])); real != mediaType {
		return fmt.Errorf("it is called %s, and its octets are those of %s", mediaType, real)
	}
	return v.open(filepath.Join(v.folder.Root.Name(), name))
}
