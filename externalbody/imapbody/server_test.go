package imapbody_test

import (
	"crypto/tls"
	"net"
	"testing"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
	"github.com/emersion/go-imap/v2/imapserver"
	"github.com/emersion/go-imap/v2/imapserver/imapmemserver"

	"github.com/go-extbody/extbody/internal/testkit/dovecot"
)

// memory returns a client of go-imap's server, logged in.
func memory(t testing.TB) *imapclient.Client {
	t.Helper()
	mem := imapmemserver.New()
	user := imapmemserver.NewUser("ann", "secret")
	if err := user.Create("INBOX", nil); err != nil {
		t.Fatal(err)
	}
	mem.AddUser(user)
	server := imapserver.New(&imapserver.Options{
		NewSession: func(*imapserver.Conn) (imapserver.Session, *imapserver.GreetingData, error) {
			return mem.NewSession(), nil, nil
		},
		InsecureAuth: true,
	})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go server.Serve(l)
	conn, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	client := imapclient.New(conn, nil)
	t.Cleanup(func() {
		client.Close()
		server.Close()
	})
	if err := client.Login("ann", "secret").Wait(); err != nil {
		t.Fatal(err)
	}
	return client
}

// dovecot returns a client of dovecot's IMAP server, logged in.
func dovecotServer(t *testing.T) *imapclient.Client {
	t.Helper()
	server := dovecot.Start(t, nil)
	client, err := imapclient.DialTLS(server.TLSAddr, &imapclient.Options{TLSConfig: &tls.Config{RootCAs: server.Roots}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	if err := client.Login(dovecot.User, dovecot.Password).Wait(); err != nil {
		t.Fatal(err)
	}
	return client
}

// store appends a message with CRLF to INBOX and returns its UID.
func store(t *testing.T, client *imapclient.Client, text string) imap.UID {
	t.Helper()
	cmd := client.Append("INBOX", int64(len(text)), nil)
	if _, err := cmd.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := cmd.Wait()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.Select("INBOX", nil).Wait(); err != nil {
		t.Fatal(err)
	}
	return data.UID
}
