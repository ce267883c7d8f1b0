package jmapsession

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/testkit/jmapserver"
	"go.uber.org/goleak"
)

// TestMain wants no goroutine left.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A buffer is a Sink in memory.
type buffer struct{ bytes.Buffer }

func (b *buffer) Reset() error {
	b.Buffer.Reset()
	return nil
}

var errOther = errors.New("another host")

func configOf(s *jmapserver.Server) *Config {
	return &Config{
		URL:            s.URL + "/.well-known/jmap",
		Dial:           new(net.Dialer).DialContext,
		DialOther:      func(context.Context, string, string) (net.Conn, error) { return nil, fault(fetch.Blocked, errOther) },
		AllowPlaintext: true,
		Pause:          time.Millisecond,
		Login: func(context.Context, []string) (*fetch.Userinfo, error) {
			return &fetch.Userinfo{User: jmapserver.User, Password: jmapserver.Password}, nil
		},
	}
}

func open(t *testing.T, cfg *Config) *Session {
	t.Helper()
	s, err := Open(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// wantKind checks an error, and that it quotes no secret.
func wantKind(t *testing.T, err error, kind fetch.Kind) {
	t.Helper()
	e, ok := err.(*fetch.Error)
	if !ok || e.Kind != kind || strings.Contains(err.Error(), "s3cret") {
		t.Errorf("got %v, want the Kind %v", err, kind)
	}
}

// all reads the messages of the account.
func all(t *testing.T, s *Session) (texts []string) {
	t.Helper()
	ids, unlisted, err := s.IDs(t.Context(), new(Filter))
	if err != nil || unlisted != 0 {
		t.Fatal(unlisted, err)
	}
	emails, err := s.Emails(t.Context(), ids)
	if err != nil || len(emails) != len(ids) {
		t.Fatal(len(emails), err)
	}
	for i := range emails {
		var b buffer
		if n, err := s.Blob(t.Context(), &emails[i], &b); err != nil || int(n) != b.Len() {
			t.Fatal(n, err)
		}
		texts = append(texts, b.String())
	}
	return texts
}

// fill adds n messages, and returns their texts.
func fill(s *jmapserver.Server, n int) (texts []string) {
	for i := range n {
		text := fmt.Sprintf("Subject: %d\r\n\r\n%s\xff\x00\n", i, strings.Repeat("x", i))
		s.Add(text)
		texts = append(texts, text)
	}
	return texts
}

// TestReads holds: the octets of all messages come as they are, with few requests, whatever the limits.
func TestReads(t *testing.T) {
	for _, tt := range []struct {
		name                         string
		maxGet, maxQuery, maxRequest int
		gets, queries                int
	}{
		{"Usual", 500, 1000, 10_000_000, 1, 1},
		{"FewObjects", 7, 1000, 10_000_000, 8, 1},
		{"ShortPages", 500, 10, 10_000_000, 1, 5},
		{"SmallRequests", 500, 1000, 300, 0, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			server := jmapserver.New(t)
			server.MaxGet, server.MaxQuery, server.MaxRequest = tt.maxGet, tt.maxQuery, tt.maxRequest
			want := fill(server, 50)
			s := open(t, configOf(server))
			if got := all(t, s); !slices.Equal(got, want) {
				t.Errorf("got %d messages that differ, want %d", len(got), len(want))
			}
			if n := server.Asked("Email/get"); tt.gets > 0 && n != tt.gets || server.Asked("Email/query") != tt.queries {
				t.Errorf("got %d requests for messages and %d for ids, want %d and %d", n, server.Asked("Email/query"), tt.gets, tt.queries)
			}
		})
	}
}

func TestLogins(t *testing.T) {
	password := fetch.Userinfo{User: jmapserver.User, Password: jmapserver.Password}
	for _, tt := range []struct {
		name       string
		challenges []string
		info       *fetch.Userinfo
		plaintext  bool
		methods    string
		want       fetch.Kind // 0 for success
	}{
		{name: "Password", challenges: []string{`Basic realm="a, Bearer b"`}, info: &password, plaintext: true, methods: "basic"},
		{name: "Token", challenges: []string{`Bearer realm="a", charset="x"`, `basic`}, info: &fetch.Userinfo{Token: jmapserver.Token}, plaintext: true, methods: "bearer basic"},
		{name: "NoChallenge", challenges: []string{}, info: &password, plaintext: true},
		{name: "WrongPassword", info: &fetch.Userinfo{User: "ann", Password: "s3cret"}, plaintext: true, methods: "bearer basic", want: fetch.Credentials},
		{name: "Nobody", plaintext: true, methods: "bearer basic", want: fetch.Credentials},
		{name: "Plaintext", info: &password, want: fetch.Untrusted},
	} {
		t.Run(tt.name, func(t *testing.T) {
			server := jmapserver.New(t)
			server.Challenges = tt.challenges
			cfg, asked, methods := configOf(server), 0, ""
			cfg.AllowPlaintext = tt.plaintext
			cfg.Login = func(_ context.Context, m []string) (*fetch.Userinfo, error) {
				asked, methods = asked+1, strings.Join(m, " ")
				return tt.info, nil
			}
			s, err := Open(t.Context(), cfg)
			if tt.want != 0 {
				wantKind(t, err, tt.want)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			if all(t, s); asked != 1 || methods != tt.methods {
				t.Errorf("asked %d times with the methods %q, want once with %q", asked, methods, tt.methods)
			}
		})
	}
}

func TestAccounts(t *testing.T) {
	for name, want := range map[string]fetch.Kind{"": 0, "A1": 0, "ann@mail.example": 0, "C1": fetch.NotFound, "none": fetch.NotFound} {
		server := jmapserver.New(t)
		cfg := configOf(server)
		cfg.Account = name
		s, err := Open(t.Context(), cfg)
		if want != 0 {
			wantKind(t, err, want)
			continue
		}
		if err != nil || s.Account() != "A1" {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestMayGo(t *testing.T) {
	for _, tt := range []struct {
		from, to string
		secure   bool
		want     bool
	}{
		{"https://a/x", "https://a:443/y", true, true},
		{"https://a/x", "https://A/y", true, true},
		{"https://a/x", "https://b/y", true, true},
		{"https://a/x", "https://a:8443/y", true, true},
		{"https://a/x", "http://a/y", true, false},
		{"https://a/x", "https://b/y", false, false},
		{"http://a/x", "http://a:80/y", false, true},
		{"http://a/x", "http://a:81/y", false, false},
		{"http://a/x", "https://a/y", false, false},
		{"http://a/x", "http://b/y", false, false},
		{"https://a/x", "https://u:p@a/y", true, false},
		{"https://a/x", "file:///y", true, false},
		{"https://a/x", "https:///y", true, false},
	} {
		from, _ := url.Parse(tt.from)
		to, _ := url.Parse(tt.to)
		if err := mayGo(from, to, tt.secure); (err == nil) != tt.want {
			t.Errorf("from %s to %s: got %v, want %t", tt.from, tt.to, err, tt.want)
		}
	}
}

// TestOtherHosts holds: no request and no login goes where the rule of the package does not allow it.
func TestOtherHosts(t *testing.T) {
	for _, tt := range []struct {
		name  string
		tls   bool
		set   func(s *jmapserver.Server, other string)
		want  fetch.Kind // 0 for success
		login int32      // requests to the other host with a login
		none  int32      // and without
	}{
		{name: "API", tls: true, set: func(s *jmapserver.Server, other string) { s.API = other + "/api" }, login: 2},
		{name: "Blob", tls: true, set: func(s *jmapserver.Server, other string) { s.Download = other + "/blob/{accountId}/{blobId}" }, login: 1},
		{name: "Session", tls: true, set: func(s *jmapserver.Server, other string) { s.Redirect, s.API = other+"/session", other+"/api" }, login: 4, none: 1},
		{name: "RedirectOfBlob", tls: true, none: 1, want: fetch.Credentials, set: func(s *jmapserver.Server, other string) {
			s.Before = func(w http.ResponseWriter, r *http.Request, kind string, _ int) bool {
				if kind == "blob" {
					http.Redirect(w, r, other+r.URL.Path, http.StatusFound)
				}
				return kind == "blob"
			}
		}},
		{name: "RedirectOfRequest", tls: true, want: fetch.Protocol, set: func(s *jmapserver.Server, other string) {
			s.Before = func(w http.ResponseWriter, r *http.Request, kind string, _ int) bool {
				if kind == "Email/query" {
					http.Redirect(w, r, other+"/api", http.StatusTemporaryRedirect)
				}
				return kind == "Email/query"
			}
		}},
		{name: "PlainAPI", want: fetch.Blocked, set: func(s *jmapserver.Server, other string) { s.API = other + "/api" }},
		{name: "PlainBlob", want: fetch.Blocked, set: func(s *jmapserver.Server, other string) { s.Download = other + "/{blobId}" }},
		{name: "PlainSession", want: fetch.Blocked, set: func(s *jmapserver.Server, other string) { s.Redirect = other + "/session" }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			run := jmapserver.New
			if tt.tls {
				run = jmapserver.NewTLS
			}
			server, other := run(t), run(t)
			fill(server, 1)
			fill(other, 1)
			var login, none atomic.Int32
			inner := other.Config.Handler
			other.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Header.Get("Authorization") != "" {
					login.Add(1)
				} else {
					none.Add(1)
				}
				inner.ServeHTTP(w, r)
			})
			tt.set(server, other.URL)
			cfg := configOf(server)
			cfg.DialOther = new(net.Dialer).DialContext
			cfg.AllowPlaintext = !tt.tls
			if tt.tls {
				cfg.TLS = &tls.Config{RootCAs: server.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs}
			}
			err := func() error {
				s, err := Open(t.Context(), cfg)
				if err != nil {
					return err
				}
				defer s.Close()
				ids, _, err := s.IDs(t.Context(), new(Filter))
				if err != nil {
					return err
				}
				emails, err := s.Emails(t.Context(), ids)
				if err != nil {
					return err
				}
				_, err = s.Blob(t.Context(), &emails[0], new(buffer))
				return err
			}()
			if tt.want == 0 && err != nil {
				t.Error(err)
			} else if tt.want != 0 {
				wantKind(t, err, tt.want)
			}
			if login.Load() != tt.login || none.Load() != tt.none {
				t.Errorf("the other host got %d requests with and %d without a login, want %d and %d", login.Load(), none.Load(), tt.login, tt.none)
			}
		})
	}
}

// A guard judges hosts that the server names, and not the host that the user named.
func TestGuarded(t *testing.T) {
	server, other := jmapserver.NewTLS(t), jmapserver.NewTLS(t)
	server.API = other.URL + "/api"
	cfg := configOf(server)
	cfg.TLS = &tls.Config{RootCAs: server.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs}
	s := open(t, cfg)
	_, err := s.State(t.Context())
	if wantKind(t, err, fetch.Blocked); !errors.Is(err, errOther) {
		t.Errorf("got %v, want %v", err, errOther)
	}
}

// TestFaults holds: a fault that passes is not noticed, and one that stays ends the session or concerns one
// message. A server that names the time of the next try is waited for.
func TestFaults(t *testing.T) {
	always := func(int) bool { return true }
	once := func(n int) bool { return n == 1 }
	for _, tt := range []struct {
		name  string
		kind  string
		when  func(n int) bool
		do    func(w http.ResponseWriter)
		want  fetch.Kind // 0 for success
		ended bool       // the session
	}{
		{"CutOnce", "Email/query", once, func(w http.ResponseWriter) { jmapserver.Cut(w, "") }, 0, false},
		{"CutInside", "Email/get", once, func(w http.ResponseWriter) { jmapserver.Cut(w, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{") }, 0, false},
		{"BlobCutOnce", "blob", once, func(w http.ResponseWriter) {
			jmapserver.Cut(w, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc")
		}, 0, false},
		{"BlobShortOnce", "blob", once, func(w http.ResponseWriter) { w.Write([]byte("abc")) }, 0, false},
		{"BlobShort", "blob", always, func(w http.ResponseWriter) { w.Write([]byte("Subject: 0\r\n\r\n\xff")) }, fetch.Unavailable, false},
		{"BlobEmpty", "blob", always, func(w http.ResponseWriter) {}, fetch.Unavailable, false},
		{"BlobCut", "blob", always, func(w http.ResponseWriter) { jmapserver.Cut(w, "s3cret") }, fetch.Unavailable, false},
		{"BlobFails", "blob", always, func(w http.ResponseWriter) { http.Error(w, "s3cret", 500) }, fetch.Unavailable, false},
		{"BlobForbidden", "blob", always, func(w http.ResponseWriter) { http.Error(w, "s3cret", http.StatusForbidden) }, fetch.Forbidden, false},
		{"Cut", "Email/query", always, func(w http.ResponseWriter) { jmapserver.Cut(w, "") }, fetch.Unavailable, true},
		{"Busy", "Email/query", once, func(w http.ResponseWriter) { w.WriteHeader(503) }, 0, false},
		{"Limited", "Email/get", once, func(w http.ResponseWriter) {
			w.WriteHeader(400)
			w.Write([]byte(`{"type":"urn:ietf:params:jmap:error:limit","limit":"maxConcurrentRequests"}`))
		}, 0, false},
		{"Later", "Email/query", always, func(w http.ResponseWriter) {
			w.Header().Set("Retry-After", "3600")
			w.WriteHeader(429)
		}, fetch.Deferred, true},
		{"NotJSON", "Email/query", always, func(w http.ResponseWriter) { w.Write([]byte("<html>s3cret")) }, fetch.Protocol, false},
		{"NotHTTP", "Email/query", always, func(w http.ResponseWriter) { jmapserver.Cut(w, "s3cret\r\n\r\n") }, fetch.Unavailable, true},
		{"Fails", "Email/query", always, func(w http.ResponseWriter) {
			w.Write([]byte(`{"methodResponses":[["error",{"type":"serverFail","description":"s3cret"},"0"]]}`))
		}, fetch.Unavailable, false},
		{"OddError", "Email/query", always, func(w http.ResponseWriter) {
			w.Write([]byte(`{"methodResponses":[["error",{"type":"s3cret-password"},"0"]]}`))
		}, fetch.Unavailable, false},
		{"OtherAccount", "Email/query", always, func(w http.ResponseWriter) {
			w.Write([]byte(`{"methodResponses":[["Email/query",{"accountId":"B2","ids":["x"]},"0"]]}`))
		}, fetch.Protocol, false},
		{"BadID", "Email/query", always, func(w http.ResponseWriter) {
			w.Write([]byte(`{"methodResponses":[["Email/query",{"accountId":"A1","ids":["a\nb"]},"0"]]}`))
		}, fetch.Protocol, false},
		{"NoAccount", "Email/query", always, func(w http.ResponseWriter) {
			w.Write([]byte(`{"methodResponses":[["error",{"type":"accountNotFound"},"0"]]}`))
		}, fetch.NotFound, false},
		{"Long", "Email/get", always, func(w http.ResponseWriter) {
			w.Write([]byte(`{"methodResponses":[["Email/get",{"accountId":"A1","state":"`))
			for range maxAnswer >> 10 {
				w.Write(bytes.Repeat([]byte{'x'}, 1<<10))
			}
		}, fetch.TooLarge, false},
		{"OddEmail", "Email/get", always, func(w http.ResponseWriter) {
			w.Write([]byte(`{"methodResponses":[["Email/get",{"accountId":"A1","list":[{"id":"M1","size":"s3cret"}]},"0"]]}`))
		}, fetch.Protocol, false},
		{"EmailUnsent", "Email/get", always, func(w http.ResponseWriter) {
			w.Write([]byte(`{"methodResponses":[["Email/get",{"accountId":"A1","list":[]},"0"]]}`))
		}, fetch.Protocol, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			server := jmapserver.New(t)
			want := fill(server, 1)
			server.Before = func(w http.ResponseWriter, _ *http.Request, kind string, n int) bool {
				if kind == tt.kind && tt.when(n) {
					tt.do(w)
					return true
				}
				return false
			}
			s := open(t, configOf(server))
			var b buffer
			ids, _, err := s.IDs(t.Context(), new(Filter))
			if err == nil {
				var emails []Email
				if emails, err = s.Emails(t.Context(), ids); err == nil {
					_, err = s.Blob(t.Context(), &emails[0], &b)
				}
			}
			if tt.want != 0 {
				wantKind(t, err, tt.want)
			} else if err != nil || b.String() != want[0] {
				t.Errorf("got %q, %v; want %q", b.String(), err, want[0])
			}
			if ended := s.Failed() != nil; ended != tt.ended {
				t.Errorf("the session ended: %t, want %t", ended, tt.ended)
			}
			if n := server.Asked(""); n > 20 {
				t.Errorf("got %d requests, want few", n)
			}
		})
	}
}

// A blob that is gone has another error than one that cannot be had.
func TestGone(t *testing.T) {
	server := jmapserver.New(t)
	fill(server, 2)
	s := open(t, configOf(server))
	emails, err := s.Emails(t.Context(), []string{"M1", "M2", "M3"})
	if err != nil || emails[0].Err != nil || emails[1].Err != nil || !errors.Is(emails[2].Err, ErrGone) {
		t.Fatalf("got %v, %v; want the third gone", emails, err)
	}
	server.Remove("M1")
	if _, err := s.Blob(t.Context(), &emails[0], new(buffer)); !errors.Is(err, ErrGone) {
		t.Errorf("got %v, want that it is gone", err)
	}
	emails[1].BlobID = "none"
	if _, err := s.Blob(t.Context(), &emails[1], new(buffer)); errors.Is(err, ErrGone) || !errors.Is(err, fetch.NotFound) {
		t.Errorf("got %v, want that the blob is not found", err)
	}
}

// A server that sends nothing, or an octet now and then, is not waited for.
func TestSlow(t *testing.T) {
	for _, drip := range []bool{false, true} {
		server := jmapserver.New(t)
		fill(server, 1)
		over := make(chan struct{})
		stop := sync.OnceFunc(func() { close(over) })
		defer stop()
		server.Before = func(w http.ResponseWriter, r *http.Request, kind string, _ int) bool {
			if kind != "Email/query" {
				return false
			}
			for {
				if drip {
					w.Write([]byte(" "))
					http.NewResponseController(w).Flush()
				}
				select {
				case <-time.After(5 * time.Millisecond):
				case <-over:
					return true
				case <-r.Context().Done():
					return true
				}
			}
		}
		cfg := configOf(server)
		cfg.Idle = 50 * time.Millisecond
		s := open(t, cfg)
		_, _, err := s.IDs(t.Context(), new(Filter))
		if wantKind(t, err, fetch.Unavailable); !errors.Is(err, errSlow) || s.Failed() == nil {
			t.Errorf("drip %t: got %v, want %v", drip, err, errSlow)
		}
		stop()
	}
}

// The end of the caller's context ends a request, and is its error.
func TestCanceled(t *testing.T) {
	server := jmapserver.New(t)
	ctx, cancel := context.WithCancel(t.Context())
	server.Before = func(_ http.ResponseWriter, r *http.Request, kind string, _ int) bool {
		if kind == "Email/query" {
			cancel()
			<-r.Context().Done()
		}
		return kind == "Email/query"
	}
	s := open(t, configOf(server))
	if _, _, err := s.IDs(ctx, new(Filter)); !errors.Is(err, context.Canceled) || s.Failed() != nil {
		t.Errorf("got %v and %v, want %v and nothing", err, s.Failed(), context.Canceled)
	}
}

// TestMovingList holds: messages that go and come while the mail is listed cost no other message.
func TestMovingList(t *testing.T) {
	server := jmapserver.New(t)
	server.MaxQuery = 10
	fill(server, 35)
	server.Before = func(_ http.ResponseWriter, _ *http.Request, kind string, n int) bool {
		if kind == "Email/query" {
			switch n {
			case 2:
				server.Remove("M1")
				server.Remove("M10") // the anchor
			case 3:
				server.Add("new")
			}
		}
		return false
	}
	s := open(t, configOf(server))
	ids, unlisted, err := s.IDs(t.Context(), new(Filter))
	if err != nil || unlisted != 0 || len(ids) != 34 || slices.Contains(ids, "M10") {
		t.Errorf("got %d ids, %d unlisted, %v; want 34", len(ids), unlisted, err)
	}
	// One that cannot be listed is counted.
	server.Before = func(w http.ResponseWriter, _ *http.Request, kind string, _ int) bool {
		if kind == "Email/query" {
			w.Write([]byte(`{"methodResponses":[["Email/query",{"accountId":"A1","ids":[],"total":3},"0"]]}`))
		}
		return kind == "Email/query"
	}
	if ids, unlisted, err = s.IDs(t.Context(), new(Filter)); err != nil || len(ids) != 0 || unlisted != 3 {
		t.Errorf("got %d ids, %d unlisted, %v; want none of 3", len(ids), unlisted, err)
	}
}

func TestChanges(t *testing.T) {
	server := jmapserver.New(t)
	server.MaxQuery = 2 // changes at a time
	fill(server, 3)
	s := open(t, configOf(server))
	state, err := s.State(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := func(what string, created, destroyed []string, updated bool) {
		t.Helper()
		c, err := s.Changes(t.Context(), state)
		if err != nil {
			t.Fatal(what, err)
		}
		if !slices.Equal(c.Created, created) || !slices.Equal(c.Destroyed, destroyed) || c.Updated != updated {
			t.Errorf("%s: got %+v", what, c)
		}
		now, err := s.State(t.Context())
		if err != nil || now != c.State {
			t.Errorf("%s: got the state %q, want %q, %v", what, c.State, now, err)
		}
		state = c.State
	}
	want("nothing", nil, nil, false)
	server.Move("M2", "inbox", "other")
	want("moved", nil, nil, true)
	a, b := server.Add("a"), server.Add("b")
	server.Remove("M1")
	server.Remove(a)
	want("came and went", []string{b}, []string{"M1"}, false)
	server.Forget()
	if _, err := s.Changes(t.Context(), state); !errors.Is(err, ErrState) {
		t.Errorf("got %v, want %v", err, ErrState)
	}
	if _, err := s.Changes(t.Context(), "other"); !errors.Is(err, ErrState) || s.Failed() != nil {
		t.Errorf("got %v, want %v", err, ErrState)
	}
}

func TestMailboxes(t *testing.T) {
	for _, most := range []int{500, 2} {
		server := jmapserver.New(t)
		server.MaxGet = most
		server.Boxes = append(server.Boxes, jmapserver.Box{ID: "a", Name: "Archive"}, jmapserver.Box{ID: "y", Name: "2024", Parent: "a"},
			jmapserver.Box{ID: "s", Name: "a/b"}, jmapserver.Box{ID: "l", Name: "loop", Parent: "l"}, jmapserver.Box{ID: "o", Name: "orphan", Parent: "none"})
		server.Put(jmapserver.Mail{ID: "M1", Text: "one", Received: time.Unix(1e9, 0), Mailboxes: []string{"y", "inbox"}})
		server.Put(jmapserver.Mail{ID: "M2", Text: "two", Received: time.Unix(2e9, 0), Mailboxes: []string{"y"}})
		s := open(t, configOf(server))
		boxes, err := s.Mailboxes(t.Context())
		if err != nil || len(boxes) != 6 {
			t.Fatal(len(boxes), err)
		}
		for name, want := range map[string]string{"Archive/2024": "y", "INBOX": "inbox", "2024": "", "loop": "", "orphan": "", "a|b": "s"} {
			var names []string
			for n := range strings.SplitSeq(name, "/") {
				names = append(names, strings.ReplaceAll(n, "|", "/"))
			}
			if got, err := boxes.Find(names); got != want || (err == nil) != (want != "") {
				t.Errorf("%s: got %q, %v; want %q", name, got, err, want)
			}
		}
		for f, want := range map[Filter]string{
			{Mailbox: "y"}: "M1 M2", {Mailbox: "inbox"}: "M1", {Since: time.Unix(1e9, 0)}: "M1 M2", {Since: time.Unix(1e9+1, 0)}: "M2", {Mailbox: "inbox", Since: time.Unix(1e9+1, 0)}: "",
		} {
			ids, _, err := s.IDs(t.Context(), &f)
			n, nerr := s.Total(t.Context(), &f)
			if got := strings.Join(ids, " "); got != want || err != nil || nerr != nil || int(n) != len(ids) {
				t.Errorf("%v: got %q of %d, %v, %v; want %q", f, got, n, err, nerr, want)
			}
		}
	}
}

// A server that does not speak JMAP gives an error of its own.
func TestNotJMAP(t *testing.T) {
	for _, text := range []string{"", "<html>", "{}", `{"capabilities":{"urn:ietf:params:jmap:core":{}},"apiUrl":"/"}`, `{"capabilities":{"urn:ietf:params:jmap:core":{}},"apiUrl":"/","downloadUrl":"/{blobId}"}`} {
		h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte(text)) }))
		defer h.Close()
		_, err := Open(t.Context(), &Config{URL: h.URL, Dial: new(net.Dialer).DialContext})
		want := fetch.Protocol
		if strings.Contains(text, "downloadUrl") {
			want = fetch.NotFound // no account
		}
		wantKind(t, err, want)
	}
}

// RFC 8621 section 4.1.1: a server with a receivedAt that is not a time gives the message without
// it.
func TestReceivedAt(t *testing.T) {
	for value, want := range map[string]string{
		`"2026-03-05T12:00:07+01:00"`: "2026-03-05T11:00:07Z",
		`"2026-03-05T11:00:07Z"`:      "2026-03-05T11:00:07Z",
		`"0001-01-02T00:00:00Z"`:      "0001-01-01T00:00:00Z",
		`"5 Mar 2026"`:                "0001-01-01T00:00:00Z",
		`null`:                        "0001-01-01T00:00:00Z",
		`7`:                           "0001-01-01T00:00:00Z",
		`{}`:                          "0001-01-01T00:00:00Z",
	} {
		var e Email
		err := e.UnmarshalJSON([]byte(`{"id":"M1","blobId":"B1","receivedAt":` + value + `}`))
		if got := e.Received.UTC().Format(time.RFC3339); err != nil || e.Err != nil || got != want {
			t.Errorf("%s: got %s, %v, %v; want %s", value, got, err, e.Err, want)
		}
	}
}

func FuzzAnswers(f *testing.F) {
	f.Add([]byte(`{"capabilities":{"urn:ietf:params:jmap:core":{"maxObjectsInGet":-1}},"apiUrl":"/","downloadUrl":"/{blobId}","accounts":{"a":{"name":"b","accountCapabilities":{"urn:ietf:params:jmap:mail":{}}}},"primaryAccounts":{"urn:ietf:params:jmap:mail":"a"}}`), "a")
	f.Add([]byte(`{"methodResponses":[["Email/get",{"accountId":"a","list":[{"id":"x","blobId":"b","size":1,"mailboxIds":{"m":true}}],"notFound":["y"]},"0"]]}`), "x")
	f.Add([]byte(`{"methodResponses":[["error",{"type":"limit"},"0"]],"type":"urn:ietf:params:jmap:error:limit","limit":"maxSizeRequest"}`), "y")
	f.Fuzz(func(t *testing.T, text []byte, id string) {
		check := func(err error) {
			if e, ok := err.(*fetch.Error); err != nil && (!ok || e.Kind == 0) {
				t.Errorf("got %T %v", err, err)
			}
		}
		r, err := parseResource(text)
		if check(err); err == nil {
			if min(r.Core.MaxObjectsInGet, r.Core.MaxConcurrentRequests, r.Core.MaxSizeRequest) < 1 {
				t.Errorf("got the limits %+v", r.Core)
			}
			for _, name := range []string{"", id} {
				found, err := r.find(name)
				if check(err); err == nil && r.accounts[found].AccountCapabilities[capabilityMail] == nil {
					t.Errorf("%q: found %q, which has no mail", name, found)
				}
			}
		}
		var a emailsAnswer
		if err := parseAnswer(text, "Email/get", "a", &a); err != nil {
			check(err)
		} else {
			ids := append([]string{id, "x"}, a.NotFound...)
			ids = append(ids, make([]string, len(a.List))...)
			emails, err := a.of(ids)
			if err != nil || len(emails) != len(ids) {
				t.Fatalf("got %d messages, %v; want %d", len(emails), err, len(ids))
			}
			for i, e := range emails {
				if check(e.Err); e.ID != ids[i] || e.Err == nil && !isID(e.BlobID) || e.Size < 0 {
					t.Errorf("got %+v for %q", e, ids[i])
				}
			}
		}
		check(requestError(400, text))
	})
}

// TestWrongSizes holds, OP-46: a message whose size is wrong is read, with one more request for its blob, and one for its structure, if the
// size is too large.
func TestWrongSizes(t *testing.T) {
	for _, tt := range []struct{ more, requests int }{{0, 1}, {5, 3}, {100, 3}, {-5, 1}} {
		server := jmapserver.New(t)
		server.SizeMore = tt.more
		want := fill(server, 1)
		s := open(t, configOf(server))
		emails, err := s.Emails(t.Context(), []string{"M1"})
		if err != nil {
			t.Fatal(err)
		}
		before := server.Asked("")
		var b buffer
		n, err := s.Blob(t.Context(), &emails[0], &b)
		if err != nil || b.String() != want[0] || n != int64(len(want[0])) {
			t.Errorf("%+d: got %d, %q, %v; want %q", tt.more, n, b.String(), err, want[0])
		}
		if got := server.Asked("") - before; got != tt.requests {
			t.Errorf("%+d: got %d requests, want %d", tt.more, got, tt.requests)
		}
	}
}
