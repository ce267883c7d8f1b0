package imapbody_test

import (
	"fmt"
	"log"

	"github.com/emersion/go-imap/v2"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/dialect"
	"github.com/go-extbody/extbody/externalbody/imapbody"
)

// A mail client sweeps a mailbox: it reads the structure of all messages first,
// and then sections of those that have candidates.
func ExampleCandidates() {
	client, stop := mailbox(top+text, top+mixed("mixed", "b", text, url, ftp))
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
	client, stop := mailbox(top+text, top+mixed("mixed", "b", text, url, ftp))
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
