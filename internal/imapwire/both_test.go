package imapwire_test

import (
	"bufio"
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/imapfetch"
	"github.com/go-extbody/extbody/fetch/netguard"
	"github.com/go-extbody/extbody/internal/imapsession"
	"github.com/go-extbody/extbody/internal/imapwire"
)

// kinds are what the errors are to package imapfetch.
var kinds = map[error]fetch.Kind{
	nil:                     0,
	imapwire.ErrUnavailable: fetch.Unavailable,
	imapwire.ErrUntrusted:   fetch.Untrusted,
	imapwire.ErrCredentials: fetch.Credentials,
	imapwire.ErrNotFound:    fetch.NotFound,
	imapwire.ErrForbidden:   fetch.Forbidden,
	imapwire.ErrProtocol:    fetch.Protocol,
	imapsession.ErrChanged:  fetch.NotFound,
}

// A fault of a server is the same to both clients.
func TestFaults(t *testing.T) {
	server, roots := certificate()
	long := strings.Repeat("x", imapwire.MaxResponse+128<<10)
	for _, tt := range []struct {
		name     string
		greeting string            // "" for OK
		caps     string            // behind IMAP4rev1
		answers  map[string]string // by the verb of a command; TAG is its tag, CLOSE the end
		private  bool              // no password in the clear
		want     error
	}{
		{name: "None"},
		{name: "GreetingBye", greeting: "* BYE full\r\n", want: imapwire.ErrUnavailable},
		{name: "GreetingClose", greeting: "CLOSE", want: imapwire.ErrUnavailable},
		{name: "GreetingCut", greeting: "* OK reaCLOSE", want: imapwire.ErrUnavailable},
		{name: "GreetingHTTP", greeting: "HTTP/1.1 400 Bad Request\r\n", want: imapwire.ErrProtocol},
		{name: "GreetingNo", greeting: "* NO x\r\n", want: imapwire.ErrProtocol},
		{name: "GreetingLong", greeting: "* OK " + long, want: imapwire.ErrProtocol},

		{name: "CapabilityNo", answers: map[string]string{"CAPABILITY": "TAG NO x\r\n"}, want: imapwire.ErrProtocol},
		{name: "CapabilityBad", answers: map[string]string{"CAPABILITY": "TAG BAD x\r\n"}, want: imapwire.ErrProtocol},
		{name: "CapabilityOtherTag", answers: map[string]string{"CAPABILITY": "b7 OK x\r\n"}, want: imapwire.ErrProtocol},
		{name: "CapabilityNoStatus", answers: map[string]string{"CAPABILITY": "TAG FINE x\r\n"}, want: imapwire.ErrProtocol},
		{name: "CapabilityNoise", answers: map[string]string{"CAPABILITY": "hello\r\n"}, want: imapwire.ErrProtocol},
		{name: "CapabilityPlus", answers: map[string]string{"CAPABILITY": "+ more\r\n"}, want: imapwire.ErrProtocol},
		{name: "CapabilityBye", answers: map[string]string{"CAPABILITY": "* BYE x\r\nCLOSE"}, want: imapwire.ErrUnavailable},
		{name: "CapabilityLong", answers: map[string]string{"CAPABILITY": "* " + long}, want: imapwire.ErrProtocol},

		{name: "NoTLS", private: true, want: imapwire.ErrUntrusted},
		{name: "Preauth", greeting: "* PREAUTH x\r\n", private: true, want: imapwire.ErrUntrusted},
		{name: "StartTLS", caps: "STARTTLS", private: true},
		{name: "StartTLSNo", caps: "STARTTLS", answers: map[string]string{"STARTTLS": "TAG NO x\r\n"}, want: imapwire.ErrUntrusted},
		{name: "StartTLSLater", caps: "STARTTLS", answers: map[string]string{"STARTTLS": "TAG NO [UNAVAILABLE] x\r\n"}, want: imapwire.ErrUnavailable},
		{name: "StartTLSBad", caps: "STARTTLS", answers: map[string]string{"STARTTLS": "TAG BAD x\r\n"}, want: imapwire.ErrProtocol},
		{name: "StartTLSInjected", caps: "STARTTLS", answers: map[string]string{"STARTTLS": "TAG OK x\r\n* CAPABILITY AUTH=PLAIN\r\n"}, want: imapwire.ErrUntrusted},
		{name: "StartTLSClose", caps: "STARTTLS", answers: map[string]string{"STARTTLS": "TAG OK x\r\nCLOSE"}, want: imapwire.ErrUnavailable},

		{name: "LoginNo", answers: map[string]string{"LOGIN": "TAG NO x\r\n"}, want: imapwire.ErrCredentials},
		{name: "LoginFailed", answers: map[string]string{"LOGIN": "TAG NO [AUTHENTICATIONFAILED] x\r\n"}, want: imapwire.ErrCredentials},
		{name: "LoginExpired", answers: map[string]string{"LOGIN": "TAG NO [EXPIRED] x\r\n"}, want: imapwire.ErrCredentials},
		{name: "LoginLater", answers: map[string]string{"LOGIN": "TAG NO [UNAVAILABLE] x\r\n"}, want: imapwire.ErrUnavailable},
		{name: "LoginContactAdmin", answers: map[string]string{"LOGIN": "TAG NO [CONTACTADMIN] x\r\n"}, want: imapwire.ErrUnavailable},
		{name: "LoginPrivacy", answers: map[string]string{"LOGIN": "TAG NO [PRIVACYREQUIRED] x\r\n"}, want: imapwire.ErrUntrusted},
		{name: "LoginBad", answers: map[string]string{"LOGIN": "TAG BAD x\r\n"}, want: imapwire.ErrProtocol},
		{name: "LoginBye", answers: map[string]string{"LOGIN": "* BYE x\r\n"}, want: imapwire.ErrUnavailable},
		{name: "LoginPlus", answers: map[string]string{"LOGIN": "+ more\r\n"}, want: imapwire.ErrProtocol},
		{name: "LoginDisabled", caps: "LOGINDISABLED", want: imapwire.ErrCredentials},
		{name: "Plain", caps: "AUTH=PLAIN", answers: map[string]string{"AUTHENTICATE": "+ \r\n", "AGFubgBzM2NyM3Q=": "TAG OK x\r\n"}},
		{name: "PlainWithoutPlus", caps: "AUTH=PLAIN", answers: map[string]string{"AUTHENTICATE": "TAG NO x\r\n"}, want: imapwire.ErrCredentials},
		{name: "PlainTwicePlus", caps: "AUTH=PLAIN", answers: map[string]string{"AUTHENTICATE": "+ \r\n", "AGFubgBzM2NyM3Q=": "+ why\r\n", "": "TAG NO x\r\n"}, want: imapwire.ErrCredentials},
		{name: "PlainPlusForEver", caps: "AUTH=PLAIN", answers: map[string]string{"AUTHENTICATE": "+ \r\n+ \r\n+ \r\n+ \r\n"}, want: imapwire.ErrProtocol},

		{name: "ExamineNo", answers: map[string]string{"EXAMINE": "TAG NO x\r\n"}, want: imapwire.ErrNotFound},
		{name: "ExamineNonexistent", answers: map[string]string{"EXAMINE": "TAG NO [NONEXISTENT] x\r\n"}, want: imapwire.ErrNotFound},
		{name: "ExamineNoPerm", answers: map[string]string{"EXAMINE": "TAG NO [NOPERM] x\r\n"}, want: imapwire.ErrForbidden},
		{name: "ExamineInUse", answers: map[string]string{"EXAMINE": "TAG NO [INUSE] x\r\n"}, want: imapwire.ErrUnavailable},
		{name: "ExamineLimit", answers: map[string]string{"EXAMINE": "TAG NO [limit] x\r\n"}, want: imapwire.ErrUnavailable},
		{name: "ExamineServerBug", answers: map[string]string{"EXAMINE": "TAG NO [SERVERBUG] x\r\n"}, want: imapwire.ErrUnavailable},
		{name: "ExamineBad", answers: map[string]string{"EXAMINE": "TAG BAD [NOPERM] x\r\n"}, want: imapwire.ErrProtocol},
		{name: "ExamineBye", answers: map[string]string{"EXAMINE": "* BYE x\r\nCLOSE"}, want: imapwire.ErrUnavailable},
		{name: "ExamineClose", answers: map[string]string{"EXAMINE": "* 3 EXISTS\r\nCLOSE"}, want: imapwire.ErrUnavailable},
		{name: "ExamineHugeLiteral", answers: map[string]string{"EXAMINE": "* X {99999999}\r\n"}, want: imapwire.ErrProtocol},
		{name: "ExamineLiteralCut", answers: map[string]string{"EXAMINE": "* X {10}\r\nabcCLOSE"}, want: imapwire.ErrUnavailable},
		{name: "ExamineBraces", answers: map[string]string{"EXAMINE": "* OK braces {5}\r\n* OK [UIDVALIDITY 42] x\r\nTAG OK x\r\n"}},
		{name: "ExamineOtherValidity", answers: map[string]string{"EXAMINE": "* OK [UIDVALIDITY 43] x\r\nTAG OK x\r\n"}, want: imapsession.ErrChanged},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := &fake{greeting: tt.greeting, caps: tt.caps, answers: tt.answers, tls: server}
			f.start(t)
			kind, ok := kinds[tt.want]
			if !ok {
				t.Fatalf("no Kind for %v", tt.want)
			}
			for user, err := range map[string]error{"imapfetch": f.fetch(t, roots, !tt.private), "imapsession": f.session(t, roots, !tt.private)} {
				switch e, isKind := errors.AsType[*fetch.Error](err); {
				case err == nil && tt.want == nil:
				case isKind && e.Kind == kind, !isKind && tt.want != nil && errors.Is(err, tt.want):
				default:
					t.Errorf("%s: got %v, want %v", user, err, tt.want)
				}
				if err != nil && strings.Contains(err.Error(), "s3cr3t") {
					t.Errorf("%s: got %v, want no password in it", user, err)
				}
			}
			f.mu.Lock()
			defer f.mu.Unlock()
			if tt.private && tt.caps == "" && strings.Contains(f.log, "LOGIN") {
				t.Errorf("got %q, want no password in the clear", f.log)
			}
		})
	}
}

// A fake is a server with one message.
type fake struct {
	greeting, caps string
	answers        map[string]string
	tls            *tls.Config

	addr string
	mu   sync.Mutex
	log  string
}

func (f *fake) start(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	f.addr = l.Addr().String()
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			wg.Go(func() { f.serve(conn) })
		}
	})
	t.Cleanup(func() {
		l.Close()
		wg.Wait()
	})
}

func (f *fake) serve(conn net.Conn) {
	defer func() { conn.Close() }()
	if !write(conn, cmp.Or(f.greeting, "* OK ready\r\n")) {
		return
	}
	in := bufio.NewReader(conn)
	tag := ""
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		f.mu.Lock()
		f.log += line
		f.mu.Unlock()
		first, command, tagged := strings.Cut(strings.TrimSpace(line), " ")
		verb, _, _ := strings.Cut(command, " ")
		if tag = first; !tagged {
			tag, verb = f.lastTag(), first // the answer to a "+"
		}
		answer, ok := f.answers[verb]
		if !ok {
			answer = f.usual(verb)
		}
		if !write(conn, strings.ReplaceAll(answer, "TAG", tag)) {
			return
		}
		if verb == "STARTTLS" && strings.Contains(answer, "OK") {
			secure := tls.Server(conn, f.tls)
			conn, in = secure, bufio.NewReader(secure)
		}
	}
}

// lastTag returns that of the last command.
func (f *fake) lastTag() (tag string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for line := range strings.Lines(f.log) {
		if first, _, ok := strings.Cut(strings.TrimSpace(line), " "); ok {
			tag = first
		}
	}
	return tag
}

func write(conn net.Conn, text string) bool {
	text, closes := strings.CutSuffix(text, "CLOSE")
	_, err := io.WriteString(conn, text)
	return err == nil && !closes
}

func (f *fake) usual(verb string) string {
	switch verb {
	case "CAPABILITY":
		return fmt.Sprintf("* CAPABILITY IMAP4rev1 %s\r\nTAG OK x\r\n", f.caps)
	case "EXAMINE":
		return "* 1 EXISTS\r\n* OK [UIDVALIDITY 42] x\r\nTAG OK x\r\n"
	case "UID":
		return "* 1 FETCH (UID 7 BODY[] {5}\r\nhello)\r\nTAG OK x\r\n"
	}
	return "TAG OK x\r\n"
}

func (f *fake) fetch(t *testing.T, roots *x509.CertPool, plaintext bool) error {
	u, err := url.Parse("imap://ann@" + f.addr + "/INBOX;UIDVALIDITY=42/;UID=7")
	if err != nil {
		t.Fatal(err)
	}
	fetcher := imapfetch.New(&imapfetch.Options{
		Guard:          &netguard.Guard{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, AnyPort: true},
		TLSConfig:      &tls.Config{RootCAs: roots},
		AllowPlaintext: plaintext,
	})
	resp, err := fetch.Do(t.Context(), fetcher, &fetch.Request{URL: u, Text: u.String(), Credentials: func(context.Context, fetch.Challenge) (*fetch.Userinfo, error) {
		return &fetch.Userinfo{User: "ann", Password: "s3cr3t"}, nil
	}})
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	_, err = io.Copy(io.Discard, resp.Body)
	return err
}

func (f *fake) session(t *testing.T, roots *x509.CertPool, plaintext bool) error {
	s, err := imapsession.Open(t.Context(), &imapsession.Config{
		Dial: func(ctx context.Context) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "tcp", f.addr)
		},
		Host: "127.0.0.1", TLS: &tls.Config{RootCAs: roots}, AllowPlaintext: plaintext,
		Mailbox: "INBOX", UIDValidity: 42,
		Login: func(context.Context) (string, string, error) { return "ann", "s3cr3t", nil },
	})
	if err == nil {
		s.Close()
	}
	return err
}

// certificate returns a configuration for a server on loopback, and whom to trust
// for it.
func certificate() (*tls.Config, *x509.CertPool) {
	s := httptest.NewTLSServer(nil)
	defer s.Close()
	pool := x509.NewCertPool()
	pool.AddCert(s.Certificate())
	return &tls.Config{Certificates: s.TLS.Certificates}, pool
}
