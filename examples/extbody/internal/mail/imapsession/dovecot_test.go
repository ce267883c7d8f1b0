package imapsession

import (
	"bytes"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"log"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
	"github.com/emersion/go-imap/v2/imapserver"
	"github.com/emersion/go-imap/v2/imapserver/imapmemserver"

	"github.com/go-extbody/extbody/internal/testkit"
	"github.com/go-extbody/extbody/internal/testkit/dovecot"
)

// realMessages returns messages with CRLF: some of every shape, and the messages of
// the corpus if the environment names one.
func realMessages(t *testing.T) map[string]string {
	const attachment = "--b\nContent-Type: message/rfc822\n\nSubject: inner\nContent-Type: multipart/alternative; boundary=c\n\n--c\n\none\n--c\nContent-Type: message/external-body; access-type=URL; URL=\"http://a.example/\"\n\n\n--c--\n"
	messages := map[string]string{
		"Plain":      "Subject: x\n\nhello\n",
		"Empty":      "Subject: x\n\n",
		"Large":      "Subject: x\n\n" + strings.Repeat("a line of 32 octets with its end\n", 80_000),
		"Multipart":  "Content-Type: multipart/mixed; boundary=b\n\n--b\n\ntext\n" + attachment + "--b--\n",
		"NoParts":    "Content-Type: multipart/mixed; boundary=b\n\nno parts\n",
		"OddNames":   "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: image/png; name=\"a\\\"b{5}\"\nContent-Description: =?utf-8?q?=22=29?= )(\n\nx\n--b--\n",
		"EightBit":   "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: image/png; name=\"\xe4\xf6\"\n\nx\n--b--\n",
		"DeepNested": strings.Repeat("Content-Type: message/rfc822\n\n", 40) + "Subject: x\n\ny\n",
	}
	if os.Getenv("EXTBODY_SHARED") != "" {
		for name, text := range testkit.Corpus(t) {
			messages[name] = strings.ReplaceAll(text, "\r\n", "\n")
		}
	}
	for name, text := range messages {
		messages[name] = strings.ReplaceAll(text, "\n", "\r\n")
	}
	return messages
}

// With a server that is not ours: octets are the message's own, and a BODYSTRUCTURE
// is read as go-imap's client reads it.
func TestDovecot(t *testing.T) {
	messages := realMessages(t)
	server := dovecot.Start(t, func(maildir string) {
		for name, text := range messages {
			// Dovecot takes the digits after "S=" for the size, and the letters
			// after ":" for flags.
			name = strings.NewReplacer(":", "_", ",", "_").Replace(name)
			if err := os.WriteFile(filepath.Join(maildir, "cur", name+":2,"), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	})
	for _, implicit := range []bool{false, true} {
		t.Run(fmt.Sprintf("Implicit=%t", implicit), func(t *testing.T) {
			whole := checkMessages(t, dovecotSession(t, server, implicit, nil), messages, func(uid uint32, bs imap.BodyStructure) {
				if want := dovecotStructure(t, server, uid); want != nil && bs != nil && shape(bs) != shape(want) {
					t.Errorf("UID %d: got %s, want %s", uid, shape(bs), shape(want))
				}
			})
			if whole > 0 {
				t.Errorf("got %d messages whole, want sections of all", whole)
			}
		})
	}
}

// dovecotSession opens the mailbox of a server, through connections that wrap changes if
// it is set.
func dovecotSession(t testing.TB, server *dovecot.Server, implicit bool, wrap func(net.Conn) net.Conn) *Session {
	t.Helper()
	addr := server.Addr
	if implicit {
		addr = server.TLSAddr
	}
	s, err := Open(context.Background(), &Config{
		Dial: func(ctx context.Context) (net.Conn, error) {
			conn, err := new(net.Dialer).DialContext(ctx, "tcp", addr)
			if err == nil && wrap != nil {
				conn = wrap(conn)
			}
			return conn, err
		},
		Host: "127.0.0.1", TLS: &tls.Config{RootCAs: server.Roots}, Implicit: implicit,
		Login: func(context.Context) (string, string, error) { return dovecot.User, dovecot.Password, nil },
	})
	if err == nil {
		err = s.Examine(context.Background(), "INBOX", 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// checkMessages reads the mailbox, which has the messages, and calls check with the structure
// of each. It returns how many of them had to be read whole.
func checkMessages(t *testing.T, s *Session, messages map[string]string, check func(uid uint32, bs imap.BodyStructure)) (whole int) {
	left := make(map[string]int)
	for _, text := range messages {
		left[text]++
	}
	header := []*imap.FetchItemBodySection{{Specifier: imap.PartSpecifierHeader, Peek: true}}
	for m, err := range s.Sweep(t.Context(), func(imap.BodyStructure, int64) Wanted { return Wanted{Sections: header} }) {
		if err != nil {
			t.Fatal(err)
		}
		if m.Whole {
			whole++
		}
		var b bytes.Buffer
		if n, err := s.Fetch(t.Context(), m.UID, &b); err != nil || n != int64(b.Len()) {
			t.Fatalf("UID %d: got %d octets, %d written, %v; want as many, nil", m.UID, n, b.Len(), err)
		}
		left[b.String()]--
		if !m.Whole && !strings.HasPrefix(b.String(), string(m.Section(header[0]))) {
			t.Errorf("UID %d: got the header %.80q, want %.80q", m.UID, m.Section(header[0]), b.String())
		}
		check(m.UID, m.Structure)
	}
	for text, n := range left {
		if n != 0 {
			t.Errorf("got %d times not read: %.80q, want 0", n, text)
		}
	}
	return whole
}

// peerClient opens the mailbox of a server with go-imap's client.
func peerClient(t testing.TB, server *dovecot.Server) *imapclient.Client {
	t.Helper()
	c, err := imapclient.DialTLS(server.TLSAddr, &imapclient.Options{TLSConfig: &tls.Config{RootCAs: server.Roots}})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Login(dovecot.User, dovecot.Password).Wait(); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Select("INBOX", &imap.SelectOptions{ReadOnly: true}).Wait(); err != nil {
		t.Fatal(err)
	}
	return c
}

// dovecotStructure returns the structure that go-imap's client reads; nil if it
// cannot.
func dovecotStructure(t *testing.T, server *dovecot.Server, uid uint32) imap.BodyStructure {
	c := peerClient(t, server)
	defer c.Close()
	got, err := c.Fetch(imap.UIDSetNum(imap.UID(uid)), &imap.FetchOptions{UID: true, BodyStructure: &imap.FetchItemBodyStructure{Extended: true}}).Collect()
	if err != nil || len(got) != 1 {
		t.Logf("go-imap does not read UID %d: %v", uid, err)
		return nil
	}
	return got[0].BodyStructure
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
	for _, text := range messages {
		if _, err := user.Append("INBOX", sized{bytes.NewReader([]byte(text))}, &imap.AppendOptions{}); err != nil {
			t.Fatal(err)
		}
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
	})
	if err == nil {
		err = s.Examine(t.Context(), "INBOX", 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if checkMessages(t, s, messages, func(uint32, imap.BodyStructure) {}) == 0 {
		t.Error("the server did not panic")
	}
}
