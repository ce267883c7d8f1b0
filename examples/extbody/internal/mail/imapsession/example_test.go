package imapsession_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"strings"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapserver"
	"github.com/emersion/go-imap/v2/imapserver/imapmemserver"

	"github.com/go-extbody/extbody/examples/extbody/internal/mail/imapsession"
)

// The subjects of a mailbox, and the size of its second message.
func Example() {
	addr, stop := exampleServer("Subject: one\r\n\r\n", "Subject: two\r\n\r\nhello\r\n")
	defer stop()

	ctx := context.Background()
	session, err := imapsession.Open(ctx, &imapsession.Config{
		Dial: func(ctx context.Context) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "tcp", addr)
		},
		AllowPlaintext: true, // it is this process
		Mailbox:        "INBOX",
	})
	if err != nil {
		log.Fatal(err)
	}
	defer session.Close()
	header := &imap.FetchItemBodySection{Specifier: imap.PartSpecifierHeader, Peek: true}
	want := func(imap.BodyStructure, int64) imapsession.Wanted {
		return imapsession.Wanted{Sections: []*imap.FetchItemBodySection{header}}
	}
	for m, err := range session.Sweep(ctx, want) {
		if err != nil {
			log.Fatal(err) // not all of the mailbox was read
		}
		fmt.Printf("message %d: %s\n", m.UID, strings.TrimSpace(string(m.Section(header))))
	}
	size, err := session.Fetch(ctx, 2, io.Discard)
	fmt.Println("message 2:", size, "octets", err)
	// Output:
	// message 1: Subject: one
	// message 2: Subject: two
	// message 2: 23 octets <nil>
}

// exampleServer returns the address of a server with some messages.
func exampleServer(messages ...string) (addr string, stop func()) {
	user := imapmemserver.NewUser("ann", "secret")
	user.Create("INBOX", nil)
	for _, text := range messages {
		user.Append("INBOX", literal{strings.NewReader(text)}, &imap.AppendOptions{})
	}
	server := imapserver.New(&imapserver.Options{
		NewSession: func(*imapserver.Conn) (imapserver.Session, *imapserver.GreetingData, error) {
			return imapmemserver.NewUserSession(user), &imapserver.GreetingData{PreAuth: true}, nil
		},
		Logger: log.New(io.Discard, "", 0),
	})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go server.Serve(l)
	return l.Addr().String(), func() { server.Close() }
}

// A literal is an imap.LiteralReader.
type literal struct{ *strings.Reader }

func (l literal) Size() int64 { return l.Reader.Size() }
