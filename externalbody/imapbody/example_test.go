package imapbody_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/dialect"
	"github.com/go-extbody/extbody/externalbody/imapbody"
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

// A mail client sweeps a mailbox: it reads the structure of all messages first, and then what matters of
// each message.
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
