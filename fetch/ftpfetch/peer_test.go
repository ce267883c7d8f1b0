package ftpfetch

import (
	"bytes"
	"crypto/tls"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"net/url"
	"strings"
	"testing"

	ftpserver "github.com/fclairamb/ftpserverlib"
	"github.com/go-extbody/extbody/fetch"
	"github.com/jlaffaye/ftp"
	"github.com/spf13/afero"
)

// A driver makes a file system a server for anonymous and for bob.
type driver struct {
	fs       afero.Fs
	settings ftpserver.Settings
	tls      *tls.Config
}

func (d *driver) GetSettings() (*ftpserver.Settings, error)               { return &d.settings, nil }
func (d *driver) ClientConnected(ftpserver.ClientContext) (string, error) { return "peer", nil }
func (d *driver) ClientDisconnected(ftpserver.ClientContext)              {}
func (d *driver) GetTLSConfig() (*tls.Config, error)                      { return d.tls, nil }
func (d *driver) AuthUser(_ ftpserver.ClientContext, user, pass string) (ftpserver.ClientDriver, error) {
	if user == "anonymous" || user == "bob" && pass == "pw" {
		return d.fs, nil
	}
	return nil, errors.New("who is this?")
}

// peer starts a server of another project in this process, and returns its
// address.
func peer(t testing.TB, d *driver) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	if d.settings.TLSRequired == ftpserver.ImplicitEncryption {
		l = tls.NewListener(l, d.tls)
	}
	d.settings.Listener = l
	s := ftpserver.NewFtpServer(d)
	if err := s.Listen(); err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.Serve()
	}()
	t.Cleanup(func() {
		s.Stop()
		<-done
	})
	return addr
}

// octets are those of a file that no run of equal or of printable octets
// simplifies.
func octets(n int) []byte {
	b := make([]byte, n)
	rand.NewChaCha8([32]byte{}).Read(b)
	return b
}

// files is what peers serve.
func files(t testing.TB) map[string][]byte {
	t.Helper()
	return map[string][]byte{
		"empty":             nil,
		"one":               {0xff},
		"big.bin":           octets(3<<20 + 17),
		"pub/a b/ ü;x%41?#": octets(4000),
		"pub/deep/er/text":  []byte("one\r\ntwo\r\n"),
	}
}

// fileURL returns the path of the URL of a file.
func fileURL(name string) string {
	segments := strings.Split(name, "/")
	for i, s := range segments {
		segments[i] = url.PathEscape(s)
	}
	return "/" + strings.Join(segments, "/")
}

// Against ftpserverlib, in the clear and over TLS, and with the same result as
// jlaffaye/ftp.
func TestPeer(t *testing.T) {
	want := files(t)
	fs := afero.NewMemMapFs()
	for name, data := range want {
		if err := afero.WriteFile(fs, "/"+name, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	ca := newAuthority(t)
	for _, tt := range []struct {
		name     string
		required ftpserver.TLSRequirement
		policy   TLSPolicy
		user     string
	}{
		{"Clear", ftpserver.ClearOrEncrypted, TLSOff, ""},
		{"ClearLogin", ftpserver.ClearOrEncrypted, TLSOff, "bob:pw@"},
		{"ExplicitTLS", ftpserver.MandatoryEncryption, TLSRequired, ""},
		{"ExplicitTLSLogin", ftpserver.MandatoryEncryption, TLSForCredentials, "bob:pw@"},
		{"ImplicitTLS", ftpserver.ImplicitEncryption, TLSForCredentials, ""},
		{"ImplicitTLSLogin", ftpserver.ImplicitEncryption, TLSForCredentials, "bob:pw@"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := &driver{fs: fs, tls: ca.server(t, "files.example"), settings: ftpserver.Settings{TLSRequired: tt.required}}
			f := &fake{addr: peer(t, d), implicit: tt.required == ftpserver.ImplicitEncryption}
			client := New(&Options{Guard: loopback(), TLS: tt.policy, TLSConfig: ca.client()})
			for name, data := range want {
				got, resp, err := get(t, client, &fetch.Request{URL: f.url(t, tt.user+fileURL(name))})
				if err != nil || got != string(data) {
					t.Errorf("%s: got %d octets, %v, want %d, nil", name, len(got), err, len(data))
					continue
				}
				if resp.Size != int64(len(data)) || resp.Header.Get("Last-Modified") == "" {
					t.Errorf("%s: got size %d, Last-Modified %q, want %d and a time", name, resp.Size, resp.Header.Get("Last-Modified"), len(data))
				}
				if other := oracle(t, f.addr, tt.required, ca, name); !bytes.Equal(other, data) {
					t.Errorf("%s: got %d octets of the oracle, want %d", name, len(other), len(data))
				}
			}
			for _, path := range []string{"/missing", "/missing/x", "/pub/missing"} {
				_, _, err := get(t, client, &fetch.Request{URL: f.url(t, tt.user+path)})
				wantKind(t, err, fetch.NotFound)
			}
			_, _, err := get(t, client, &fetch.Request{URL: f.url(t, "bob:wrong@/one")})
			wantKind(t, err, fetch.Credentials)
			list, _, err := get(t, client, &fetch.Request{URL: f.url(t, tt.user+"/pub/;type=d"), Listing: true})
			if err != nil || list != "a b\r\ndeep\r\n" {
				t.Errorf("listing %q, %v, want %q, nil", list, err, "a b\r\ndeep\r\n")
			}
		})
	}
}

// oracle fetches with jlaffaye/ftp.
func oracle(t testing.TB, addr string, required ftpserver.TLSRequirement, ca *authority, name string) []byte {
	t.Helper()
	config := ca.client()
	config.ServerName = "files.example"
	config.ClientSessionCache = tls.NewLRUClientSessionCache(0)
	var opts []ftp.DialOption
	switch required {
	case ftpserver.MandatoryEncryption:
		opts = append(opts, ftp.DialWithExplicitTLS(config))
	case ftpserver.ImplicitEncryption:
		opts = append(opts, ftp.DialWithTLS(config))
	}
	c, err := ftp.Dial(addr, opts...)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Quit()
	if err := c.Login("anonymous", "anonymous@"); err != nil {
		t.Fatal(err)
	}
	r, err := c.Retr(name)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	b, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
