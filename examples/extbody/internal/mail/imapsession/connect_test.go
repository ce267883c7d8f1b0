package imapsession

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-extbody/extbody/internal/imap/wire"
	"github.com/go-extbody/extbody/internal/testkit"
)

// No password is sent without TLS, and capabilities that are offered in the clear
// are not trusted (IM-12).
func TestOpen(t *testing.T) {
	server, client := testkit.Certificate()
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
		{"NoTLSAllowed", &fake{caps: "AUTH=PLAIN"}, plain, nil, "AUTHENTICATE PLAIN"},
		{"TLSUsedThoughNotNeeded", &fake{caps: "STARTTLS", tls: server}, plain, nil, "STARTTLS"},
		{"OtherHost", &fake{caps: "STARTTLS", tls: server}, func(c *Config) { c.Host = "other.example" }, wire.ErrUntrusted, "!LOGIN"},
		{"UnknownRoot", &fake{caps: "STARTTLS", tls: server}, func(c *Config) { c.TLS = nil }, wire.ErrUntrusted, "!LOGIN"},
		{"PreauthInTLS", &fake{greeting: "* PREAUTH hi", tls: server, implicit: true}, func(c *Config) { c.Implicit = true }, nil, "!LOGIN"},
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
		{"Mailbox", &fake{}, plain, nil, `EXAMINE "Entw&APw-rfe &- \"x\""`},
		{"MailboxInUTF8", &fake{tamper: func(_ string, _ uint32, r string) string { return strings.Replace(r, "IMAP4rev1", "IMAP4rev2", 1) }},
			plain, nil, `EXAMINE "Entwürfe & \"x\""`},
		{"NoValidity", &fake{tamper: func(_ string, _ uint32, r string) string { return strings.Replace(r, "UIDVALIDITY", "X", 1) }}, plain, wire.ErrProtocol, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := tt.fake
			f.greeting = cmp.Or(f.greeting, "* OK ready")
			cfg := f.config()
			cfg.Host, cfg.TLS, cfg.AllowPlaintext = "example.com", client, false
			if tt.cfg != nil {
				tt.cfg(cfg)
			}
			s, err := Open(t.Context(), cfg)
			if err == nil {
				err = s.Examine(t.Context(), "Entwürfe & \"x\"", 0)
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

// A poison message costs one reconnect where the rest of it can be read. One of which nothing
// can be read costs two more, since only the loss of a new connection speaks against it.
func TestPoisonReconnects(t *testing.T) {
	const n, even = 300, 1700 // even has no reference
	for _, tt := range []struct {
		name   string
		word   string // of the commands on which the server ends the session
		how    string
		hides  bool // its answers are lost with the connection
		most   int  // connections
		unread bool
	}{
		{"Structure", "BODYSTRUCTURE", "CLOSE", false, 2, false},
		{"StructureBegun", "BODYSTRUCTURE", "* 3 FETCH (CLOSE", false, 2, false},
		{"StructureHangs", "BODYSTRUCTURE", "HANG", false, 2, false},
		{"StructureHidden", "BODYSTRUCTURE", "CLOSE", true, 4, false},
		{"Sections", "MIME", "CLOSE", false, 2, false},
		{"Anything", "FETCH", "CLOSE", false, 4, true},
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

// NIL for a message is a server that cannot read it now, and no end of it where octets
// of it are known to follow. A size that cannot be one is a fault of the server, and not
// taken for an unknown size.
func TestFetchFaults(t *testing.T) {
	for _, tt := range []struct {
		name, items string
		want        error
	}{
		{"NILRange", "RFC822.SIZE 20 BODY[]<0> NIL", wire.ErrUnavailable},
		{"NIL", "RFC822.SIZE 20 BODY[] NIL", wire.ErrUnavailable},
		{"NILWithoutSize", "BODY[] NIL", wire.ErrUnavailable},
		{"SizeWord", "RFC822.SIZE x BODY[]<0> \"x\"", wire.ErrProtocol},
		{"SizeNegative", "RFC822.SIZE -1 BODY[]<0> \"x\"", wire.ErrProtocol},
		{"SizeAndMore", "RFC822.SIZE 1x BODY[]<0> \"x\"", wire.ErrProtocol},
		{"SizeHuge", "RFC822.SIZE 99999999999999999999 BODY[]<0> \"x\"", wire.ErrProtocol},
		{"SizeNIL", "RFC822.SIZE NIL BODY[]<0> \"x\"", wire.ErrProtocol},
		{"SizeString", "RFC822.SIZE \"20\" BODY[]<0> \"x\"", wire.ErrProtocol},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := &fake{messages: box(1), tamper: replaced(10, "BODY.PEEK[]", fixed("* 1 FETCH (UID 10 "+tt.items+")\r\n"))}
			n, err := f.open(t).Fetch(t.Context(), 10, io.Discard)
			if !errors.Is(err, tt.want) || tt.want == wire.ErrUnavailable && errors.Is(err, wire.ErrProtocol) {
				t.Errorf("got %d octets, %v; want %v", n, err, tt.want)
			}
		})
	}
	t.Run("NILAfterTheEnd", func(t *testing.T) {
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

// scripted is a Config.Dial of a server that hears nothing, and that talk plays for each
// connection.
func scripted(talk func(net.Conn)) func(context.Context) (net.Conn, error) {
	return func(context.Context) (net.Conn, error) {
		ours, theirs := net.Pipe()
		go func() {
			defer theirs.Close()
			go io.Copy(io.Discard, theirs)
			talk(theirs)
		}()
		return ours, nil
	}
}

// The costs of a server are bounded, whatever it does, and the error names the
// bound.
func TestLimits(t *testing.T) {
	drip := scripted(func(c net.Conn) {
		for {
			if _, err := io.WriteString(c, "*"); err != nil {
				return
			}
			time.Sleep(50 * time.Second)
		}
	})
	flood := scripted(func(c net.Conn) {
		line := strings.Repeat("* 1 FETCH (FLAGS ())\r\n", 1000)
		_, err := io.WriteString(c, "* PREAUTH hi\r\n")
		for err == nil {
			_, err = io.WriteString(c, line)
		}
	})
	silent := &fake{messages: box(8), tamper: func(_ string, uid uint32, r string) string {
		if uid != 0 {
			return ""
		}
		return r
	}}
	endless := &fake{messages: box(8), tamper: func(_ string, _ uint32, r string) string {
		if strings.HasPrefix(r, "* SEARCH") {
			return strings.Repeat("* SEARCH"+strings.Repeat(" 7", 1000)+"\r\n", 50)
		}
		return r
	}}
	for _, tt := range []struct {
		name   string
		dial   func(context.Context) (net.Conn, error)
		limits Limits
		most   time.Duration
		want   string
	}{
		{"Drip", drip, Limits{}, 3 * time.Minute, "too slow"},
		{"DripShort", drip, Limits{Wait: 10 * time.Second}, 11 * time.Second, "too slow"},
		{"Flood", flood, Limits{}, time.Minute, "none of what was asked for"},
		{"FloodShort", flood, Limits{Octets: 1 << 20}, time.Minute, "more than 1048576 octets"},
		{"Commands", silent.dial, Limits{Commands: 6}, time.Minute, "6 commands were sent"},
		{"ListWithoutEnd", endless.dial, Limits{}, time.Minute, "too long"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				s, err := Open(t.Context(), &Config{Dial: tt.dial, AllowPlaintext: true, Limits: tt.limits})
				if err == nil {
					err = s.Examine(t.Context(), "INBOX", 0)
				}
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
			time.Sleep(time.Hour) // a user thinks
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
