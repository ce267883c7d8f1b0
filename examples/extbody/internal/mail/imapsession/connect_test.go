package imapsession

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-extbody/extbody/internal/imap/wire"
)

// pair returns configurations for a server that is example.com and its client.
func pair() (server, client *tls.Config) {
	s := httptest.NewTLSServer(nil)
	defer s.Close()
	pool := x509.NewCertPool()
	pool.AddCert(s.Certificate())
	return &tls.Config{Certificates: s.TLS.Certificates}, &tls.Config{RootCAs: pool}
}

// No password is sent without TLS, and what is offered in the clear is not
// trusted (IM-12).
func TestOpen(t *testing.T) {
	server, client := pair()
	no := func(verb, response string) func(string, uint32, string) string {
		return func(command string, _ uint32, r string) string {
			if tag, _, ok := strings.Cut(r, " OK done"); ok && strings.HasPrefix(command, verb) {
				return tag + " " + response + "\r\n"
			}
			return r
		}
	}
	plain := func(c *Config) { c.AllowPlaintext = true }
	for _, tt := range []struct {
		name string
		fake *fake
		cfg  func(*Config)
		want error
		sent string // a command that must be sent; with "!" before it, one that must not
	}{
		{"StartTLS", &fake{caps: "STARTTLS AUTH=PLAIN", tls: server}, nil, nil, "PLAIN AGFubgBzZWNyZXQ="},
		{"Login", &fake{caps: "STARTTLS", tls: server}, nil, nil, `LOGIN "ann" "secret"`},
		{"Implicit", &fake{tls: server, implicit: true}, func(c *Config) { c.Implicit = true }, nil, `LOGIN "ann" "secret"`},
		{"NoTLS", &fake{caps: "AUTH=PLAIN"}, nil, wire.ErrUntrusted, "!AUTHENTICATE"},
		{"NoTLSAllowed", &fake{caps: "AUTH=PLAIN"}, plain, nil, "AUTHENTICATE PLAIN"},
		{"TLSUsedThoughNotNeeded", &fake{caps: "STARTTLS", tls: server}, plain, nil, "STARTTLS"},
		{"StartTLSRefused", &fake{caps: "STARTTLS AUTH=PLAIN", tamper: no("STARTTLS", "NO x")}, plain, wire.ErrUntrusted, "!AUTHENTICATE"},
		{"Injected", &fake{caps: "STARTTLS", tls: server, tamper: no("STARTTLS", "OK x\r\n* OK injected")}, nil, wire.ErrUntrusted, "!LOGIN"},
		{"OtherHost", &fake{caps: "STARTTLS", tls: server}, func(c *Config) { c.Host = "other.example" }, wire.ErrUntrusted, "!LOGIN"},
		{"UnknownRoot", &fake{caps: "STARTTLS", tls: server}, func(c *Config) { c.TLS = nil }, wire.ErrUntrusted, "!LOGIN"},
		{"Preauth", &fake{greeting: "* PREAUTH hi"}, nil, wire.ErrUntrusted, "!EXAMINE"},
		{"PreauthInTLS", &fake{greeting: "* PREAUTH hi", tls: server, implicit: true}, func(c *Config) { c.Implicit = true }, nil, "!LOGIN"},
		{"LoginDisabled", &fake{caps: "LOGINDISABLED"}, plain, wire.ErrCredentials, "!LOGIN"},
		{"LoginRefused", &fake{tamper: no("LOGIN", "NO [AUTHENTICATIONFAILED] x")}, plain, wire.ErrCredentials, "!EXAMINE"},
		{"LoginTryLater", &fake{tamper: no("LOGIN", "NO [UNAVAILABLE] x")}, plain, wire.ErrUnavailable, "!EXAMINE"},
		{"NoLogin", &fake{}, func(c *Config) { plain(c); c.Login = nil }, wire.ErrCredentials, "!LOGIN"},
		{"LoginFails", &fake{}, func(c *Config) {
			plain(c)
			c.Login = func(context.Context) (string, string, error) { return "", "", errors.New("no") }
		}, wire.ErrCredentials, "!LOGIN"},
		{"LoginInjects", &fake{}, func(c *Config) {
			plain(c)
			c.Login = func(context.Context) (string, string, error) { return "a", "b\r\na9 DELETE INBOX", nil }
		}, wire.ErrCredentials, "!LOGIN"},
		{"LoginNeedsPlain", &fake{}, func(c *Config) {
			plain(c)
			c.Login = func(context.Context) (string, string, error) { return "ann", "sécret", nil }
		}, wire.ErrCredentials, "!LOGIN"},
		{"Quoted", &fake{}, func(c *Config) {
			plain(c)
			c.Login = func(context.Context) (string, string, error) { return `a"b`, `c\d`, nil }
		}, nil, `LOGIN "a\"b" "c\\d"`},
		{"Mailbox", &fake{}, func(c *Config) { plain(c); c.Mailbox = "Entwürfe & \"x\"" }, nil, `EXAMINE "Entw&APw-rfe &- \"x\""`},
		{"MailboxInUTF8", &fake{tamper: func(_ string, _ uint32, r string) string { return strings.Replace(r, "IMAP4rev1", "IMAP4rev2", 1) }},
			func(c *Config) { plain(c); c.Mailbox = "Entwürfe" }, nil, `EXAMINE "Entwürfe"`},
		{"NoMailbox", &fake{tamper: no("EXAMINE", "NO [NONEXISTENT] x")}, plain, wire.ErrNotFound, ""},
		{"Validity", &fake{}, func(c *Config) { plain(c); c.UIDValidity = 42 }, nil, ""},
		{"OtherValidity", &fake{}, func(c *Config) { plain(c); c.UIDValidity = 41 }, ErrChanged, ""},
		{"NoValidity", &fake{tamper: func(_ string, _ uint32, r string) string { return strings.Replace(r, "UIDVALIDITY", "X", 1) }}, plain, wire.ErrProtocol, ""},
		{"Bye", &fake{greeting: "* BYE full"}, plain, wire.ErrUnavailable, ""},
		{"NotIMAP", &fake{greeting: "220 ready"}, plain, wire.ErrProtocol, ""},
		{"Endless", &fake{greeting: strings.Repeat("x", wire.MaxResponse)}, plain, wire.ErrProtocol, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := tt.fake
			if f.greeting == "" {
				f.greeting = "* OK ready"
			}
			cfg := f.config()
			cfg.Host, cfg.TLS, cfg.AllowPlaintext = "example.com", client, false
			if tt.cfg != nil {
				tt.cfg(cfg)
			}
			s, err := Open(t.Context(), cfg)
			if err == nil {
				s.Close()
			}
			f.wg.Wait()
			if !errors.Is(err, tt.want) {
				t.Errorf("got %v, want %v", err, tt.want)
			}
			if err != nil && strings.Contains(err.Error(), "secret") {
				t.Errorf("got %v, want no password in it", err)
			}
			log := "\n" + strings.Join(f.log, "\n") + "\n"
			if word, not := strings.CutPrefix(tt.sent, "!"); not == strings.Contains(log, "\n"+word) {
				t.Errorf("got the commands %q, want %q (! for none)", log, tt.sent)
			}
		})
	}
}

func TestOpenStalls(t *testing.T) {
	for name, serve := range map[string]func(net.Conn){
		"Mute":    func(net.Conn) {},
		"Refused": nil,
		"MidLine": func(c net.Conn) { io.WriteString(c, "* OK rea") },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := &fake{}
				cfg := f.config()
				var theirs net.Conn
				cfg.Dial = func(ctx context.Context) (net.Conn, error) {
					if serve == nil {
						<-ctx.Done()
						return nil, ctx.Err()
					}
					var ours net.Conn
					ours, theirs = net.Pipe()
					go serve(theirs)
					return ours, nil
				}
				began := time.Now()
				_, err := Open(t.Context(), cfg)
				if !errors.Is(err, wire.ErrUnavailable) || time.Since(began) != idleTime {
					t.Errorf("got %v after %v, want %v, %v", err, time.Since(began), wire.ErrUnavailable, idleTime)
				}
			})
		})
	}
}

// The password is asked for once, however often the connection is lost.
func TestLoginOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{greeting: "* OK hi", messages: box(5), tamper: replaced(30, "BODYSTRUCTURE", fixed("CLOSE"))}
		cfg := f.config()
		asked := 0
		cfg.Login = func(context.Context) (string, string, error) {
			asked++
			return "ann", "secret", nil
		}
		s, err := Open(t.Context(), cfg)
		if err != nil {
			t.Fatal(err)
		}
		defer f.wg.Wait()
		defer s.Close()
		swept(t.Context(), s)
		if asked != 1 || f.connections < 2 {
			t.Errorf("got %d questions in %d connections, want 1 in at least 2", asked, f.connections)
		}
	})
}
