package ftpfetch

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"io"
	"math/big"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-extbody/extbody/fetch"
)

// FT-20: when TLS is asked for, and the outcome without it.
func TestTLSPolicy(t *testing.T) {
	ca := newAuthority(t)
	const anonymous, credentials = "/x", "bob:pw@/x"
	refuses := map[string]string{"AUTH": "500 what?"}
	clear := map[string]string{"PROT": "536 no"}
	for _, tt := range []struct {
		name     string
		policy   TLSPolicy
		path     string
		implicit bool
		replies  map[string]string
		asked    bool // AUTH TLS was sent
		private  bool // the data connection was in TLS
		want     fetch.Kind
	}{
		{name: "DefaultAnonymous", path: anonymous},
		{name: "DefaultCredentials", path: credentials, asked: true, private: true},
		{name: "DefaultCredentialsRefused", path: credentials, replies: refuses, asked: true, want: fetch.Untrusted},
		{name: "DefaultCredentialsClearData", path: credentials, replies: clear, asked: true, want: fetch.Untrusted},
		{name: "OffCredentials", policy: TLSOff, path: credentials},
		{name: "Opportunistic", policy: TLSOpportunistic, path: anonymous, asked: true, private: true},
		{name: "OpportunisticRefused", policy: TLSOpportunistic, path: credentials, replies: refuses, asked: true},
		{name: "OpportunisticClearData", policy: TLSOpportunistic, path: anonymous, replies: clear, asked: true},
		{name: "OpportunisticHangsUp", policy: TLSOpportunistic, path: anonymous, replies: map[string]string{"AUTH": "421 no"}, asked: true, want: fetch.Unavailable},
		{name: "Required", policy: TLSRequired, path: anonymous, asked: true, private: true},
		{name: "RequiredRefused", policy: TLSRequired, path: anonymous, replies: refuses, asked: true, want: fetch.Untrusted},
		{name: "RequiredBusy", policy: TLSRequired, path: anonymous, replies: map[string]string{"AUTH": "431 no"}, asked: true, want: fetch.Untrusted},
		{name: "RequiredClearData", policy: TLSRequired, path: anonymous, replies: clear, asked: true, want: fetch.Untrusted},
		{name: "RequiredNoPBSZ", policy: TLSRequired, path: anonymous, replies: map[string]string{"PBSZ": "500 no"}, asked: true, want: fetch.Untrusted},
		{name: "Unknown", policy: 99, path: anonymous, replies: refuses, asked: true, want: fetch.Untrusted},
		{name: "Implicit", policy: TLSOff, path: anonymous, implicit: true, private: true},
		{name: "ImplicitCredentials", path: credentials, implicit: true, private: true},
		{name: "ImplicitClearData", policy: TLSOff, path: anonymous, implicit: true, replies: clear, want: fetch.Untrusted},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := &fake{body: "x", tls: ca.server(t, "files.example"), implicit: tt.implicit, replies: tt.replies}
			got, _, err := f.get(t, New(&Options{Guard: loopback(), TLS: tt.policy, TLSConfig: ca.client()}), tt.path)
			wantKind(t, err, tt.want)
			if err == nil && got != "x" {
				t.Errorf("got %q, want %q", got, "x")
			}
			seen := f.seen()
			if asked := slices.Contains(seen, "AUTH TLS"); asked != tt.asked {
				t.Errorf("AUTH TLS sent: got %v, want %v", asked, tt.asked)
			}
			// RFC 4217 section 15.1.1: a session of the control connection is
			// resumed on the data connection.
			if f.resumed != tt.private {
				t.Errorf("data connection in a resumed TLS session: got %v, want %v", f.resumed, tt.private)
			}
			if err != nil && tt.replies["AUTH"] != "" && len(seen) != 1 {
				t.Errorf("got commands %q, want none after AUTH was refused", seen)
			}
		})
	}
}

// A server that takes no login without TLS is asked again with TLS, also for an
// anonymous login.
func TestTLSDemanded(t *testing.T) {
	ca := newAuthority(t)
	for _, tt := range []struct {
		name    string
		policy  TLSPolicy
		noClear string
		noTLS   bool
		path    string
		want    fetch.Kind
		logins  int // commands USER
	}{
		{name: "ProFTPD", noClear: "550 SSL/TLS required on the control channel", path: "/x", logins: 2},
		{name: "PureFTPd", noClear: "421 Sorry, cleartext sessions are not accepted on this server.\r\n" + hangUp, path: "/x", logins: 2},
		{name: "VsFTPd", noClear: "530 Non-anonymous sessions must use encryption.", path: "/x", logins: 2},
		{name: "RFC4217", noClear: "534 Policy requires SSL.", path: "/x", logins: 2},
		{name: "Off", policy: TLSOff, noClear: "550 SSL/TLS required", path: "/x", want: fetch.Untrusted, logins: 1},
		{name: "NotOffered", noTLS: true, noClear: "550 SSL/TLS required", path: "/x", want: fetch.Untrusted, logins: 1},
		{name: "OtherReason", noClear: "550 go away", path: "/x", want: fetch.Forbidden, logins: 1},
		{name: "OtherReason530", noClear: "530 go away", path: "/x", want: fetch.Credentials, logins: 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := &fake{body: "x", tls: ca.server(t, "files.example"), noClear: tt.noClear}
			if tt.noTLS {
				f.tls = nil
			}
			got, _, err := f.get(t, New(&Options{Guard: loopback(), TLS: tt.policy, TLSConfig: ca.client()}), tt.path)
			wantKind(t, err, tt.want)
			if err == nil && (got != "x" || !f.resumed) {
				t.Errorf("got %q, data in TLS %v, want x in TLS", got, f.resumed)
			}
			logins := 0
			for _, line := range f.seen() {
				if strings.HasPrefix(line, "USER") {
					logins++
				}
			}
			if logins != tt.logins {
				t.Errorf("got %d logins, want %d: %q", logins, tt.logins, f.seen())
			}
		})
	}
}

// FT-20: AUTH TLS comes before USER, PBSZ and PROT after it.
func TestTLSOrder(t *testing.T) {
	ca := newAuthority(t)
	f := &fake{body: "x", tls: ca.server(t, "files.example")}
	_, _, err := f.get(t, New(&Options{Guard: loopback(), TLSConfig: ca.client()}), "bob:pw@/x")
	wantKind(t, err, 0)
	want := []string{"AUTH TLS", "USER bob", "PASS pw", "PBSZ 0", "PROT P"}
	if got := f.seen(); len(got) < len(want) || !slices.Equal(got[:len(want)], want) {
		t.Errorf("got commands %q, want %q first", got, want)
	}
}

// A certificate that is not valid for the host is refused on either connection,
// under every policy.
func TestTLSIdentity(t *testing.T) {
	ca := newAuthority(t)
	stranger := newAuthority(t)
	right := func() *tls.Config { return ca.server(t, "files.example") }
	// A server that does not know the sessions of the control connection has to
	// show its certificate.
	for _, tt := range []struct {
		name          string
		control, data *tls.Config
		want          fetch.Kind
	}{
		{"Right", right(), right(), 0},
		{"ControlOtherName", ca.server(t, "other.example"), right(), fetch.Untrusted},
		{"ControlStranger", stranger.server(t, "files.example"), right(), fetch.Untrusted},
		{"DataOtherName", right(), ca.server(t, "other.example"), fetch.Untrusted},
		{"DataStranger", right(), stranger.server(t, "files.example"), fetch.Untrusted},
		{"NoCommonVersion", &tls.Config{Certificates: right().Certificates, MaxVersion: tls.VersionTLS11, MinVersion: tls.VersionTLS10}, right(), fetch.Untrusted},
	} {
		for _, implicit := range []bool{false, true} {
			name := tt.name
			if implicit {
				name += "Implicit"
			}
			t.Run(name, func(t *testing.T) {
				f := &fake{body: "x", tls: tt.control, dataTLS: tt.data, implicit: implicit}
				_, _, err := f.get(t, New(&Options{Guard: loopback(), TLS: TLSOpportunistic, TLSConfig: ca.client()}), "/x")
				wantKind(t, err, tt.want)
			})
		}
	}
}

// The ServerName of the caller's configuration does not replace the host.
func TestTLSServerName(t *testing.T) {
	ca := newAuthority(t)
	f := &fake{body: "x", tls: ca.server(t, "other.example")}
	f.start(t)
	config := ca.client()
	config.ServerName = "other.example"
	_, _, err := get(t, New(&Options{Guard: loopback(), TLS: TLSRequired, TLSConfig: config}), &fetch.Request{URL: f.url(t, "/x")})
	wantKind(t, err, fetch.Untrusted)
	if config.ClientSessionCache != nil {
		t.Error("got a ClientSessionCache in the caller's configuration, want it unchanged")
	}
}

// FT-20: octets before the handshake are not taken for a reply after it.
func TestTLSInjection(t *testing.T) {
	for _, tt := range []struct{ name, auth string }{
		{"Reply", "234 go\r\n230 you are in\r\n"},
		{"HalfReply", "234 go\r\n230 you"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := &fake{replies: map[string]string{"AUTH": tt.auth + hang}}
			_, _, err := f.get(t, New(&Options{Guard: loopback(), TLS: TLSRequired}), "/x")
			wantKind(t, err, fetch.Protocol)
			if got, want := f.seen(), []string{"AUTH TLS"}; !slices.Equal(got, want) {
				t.Errorf("got commands %q, want %q", got, want)
			}
		})
	}
}

// A handshake that does not come is waited for only so long.
func TestTLSTimeout(t *testing.T) {
	f := &fake{replies: map[string]string{"AUTH": "234 go\r\n" + hang}}
	f.start(t)
	limits := patient
	limits.TLS = 50 * time.Millisecond
	_, _, err := get(t, New(&Options{Guard: loopback(), TLS: TLSRequired}), &fetch.Request{URL: f.url(t, "/x"), Timeouts: limits})
	wantKind(t, err, fetch.Unavailable)
	if err == nil || !strings.Contains(err.Error(), "handshake timed out") {
		t.Error(err)
	}
}

// A handshake that is hung up on is a lost connection, and no reason to go on in
// the clear.
func TestTLSHangUp(t *testing.T) {
	f := &fake{replies: map[string]string{"AUTH": "234 go\r\n" + hangUp}}
	_, _, err := f.get(t, New(&Options{Guard: loopback(), TLS: TLSOpportunistic}), "/x")
	wantKind(t, err, fetch.Unavailable)
}

// cut ends a TLS connection without close_notify, as an attacker in between can.
func cut(text string) func(net.Conn) {
	return func(c net.Conn) {
		io.WriteString(c, text)
		c.(*tls.Conn).NetConn().(*net.TCPConn).CloseWrite()
	}
}

// FT-11: an end of the data that is not authenticated is not the end of the file,
// unless all of it has come.
func TestTLSTruncation(t *testing.T) {
	ca := newAuthority(t)
	for _, tt := range []struct {
		name, path string
		data       func(net.Conn)
		want       fetch.Kind
	}{
		{"Whole", "/x", nil, 0},
		{"WholeText", "/x;type=a", nil, 0},
		{"CutShort", "/x", cut("hello"), fetch.Truncated},
		{"CutShortText", "/x;type=a", cut("hello"), fetch.Truncated},
		{"CutAtStart", "/x;type=a", cut(""), fetch.Truncated},
		{"CutWhole", "/x", cut("hello world"), 0},
		{"CutWholeText", "/x;type=a", cut("hello world"), fetch.Truncated},
		{"ClosedShort", "/x", func(c net.Conn) { io.WriteString(c, "hello"); c.Close() }, fetch.Truncated},
		{"Forged", "/x", func(c net.Conn) {
			io.WriteString(c, "hello")
			io.WriteString(c.(*tls.Conn).NetConn(), "\x17\x03\x03\x00\x20"+strings.Repeat("x", 32))
			c.Close()
		}, fetch.Truncated},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := &fake{body: "hello world", tls: ca.server(t, "files.example"), data: tt.data}
			_, _, err := f.get(t, New(&Options{Guard: loopback(), TLS: TLSRequired, TLSConfig: ca.client()}), tt.path)
			wantKind(t, err, tt.want)
		})
	}
}

// An authority issues certificates for tests.
type authority struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

func newAuthority(t testing.TB) *authority {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	noError(t, err)
	template := &x509.Certificate{
		SerialNumber:          big.NewInt(1),
		NotAfter:              time.Now().Add(time.Hour),
		IsCA:                  true,
		BasicConstraintsValid: true,
		KeyUsage:              x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	noError(t, err)
	cert, err := x509.ParseCertificate(der)
	noError(t, err)
	return &authority{cert, key}
}

// client returns a configuration that trusts the authority alone.
func (a *authority) client() *tls.Config {
	pool := x509.NewCertPool()
	pool.AddCert(a.cert)
	return &tls.Config{RootCAs: pool}
}

// issue returns a certificate for a host.
func (a *authority) issue(t testing.TB, host string) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	noError(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(2),
		NotAfter:     time.Now().Add(time.Hour),
		DNSNames:     []string{host},
		KeyUsage:     x509.KeyUsageDigitalSignature,
		ExtKeyUsage:  []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, a.cert, key.Public(), a.key)
	noError(t, err)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}

// server returns a server's configuration with a certificate for a host.
func (a *authority) server(t testing.TB, host string) *tls.Config {
	t.Helper()
	return &tls.Config{Certificates: []tls.Certificate{a.issue(t, host)}}
}
