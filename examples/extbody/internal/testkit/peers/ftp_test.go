package peers

import (
	"bytes"
	"crypto/tls"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"net/netip"
	"net/url"
	"strings"
	"testing"

	ftpserver "github.com/fclairamb/ftpserverlib"
	"github.com/jlaffaye/ftp"
	"github.com/spf13/afero"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/ftpfetch"
	"github.com/go-extbody/extbody/fetch/netguard"
	"github.com/go-extbody/extbody/internal/testkit"
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
func (d *driver) GetTLSConfig() (*tls.Config, error) {
	if d.tls == nil {
		return nil, errors.New("no TLS")
	}
	return d.tls, nil
}
func (d *driver) AuthUser(_ ftpserver.ClientContext, user, pass string) (ftpserver.ClientDriver, error) {
	if user == "anonymous" || user == "bob" && pass == "pw" {
		return d.fs, nil
	}
	return nil, errors.New("who is this?")
}

// ftpServer starts ftpserverlib.
func ftpServer(t testing.TB, d *driver) net.Addr {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr()
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

// guard allows this machine, which no reference can reach otherwise.
func guard() *netguard.Guard {
	return &netguard.Guard{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, AnyPort: true}
}

// octets returns n octets without a pattern.
func octets(n int) []byte {
	b := make([]byte, n)
	rand.NewChaCha8([32]byte{}).Read(b)
	return b
}

// get fetches all through Do.
func get(t testing.TB, f fetch.Fetcher, req *fetch.Request) (string, *fetch.Response, error) {
	t.Helper()
	resp, err := fetch.Do(t.Context(), f, req)
	if err != nil {
		return "", nil, err
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	return string(b), resp, err
}

// parse returns the URL of a path on a server.
func parse(t testing.TB, scheme, host, path string) *url.URL {
	t.Helper()
	u, err := url.Parse(scheme + "://" + host + path)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// ftpPath returns the path of the URL of a file.
func ftpPath(name string) string {
	segments := strings.Split(name, "/")
	for i, s := range segments {
		segments[i] = url.PathEscape(s)
	}
	return "/" + strings.Join(segments, "/")
}

// Against ftpserverlib, in the clear and over TLS, and with the same result as
// jlaffaye/ftp.
func TestFTP(t *testing.T) {
	want := map[string][]byte{
		"empty":             nil,
		"one":               {0xff},
		"big.bin":           octets(3<<20 + 17),
		"pub/a b/ ü;x%41?#": octets(4000),
		"pub/deep/er/text":  []byte("one\r\ntwo\r\n"),
	}
	fs := afero.NewMemMapFs()
	for name, data := range want {
		if err := afero.WriteFile(fs, "/"+name, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	server, trust := testkit.Certificate()
	for _, tt := range []struct {
		name     string
		required ftpserver.TLSRequirement
		policy   ftpfetch.TLSPolicy
		user     string
	}{
		{"Clear", ftpserver.ClearOrEncrypted, ftpfetch.TLSOff, ""},
		{"ClearLogin", ftpserver.ClearOrEncrypted, ftpfetch.TLSOff, "bob:pw@"},
		{"ExplicitTLS", ftpserver.MandatoryEncryption, ftpfetch.TLSRequired, ""},
		{"ExplicitTLSLogin", ftpserver.MandatoryEncryption, ftpfetch.TLSForCredentials, "bob:pw@"},
		{"ImplicitTLS", ftpserver.ImplicitEncryption, ftpfetch.TLSForCredentials, ""},
		{"ImplicitTLSLogin", ftpserver.ImplicitEncryption, ftpfetch.TLSForCredentials, "bob:pw@"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			addr := ftpServer(t, &driver{fs: fs, tls: server, settings: ftpserver.Settings{TLSRequired: tt.required}}).String()
			client := ftpfetch.New(&ftpfetch.Options{Guard: guard(), TLS: tt.policy, TLSConfig: trust})
			scheme := "ftp"
			if tt.required == ftpserver.ImplicitEncryption {
				scheme = "ftps"
			}
			request := func(user, path string) *fetch.Request {
				return &fetch.Request{URL: parse(t, scheme, user+addr, path)}
			}
			for name, data := range want {
				got, resp, err := get(t, client, request(tt.user, ftpPath(name)))
				if err != nil || got != string(data) {
					t.Errorf("%s: got %d octets, %v, want %d, nil", name, len(got), err, len(data))
					continue
				}
				if resp.Size != int64(len(data)) || resp.Header.Get("Last-Modified") == "" {
					t.Errorf("%s: got size %d, Last-Modified %q, want %d and a time", name, resp.Size, resp.Header.Get("Last-Modified"), len(data))
				}
				if other := oracle(t, addr, tt.required, trust.Clone(), name); !bytes.Equal(other, data) {
					t.Errorf("%s: got %d octets of the oracle, want %d", name, len(other), len(data))
				}
			}
			for _, path := range []string{"/missing", "/missing/x", "/pub/missing"} {
				_, _, err := get(t, client, request(tt.user, path))
				if fetch.KindOf(err) != fetch.NotFound {
					t.Errorf("%s: got error %v, want kind %v", path, err, fetch.NotFound)
				}
			}
			_, _, err := get(t, client, request("bob:wrong@", "/one"))
			if fetch.KindOf(err) != fetch.Credentials {
				t.Errorf("a wrong password: got error %v, want kind %v", err, fetch.Credentials)
			}
			listing := request(tt.user, "/pub/;type=d")
			listing.Listing = true
			list, _, err := get(t, client, listing)
			if err != nil || list != "a b\r\ndeep\r\n" {
				t.Errorf("listing %q, %v, want %q, nil", list, err, "a b\r\ndeep\r\n")
			}
		})
	}
}

// oracle fetches with jlaffaye/ftp.
func oracle(t testing.TB, addr string, required ftpserver.TLSRequirement, config *tls.Config, name string) []byte {
	t.Helper()
	config.ServerName = "127.0.0.1"
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
