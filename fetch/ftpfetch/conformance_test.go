package ftpfetch

import (
	"bytes"
	"context"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/fetchtest"
	"github.com/go-extbody/extbody/internal/testkit/daemons"
)

func TestConformance(t *testing.T) {
	at := func(host string) *fetch.Request {
		return &fetch.Request{URL: &url.URL{Scheme: "ftp", Host: host, Path: "/x"}}
	}
	fetchtest.Run(t, fetchtest.Harness{
		Fetcher: New(&Options{Guard: fetchtest.Guard()}),
		Serve: func(t *testing.T, obj fetchtest.Object) *fetch.Request {
			f := &fake{body: string(obj.Body)}
			half := f.body[:len(f.body)/2]
			switch obj.Fault {
			case fetchtest.Missing:
				f.replies = map[string]string{"RETR": "550 x?token=s3cr3t: No such file", "SIZE": "550 no"}
			case fetchtest.Cut:
				f.data = func(c net.Conn) { io.WriteString(c, half); c.Close() }
			case fetchtest.Stalled:
				f.data = func(c net.Conn) { io.WriteString(c, half); io.Copy(io.Discard, c); obj.Left() }
			case fetchtest.Mute:
				f.greeting = hang
			case fetchtest.Forbidden:
				return at("[::1]")
			}
			f.start(t)
			return &fetch.Request{URL: f.url(t, "/x")}
		},
		At:      at,
		Watches: true,
		Lose: func(t *testing.T, body []byte, cuts []int, changed bool) *fetch.Request {
			f := &fake{body: string(body), rest: true, cuts: cuts}
			if changed {
				day := 0
				f.replies = map[string]string{}
				f.onCmd = func(line string) {
					if strings.HasPrefix(line, "MDTM") {
						day++
						f.replies["MDTM"] = fmt.Sprintf("213 2004022%d000000", day)
					}
				}
			}
			f.start(t)
			return &fetch.Request{URL: f.url(t, "/x")}
		},
	})
}

// octets returns n octets without a pattern.
func octets(n int) []byte {
	b := make([]byte, n)
	rand.NewChaCha8([32]byte{}).Read(b)
	return b
}

// files returns the files that servers get.
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

// tree writes files below a new directory that everybody can read and only the
// owner can write.
func tree(t *testing.T) (root string, want map[string][]byte) {
	t.Helper()
	want = files(t)
	base, err := os.MkdirTemp("", "ftpfetch")
	noError(t, err)
	t.Cleanup(func() { os.RemoveAll(base) })
	root = filepath.Join(base, "root")
	for name, data := range want {
		path := filepath.Join(root, name)
		noError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		noError(t, os.WriteFile(path, data, 0o644))
	}
	noError(t, os.WriteFile(filepath.Join(root, "private"), nil, 0o600))
	noError(t, os.Chmod(base, 0o755))
	return root, want
}

// checkServer fetches the files that tree wrote.
func checkServer(t *testing.T, addr string, opts *Options, want map[string][]byte) {
	t.Helper()
	opts.Guard = loopback()
	client, f := New(opts), &fake{addr: addr}
	for name, data := range want {
		got, resp, err := get(t, client, &fetch.Request{URL: f.url(t, fileURL(name))})
		if err != nil || !bytes.Equal([]byte(got), data) {
			t.Errorf("%s: got %d octets, %v, want %d, nil", name, len(got), err, len(data))
			continue
		}
		if resp.Size != int64(len(data)) || resp.Header.Get("Last-Modified") == "" {
			t.Errorf("%s: got size %d, Last-Modified %q, want %d and a time", name, resp.Size, resp.Header.Get("Last-Modified"), len(data))
		}
	}
	text, _, err := get(t, client, &fetch.Request{URL: f.url(t, "/one;type=a")})
	if err != nil || text != "\xff" {
		t.Errorf("TYPE A: got %q, %v, want %q, nil", text, err, "\xff")
	}
	list, _, err := get(t, client, &fetch.Request{URL: f.url(t, "/pub/;type=d"), Listing: true})
	if err != nil || !strings.Contains(list, "deep\r\n") {
		t.Errorf("got listing %q, %v, want one with %q, nil", list, err, "deep\r\n")
	}
	_, _, err = get(t, client, &fetch.Request{URL: f.url(t, "/missing/x")})
	wantKind(t, err, fetch.NotFound)
	_, _, err = get(t, client, &fetch.Request{URL: f.url(t, "/missing")})
	wantKind(t, err, fetch.NotFound)
	opts.TLS = TLSOff
	_, _, err = get(t, New(opts), &fetch.Request{URL: f.url(t, "nobody-x:pw@/one")})
	if err == nil {
		t.Error("a login that does not exist: got no error, want one")
	}
}

// pemFile writes a certificate with its key.
func pemFile(t *testing.T, ca *authority, dir string) string {
	t.Helper()
	cert := ca.issue(t, "files.example")
	key, err := x509.MarshalPKCS8PrivateKey(cert.PrivateKey)
	noError(t, err)
	var b bytes.Buffer
	pem.Encode(&b, &pem.Block{Type: "PRIVATE KEY", Bytes: key})
	pem.Encode(&b, &pem.Block{Type: "CERTIFICATE", Bytes: cert.Certificate[0]})
	path := filepath.Join(dir, "server.pem")
	noError(t, os.WriteFile(path, b.Bytes(), 0o600))
	return path
}

// Against vsftpd, which wants the TLS session of the control connection to be
// resumed on data connections.
func TestVsftpd(t *testing.T) {
	root, want := tree(t)
	ca := newAuthority(t)
	for _, tt := range []struct {
		name, config string
		policy       TLSPolicy
	}{
		{"Clear", "", TLSOff},
		{"ExplicitTLS", "ssl_enable=YES\nallow_anon_ssl=YES\nrequire_ssl_reuse=YES\nforce_anon_data_ssl=YES\nforce_anon_logins_ssl=YES\n" +
			"rsa_cert_file=" + pemFile(t, ca, filepath.Dir(root)) + "\n", TLSRequired},
	} {
		t.Run(tt.name, func(t *testing.T) {
			addr := daemons.Vsftpd(t, root, tt.config)
			checkServer(t, addr, &Options{TLS: tt.policy, TLSConfig: ca.client()}, want)
			t.Run("Login", func(t *testing.T) {
				user, password, ok := strings.Cut(os.Getenv("EXTBODY_VSFTPD_LOGIN"), ":")
				if !ok {
					t.Skip("EXTBODY_VSFTPD_LOGIN has no user:password of this machine")
				}
				checkLogin(t, addr, &Options{Guard: loopback(), TLS: tt.policy, TLSConfig: ca.client()}, want, user, password)
			})
		})
	}
}

// checkLogin fetches as a user of the server's machine, and not with another
// password.
func checkLogin(t *testing.T, addr string, opts *Options, want map[string][]byte, user, password string) {
	t.Helper()
	client, f := New(opts), &fake{addr: addr}
	for _, tt := range []struct {
		password string
		kind     fetch.Kind
	}{{password, 0}, {password + "x", fetch.Credentials}} {
		got, _, err := get(t, client, &fetch.Request{
			URL:   f.url(t, "/one"),
			Login: fetch.LoginRequired,
			Credentials: func(context.Context, fetch.Challenge) (*fetch.Userinfo, error) {
				return &fetch.Userinfo{User: user, Password: tt.password}, nil
			},
		})
		if fetch.KindOf(err) != tt.kind || err == nil && got != string(want["one"]) {
			t.Errorf("%d octets, %v; want %v", len(got), err, tt.kind)
		}
	}
}

// BenchmarkFetch fetches from a server that does nothing but write.
func BenchmarkFetch(b *testing.B) {
	chunk := octets(1 << 20)
	for _, size := range []int64{64 << 10, 200 << 20} {
		f := &fake{
			replies: map[string]string{"SIZE": fmt.Sprintf("213 %d", size)},
			data: func(c net.Conn) {
				for left := size; left > 0; left -= int64(len(chunk)) {
					if _, err := c.Write(chunk[:min(left, int64(len(chunk)))]); err != nil {
						break
					}
				}
				c.Close()
			},
		}
		f.start(b)
		client := New(&Options{Guard: loopback()})
		u := f.url(b, "/x")
		read := func() (int64, error) {
			resp, err := fetch.Do(context.Background(), client, &fetch.Request{URL: u})
			if err != nil {
				return 0, err
			}
			defer resp.Body.Close()
			return io.Copy(io.Discard, resp.Body)
		}
		b.Run(fmt.Sprintf("%dKiB", size>>10), func(b *testing.B) {
			b.SetBytes(size)
			b.ReportAllocs()
			for b.Loop() {
				if n, err := read(); err != nil || n != size {
					b.Fatalf("got %d octets, %v, want %d, nil", n, err, size)
				}
			}
		})
	}
}
