package imapsession

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
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
		s := f.openWith(t, cfg)
		swept(t.Context(), s)
		if asked != 1 || f.connections < 2 {
			t.Errorf("got %d questions in %d connections, want 1 in at least 2", asked, f.connections)
		}
	})
}

// A poison message costs one reconnect where the rest of it can be read, and
// each connection that is lost on it is one that it was not asked for before.
func TestPoisonReconnects(t *testing.T) {
	const n, even = 300, 1700 // even has no reference
	for _, tt := range []struct {
		name   string
		word   string // of the commands on which the server ends the session
		how    string
		hides  bool // what it had answered is lost with the connection
		most   int  // connections
		unread bool
	}{
		{"Structure", "BODYSTRUCTURE", "CLOSE", false, 2, false},
		{"StructureBegun", "BODYSTRUCTURE", "* 3 FETCH (CLOSE", false, 2, false},
		{"StructureHangs", "BODYSTRUCTURE", "HANG", false, 2, false},
		{"StructureHidden", "BODYSTRUCTURE", "CLOSE", true, 4, false},
		{"Sections", "MIME", "CLOSE", false, 2, false},
		{"Anything", "FETCH", "CLOSE", false, 3, true},
	} {
		for _, poison := range []uint32{10, 1510, 2990, even} {
			t.Run(fmt.Sprint(tt.name, poison), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					f := &fake{messages: box(n)}
					f.tamper = replaced(poison, tt.word, fixed(tt.how))
					if tt.hides {
						f.tamper = func(command string, uid uint32, r string) string {
							set, ok := strings.CutPrefix(command, "UID FETCH ")
							set, _, _ = strings.Cut(set, " ")
							if ok && strings.Contains(command, tt.word) && inSet(set, poison) {
								return tt.how
							}
							return r
						}
					}
					lines, reasons := swept(t.Context(), f.open(t))
					text, want := strings.Join(lines, "|"), n/2
					if poison == even && tt.word != "MIME" {
						want++ // it is seen since a connection was lost on it
					}
					sections := strings.Count(text, "sections")
					// If all answers were lost, the first message is read whole too.
					if len(lines) != want || strings.Contains(text, "unread") != tt.unread || sections < want-2 || !tt.hides && sections < want-1 {
						t.Errorf("got %d messages, %d in sections, %v; want %d", len(lines), sections, reasons, want)
					}
					if f.connections > tt.most {
						t.Errorf("got %d connections, want %d at most", f.connections, tt.most)
					}
				})
			})
		}
	}
}

// NIL for a message is a server that cannot read it now, and no end of it
// where octets of it are known to follow.
func TestFetchNIL(t *testing.T) {
	for _, tt := range []struct {
		name   string
		answer string // to a FETCH of the message
		want   error
	}{
		{"Range", "* 1 FETCH (UID 10 RFC822.SIZE 20 BODY[]<0> NIL)\r\n", wire.ErrUnavailable},
		{"NoRange", "* 1 FETCH (UID 10 RFC822.SIZE 20 BODY[] NIL)\r\n", wire.ErrUnavailable},
		{"NoSize", "* 1 FETCH (UID 10 BODY[] NIL)\r\n", wire.ErrUnavailable},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := &fake{messages: box(1), tamper: replaced(10, "BODY.PEEK[]", fixed(tt.answer))}
			if n, err := f.open(t).Fetch(t.Context(), 10, io.Discard); !errors.Is(err, tt.want) || errors.Is(err, wire.ErrProtocol) {
				t.Errorf("got %d octets, %v; want %v", n, err, tt.want)
			}
		})
	}
	t.Run("Behind", func(t *testing.T) {
		m := plainMessage(10)
		m.text = strings.Repeat("x", wholeChunk)
		f := &fake{messages: []fakeMessage{m}}
		f.tamper = func(command string, _ uint32, r string) string {
			r = strings.Replace(r, "RFC822.SIZE", "X", 1)
			if strings.Contains(command, fmt.Sprintf("<%d.", wholeChunk)) && strings.HasPrefix(r, "* ") {
				return "* 1 FETCH (UID 10 BODY[] NIL)\r\n"
			}
			return r
		}
		if n, err := f.open(t).Fetch(t.Context(), 10, io.Discard); n != wholeChunk || err != nil {
			t.Errorf("got %d octets, %v; want %d", n, err, wholeChunk)
		}
	})
}

// TestSizeIsNoNumber: a size that cannot be one is a fault of the server, and not
// taken for an unknown size.
func TestSizeIsNoNumber(t *testing.T) {
	for _, size := range []string{"x", "-1", "1x", "99999999999999999999", "NIL", "\"20\""} {
		f := &fake{messages: box(1), tamper: replaced(10, "BODY.PEEK[]", fixed("* 1 FETCH (UID 10 RFC822.SIZE "+size+" BODY[]<0> \"x\")\r\n"))}
		if n, err := f.open(t).Fetch(t.Context(), 10, io.Discard); !errors.Is(err, wire.ErrProtocol) {
			t.Errorf("size %s: got %d octets, %v; want %v", size, n, err, wire.ErrProtocol)
		}
	}
}

// scripted is a Config.Dial of a server that talk plays, once for each
// connection.
func scripted(talk func(net.Conn)) func(context.Context) (net.Conn, error) {
	return func(context.Context) (net.Conn, error) {
		ours, theirs := net.Pipe()
		go func() {
			defer theirs.Close()
			talk(theirs)
		}()
		return ours, nil
	}
}

// What a server may cost is bounded, whatever it does, and the error says by
// what.
func TestLimits(t *testing.T) {
	greet := func(c net.Conn) *bufio.Reader {
		io.WriteString(c, "* PREAUTH hi\r\n")
		return bufio.NewReader(c)
	}
	// answer answers each command with what text returns for it.
	answer := func(text func(command string) string) func(net.Conn) {
		return func(c net.Conn) {
			in := greet(c)
			for {
				line, err := in.ReadString('\n')
				if err != nil {
					return
				}
				tag, command, _ := strings.Cut(strings.TrimSpace(line), " ")
				response := text(command)
				switch {
				case response != "":
				case strings.HasPrefix(command, "CAPABILITY"):
					response = "* CAPABILITY IMAP4rev1\r\n"
				case strings.HasPrefix(command, "EXAMINE"):
					response = "* 100 EXISTS\r\n* OK [UIDVALIDITY 1] x\r\n"
				}
				if _, err := io.WriteString(c, response+tag+" OK x\r\n"); err != nil {
					return
				}
			}
		}
	}
	drip := func(c net.Conn) {
		go io.Copy(io.Discard, c)
		for {
			if _, err := io.WriteString(c, "*"); err != nil {
				return
			}
			time.Sleep(50 * time.Second)
		}
	}
	flood := func(c net.Conn) {
		greet(c)
		go io.Copy(io.Discard, c)
		line := strings.Repeat("* 1 FETCH (FLAGS ())\r\n", 1000)
		for {
			if _, err := io.WriteString(c, line); err != nil {
				return
			}
		}
	}
	for _, tt := range []struct {
		name   string
		talk   func(net.Conn)
		limits Limits
		most   time.Duration
		want   string
	}{
		{"Drip", drip, Limits{}, 3 * time.Minute, "too slow"},
		{"DripShort", drip, Limits{Wait: 10 * time.Second}, 11 * time.Second, "too slow"},
		{"Flood", flood, Limits{}, time.Minute, "none of what was asked for"},
		{"FloodShort", flood, Limits{Octets: 1 << 20}, time.Minute, "more than 1048576 octets"},
		{"Commands", answer(func(command string) string {
			if strings.HasPrefix(command, "UID SEARCH 1:") {
				return "* SEARCH 1 2 3 4 5 6 7 8\r\n"
			}
			return ""
		}), Limits{Commands: 6}, time.Minute, "6 commands were sent"},
		{"ListWithoutEnd", answer(func(command string) string {
			if strings.HasPrefix(command, "UID SEARCH") {
				return strings.Repeat("* SEARCH"+strings.Repeat(" 7", 1000)+"\r\n", 50)
			}
			return ""
		}), Limits{}, time.Minute, "too long"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				s, err := Open(t.Context(), &Config{
					Dial: scripted(tt.talk), AllowPlaintext: true, Mailbox: "INBOX", Limits: tt.limits,
				})
				if err == nil {
					_, reasons := swept(t.Context(), s)
					err = errors.Join(reasons...)
					s.Close()
				}
				if err == nil || !strings.Contains(err.Error(), tt.want) {
					t.Errorf("got %v, want %q", err, tt.want)
				}
				if d := time.Since(began); d > tt.most {
					t.Errorf("got %v, want %v at most", d, tt.most)
				}
				time.Sleep(time.Hour) // the scripts end with their connections
			})
		})
	}
}

// Time in which the server is not waited for does not count.
func TestLimitsOfWaitOnly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{messages: box(5)}
		cfg := f.config()
		cfg.Limits.Wait = time.Second
		s, n := f.openWith(t, cfg), 0
		for m, err := range s.Sweep(t.Context(), wantSecond) {
			if err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Hour) // somebody thinks
			if _, err := s.Fetch(t.Context(), m.UID, io.Discard); err != nil {
				t.Errorf("UID %d: got %v, want none", m.UID, err)
			}
			n++
		}
		if n != 3 {
			t.Errorf("got %d messages, want 3", n)
		}
	})
}
