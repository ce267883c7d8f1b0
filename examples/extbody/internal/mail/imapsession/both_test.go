package imapsession_test

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"maps"
	"net"
	"net/netip"
	"net/url"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/examples/extbody/internal/mail/imapsession"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/imapfetch"
	"github.com/go-extbody/extbody/fetch/netguard"
	"github.com/go-extbody/extbody/internal/imap/wire"
	"github.com/go-extbody/extbody/internal/testkit"
	"github.com/go-extbody/extbody/internal/testkit/imapscript"
)

// kinds are the Kinds that package imapfetch gives the errors.
var kinds = map[error]fetch.Kind{
	nil:                    0,
	wire.ErrUnavailable:    fetch.Unavailable,
	wire.ErrUntrusted:      fetch.Untrusted,
	wire.ErrCredentials:    fetch.Credentials,
	wire.ErrNotFound:       fetch.NotFound,
	wire.ErrForbidden:      fetch.Forbidden,
	wire.ErrProtocol:       fetch.Protocol,
	imapsession.ErrChanged: fetch.NotFound,
}

// A fault of a server is the same to both clients.
func TestFaults(t *testing.T) {
	server, client := testkit.Certificate()
	long := strings.Repeat("x", wire.MaxResponse+128<<10)
	for _, tt := range []struct {
		name     string
		greeting string            // "" for OK
		caps     string            // after IMAP4rev1
		answers  map[string]string // see imaptest.Server
		private  bool              // no password in the clear
		want     error
	}{
		{name: "None"},
		{name: "GreetingBye", greeting: "* BYE full\n", want: wire.ErrUnavailable},
		{name: "GreetingClose", greeting: "CLOSE", want: wire.ErrUnavailable},
		{name: "GreetingCut", greeting: "* OK reaCLOSE", want: wire.ErrUnavailable},
		{name: "GreetingHTTP", greeting: "HTTP/1.1 400 Bad Request\n", want: wire.ErrProtocol},
		{name: "GreetingNo", greeting: "* NO x\n", want: wire.ErrProtocol},
		{name: "GreetingLong", greeting: "* OK " + long, want: wire.ErrProtocol},

		{name: "CapabilityNo", answers: map[string]string{"CAPABILITY": "TAG NO x\n"}, want: wire.ErrProtocol},
		{name: "CapabilityBad", answers: map[string]string{"CAPABILITY": "TAG BAD x\n"}, want: wire.ErrProtocol},
		{name: "CapabilityOtherTag", answers: map[string]string{"CAPABILITY": "b7 OK x\n"}, want: wire.ErrProtocol},
		{name: "CapabilityNoStatus", answers: map[string]string{"CAPABILITY": "TAG FINE x\n"}, want: wire.ErrProtocol},
		{name: "CapabilityNoise", answers: map[string]string{"CAPABILITY": "hello\n"}, want: wire.ErrProtocol},
		{name: "CapabilityPlus", answers: map[string]string{"CAPABILITY": "+ more\n"}, want: wire.ErrProtocol},
		{name: "CapabilityBye", answers: map[string]string{"CAPABILITY": "* BYE x\nCLOSE"}, want: wire.ErrUnavailable},
		{name: "CapabilityLong", answers: map[string]string{"CAPABILITY": "* " + long}, want: wire.ErrProtocol},

		{name: "NoTLS", private: true, want: wire.ErrUntrusted},
		{name: "Preauth", greeting: "* PREAUTH x\n", private: true, want: wire.ErrUntrusted},
		{name: "StartTLS", caps: "STARTTLS", private: true},
		{name: "StartTLSNo", caps: "STARTTLS", answers: map[string]string{"STARTTLS": "TAG NO x\n"}, want: wire.ErrUntrusted},
		{name: "StartTLSLater", caps: "STARTTLS", answers: map[string]string{"STARTTLS": "TAG NO [UNAVAILABLE] x\n"}, want: wire.ErrUnavailable},
		{name: "StartTLSBad", caps: "STARTTLS", answers: map[string]string{"STARTTLS": "TAG BAD x\n"}, want: wire.ErrProtocol},
		{name: "StartTLSInjected", caps: "STARTTLS", answers: map[string]string{"STARTTLS": "TAG OK x\n* CAPABILITY AUTH=PLAIN\n"}, want: wire.ErrUntrusted},
		{name: "StartTLSClose", caps: "STARTTLS", answers: map[string]string{"STARTTLS": "TAG OK x\nCLOSE"}, want: wire.ErrUnavailable},

		{name: "LoginNo", answers: map[string]string{"LOGIN": "TAG NO x\n"}, want: wire.ErrCredentials},
		{name: "LoginFailed", answers: map[string]string{"LOGIN": "TAG NO [AUTHENTICATIONFAILED] x\n"}, want: wire.ErrCredentials},
		{name: "LoginExpired", answers: map[string]string{"LOGIN": "TAG NO [EXPIRED] x\n"}, want: wire.ErrCredentials},
		{name: "LoginLater", answers: map[string]string{"LOGIN": "TAG NO [UNAVAILABLE] x\n"}, want: wire.ErrUnavailable},
		{name: "LoginContactAdmin", answers: map[string]string{"LOGIN": "TAG NO [CONTACTADMIN] x\n"}, want: wire.ErrUnavailable},
		{name: "LoginPrivacy", answers: map[string]string{"LOGIN": "TAG NO [PRIVACYREQUIRED] x\n"}, want: wire.ErrUntrusted},
		{name: "LoginBad", answers: map[string]string{"LOGIN": "TAG BAD x\n"}, want: wire.ErrProtocol},
		{name: "LoginBye", answers: map[string]string{"LOGIN": "* BYE x\n"}, want: wire.ErrUnavailable},
		{name: "LoginPlus", answers: map[string]string{"LOGIN": "+ more\n"}, want: wire.ErrProtocol},
		{name: "LoginDisabled", caps: "LOGINDISABLED", want: wire.ErrCredentials},
		{name: "Plain", caps: "AUTH=PLAIN", answers: map[string]string{"AUTHENTICATE": "+ \n", "AGFubgBzM2NyM3Q=": "TAG OK x\n"}},
		{name: "PlainWithoutPlus", caps: "AUTH=PLAIN", answers: map[string]string{"AUTHENTICATE": "TAG NO x\n"}, want: wire.ErrCredentials},
		{name: "PlainTwicePlus", caps: "AUTH=PLAIN", answers: map[string]string{"AUTHENTICATE": "+ \n", "AGFubgBzM2NyM3Q=": "+ why\n", "": "TAG NO x\n"}, want: wire.ErrCredentials},
		{name: "PlainPlusForEver", caps: "AUTH=PLAIN", answers: map[string]string{"AUTHENTICATE": "+ \n+ \n+ \n+ \n"}, want: wire.ErrProtocol},

		{name: "ExamineNo", answers: map[string]string{"EXAMINE": "TAG NO x\n"}, want: wire.ErrNotFound},
		{name: "ExamineNonexistent", answers: map[string]string{"EXAMINE": "TAG NO [NONEXISTENT] x\n"}, want: wire.ErrNotFound},
		{name: "ExamineNoPerm", answers: map[string]string{"EXAMINE": "TAG NO [NOPERM] x\n"}, want: wire.ErrForbidden},
		{name: "ExamineInUse", answers: map[string]string{"EXAMINE": "TAG NO [INUSE] x\n"}, want: wire.ErrUnavailable},
		{name: "ExamineLimit", answers: map[string]string{"EXAMINE": "TAG NO [limit] x\n"}, want: wire.ErrUnavailable},
		{name: "ExamineServerBug", answers: map[string]string{"EXAMINE": "TAG NO [SERVERBUG] x\n"}, want: wire.ErrUnavailable},
		{name: "ExamineBad", answers: map[string]string{"EXAMINE": "TAG BAD [NOPERM] x\n"}, want: wire.ErrProtocol},
		{name: "ExamineBye", answers: map[string]string{"EXAMINE": "* BYE x\nCLOSE"}, want: wire.ErrUnavailable},
		{name: "ExamineClose", answers: map[string]string{"EXAMINE": "* 3 EXISTS\nCLOSE"}, want: wire.ErrUnavailable},
		{name: "ExamineHugeLiteral", answers: map[string]string{"EXAMINE": "* X {99999999}\n"}, want: wire.ErrProtocol},
		{name: "ExamineLiteralCut", answers: map[string]string{"EXAMINE": "* X {10}\nabcCLOSE"}, want: wire.ErrUnavailable},
		{name: "ExamineBraces", answers: map[string]string{"EXAMINE": "* OK braces {5}\n* OK [UIDVALIDITY 42] x\nTAG OK x\n"}},
		{name: "ExamineOtherValidity", answers: map[string]string{"EXAMINE": "* OK [UIDVALIDITY 43] x\nTAG OK x\n"}, want: imapsession.ErrChanged},
	} {
		t.Run(tt.name, func(t *testing.T) {
			answers := map[string]string{"UID FETCH": "* 1 FETCH (UID 7 BODY[] {5}\nhello)\nTAG OK x\n"}
			maps.Copy(answers, tt.answers)
			f := &imapscript.Server{Greeting: tt.greeting, Caps: tt.caps, Answers: answers, StartTLS: server}
			f.Start(t)
			kind, ok := kinds[tt.want]
			if !ok {
				t.Fatalf("no Kind for %v", tt.want)
			}
			for user, err := range map[string]error{"imapfetch": fetchOf(t, f.Addr, client, !tt.private), "imapsession": sessionWith(t, f.Addr, client, !tt.private)} {
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
			if log := f.Commands(); tt.private && tt.caps == "" && strings.Contains(log, "LOGIN") {
				t.Errorf("got %q, want no password in the clear", log)
			}
		})
	}
}

// fetchOf gets the message of a server with package imapfetch.
func fetchOf(t *testing.T, addr string, client *tls.Config, plaintext bool) error {
	u, err := url.Parse("imap://ann@" + addr + "/INBOX;UIDVALIDITY=42/;UID=7")
	if err != nil {
		t.Fatal(err)
	}
	fetcher := imapfetch.New(&imapfetch.Options{
		Guard:          &netguard.Guard{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, AnyPort: true},
		TLSConfig:      client,
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

// sessionWith opens the mailbox of a server with package imapsession.
func sessionWith(t *testing.T, addr string, client *tls.Config, plaintext bool) error {
	s, err := imapsession.Open(t.Context(), &imapsession.Config{
		Dial: func(ctx context.Context) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "tcp", addr)
		},
		Host: "127.0.0.1", TLS: client, AllowPlaintext: plaintext,
		Login: func(context.Context) (string, string, error) { return "ann", "s3cr3t", nil },
	})
	if err != nil {
		return err
	}
	defer s.Close()
	return s.Examine(t.Context(), "INBOX", 42)
}
