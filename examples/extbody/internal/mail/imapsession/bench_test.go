package imapsession

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapserver"
	"github.com/emersion/go-imap/v2/imapserver/imapmemserver"

	"github.com/go-extbody/extbody/internal/testkit/dovecot"
)

// BenchmarkSweep sweeps a mailbox on dovecot, of which one message in 50 holds a
// reference, beside a bare fetch of all BODYSTRUCTUREs with go-imap's client.
// The environment variable EXTBODY_IMAP_MESSAGES is the number of messages, 2000
// by default.
func BenchmarkSweep(b *testing.B) {
	n := 2000
	if s := os.Getenv("EXTBODY_IMAP_MESSAGES"); s != "" {
		var err error
		if n, err = strconv.Atoi(s); err != nil {
			b.Fatal(err)
		}
	}
	server := dovecot.Start(b, func(maildir string) {
		for i := range n {
			second := "Content-Type: application/octet-stream; name=\"data.bin\"\r\nContent-Transfer-Encoding: base64\r\n\r\nAAAA\r\n"
			if i%50 == 0 {
				second = "Content-Type: message/external-body; access-type=URL; URL=\"http://a.example/\"\r\n\r\nContent-Type: image/png\r\n\r\n"
			}
			text := fmt.Sprintf("From: ann@a.example\r\nSubject: message %d\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain; charset=utf-8\r\n\r\ntext\r\n--b\r\n%s--b--\r\n", i, second)
			if err := os.WriteFile(filepath.Join(maildir, "cur", fmt.Sprintf("%09d.example:2,S", i)), []byte(text), 0o644); err != nil {
				b.Fatal(err)
			}
		}
	})
	ours := func(b *testing.B) {
		s := dovecotSession(b, server, true, nil)
		defer s.Close()
		found := 0
		for m, err := range s.Sweep(context.Background(), wantSecondReference) {
			if err != nil || m.Whole {
				b.Fatal(m, err)
			}
			found++
		}
		if found != (n+49)/50 {
			b.Fatalf("%d messages", found)
		}
	}
	ours(b) // dovecot keeps what it has read
	b.Run("Session", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			ours(b)
		}
		b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "messages/s")
	})
	b.Run("GoIMAP", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			bareFetch(b, server)
		}
		b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "messages/s")
	})
}

func wantSecondReference(bs imap.BodyStructure, size int64) Wanted {
	multi, ok := bs.(*imap.BodyStructureMultiPart)
	if !ok || len(multi.Children) < 2 || multi.Children[1].MediaType() != "message/external-body" {
		return Wanted{}
	}
	return wantSecond(bs, size)
}

// bareFetch reads all BODYSTRUCTUREs and nothing else.
func bareFetch(b *testing.B, server *dovecot.Server) {
	b.Helper()
	c := peerClient(b, server)
	defer c.Close()
	cmd := c.Fetch(imap.UIDSet{{Start: 1, Stop: 0}}, &imap.FetchOptions{UID: true, BodyStructure: &imap.FetchItemBodyStructure{Extended: true}})
	for m := cmd.Next(); m != nil; m = cmd.Next() {
		for item := m.Next(); item != nil; item = m.Next() {
		}
	}
	if err := cmd.Close(); err != nil {
		b.Fatal(err)
	}
}

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
