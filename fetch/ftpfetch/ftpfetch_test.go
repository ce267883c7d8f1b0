package ftpfetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/textproto"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
)

var _ driver.Inspector = (*fetcher)(nil)

// The whole dialogue, in order.
func TestFetch(t *testing.T) {
	f := &fake{body: "hello\r\n", features: " UTF8\r\n SIZE\r\n MDTM\r\n REST STREAM"}
	f.start(t)
	var phases []fetch.Phase
	req := &fetch.Request{URL: f.url(t, "/pub/h%C3%A9"), Progress: func(e fetch.Event) { phases = append(phases, e.Phase) }}
	before := req.URL.String()
	got, resp, err := get(t, New(&Options{Guard: loopback()}), req)
	if err != nil || got != "hello\r\n" {
		t.Fatalf("got %q, %v, want %q, nil", got, err, "hello\r\n")
	}
	gotResponse := fmt.Sprint([]any{resp.Size, resp.MediaType, resp.URL, req.URL})
	if want := fmt.Sprint([]any{7, "", before, before}); gotResponse != want {
		t.Errorf("got size, type, URL and URL of the request %s, want %s", gotResponse, want)
	}
	if got := resp.Header.Get("Last-Modified"); got != "Sun, 29 Feb 2004 23:59:59 GMT" {
		t.Errorf("Last-Modified %q, want %q", got, "Sun, 29 Feb 2004 23:59:59 GMT")
	}
	want := []string{
		"USER anonymous", "PASS anonymous@", "FEAT", "OPTS UTF8 ON", "CWD pub", "TYPE I",
		"SIZE hé", "MDTM hé", "EPSV", "RETR hé",
	}
	if got := slices.DeleteFunc(f.seen(), func(s string) bool { return s == "QUIT" }); !slices.Equal(got, want) {
		t.Errorf("commands %q, want %q", got, want)
	}
	if want := []fetch.Phase{fetch.Connecting, fetch.Sending, fetch.Receiving, fetch.Verified}; !slices.Equal(slices.Compact(phases), want) {
		t.Errorf("phases %q, want %q", phases, want)
	}
}

// FT-10, FT-15, FT-18, FT-19: the effects of the replies before the data.
func TestReplies(t *testing.T) {
	for _, tt := range []struct {
		name     string
		replies  map[string]string
		greeting string
		features string
		want     fetch.Kind
		size     int64 // if there is no error
		code     int   // in the error; 0 if it has none
	}{
		{name: "Multiline", greeting: "220-hello\r\n 220 not yet\r\n221 nor here\r\nstray\r\n220-still\r\n220 ready", size: 1},
		{name: "BareLF", greeting: "220-hello\n220 ready", size: 1},
		{name: "Wait", greeting: "120 one minute\r\n220 ready", size: 1},
		{name: "WaitLong", greeting: strings.Repeat("120 one minute\r\n", 20) + "220 ready", size: 1},
		{name: "WaitForEver", greeting: strings.Repeat("120 one minute\r\n", 300), want: fetch.Protocol},
		{name: "Full", greeting: "421 too many", want: fetch.Unavailable, code: 421},
		{name: "NotFTP", greeting: "SSH-2.0-OpenSSH_9.9", want: fetch.Protocol},
		{name: "StrayFirst", greeting: "hello\r\n220 ready", want: fetch.Protocol},
		{name: "NoEnd", greeting: "220 rea" + hangUp, want: fetch.Unavailable},
		{name: "BareCode", greeting: "220", want: fetch.Protocol},
		{name: "GreetingHangUp", greeting: hangUp, want: fetch.Unavailable},
		{name: "HalfReply", greeting: "220-x\r\n220-" + hangUp, want: fetch.Unavailable},
		{name: "GreetingRefuses", greeting: "550 go away", want: fetch.NotFound, code: 550},
		{name: "LongReply", greeting: "220 " + strings.Repeat("x", maxReply/2), size: 1},
		{name: "TooLongReply", greeting: "220 " + strings.Repeat("x", maxReply), want: fetch.Protocol},
		{name: "ManyLines", greeting: "220-a\r\n" + strings.Repeat("220-line\r\n", maxReply/4) + "220 ready", size: 1}, // RFC 1123 section 4.1.2.11
		{name: "FeatList", features: " SIZE", size: 1},
		{name: "FeatLowerCase", features: " size", size: 1},
		{name: "FeatWithoutSize", features: " MDTM\r\n X-SIZE", size: -1},
		{name: "FeatEmpty", replies: map[string]string{"FEAT": "211 none"}, size: -1},
		{name: "FeatEmptyText", replies: map[string]string{"FEAT": "211 "}, size: -1},
		{name: "FeatRefused", replies: map[string]string{"FEAT": "530 no"}, size: 1},
		{name: "FeatHangsUp", replies: map[string]string{"FEAT": "421 bye"}, want: fetch.Unavailable, code: 421},
		{name: "FeatPreliminary", replies: map[string]string{"FEAT": "150 hm"}, want: fetch.Protocol, code: 150},
		{name: "OptsRefused", features: " UTF8\r\n SIZE", replies: map[string]string{"OPTS": "500 no"}, size: 1},
		{name: "SizeRefused", replies: map[string]string{"SIZE": "550 no"}, size: -1},
		{name: "SizeRefusedButTold", replies: map[string]string{"SIZE": "550 no", "RETR": "150 Opening BINARY mode data connection for (a) x (1 bytes)."}, size: 1},
		{name: "SizeInName", replies: map[string]string{"SIZE": "550 no", "RETR": "150 Opening BINARY mode data connection for a (5 bytes).txt (1 bytes)."}, size: 1},
		{name: "SizeToldDifferently", replies: map[string]string{"RETR": "150 here it comes (2 bytes)"}, size: 1},
		{name: "SizeToldStrange", replies: map[string]string{"SIZE": "550 no", "RETR": "150 x (99999999999999999999 bytes)"}, size: -1},
		{name: "SizeToldInOtherUnits", replies: map[string]string{"SIZE": "550 no", "RETR": "150 x (1.0 kbytes)"}, size: -1},
		{name: "SizeStrange", replies: map[string]string{"SIZE": "213 -1"}, size: -1},
		{name: "SizeTooBig", replies: map[string]string{"SIZE": "213 9223372036854775808"}, size: -1},
		{name: "SizeSpaces", replies: map[string]string{"SIZE": "213  1 "}, size: 1},
		{name: "MdtmRefused", replies: map[string]string{"MDTM": "550 no"}, size: 1},
		{name: "MdtmStrange", replies: map[string]string{"MDTM": "213 20041332"}, size: 1},
		{name: "CwdRefused", replies: map[string]string{"CWD": "550 no"}, want: fetch.NotFound, code: 550},
		{name: "CwdDenied", replies: map[string]string{"CWD": "550 Permission denied."}, want: fetch.Forbidden, code: 550},
		{name: "CwdIntermediate", replies: map[string]string{"CWD": "350 hm"}, want: fetch.Protocol, code: 350},
		{name: "RetrMissing", replies: map[string]string{"RETR": "550 é: No such file or directory"}, want: fetch.NotFound, code: 550},
		{name: "RetrDenied", replies: map[string]string{"RETR": "550 Access is Denied"}, want: fetch.Forbidden, code: 550},
		{name: "RetrForbidden", replies: map[string]string{"RETR": "553 no"}, want: fetch.Forbidden, code: 553},
		{name: "RetrBusy", replies: map[string]string{"RETR": "450 busy"}, want: fetch.Unavailable, code: 450},
		{name: "RetrLocal", replies: map[string]string{"RETR": "451 hm"}, want: fetch.Unavailable, code: 451},
		{name: "RetrNoData", replies: map[string]string{"RETR": "425 no connection"}, want: fetch.Unavailable, code: 425},
		{name: "RetrNotLoggedIn", replies: map[string]string{"RETR": "530 no"}, want: fetch.Credentials, code: 530},
		{name: "RetrAccount", replies: map[string]string{"RETR": "532 no"}, want: fetch.Credentials, code: 532},
		{name: "RetrSyntax", replies: map[string]string{"RETR": "501 no"}, want: fetch.Protocol, code: 501},
		{name: "RetrDoneAtOnce", replies: map[string]string{"RETR": "226 done"}, want: fetch.Protocol, code: 226},
		{name: "RetrHangUp", replies: map[string]string{"RETR": hangUp}, want: fetch.Unavailable},
		{name: "RetrAlreadyOpen", replies: map[string]string{"RETR": "125 go"}, size: 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := &fake{body: "x", greeting: tt.greeting, replies: tt.replies, features: tt.features}
			f.start(t)
			req := &fetch.Request{URL: f.url(t, "/d/%C3%A9")}
			_, resp, err := get(t, New(&Options{Guard: loopback()}), req)
			wantKind(t, err, tt.want)
			if err == nil && (resp.Size != tt.size || resp.Undelimited != (tt.size < 0)) {
				t.Errorf("got size %d, undelimited %v, want size %d", resp.Size, resp.Undelimited, tt.size)
			}
			code := 0
			if e, ok := errors.AsType[*textproto.Error](err); ok {
				code = e.Code
			}
			if code != tt.code {
				t.Errorf("code %d, want %d", code, tt.code)
			}
		})
	}
}

// reset closes a connection so that the other side sees it lost.
func reset(c net.Conn) {
	c.(*net.TCPConn).SetLinger(0)
	c.Close()
}

// FT-11: which ends of the data are the end of the file.
func TestCompletion(t *testing.T) {
	short := func(c net.Conn) { io.WriteString(c, "hello"); c.Close() }
	for _, tt := range []struct {
		name string
		fake *fake
		path string
		want fetch.Kind
		text string // in the error
	}{
		{name: "Whole", fake: &fake{body: "hello world"}, path: "/x"},
		{name: "Empty", fake: &fake{body: ""}, path: "/x"},
		{name: "Code250", fake: &fake{body: "hello world", done: "250 ok"}, path: "/x"},
		{name: "Multiline", fake: &fake{body: "hello world", done: "226-\r\n426 no\r\n226 ok"}, path: "/x"},
		{name: "Marker", fake: &fake{body: "hello world", done: "110 MARK 1 = 1\r\n226 ok"}, path: "/x"},
		{name: "MarkersForEver", fake: &fake{body: "hello world", done: strings.Repeat("110 MARK 1 = 1\r\n", 20)}, path: "/x", want: fetch.Truncated},
		{name: "NoReply", fake: &fake{body: "hello world", done: hang}, path: "/x", want: fetch.Truncated, text: "timed out"},
		{name: "HangUp", fake: &fake{body: "hello world", done: hangUp}, path: "/x", want: fetch.Truncated},
		{name: "HalfReply", fake: &fake{body: "hello world", done: "226 do" + hangUp}, path: "/x", want: fetch.Truncated},
		{name: "Aborted", fake: &fake{body: "hello world", done: "426 aborted"}, path: "/x", want: fetch.Truncated, text: `426 "aborted"`},
		{name: "LocalError", fake: &fake{body: "hello world", done: "451 disk"}, path: "/x", want: fetch.Truncated, text: `451 "disk"`},
		{name: "Refused", fake: &fake{body: "hello world", done: "550 hm"}, path: "/x", want: fetch.Truncated, text: `550 "hm"`},
		{name: "Intermediate", fake: &fake{body: "hello world", done: "350 hm"}, path: "/x", want: fetch.Truncated},
		{name: "NotReply", fake: &fake{body: "hello world", done: "ok"}, path: "/x", want: fetch.Truncated},
		{name: "Short", fake: &fake{body: "hello world", data: short}, path: "/x", want: fetch.Truncated, text: "5 of 11"},
		{name: "ShortTold", fake: &fake{body: "hello world", data: short, replies: map[string]string{"SIZE": "550 no", "RETR": "150 Opening BINARY mode data connection for x (11 bytes)"}}, path: "/x", want: fetch.Truncated, text: "5 of 11"},
		{name: "ShortText", fake: &fake{body: "hello world", data: short, done: "226 of TYPE A, no SIZE tells"}, path: "/x;type=a"},
		{name: "Long", fake: &fake{body: "hello", data: func(c net.Conn) { io.WriteString(c, "hello world"); c.Close() }}, path: "/x", want: fetch.Protocol},
		{name: "Reset", fake: &fake{body: "hello world", data: reset}, path: "/x", want: fetch.Truncated},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := tt.fake
			f.start(t)
			req := &fetch.Request{URL: f.url(t, tt.path), Timeouts: patient}
			if tt.fake.done == hang {
				req.Timeouts.FirstOctet = 500 * time.Millisecond
			}
			_, _, err := get(t, New(&Options{Guard: loopback()}), req)
			wantKind(t, err, tt.want)
			if err != nil && !strings.Contains(err.Error(), tt.text) {
				t.Errorf("got error %q, want it to have %q", err, tt.text)
			}
		})
	}
}

// FT-19: UTF-8 is turned on where the server knows it and the path needs it.
func TestUTF8(t *testing.T) {
	for _, tt := range []struct {
		name, path, features string
		want                 bool
	}{
		{"Needed", "/%C3%A9/x", " UTF8", true},
		{"ASCII", "/d/x", " UTF8", false},
		{"Latin1", "/%E9/x", " UTF8", false},
		{"NotListed", "/%C3%A9/x", " SIZE", false},
		{"NotKnown", "/%C3%A9/x", "", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := &fake{body: "x", features: tt.features}
			_, _, err := f.get(t, New(&Options{Guard: loopback()}), tt.path)
			wantKind(t, err, 0)
			if got := slices.Contains(f.seen(), "OPTS UTF8 ON"); got != tt.want {
				t.Errorf("OPTS sent: got %v, want %v", got, tt.want)
			}
		})
	}
}

// A server may wait for our end of the data connection before it confirms.
func TestLingeringServer(t *testing.T) {
	f := &fake{body: "x", data: func(c net.Conn) {
		io.WriteString(c, "x")
		c.(*net.TCPConn).CloseWrite()
		io.Copy(io.Discard, c)
	}}
	_, _, err := f.get(t, New(&Options{Guard: loopback()}), "/x")
	wantKind(t, err, 0)
}

// The wait for the reply after the data ends before Do would report stalled data.
func TestCompletionTime(t *testing.T) {
	for _, tt := range []struct {
		name                    string
		firstOctet, stall, want time.Duration
	}{
		{"Equal", 8 * time.Second, 8 * time.Second, 7 * time.Second},
		{"LongStall", 8 * time.Second, time.Hour, 8 * time.Second},
		{"NoFirstOctet", -1, 8 * time.Second, 7 * time.Second},
		{"NoStall", 8 * time.Second, -1, 8 * time.Second},
		{"Neither", -1, -1, -1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := completionTime(fetch.Timeouts{FirstOctet: tt.firstOctet, Stall: tt.stall}); got != tt.want {
				t.Errorf("%v, want %v", got, tt.want)
			}
		})
	}
}

// A server that talks without end is refused after a bounded number of octets.
func TestFlood(t *testing.T) {
	line := strings.Repeat("x", 1<<16)
	for _, tt := range []struct{ name, first, next string }{
		{"Line", "220 ", line},
		{"LineWithoutCode", "", line},
		{"Lines", "220-\r\n", "220-more\r\n"},
		{"StrayLines", "220-\r\n", "\r\n"},
		{"Greetings", "", "120 " + line[:1<<15] + "\r\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l, err := net.Listen("tcp", "127.0.0.1:0")
			noError(t, err)
			defer l.Close()
			var sent atomic.Int64
			var group sync.WaitGroup
			group.Go(func() {
				conn, err := l.Accept()
				if err != nil {
					return
				}
				defer conn.Close()
				io.WriteString(conn, tt.first)
				chunk := strings.Repeat(tt.next, 1+(1<<16)/len(tt.next))
				for sent.Load() < 256<<20 {
					n, err := io.WriteString(conn, chunk)
					sent.Add(int64(n))
					if err != nil {
						return
					}
				}
			})
			f := &fake{addr: l.Addr().String()}
			_, _, err = get(t, New(&Options{Guard: loopback()}), &fetch.Request{URL: f.url(t, "/x")})
			wantKind(t, err, fetch.Protocol)
			group.Wait()
			if sent.Load() > 64<<20 {
				t.Errorf("got %d octets sent, want at most %d", sent.Load(), 64<<20)
			}
		})
	}
}

// All replies of a session together are bounded, though each is short enough.
func TestFloodSession(t *testing.T) {
	f := &fake{body: "x", replies: map[string]string{"CWD": "250 " + strings.Repeat("x", maxReply/2)}}
	_, _, err := f.get(t, New(&Options{Guard: loopback()}), "/"+strings.Repeat("a/", 2*maxSession/maxReply)+"x")
	wantKind(t, err, fetch.Protocol)
	if !strings.Contains(err.Error(), errTooLong.Error()) {
		t.Error(err)
	}
}

// steps are the replies that a client in TLS waits for.
var steps = []string{"greeting", "AUTH", "USER", "PASS", "PBSZ", "PROT", "FEAT", "OPTS", "CWD", "TYPE", "SIZE", "MDTM", "EPSV", "RETR"}

// hanging returns a fake in TLS that stops at a step, and then calls reached.
func hanging(t *testing.T, ca *authority, step string, reached func()) *fake {
	f := &fake{
		body:     "x",
		features: " UTF8\r\n SIZE\r\n MDTM",
		tls:      ca.server(t, "files.example"),
		replies:  map[string]string{step: hang},
		onCmd: func(line string) {
			if verb(line) == step {
				reached()
			}
		},
	}
	if step == "greeting" {
		f.greeting = hang
	}
	f.start(t)
	return f
}

// FT-22: every reply is waited for only so long.
func TestReplyTimeout(t *testing.T) {
	ca := newAuthority(t)
	for _, step := range steps {
		t.Run(step, func(t *testing.T) {
			f := hanging(t, ca, step, func() {})
			limits := patient
			limits.FirstOctet = 100 * time.Millisecond
			_, _, err := get(t, New(&Options{Guard: loopback(), TLS: TLSRequired, TLSConfig: ca.client()}),
				&fetch.Request{URL: f.url(t, "/d/%C3%A9"), Timeouts: limits})
			wantKind(t, err, fetch.Unavailable)
			if e, ok := errors.AsType[*fetch.Error](err); !ok || !e.Timeout() {
				t.Errorf("got %v, want a time-out", err)
			}
		})
	}
}

// A reply that comes octet by octet is one reply.
func TestReplyDrip(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	noError(t, err)
	defer l.Close()
	var group sync.WaitGroup
	defer group.Wait()
	group.Go(func() {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		defer conn.Close()
		tick := time.NewTicker(5 * time.Millisecond)
		defer tick.Stop()
		for range tick.C {
			if _, err := conn.Write([]byte{'2'}); err != nil {
				return
			}
		}
	})
	limits := patient
	limits.FirstOctet = 50 * time.Millisecond
	f := &fake{addr: l.Addr().String()}
	_, _, err = get(t, New(&Options{Guard: loopback()}), &fetch.Request{URL: f.url(t, "/x"), Timeouts: limits})
	wantKind(t, err, fetch.Unavailable)
}

// The end of the context interrupts at each step.
func TestCancel(t *testing.T) {
	ca := newAuthority(t)
	for _, step := range steps {
		t.Run(step, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			f := hanging(t, ca, step, cancel)
			if step == "greeting" {
				cancel()
			}
			resp, err := New(&Options{Guard: loopback(), TLS: TLSRequired, TLSConfig: ca.client()}).
				Fetch(ctx, &fetch.Request{URL: f.url(t, "/d/%C3%A9"), Timeouts: patient})
			if resp != nil || !errors.Is(err, context.Canceled) || fetch.KindOf(err) != fetch.Canceled {
				t.Errorf("got %v, %v, want nil, %v", resp, err, context.Canceled)
			}
		})
	}
	for _, tt := range []struct {
		name string
		fake func(cancel func()) *fake
	}{
		{"TLSHandshake", func(cancel func()) *fake {
			return &fake{replies: map[string]string{"AUTH": "234 go\r\n" + hang}, onCmd: func(string) { cancel() }}
		}},
		{"Data", func(cancel func()) *fake {
			return &fake{body: "xx", data: func(c net.Conn) { io.WriteString(c, "x"); cancel(); io.Copy(io.Discard, c) }}
		}},
		{"Completion", func(cancel func()) *fake {
			return &fake{body: "x", data: func(c net.Conn) { io.WriteString(c, "x"); c.Close(); cancel() }, done: hang}
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			f := tt.fake(cancel)
			f.start(t)
			policy := TLSOff
			if tt.name == "TLSHandshake" {
				policy = TLSRequired
			}
			resp, err := New(&Options{Guard: loopback(), TLS: policy}).Fetch(ctx, &fetch.Request{URL: f.url(t, "/x"), Timeouts: patient})
			if err == nil {
				_, err = io.ReadAll(resp.Body)
				resp.Body.Close()
			}
			if !errors.Is(err, context.Canceled) || fetch.KindOf(err) != fetch.Canceled {
				t.Errorf("error %v, want %v", err, context.Canceled)
			}
		})
	}
}

// Close without reading ends both connections, without the end of a context.
func TestCloseUnread(t *testing.T) {
	done := make(chan struct{})
	f := &fake{body: "x", data: func(c net.Conn) {
		defer close(done)
		chunk := make([]byte, 1<<16)
		for {
			if _, err := c.Write(chunk); err != nil {
				return
			}
		}
	}}
	f.start(t)
	resp, err := New(&Options{Guard: loopback()}).Fetch(t.Context(), &fetch.Request{URL: f.url(t, "/x"), Timeouts: patient})
	noError(t, err)
	if _, err := io.ReadFull(resp.Body, make([]byte, 1)); err != nil {
		t.Error(err)
	}
	resp.Body.Close()
	<-done
	f.hungUp()
}

// A fetch that fails leaves no connection open.
func TestFailureCloses(t *testing.T) {
	data, err := net.Listen("tcp", "127.0.0.1:0")
	noError(t, err)
	defer data.Close()
	_, port, _ := net.SplitHostPort(data.Addr().String())
	f := &fake{replies: map[string]string{"EPSV": "229 (|||" + port + "|)", "RETR": "550 no"}}
	f.start(t)
	_, err = New(&Options{Guard: loopback()}).Fetch(t.Context(), &fetch.Request{URL: f.url(t, "/x"), Timeouts: patient})
	wantKind(t, err, fetch.NotFound)
	conn, err := data.Accept()
	noError(t, err)
	defer conn.Close()
	if _, err := conn.Read(make([]byte, 1)); err != io.EOF {
		t.Errorf("data connection: got %v, want %v", err, io.EOF)
	}
	f.hungUp()
}

// QUIT is sent after success.
func TestQuit(t *testing.T) {
	quit := make(chan struct{})
	f := &fake{body: "x", onCmd: func(line string) {
		if line == "QUIT" {
			close(quit)
		}
	}}
	_, _, err := f.get(t, New(&Options{Guard: loopback()}), "/x")
	wantKind(t, err, 0)
	<-quit
}

// A connection that is refused is Unavailable, for the data as well.
func TestRefusedConnection(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	noError(t, err)
	closed := l.Addr().String()
	l.Close()
	f := &fake{addr: closed}
	_, _, err = get(t, New(&Options{Guard: loopback()}), &fetch.Request{URL: f.url(t, "/x")})
	wantKind(t, err, fetch.Unavailable)

	_, port, _ := net.SplitHostPort(closed)
	f = &fake{body: "x", replies: map[string]string{"EPSV": "229 (|||" + port + "|)", "PASV": "502 no"}}
	_, _, err = f.get(t, New(&Options{Guard: loopback()}), "/x")
	wantKind(t, err, fetch.Unavailable)
}
