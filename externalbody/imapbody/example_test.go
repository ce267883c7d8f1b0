package imapbody_test

import (
	"fmt"
	"io"
	"log"
	"net"
	"strings"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
	"github.com/emersion/go-imap/v2/imapserver"
	"github.com/emersion/go-imap/v2/imapserver/imapmemserver"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/dialect"
	"github.com/go-extbody/extbody/externalbody/imapbody"
)

// A mail client sweeps a mailbox: it reads the structure of all messages first,
// and then sections of those that have candidates.
func ExampleCandidates() {
	client, stop := exampleMailbox()
	defer stop()

	all := imap.UIDSet{{Start: 1, Stop: 0}}
	messages, err := client.Fetch(all, &imap.FetchOptions{UID: true, BodyStructure: &imap.FetchItemBodyStructure{}}).Collect()
	if err != nil {
		log.Fatal(err)
	}
	for _, msg := range messages {
		for c := range imapbody.Candidates(msg.BodyStructure) {
			found, err := client.Fetch(imap.UIDSetNum(msg.UID), &imap.FetchOptions{BodySection: c.Items()}).Collect()
			if err != nil || len(found) != 1 {
				log.Fatalf("message %d was not read: %v", msg.UID, err)
			}
			refs, err := c.References(found[0].FindBodySection)
			if err != nil {
				log.Fatal(err)
			}
			for _, ref := range refs {
				fmt.Printf("message %d, part %s, %s\n", msg.UID, ref, ref.MediaType)
			}
		}
	}
	// Output:
	// message 2, part 2: url http://files.example/a%20b/c.png, image/png
	// message 2, part 3: anon-ftp, text/plain
}

// An archiver that wants links of file hosts as well opens what matters of each
// message.
func ExampleSkeleton() {
	client, stop := exampleMailbox()
	defer stop()

	opts := &externalbody.OpenOptions{Dialects: dialect.All()}
	all := imap.UIDSet{{Start: 1, Stop: 0}}
	messages, err := client.Fetch(all, &imap.FetchOptions{UID: true, BodyStructure: &imap.FetchItemBodyStructure{}}).Collect()
	if err != nil {
		log.Fatal(err)
	}
	for _, msg := range messages {
		s := imapbody.NewSkeleton(msg.BodyStructure, opts)
		found, err := client.Fetch(imap.UIDSetNum(msg.UID), &imap.FetchOptions{BodySection: s.Items()}).Collect()
		if s.Whole || err != nil || len(found) != 1 {
			log.Fatalf("message %d has to be fetched whole: %v", msg.UID, err)
		}
		m, err := s.Open(found[0].FindBodySection)
		if err != nil {
			log.Fatalf("message %d has to be fetched whole: %v", msg.UID, err)
		}
		for ref := range m.References() {
			fmt.Printf("message %d, %s\n", msg.UID, ref)
		}
	}
	// Output:
	// message 2, 2: url http://files.example/a%20b/c.png
	// message 2, 3: anon-ftp
}

// exampleMailbox returns a client of a server with two messages.
func exampleMailbox() (client *imapclient.Client, stop func()) {
	user := imapmemserver.NewUser("ann", "secret")
	user.Create("INBOX", nil)
	for _, text := range []string{top + text, top + mixed("mixed", "b", text, url, ftp)} {
		r := strings.NewReader(crlf(text))
		user.Append("INBOX", struct {
			io.Reader
			sized
		}{r, sized(r.Len())}, &imap.AppendOptions{})
	}
	server := imapserver.New(&imapserver.Options{
		NewSession: func(*imapserver.Conn) (imapserver.Session, *imapserver.GreetingData, error) {
			return imapmemserver.NewUserSession(user), &imapserver.GreetingData{PreAuth: true}, nil
		},
	})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go server.Serve(l)
	conn, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		log.Fatal(err)
	}
	client = imapclient.New(conn, nil)
	if err := client.WaitGreeting(); err != nil {
		log.Fatal(err)
	}
	if _, err := client.Select("INBOX", &imap.SelectOptions{ReadOnly: true}).Wait(); err != nil {
		log.Fatal(err)
	}
	return client, func() {
		client.Close()
		server.Close()
	}
}

// A sized makes a reader the literal of that size.
type sized int64

func (s sized) Size() int64 { return int64(s) }
