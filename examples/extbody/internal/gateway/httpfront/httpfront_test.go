package httpfront

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/inspect"
	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/serve"
)

const message = "Content-Type: message/external-body; access-type=url; url=\"https://a.example/f\"\r\n\r\nContent-Type: text/plain\r\n\r\n"

func newHandler(opts serve.Options, rules string) http.Handler {
	policy, err := inspect.ParsePolicy([]byte(rules))
	if err != nil {
		panic(err)
	}
	opts.Inspector = new(inspect.Inspector)
	return New(serve.New(opts, policy), 0, nil)
}

// ask asks about a message.
func ask(h http.Handler, message io.Reader) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("POST", "/v1/check", message))
	return w
}

func TestCheck(t *testing.T) {
	const rules = "[[rule]]\nname = \"r\"\nrecipient = \"b@a.example\"\naction = \"reject\"\n[[rule]]\nname = \"u\"\nauthenticated = true\naction = \"none\"\n" +
		"[[rule]]\nname = \"to\"\nrecipient = \"r@a.example\"\naction = \"redirect\"\nto = \"desk@a.example\"\n" +
		"[[rule]]\nname = \"h\"\nrecipient = \"h@a.example\"\naction = \"hold\"\n[[rule]]\nname = \"n\"\nrecipient = \"n@a.example\"\naction = \"notice\"\n" +
		"[[rule]]\nname = \"i\"\nrecipient = \"i@a.example\"\naction = \"inline\"\n" +
		"[[rule]]\nname = \"s\"\nrecipient = \"s@a.example\"\naction = \"subject\"\ntext = \"[File]\"\n" +
		"[[rule]]\nname = \"c\"\nrecipient = \"c@a.example\"\naction = \"copy\"\nto = \"desk@a.example\"\n"
	for _, test := range []struct {
		name, query, body string
		header            http.Header
		status            int
		action            inspect.Action
	}{
		{"NoReferences", "", "Subject: a\r\n\r\n", nil, 200, inspect.None},
		{"NoRule", "", message, nil, 200, inspect.Tag},
		{"Recipient", "?wait=1s", message, http.Header{"Rcpt": {"<a@a.example>", "c@a.example, <b@a.example>"}}, 200, inspect.Reject},
		{"User", "", message, http.Header{"User": {"somebody"}}, 200, inspect.None},
		{"BadWait", "?wait=soon", message, nil, 400, ""},
		{"NegativeWait", "?wait=-1s", message, nil, 400, ""},
		{"LongWait", "?wait=1h", message, nil, 400, ""},
		{"TooLong", "", strings.Repeat("x", 2000), nil, 200, inspect.Tag},
		{"TooLongByPolicy", "", strings.Repeat("x", 2000), http.Header{"Rcpt": {"b@a.example"}}, 200, inspect.Reject},
		{"Empty", "", "", nil, 400, ""},
		{"Redirect", "", message, http.Header{"Rcpt": {"r@a.example"}}, 200, inspect.Quarantine},
		{"CanRedirect", "?can=strip,redirect", message, http.Header{"Rcpt": {"r@a.example"}}, 200, inspect.Redirect},
		{"Hold", "", message, http.Header{"Rcpt": {"h@a.example"}}, 200, inspect.Hold},
		{"Notice", "", message, http.Header{"Rcpt": {"n@a.example"}}, 200, inspect.Quarantine},
		{"CanStrip", "?can=strip", message, http.Header{"Rcpt": {"n@a.example"}}, 200, inspect.Strip},
		{"CanNotice", "?can=notice,strip", message, http.Header{"Rcpt": {"n@a.example"}}, 200, inspect.Notice},
		{"CanTwice", "?can=strip&can=notice", message, http.Header{"Rcpt": {"n@a.example"}}, 200, inspect.Notice},
		{"Inline", "?can=notice", message, http.Header{"Rcpt": {"i@a.example"}}, 200, inspect.Tag},
		{"Subject", "", message, http.Header{"Rcpt": {"s@a.example"}}, 200, inspect.Tag},
		{"CanSubject", "?can=subject", message, http.Header{"Rcpt": {"s@a.example"}}, 200, inspect.Subject},
		{"Copy", "?can=subject", message, http.Header{"Rcpt": {"c@a.example"}}, 200, inspect.Tag},
		{"CanCopy", "?can=copy", message, http.Header{"Rcpt": {"c@a.example"}}, 200, inspect.Copy},
		{"CanBoth", "?can=copy,subject", message, http.Header{"Rcpt": {"c@a.example, s@a.example"}}, 200, inspect.Copy},
		{"CanUnknown", "?can=reject", message, nil, 400, ""},
		{"Compressed", "", message, http.Header{"Content-Encoding": {"gzip"}}, 415, ""},
		{"Identity", "", message, http.Header{"Content-Encoding": {"identity"}}, 200, inspect.Tag},
		{"Form", "", message, http.Header{"Content-Type": {"multipart/form-data; boundary=a"}}, 415, ""},
		{"OfCurl", "", message, http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}, 200, inspect.Tag},
		{"OfPage", "", message, http.Header{"Origin": {"https://evil.example"}}, 403, ""},
		{"TooLongExpect", "", strings.Repeat("x", 2000), http.Header{"Expect": {"100-continue"}}, 200, inspect.Tag},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := httptest.NewRequest("POST", "/v1/check"+test.query, strings.NewReader(test.body))
			for k, v := range test.header {
				r.Header[k] = v
			}
			w := httptest.NewRecorder()
			newHandler(serve.Options{MaxMessage: 1000}, rules).ServeHTTP(w, r)
			var got inspect.Answer
			if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
				t.Fatal(err)
			}
			if w.Code != test.status || got.Action != test.action {
				t.Errorf("got %d, %q (%s), want %d, %q", w.Code, got.Action, w.Body, test.status, test.action)
			}
			if titled := strings.Contains(string(got.Message), "Subject: [File]"); titled != (got.Subject != "") || titled {
				got.Message = nil
			}
			if (len(got.Copies) > 0) != (got.Action == inspect.Copy) {
				t.Errorf("got the copies %q", got.Copies)
			}
			if text, changed := string(got.Message), got.Action == inspect.Notice || got.Action == inspect.Strip; (text != "") != changed || strings.Contains(text, "a.example") ||
				strings.Contains(text, "[A file was removed here]") != (got.Action == inspect.Notice) {
				t.Errorf("got the message %q with the action %s", text, got.Action)
			}
		})
	}
}

// Recipients are separated by the commas that are not in quotes.
func TestAddresses(t *testing.T) {
	for list, want := range map[string][]string{
		"a@a.example":                      {"a@a.example"},
		"<a@a.example>, <b@a.example>":     {"a@a.example", "b@a.example"},
		`"a,b@b.example,c"@a.example, d@d`: {`"a,b@b.example,c"@a.example`, "d@d"},
		`"a\",b"@a.example,c@a.example`:    {`"a\",b"@a.example`, "c@a.example"},
		"":                                 nil,
		", ,<>":                            nil,
		`"a@a.example, b@a.example`:        {`"a@a.example, b@a.example`},
	} {
		if got := addresses(list); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", list, got, want)
		}
	}
}

// Who has gone is not answered, and no deferral is counted for the message.
func TestGone(t *testing.T) {
	deferrals, err := inspect.NewDeferrals("")
	if err != nil {
		t.Fatal(err)
	}
	ctx, leave := context.WithCancel(t.Context())
	leave()
	r := httptest.NewRequest("POST", "/v1/check?wait=1s", strings.NewReader(message)).WithContext(ctx)
	newHandler(serve.Options{Deferrals: deferrals}, "[[rule]]\nname = \"d\"\naction = \"defer\"\n").ServeHTTP(httptest.NewRecorder(), r)
	if deferrals.Len() != 0 {
		t.Errorf("got %d messages that were deferred, want none", deferrals.Len())
	}
}

// The answer has the header field in one line.
func TestHeader(t *testing.T) {
	w := ask(newHandler(serve.Options{Name: "mx.example"}, ""), strings.NewReader(message))
	var got inspect.Answer
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if want := "mx.example; extbody=clean action=tag refs=1; ref=standard host=a.example state=left kind=denied"; got.Header != want {
		t.Errorf("got %q, want %q", got.Header, want)
	}
}

// A message that ends before its end is not answered as if it were whole, and one
// that our disk has no room for passes by the policy.
func TestHalfAndFull(t *testing.T) {
	half := iotest.TimeoutReader(io.MultiReader(strings.NewReader("a"), iotest.ErrReader(errors.New("lost"))))
	if w := ask(newHandler(serve.Options{}, ""), half); w.Code != 400 {
		t.Errorf("half: got %d, want 400", w.Code)
	}
	w := ask(newHandler(serve.Options{Memory: 1, TempDir: filepath.Join(t.TempDir(), "gone")}, ""), strings.NewReader(message))
	if w.Code != 200 || !strings.Contains(w.Body.String(), inspect.SymbolFail) {
		t.Errorf("no room: got %d, %s, want 200 and %s", w.Code, w.Body, inspect.SymbolFail)
	}
}

func TestOther(t *testing.T) {
	ready := false
	h := New(serve.New(serve.Options{}, nil), 0, func() bool { return ready })
	for _, test := range []struct {
		method, path string
		ready        bool
		want         int
	}{
		{"GET", "/healthz", false, 200}, {"GET", "/readyz", false, 503}, {"GET", "/readyz", true, 200},
		{"GET", "/v1/check", true, 405}, {"POST", "/", true, 404},
	} {
		ready = test.ready
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(test.method, test.path, nil))
		if w.Code != test.want {
			t.Errorf("%s %s: got %d, want %d", test.method, test.path, w.Code, test.want)
		}
	}
}

// The guard against web pages that give this host a name of theirs goes by the name alone,
// whatever program asks, for questions and numbers alike.
func TestLocal(t *testing.T) {
	for name, h := range map[string]http.Handler{
		"numbers": http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {}), "questions": New(serve.New(serve.Options{}, new(inspect.Policy)), 0, nil),
	} {
		h = Local([]string{"mx.example", "extbody.mail.svc"}, h)
		for _, test := range []struct {
			host string
			want bool
		}{
			{"127.0.0.1:8026", true}, {"[::1]:8026", true}, {"localhost:8026", true}, {"MX.example", true}, {"mx.example.:8026", true}, {"extbody.mail.svc:8026", true},
			{"extbody", true}, {"extbody:8026", true}, {"", true}, {"evil.example:8026", false}, {"127.0.0.1.evil.example", false}, {"mx.example.evil.example", false},
		} {
			for _, agent := range []string{"Mozilla/5.0", "Prometheus/3", ""} {
				r := httptest.NewRequest("GET", "/healthz", nil)
				r.Host = test.host
				r.Header.Set("User-Agent", agent)
				w := httptest.NewRecorder()
				h.ServeHTTP(w, r)
				if (w.Code == http.StatusOK) != test.want || !test.want && w.Code != http.StatusMisdirectedRequest {
					t.Errorf("%s, %q, %q: got %d, want an answer %t", name, test.host, agent, w.Code, test.want)
				}
			}
		}
	}
}

// TestLocalNames holds: a name without a dot, which a local network may give to any host, is a name of this one for
// programs alone, and for pages only if a flag gives it.
func TestLocalNames(t *testing.T) {
	answer := http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})
	for _, tt := range []struct {
		host, method, field string // with the field in the request, if there is one
		local, pages        bool
	}{
		{"extbody:8026", "POST", "", true, false},
		{"extbody:8026", "GET", "User-Agent", true, false},
		{"", "GET", "", true, false},
		{"extbody:8026", "POST", "Origin", false, false},
		{"extbody", "GET", "Referer", false, false},
		{"extbody.", "GET", "Sec-Fetch-Site", false, false},
		{"extbody", "GET", "Accept-Language", false, false}, // of a page without a referrer
		{"extbody", "HEAD", "Accept-Language", false, false},
		{"extbody", "POST", "Accept-Language", true, false}, // as some libraries send
		{"archive", "GET", "Origin", true, true},            // a name that a flag gives
		{"archive:8026", "GET", "", true, true},
		{"localhost:8026", "GET", "Referer", true, true},
		{"LOCALHOST.", "GET", "", true, true},
		{"127.0.0.1:8026", "GET", "Sec-Fetch-Site", true, true},
		{"[::1]:8026", "GET", "Origin", true, true},
		{"evil.example", "GET", "", false, false},
		{"localhost.evil.example", "GET", "", false, false},
	} {
		for name, h := range map[string]http.Handler{"Local": Local([]string{"archive"}, answer), "Pages": Pages([]string{"archive"}, answer)} {
			r := httptest.NewRequest(tt.method, "/", nil)
			r.Host = tt.host
			if tt.field != "" {
				r.Header.Set(tt.field, "x")
			}
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			want := name == "Local" && tt.local || name == "Pages" && tt.pages
			if (w.Code == http.StatusOK) != want || !want && w.Code != http.StatusMisdirectedRequest {
				t.Errorf("%s %s of %q with %q: got %d, want an answer %t", name, tt.method, tt.host, tt.field, w.Code, want)
			}
		}
	}
}

// A question that comes on a connection that was taken before the end is answered,
// also if it comes after that.
func TestDrain(t *testing.T) {
	taken := make(chan struct{}, 2)
	s := Serving(&http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body)
		w.Write(text)
	})})
	state := s.http.ConnState
	s.http.ConnState = func(c net.Conn, now http.ConnState) {
		state(c, now)
		if now == http.StateNew {
			taken <- struct{}{}
		}
	}
	path := filepath.Join(t.TempDir(), "s")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		if err := s.Serve(l); err != nil {
			t.Errorf("Serve: got error %v, want none", err)
		}
	})
	c, err := net.Dial("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	<-taken
	drained := make(chan struct{})
	go func() { s.Drain(t.Context()); close(drained) }()
	wg.Wait()
	io.WriteString(c, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello")
	got, err := io.ReadAll(c)
	if err != nil || !strings.HasSuffix(string(got), "\r\n\r\nhello") {
		t.Errorf("got %q, %v, want the answer", got, err)
	}
	<-drained
}

// A pipes is a listener of connections in memory.
type pipes chan net.Conn

func (p pipes) Accept() (net.Conn, error) {
	c, ok := <-p
	if !ok {
		return nil, net.ErrClosed
	}
	return c, nil
}

func (p pipes) Close() error {
	close(p)
	return nil
}

func (p pipes) Addr() net.Addr { return &net.TCPAddr{} }

// onPipe runs a test with a connection to a server that looks at messages of 1 MiB.
func onPipe(t *testing.T, f func(t *testing.T, c net.Conn)) {
	synctest.Test(t, func(t *testing.T) {
		client, server := net.Pipe()
		l := make(pipes, 1)
		l <- server
		h := &http.Server{Handler: newHandler(serve.Options{MaxMessage: 1 << 20}, ""), ReadTimeout: 2 * time.Minute}
		go h.Serve(l)
		f(t, client)
		client.Close()
		h.Close()
		time.Sleep(10 * time.Second) // net/http waits before it closes
	})
}

// A message of one octet a second is ended, however long it goes on, and one that comes faster is taken.
func TestSlowQuestion(t *testing.T) {
	for _, test := range []struct {
		piece, pieces int
		status, after string
	}{{1, 1000, " 408 ", "10s"}, {3000, 10, " 200 ", "10s"}, {2000, 400, " 408 ", "2m0s"}} {
		onPipe(t, func(t *testing.T, c net.Conn) {
			begun := time.Now()
			go func() {
				fmt.Fprintf(c, "POST /v1/check HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n", test.piece*test.pieces)
				for range test.pieces {
					time.Sleep(time.Second)
					if _, err := io.WriteString(c, strings.Repeat("x", test.piece)); err != nil {
						return
					}
				}
			}()
			said, err := bufio.NewReader(c).ReadString('\n')
			if took := time.Since(begun).Round(time.Second).String(); err != nil || !strings.Contains(said, test.status) || took != test.after {
				t.Errorf("%d octets a second: got %q, %v after %v, want%safter %s", test.piece, said, err, took, test.status, test.after)
			}
		})
	}
}

// A message whose length is too much is judged before it comes. A client that sends it all first finds the answer too.
func TestLengthFirst(t *testing.T) {
	onPipe(t, func(t *testing.T, c net.Conn) {
		const length = 3 << 20
		begun := time.Now()
		fmt.Fprintf(c, "POST /v1/check HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n", length)
		r := bufio.NewReader(c)
		resp, err := http.ReadResponse(r, nil)
		if err != nil || resp.StatusCode != 200 || time.Since(begun) > 0 {
			t.Fatalf("got %v, %v after %v, want an answer at once", resp, err, time.Since(begun))
		}
		if body, _ := io.ReadAll(resp.Body); !strings.Contains(string(body), "cut-short") {
			t.Errorf("got %s, want cut-short", body)
		}
		if n, err := io.Copy(c, strings.NewReader(strings.Repeat("x", length))); err != nil {
			t.Errorf("got error %v after %d octets, want the rest taken", err, n)
		}
		fmt.Fprintf(c, "POST /v1/check HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%s", len(message), message)
		if resp, err := http.ReadResponse(r, nil); err != nil || resp.StatusCode != 200 {
			t.Errorf("the next question: got %v, %v, want an answer", resp, err)
		}
	})
}
