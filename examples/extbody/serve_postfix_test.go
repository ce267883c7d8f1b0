package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/lmtp"
	"github.com/go-extbody/extbody/internal/testkit"
)

// A nextHop is the next hop after Postfix. It counts the messages that it takes.
type nextHop struct {
	address string

	mu   sync.Mutex
	mail map[string]int    // by message
	to   map[string]string // the last recipient, by message
	all  []string          // each recipient and its message
}

// startNextHop starts a nextHop that ends with the test.
func startNextHop(t testing.TB) *nextHop {
	m := &nextHop{address: testkit.FreeAddr(t), mail: make(map[string]int), to: make(map[string]string)}
	serveHop(t, "tcp", m.address, &lmtp.Server{Name: "next.example", Deliver: func(_ context.Context, tr *lmtp.Transaction, data io.Reader) []lmtp.Reply {
		body, err := io.ReadAll(data)
		if err != nil {
			return nil
		}
		m.mu.Lock()
		defer m.mu.Unlock()
		replies := make([]lmtp.Reply, len(tr.To))
		for i := range replies {
			m.mail[string(body)]++
			m.to[string(body)] = tr.To[i].Address
			m.all = append(m.all, tr.To[i].Address+" "+string(body))
			replies[i] = lmtp.Reply{Code: 250, Text: "2.0.0 taken"}
		}
		return replies
	}})
	return m
}

// serveHop serves at an address until the test ends.
func serveHop(t testing.TB, network, address string, hop *lmtp.Server) {
	t.Helper()
	l, err := net.Listen(network, address)
	must(t, err)
	var serving sync.WaitGroup
	serving.Go(func() { hop.Serve(l) })
	t.Cleanup(func() {
		ctx, stop := context.WithCancel(context.Background())
		stop()
		hop.Drain(ctx)
		serving.Wait()
	})
}

// total returns how many messages came.
func (m *nextHop) total() (n int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, k := range m.mail {
		n += k
	}
	return n
}

// forged are fields of ours that a stranger wrote.
var forged = "X-Extbody: forged; extbody=clean\r\nx-extbody: forged\r\n too\r\nX-EXTBODY : forged\r\nX-Extbody\t: forged\r\nX-Extbody:\r\n forged\r\n" +
	strings.Repeat("X-Extbody: forged\r\n", 20)

// wantUnforged waits for the message i of [whole], and wants so many fields of ours in it, and none that was
// forged.
func (m *nextHop) wantUnforged(t *testing.T, i, fields int) {
	t.Helper()
	var got string
	await(t, fmt.Sprintf("message %d", i), func() bool {
		m.mu.Lock()
		defer m.mu.Unlock()
		for mail := range m.mail {
			if strings.Contains(mail, fmt.Sprintf("Message-ID: <%d@a.example>\r\n", i)) {
				got = mail
			}
		}
		return got != ""
	})
	if n := len(ourField.FindAllString(got, -1)); n != fields || strings.Contains(got, "forged") {
		t.Errorf("message %d: got %d fields of ours, want %d, and none that was forged:\n%s", i, n, fields, got)
	}
}

// ourField matches a field of ours, and receivedField the fields that Postfix puts
// before a message.
var (
	ourField      = regexp.MustCompile(`(?m)^X-Extbody: mx\.example;[^\r]*\r\n([ \t][^\r]*\r\n)*`)
	receivedField = regexp.MustCompile(`^Received: [^\r]*\r\n([ \t][^\r]*\r\n)*`)
)

// without returns a message as it was before Postfix and extbody.
func without(message string) string {
	return receivedField.ReplaceAllString(ourField.ReplaceAllString(message, ""), "")
}

// whole is a message to which Postfix adds nothing but a trace.
func whole(i int, rest string) string {
	return fmt.Sprintf("From: a@a.example\r\nTo: b@b.example\r\nDate: Thu, 01 Jan 2026 00:00:00 +0000\r\nMessage-ID: <%d@a.example>\r\n%s", i, rest)
}

// A milter that is killed again and again costs no mail and changes none, whatever
// Postfix does without it.
func TestServePostfixMilterKilled(t *testing.T) {
	if os.Getenv("EXTBODY_SLOW") == "" {
		t.Skip("takes a minute, and runs where EXTBODY_SLOW is set")
	}
	for _, action := range []string{"accept", "tempfail"} {
		t.Run(action, func(t *testing.T) {
			base, flags := serve(t, linkedFile)
			address, box := testkit.FreeAddr(t), startNextHop(t)
			p := startMailServer(t, "smtpd_milters = inet:"+address, "milter_default_action = "+action, "milter_connect_timeout = 2s",
				"virtual_transport = lmtp:inet:"+box.address, "smtpd_client_connection_rate_limit = 0", "smtpd_client_connection_count_limit = 0")
			d := started(t, "", flags, "--milter", address, "--per-host", "100")
			d.killUnderPostfix(p, box, base)
		})
	}
}

// A server behind rspamd that is killed again and again costs no mail and changes none:
// mail that rspamd could not ask about passes.
func TestServeRspamdKilled(t *testing.T) {
	if os.Getenv("EXTBODY_SLOW") == "" {
		t.Skip("takes a minute, and runs where EXTBODY_SLOW is set")
	}
	base, flags := serve(t, linkedFile)
	ours, worker, proxy, box := testkit.FreeAddr(t), testkit.FreeAddr(t), testkit.FreeAddr(t), startNextHop(t)
	d := started(t, "", flags, "--http", ours, "--per-host", "100")
	startRspamd(t, worker, proxy, rspamdBlock(t, ours))
	p := startMailServer(t, "smtpd_milters = inet:"+proxy, "milter_default_action = tempfail", "virtual_transport = lmtp:inet:"+box.address,
		"smtpd_client_connection_rate_limit = 0", "smtpd_client_connection_count_limit = 0")
	d.killUnderPostfix(p, box, base)
}

// killUnderPostfix kills a server 20 times while 1,000 messages go through Postfix, and
// starts it again. Each message has to come to the next hop once, or, where the client
// had no answer, more often, as it was sent but for our field, and nothing may be in
// corrupt.
func (d *daemon) killUnderPostfix(p *mailServer, box *nextHop, base string) {
	t := d.t
	t.Helper()
	const messages, kills = 1000, 20
	message := func(i int) string { return whole(i, testMessage(base, i)) }
	var sent, refused atomic.Int64
	wait := inTurns(6, messages, func(i int) {
		for p.try(message(i)) != 250 {
			refused.Add(1)
			time.Sleep(20 * time.Millisecond)
		}
		sent.Add(1)
	})
	for k := range kills {
		for sent.Load() < int64(k*messages/kills+rand.IntN(messages/kills)) {
			time.Sleep(time.Millisecond)
		}
		d.end(syscall.SIGKILL)
		time.Sleep(time.Duration(rand.IntN(30)) * time.Millisecond)
		d.start()
	}
	wait()
	await(t, "mail", func() bool {
		return box.total() >= messages && len(p.files("incoming"))+len(p.files("active"))+len(p.files("deferred")) == 0
	})
	box.mu.Lock()
	defer box.mu.Unlock()
	got := make(map[string]int)
	tagged := 0
	for m, n := range box.mail {
		got[without(m)] += n
		tagged += len(ourField.FindAllString(m, -1))
	}
	double := 0
	for i := range messages {
		n := got[message(i)]
		if n == 0 {
			t.Errorf("message %d: got it 0 times, want it once: it is lost, or changed", i)
		}
		double += max(0, n-1)
		delete(got, message(i))
	}
	for m := range got {
		t.Errorf("got %.500q, want nothing that nobody sent", m)
	}
	t.Logf("%d messages, %d kills: %d tries were refused, %d doubled, %d tagged", messages, kills, refused.Load(), double, tagged)
	if int64(double) > refused.Load() || tagged == 0 {
		t.Errorf("got %d doubles, %d tagged, want at most %d doubles, and some tagged", double, tagged, refused.Load())
	}
	if names := p.files("corrupt"); len(names) > 0 {
		t.Errorf("in corrupt: got %v, want nothing", names)
	}
}

// try sends a message and returns the code of the reply; 0 for a connection that
// failed.
func (p *mailServer) try(message string) int {
	conn, err := net.Dial("tcp", p.address)
	if err != nil {
		return 0
	}
	defer conn.Close()
	return deliver(conn, "b@b.example", message)
}
