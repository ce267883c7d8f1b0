package imapbody_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/dialect"
	"github.com/go-extbody/extbody/externalbody/imapbody"
	"github.com/go-extbody/extbody/fetch/safefetch"
)

// A stored is a message on a server, for go-imap v2.
type stored struct {
	*imapclient.Client
	uid imap.UID
}

func (s stored) Sections(_ context.Context, sections []imapbody.Section) ([][]byte, error) {
	var items []*imap.FetchItemBodySection
	for _, section := range sections {
		items = append(items, section.Item())
	}
	found, err := s.Fetch(imap.UIDSetNum(s.uid), &imap.FetchOptions{BodySection: items}).Collect()
	if err == nil && len(found) != 1 {
		err = errors.New("the message is gone")
	}
	if err != nil {
		return nil, err
	}
	var octets [][]byte
	for _, item := range items {
		octets = append(octets, found[0].FindBodySection(item))
	}
	return octets, nil
}

func (s stored) Whole(ctx context.Context) (io.ReaderAt, int64, error) {
	octets, err := s.Sections(ctx, []imapbody.Section{{}})
	if err != nil {
		return nil, 0, err
	}
	return bytes.NewReader(octets[0]), int64(len(octets[0])), nil
}

// A mail client sweeps a mailbox: it reads the structure of all messages first, and then the sections of
// each message that matter.
func ExampleOpen() {
	client, stop := mailbox(top+text, top+mixed("mixed", "b", text, url, ftp))
	defer stop()

	opts := &externalbody.OpenOptions{Dialects: dialect.All()}
	all := imap.UIDSet{{Start: 1, Stop: 0}}
	messages, err := client.Fetch(all, &imap.FetchOptions{UID: true, RFC822Size: true, BodyStructure: &imap.FetchItemBodyStructure{}}).Collect()
	if err != nil {
		log.Fatal(err)
	}
	for _, m := range messages {
		msg, err := imapbody.Open(context.Background(), stored{client, m.UID}, imapbody.GoIMAP(m.BodyStructure), m.RFC822Size, opts)
		if err != nil {
			log.Fatal(err)
		}
		for ref := range msg.References() {
			fmt.Printf("message %d, %s\n", m.UID, ref)
		}
	}
	// Output:
	// message 2, 2: url http://files.example/a%20b/c.png
	// message 2, 3: anon-ftp
}

// An archiver saves each body once, under its digest. Open gets a message whole where a reference
// needs it, as a reference to another part of it does.
func Example_archiver() {
	data := "Content-Type: message/external-body; access-type=URL; URL=\"data:,hello\"\n\nContent-Type: text/plain\n"
	part := "Content-Type: message/external-body; access-type=content-id\n\nContent-Type: text/plain\nContent-ID: <p@a.example>\n"
	body := "Content-Type: text/plain\nContent-ID: <p@a.example>\n\nwithin"
	client, stop := mailbox(top+text, top+mixed("mixed", "b", text, data), top+mixed("mixed", "b", data, part, body))
	defer stop()
	dir, err := os.MkdirTemp("", "archive")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	root, err := os.OpenRoot(dir)
	if err != nil {
		log.Fatal(err)
	}
	defer root.Close()

	name := func(rep *externalbody.Report) string { return fmt.Sprintf("%.4x.txt", rep.SHA256) }
	folder := &externalbody.Folder{Root: root, Name: name, Stored: name}
	defer folder.Close()
	resolver := &externalbody.Resolver{Fetcher: safefetch.New(nil)}
	opts := &externalbody.OpenOptions{Dialects: dialect.All()}
	all := imap.UIDSet{{Start: 1, Stop: 0}}
	messages, err := client.Fetch(all, &imap.FetchOptions{UID: true, RFC822Size: true, BodyStructure: &imap.FetchItemBodyStructure{}}).Collect()
	if err != nil {
		log.Fatal(err)
	}
	for _, m := range messages {
		msg, err := imapbody.Open(context.Background(), stored{client, m.UID}, imapbody.GoIMAP(m.BodyStructure), m.RFC822Size, opts)
		if err != nil {
			log.Fatal(err)
		}
		for alts := range msg.Alternatives() {
			name, rep, err := folder.Save(context.Background(), resolver, alts)
			if err != nil {
				fmt.Println(m.UID, err)
				continue
			}
			fmt.Printf("message %d, %s: %d octets in %s\n", m.UID, rep.Reference, rep.Bytes, name)
		}
	}
	// Output:
	// message 2, 2: url data:,(5 octets): 5 octets in 2cf24dba.txt
	// message 3, 1: url data:,(5 octets): 5 octets in 2cf24dba.txt
	// message 3, 2: content-id: 6 octets in f1063760.txt
}
