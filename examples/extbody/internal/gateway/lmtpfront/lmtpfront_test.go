package lmtpfront

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/inspect"
	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/listen"
	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/lmtp"
	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/serve"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/rewrite"
	"github.com/go-extbody/extbody/fetch"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	refers = "Subject: a\r\nX-Extbody: forged\r\nMIME-Version: 1.0\r\nContent-Type: message/external-body; access-type=url; url=\"https://a.example/f\"\r\n" +
		"\r\nContent-Type: text/plain\r\nContent-ID: <1@a.example>\r\n\r\n"
	plain = "Subject: a\r\n\r\n.\r\nb\r\r\nc\r\n"
)

// A next is the next hop.
type next struct {
	mu    sync.Mutex
	most  int // octets of a message that it takes
	reply map[string]lmtp.Reply
	mail  []string // for each recipient, "address message"
}

func (n *next) deliver(_ context.Context, t *lmtp.Transaction, data io.Reader) []lmtp.Reply {
	text, err := io.ReadAll(data)
	if err != nil {
		return nil
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	var replies []lmtp.Reply
	for _, to := range t.To {
		r := lmtp.Reply{Code: 250, Text: "2.0.0 taken"}
		if n.most > 0 && len(text) > n.most {
			r = lmtp.Reply{Code: 552, Text: "5.2.2 quota"}
		} else if other, ok := n.reply[to.Address]; ok {
			r = other
		}
		if r.OK() {
			n.mail = append(n.mail, to.Address+" "+string(text))
		}
		replies = append(replies, r)
	}
	return replies
}

// accepting returns the address of a server of connections.
func accepting(t testing.TB, serve func(net.Conn)) string {
	var g listen.Group
	return listening(t, func(l net.Listener) error { return g.Serve(l, 100, serve) }, g.Drain)
}

// listening serves a listener until the test ends, and returns its address.
func listening(t testing.TB, serve func(net.Listener) error, drain func(context.Context)) string {
	l, err := net.Listen("unix", filepath.Join(t.TempDir(), "s"))
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	wg.Go(func() { serve(l) })
	t.Cleanup(func() {
		ctx, stop := context.WithCancel(context.Background())
		stop()
		drain(ctx)
		wg.Wait()
	})
	return l.Addr().String()
}

// start serves with s and returns its address.
func start(t testing.TB, s *lmtp.Server) string { return listening(t, s.Serve, s.Drain) }

// before starts a proxy before a next hop.
func before(t testing.TB, next, rules string, opts serve.Options) string {
	t.Helper()
	policy, err := inspect.ParsePolicy([]byte(rules))
	if err != nil {
		t.Fatal(err)
	}
	if opts.Deferrals, err = inspect.NewDeferrals(""); err != nil {
		t.Fatal(err)
	}
	opts.Name = "mx.example"
	return start(t, New(serve.New(opts, policy), Options{Next: next, Name: "mx.example", Wait: 1e10}))
}

// proxied starts a proxy before a next hop, whose web answers with body, and then with
// later.
func proxied(t testing.TB, nextAddress, rules, body, later string) string {
	return proxiedLog(t, nextAddress, rules, body, later, nil)
}

// proxiedLog is proxied with a log.
func proxiedLog(t testing.TB, nextAddress, rules, body, later string, log func(string, ...any)) string {
	var mu sync.Mutex
	in := inspector(t, func(_ context.Context, req *fetch.Request) (*fetch.Response, error) {
		mu.Lock()
		defer mu.Unlock()
		text := body
		body = later
		return &fetch.Response{URL: req.URL, MediaType: "text/plain", Size: int64(len(text)), Body: io.NopCloser(strings.NewReader(text))}, nil
	})
	return before(t, nextAddress, rules, serve.Options{Inspector: in, Inline: rewrite.InlineOptions{Resolver: in.Resolver}, Log: log})
}

// inspector returns an Inspector that asks f.
func inspector(t testing.TB, f fetch.Func) *inspect.Inspector {
	mux := new(fetch.Mux)
	mux.Handle("https", f)
	in := &inspect.Inspector{Resolver: &externalbody.Resolver{Fetcher: mux}, Pool: inspect.NewPool(inspect.PoolOptions{})}
	t.Cleanup(in.Pool.Close)
	return in
}

// send sends a message and returns the codes of the replies.
func send(t testing.TB, address, message string, to ...string) []int {
	t.Helper()
	c, err := lmtp.Dial(t.Context(), address, "client.example")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	var paths []*lmtp.Path
	for _, a := range to {
		paths = append(paths, &lmtp.Path{Address: a})
	}
	replies, err := c.Send(&lmtp.Path{Address: "from@a.example"}, paths, strings.NewReader(message), int64(len(message)))
	if err != nil {
		t.Fatal(err)
	}
	var codes []int
	for _, r := range replies {
		codes = append(codes, r.Code)
	}
	return codes
}

// signed is a message whose reference is in signed content.
const signed = "Subject: a\r\nMIME-Version: 1.0\r\nContent-Type: multipart/signed; boundary=b\r\n\r\n--b\r\n" +
	"Content-Type: message/external-body; access-type=url; url=\"https://a.example/f\"\r\n\r\nContent-Type: text/plain\r\n\r\n\r\n--b\r\n\r\n.\r\n--b--\r\n"

const inlineAll = "[[rule]]\nname = \"i\"\naction = \"inline\"\n"

func TestProxy(t *testing.T) {
	long := strings.Repeat("x", 10_000)
	rule := func(action, more string) string {
		return "[[rule]]\nname = \"r\"\naction = \"" + action + "\"\n" + more
	}
	const toB, toDesk = "recipient = \"b@a.example\"\n", "to = \"desk@a.example\"\n"
	later := lmtp.Reply{Code: 451, Text: "4.2.0 later"}
	some := map[string]lmtp.Reply{"b@a.example": {Code: 550, Text: "5.1.1 nobody"}, "c@a.example": later}
	for _, test := range []struct {
		name, rules, message, body, later string // body comes first, then later
		to                                string // the local parts of the recipients
		most                              int
		reply                             map[string]lmtp.Reply
		want                              []int
		mail                              int
		has, lacks                        string // of each message
	}{
		{"NoReferences", "", plain, "", "", "a", 0, nil, []int{250}, 1, "a@a.example " + plain, "X-Extbody"},
		{"Tag", "", refers, "hello", "", "a", 0, nil, []int{250}, 1, "X-Extbody: mx.example; extbody=clean action=tag", "forged"},
		{"Inline", inlineAll, refers, "hello", "hello", "a", 0, nil, []int{250}, 1, "\r\n\r\nhello", "external-body"},
		// A message that arrives the second time was not looked at.
		{"InlineChanged", inlineAll, refers, "hello", "other", "a", 0, nil, []int{250}, 1, "action=tag rule=i mode=enforce would=inline", "other"},
		{"InlineSigned", inlineAll, signed, "hello", "hello", "a", 0, nil, []int{250}, 1, "action=tag rule=i mode=enforce would=inline", "hello"},
		{"Strip", rule("strip", ""), refers, "hello", "", "a b", 0, nil, []int{250, 250}, 2, "action=strip rule=r", "external-body"},
		{"Notice", rule("notice", ""), refers, "hello", "", "a", 0, nil, []int{250}, 1, "A file was removed here", "external-body"},
		{"StripTooLargeForField", rule("strip", ""), refers, "hello", "", "a", 200, nil, []int{250}, 1, "Content-Type: text/plain", "external-body"},
		{"StripSigned", rule("strip", ""), signed, "hello", "", "a", 0, nil, []int{250}, 1, "action=quarantine rule=r mode=enforce would=strip", "hello"},
		{"InlineTooLarge", inlineAll, refers, long, long, "a b", 5000, nil, []int{250, 250}, 2, "external-body", long},
		{"TooLargeAnyway", inlineAll, refers, long, long, "a", 10, nil, []int{552}, 0, "", ""},
		// Our field alone makes it too large.
		{"FieldTooLarge", "", refers, "hello", "", "a", len(refers), nil, []int{250}, 1, "a@a.example " + strings.Replace(refers, "X-Extbody: forged\r\n", "", 1), "X-Extbody"},
		{"EachRecipient", "", refers, "hello", "", "a b c a", 0, some, []int{250, 550, 451, 250}, 2, "X-Extbody", ""},
		{"Reject", rule("reject", toB), refers, "hello", "", "a b", 0, nil, []int{250, 550}, 1, "a@a.example ", ""},
		// A next hop that refuses it never gets the message that it came as.
		{"StripTooLarge", rule("strip", ""), refers, "hello", "", "a", 10, nil, []int{552}, 0, "", ""},
		{"StripSome", rule("strip", toB), refers, "hello", "", "b", 0, nil, []int{250}, 1, "action=strip", "external-body"},
		{
			"Redirect", rule("redirect", toDesk+"recipient = [\"a@a.example\", \"b@a.example\"]\n"), refers, "hello", "", "a b", 0, nil,
			[]int{250, 250}, 1, "desk@a.example X-Extbody: mx.example; extbody=clean action=redirect", "",
		},
		{"RedirectOne", rule("redirect", toDesk+toB), refers, "hello", "", "a b c", 0, map[string]lmtp.Reply{"desk@a.example": later}, []int{250, 451, 250}, 2, "", "desk@"},
		{"Subject", rule("subject", "text = \"[File]\"\n"), refers, "hello", "", "a b", 0, nil, []int{250, 250}, 2, "\r\nSubject: [File] a\r\nMIME-Version", "forged"},
		{"SubjectOfNone", rule("subject", "text = \"[File]\"\n"), plain, "hello", "", "a", 0, nil, []int{250}, 1, "a@a.example " + plain, "[File]"},
		{"Copy", rule("copy", toDesk), refers, "hello", "", "a b", 0, nil, []int{250, 250}, 3, "extbody=clean action=tag refs=", "copy"},
		{"CopyToSame", rule("copy", toDesk), refers, "hello", "", "desk b", 0, nil, []int{250, 250}, 2, "action=tag", "copy"},
		{"CopyOfOne", rule("copy", toDesk+toB), refers, "hello", "", "a b", 0, nil, []int{250, 250}, 3, "action=tag", "copy"},
		// The copy that is refused is logged, and changes no reply.
		{"CopyRefused", rule("copy", toDesk), refers, "hello", "", "a b", 0, map[string]lmtp.Reply{"desk@a.example": later}, []int{250, 250}, 2, "action=tag", "desk@"},
		{"CopyTooLarge", rule("copy", toDesk), refers, "hello", "", "a", len(refers), nil, []int{250}, 2, "external-body", "X-Extbody"},
		{"Defer", rule("defer", ""), refers, "hello", "", "a", 0, nil, []int{451}, 0, "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			n := &next{most: test.most, reply: test.reply}
			address := proxied(t, start(t, &lmtp.Server{Name: "next.example", Deliver: n.deliver}), test.rules, test.body, test.later)
			to := strings.Fields(strings.ReplaceAll(test.to+" ", " ", "@a.example "))
			if got := send(t, address, test.message, to...); !reflect.DeepEqual(got, test.want) {
				t.Errorf("got %v, want %v", got, test.want)
			}
			if len(n.mail) != test.mail {
				t.Errorf("the next hop took %d, want %d", len(n.mail), test.mail)
			}
			for _, m := range n.mail {
				if !strings.Contains(m, test.has) || test.lacks != "" && strings.Contains(m, test.lacks) {
					t.Errorf("got %.2000q, want it with %.100q and without %.100q", m, test.has, test.lacks)
				}
			}
		})
	}
}

// A next hop that is down, or goes away before it answers, is 451.
func TestNextHopGone(t *testing.T) {
	down := filepath.Join(t.TempDir(), "none")
	if got := send(t, proxied(t, down, "", "hello", "hello"), plain, "a@a.example"); !reflect.DeepEqual(got, []int{451}) {
		t.Errorf("down: got %v, want 451", got)
	}
	address := proxied(t, accepting(t, func(c net.Conn) {
		io.WriteString(c, "220 a\r\n250 a\r\n250 b\r\n250 c\r\n354 d\r\n")
		for r := bufio.NewReader(c); ; {
			if line, err := r.ReadString('\n'); err != nil || line == ".\r\n" {
				return
			}
		}
	}), "", "hello", "hello")
	if got := send(t, address, plain, "a@a.example"); !reflect.DeepEqual(got, []int{451}) {
		t.Errorf("gone: got %v, want 451", got)
	}
}

// The extensions that the next hop announces are announced, and their parameters
// are handed on.
func TestNextHopExtensions(t *testing.T) {
	var got *lmtp.Transaction
	address := proxied(t, start(t, &lmtp.Server{
		Name: "next.example", Extensions: func(context.Context) []string { return []string{"DSN", "8BITMIME", "SIZE 1000", "CHUNKING"} },
		Deliver: func(_ context.Context, tr *lmtp.Transaction, data io.Reader) []lmtp.Reply {
			io.Copy(io.Discard, data)
			got = tr
			return []lmtp.Reply{{Code: 250, Text: "2.0.0 taken"}}
		},
	}), "", "hello", "hello")
	c, err := lmtp.Dial(t.Context(), address, "client.example")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for keyword, want := range map[string]bool{"DSN": true, "8BITMIME": true, "SIZE": true, "SMTPUTF8": false, "CHUNKING": false, "STARTTLS": false} {
		if ok := c.Extension(keyword); ok != want {
			t.Errorf("%s: got %v, want %v", keyword, ok, want)
		}
	}
	if c.Size() != 1000 {
		t.Errorf("SIZE: got %d, want 1000", c.Size())
	}
	from := &lmtp.Path{Params: []string{"RET=FULL", "ENVID=1"}}
	to := []*lmtp.Path{{Address: "a@a.example", Params: []string{"NOTIFY=NEVER", "ORCPT=rfc822;b@b.example"}}}
	replies, err := c.Send(from, to, strings.NewReader(plain), int64(len(plain)))
	if err != nil || replies[0].Code != 250 {
		t.Fatalf("got %v, %v, want 250", replies, err)
	}
	wantFrom := &lmtp.Path{Params: append(slices.Clone(from.Params), fmt.Sprintf("SIZE=%d", len(plain)))}
	if !reflect.DeepEqual(got.From, wantFrom) || !reflect.DeepEqual(got.To, to) {
		t.Errorf("got %+v, %+v, want %+v, %+v", got.From, got.To[0], wantFrom, to[0])
	}
}

// A message whose sender has gone while it waited is not handed on: it comes again.
func TestSenderGone(t *testing.T) {
	n := new(next)
	asked, gone := make(chan struct{}), make(chan struct{})
	in := inspector(t, func(context.Context, *fetch.Request) (*fetch.Response, error) {
		close(asked)
		<-gone
		return nil, &fetch.Error{Kind: fetch.NotFound}
	})
	ended, leave := abandoned(t, serve.Options{Inspector: in}, n, refers+".\r\n")
	<-asked
	leave()
	<-ended
	close(gone)
	in.Pool.Close()
	if len(n.mail) != 0 {
		t.Errorf("the next hop took %q, want nothing", n.mail)
	}
}

// A message that is longer than may be looked at is handed on unread, without the marks
// that it came with and with ours, octet for octet. The policy for such a message
// holds, and the next hop may refuse it.
func TestLong(t *testing.T) {
	const limit = 1000
	body := strings.Repeat(strings.Repeat("x", 500)+"\r\n.\r\n", 400)
	message := "X-Extbody: forged\r\nSubject: a\r\nx-extbody : forged\r\n\ttoo\r\n\r\n" + body
	lateMark := "Subject: " + strings.Repeat("x", 2*limit) + "\r\nX-Extbody: forged\r\nTo: a\r\n\r\n" + body
	field := func(action, rule string) string {
		return "X-Extbody: mx.example; extbody=unavailable action=" + action + rule + " refs=0 unread=cut-short\r\n"
	}
	passed := field("tag", "") + "Subject: a\r\n\r\n" + body
	exact := plain + strings.Repeat("x", limit-len(plain)-2) + "\r\n"
	toA := []string{"a@a.example"}
	for _, test := range []struct {
		name, rules, message string
		to                   []string
		announced            string // by the next hop
		want                 []int
		mail                 []string
	}{
		{"Passed", "", message, []string{"a@a.example", "b@a.example"}, "", []int{250, 250}, []string{"a@a.example " + passed, "b@a.example " + passed}},
		{"MarkAfterLimit", "", lateMark, toA, "", []int{250}, []string{"a@a.example " + field("tag", "") + strings.Replace(lateMark, "X-Extbody: forged\r\n", "", 1)}},
		{"Exact", "", exact, toA, "", []int{250}, []string{"a@a.example " + exact}},
		{"OneMore", "", "X" + exact, toA, "", []int{250}, []string{"a@a.example " + field("tag", "") + "X" + exact}},
		{
			"Policy", "[[rule]]\nname = \"r\"\nkind = \"too-large\"\nrecipient = \"r@a.example\"\naction = \"reject\"\n" +
				"[[rule]]\nname = \"d\"\nverdict = \"unavailable\"\nrecipient = \"d@a.example\"\naction = \"defer\"\n",
			message, []string{"r@a.example", "d@a.example", "a@a.example"}, "", []int{550, 451, 250}, []string{"a@a.example " + passed},
		},
		// Who gets another header field gets the message at the next try.
		{"TwoFields", "[[rule]]\nname = \"q\"\nrecipient = \"q@a.example\"\naction = \"quarantine\"\n", message, []string{"a@a.example", "q@a.example"}, "", []int{250, 451}, []string{"a@a.example " + passed}},
		{"TooLongForNext", "", message, toA, "SIZE 5000", []int{552}, nil},
		// Our field alone would make it too long.
		{"FieldTooMuch", "", message, toA, fmt.Sprintf("SIZE %d", len(message)), []int{250}, []string{"a@a.example Subject: a\r\n\r\n" + body}},
	} {
		t.Run(test.name, func(t *testing.T) {
			n := new(next)
			hop := &lmtp.Server{Name: "next.example", Deliver: n.deliver}
			if test.announced != "" {
				hop.Extensions = func(context.Context) []string { return []string{test.announced} }
			}
			address := before(t, start(t, hop), test.rules, serve.Options{Inspector: new(inspect.Inspector), MaxMessage: limit})
			if got := send(t, address, test.message, test.to...); !reflect.DeepEqual(got, test.want) {
				t.Errorf("got %v, want %v", got, test.want)
			}
			if !slices.Equal(n.mail, test.mail) {
				t.Errorf("got %.300q, want %.300q", n.mail, test.mail)
			}
		})
	}
}

// Of a long message that ends before its end, the next hop takes nothing.
func TestLongHalf(t *testing.T) {
	n := new(next)
	ended, leave := abandoned(t, serve.Options{Inspector: new(inspect.Inspector), MaxMessage: 1000}, n, "Subject: a\r\n\r\n"+strings.Repeat("x\r\n", 100_000))
	leave()
	<-ended
	if len(n.mail) != 0 {
		t.Errorf("the next hop took %d messages, want none", len(n.mail))
	}
}

// abandoned sends a message to a proxy before n. leave closes the connection, and ended is closed
// when the proxy is done with the message.
func abandoned(t *testing.T, opts serve.Options, n *next, message string) (ended chan struct{}, leave func() error) {
	t.Helper()
	ended = make(chan struct{})
	opts.Name = "mx.example"
	server := New(serve.New(opts, new(inspect.Policy)), Options{Next: start(t, &lmtp.Server{Name: "next.example", Deliver: n.deliver}), Name: "mx.example", Wait: 1e12})
	deliver := server.Deliver
	server.Deliver = func(ctx context.Context, tr *lmtp.Transaction, data io.Reader) []lmtp.Reply {
		defer close(ended)
		return deliver(ctx, tr, data)
	}
	conn, err := net.Dial("unix", start(t, server))
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(conn, "LHLO a\r\nMAIL FROM:<>\r\nRCPT TO:<a@a.example>\r\nDATA\r\n"+message)
	return ended, conn.Close
}
