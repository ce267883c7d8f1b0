package imapsession

import (
	"bytes"
	"context"
	"io"
	"log"
	"net"
	"testing"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapserver"
	"github.com/emersion/go-imap/v2/imapserver/imapmemserver"
)

// sized is an imap.LiteralReader.
type sized struct{ *bytes.Reader }

func (s sized) Size() int64 { return s.Reader.Size() }

// go-imap's server panics when it is asked for the structure of a multipart
// without parts, and closes the connection: one message that has to be read
// whole, and all others come.
func TestMemoryServer(t *testing.T) {
	messages := realMessages(t)
	user := imapmemserver.NewUser("ann", "secret")
	if err := user.Create("INBOX", nil); err != nil {
		t.Fatal(err)
	}
	left := make(map[string]int)
	for _, text := range messages {
		if _, err := user.Append("INBOX", sized{bytes.NewReader([]byte(text))}, &imap.AppendOptions{}); err != nil {
			t.Fatal(err)
		}
		left[text]++
	}
	server := imapserver.New(&imapserver.Options{
		NewSession: func(*imapserver.Conn) (imapserver.Session, *imapserver.GreetingData, error) {
			return imapmemserver.NewUserSession(user), &imapserver.GreetingData{PreAuth: true}, nil
		},
		Logger: log.New(io.Discard, "", 0),
	})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		server.Serve(l)
	}()
	defer func() {
		server.Close()
		<-done
	}()
	s, err := Open(t.Context(), &Config{
		Dial: func(ctx context.Context) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "tcp", l.Addr().String())
		},
		AllowPlaintext: true,
		Mailbox:        "INBOX",
	})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	header := []*imap.FetchItemBodySection{{Specifier: imap.PartSpecifierHeader, Peek: true}}
	poison := 0
	for m, err := range s.Sweep(t.Context(), func(imap.BodyStructure, int64) Wanted { return Wanted{Sections: header} }) {
		if err != nil {
			t.Fatal(err)
		}
		if m.Whole {
			poison++
		}
		var b bytes.Buffer
		if _, err := s.Fetch(t.Context(), m.UID, &b); err != nil {
			t.Errorf("UID %d: got error %v, want none", m.UID, err)
		}
		left[b.String()]--
	}
	for text, n := range left {
		if n != 0 {
			t.Errorf("got %d times not read: %.80q, want 0", n, text)
		}
	}
	if poison == 0 {
		t.Error("the server did not panic")
	}
}
