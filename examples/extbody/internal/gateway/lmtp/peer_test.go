package lmtp

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/listen"
)

// scripted starts a server that answers each command by its verb, and the message as
// "message", and returns its address. said returns the commands of all connections so far.
func scripted(t testing.TB, answers map[string]string) (address string, said func() []string) {
	var mu sync.Mutex
	var commands []string
	said = func() []string {
		mu.Lock()
		defer mu.Unlock()
		return commands
	}
	return accepting(t, func(conn net.Conn) {
		io.WriteString(conn, "220 a\r\n")
		r := bufio.NewReader(conn)
		for {
			line, err := r.ReadString('\n')
			if err != nil {
				return
			}
			verb, _, _ := strings.Cut(strings.TrimSpace(line), " ")
			mu.Lock()
			commands = append(commands, strings.TrimSpace(line))
			mu.Unlock()
			answer, ok := answers[verb]
			if !ok {
				answer = "250 fine"
			}
			io.WriteString(conn, answer+"\r\n")
			if !strings.HasPrefix(answer, "354") || verb != "DATA" {
				continue
			}
			if _, err := io.Copy(io.Discard, newDataReader(r)); err != nil {
				return
			}
			io.WriteString(conn, answers["message"]+"\r\n")
		}
	}), said
}

// accepting returns the address of a server of connections.
func accepting(t testing.TB, serve func(net.Conn)) string {
	var g listen.Group
	return listening(t, "unix", filepath.Join(t.TempDir(), "s"), func(l net.Listener) error { return g.Serve(l, 100, serve) }, g.Drain)
}

// A message is taken only where a server said so after it had the message.
func TestLyingServer(t *testing.T) {
	for _, test := range []struct {
		name    string
		answers map[string]string
		want    int // 0 for not known
	}{
		{"Taken", map[string]string{"DATA": "354 go", "message": "250 taken"}, 250},
		{"DataTaken", map[string]string{"DATA": "250 taken already"}, 0},
		{"DataRefused", map[string]string{"DATA": "451 not now"}, 451},
		{"MailIntermediate", map[string]string{"MAIL": "354 go"}, 0},
		{"RcptIntermediate", map[string]string{"RCPT": "354 go"}, 0},
		{"MessageIntermediate", map[string]string{"DATA": "354 go", "message": "354 more"}, 0},
		{"TakenBefore", map[string]string{"DATA": "354 go\r\n250 taken", "message": "451 not now"}, 0},
		{"TwoForMail", map[string]string{"MAIL": "250 fine\r\n550 nobody", "DATA": "354 go", "message": "250 taken"}, 0},
		{"TwoForRcpt", map[string]string{"RCPT": "250 fine\r\n250 fine", "DATA": "354 go", "message": "250 taken"}, 0},
		{"NoCode", map[string]string{"DATA": "354 go", "message": "fine"}, 0},
		{"SmallCode", map[string]string{"DATA": "354 go", "message": "025 fine"}, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			address, _ := scripted(t, test.answers)
			replies, err := sendOne(dialed(t, address), "a")
			if replies[0].Code != test.want || (err == nil) != (test.want != 0) {
				t.Errorf("got %v, %v, want %d", replies, err, test.want)
			}
		})
	}
}

// A server that refuses DATA has the transaction still, which ends before the next
// one starts.
func TestDataRefused(t *testing.T) {
	address, said := scripted(t, map[string]string{"DATA": "451 not now"})
	c := dialed(t, address)
	for range 2 {
		if replies, err := sendOne(c, "a"); err != nil || replies[0].Code != 451 {
			t.Errorf("got %v, %v, want 451", replies, err)
		}
	}
	one := []string{"MAIL FROM:<>", "RCPT TO:<a>", "DATA", "RSET"}
	if got, want := said(), slices.Concat([]string{"LHLO a"}, one, one); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Parameters are taken where their extension was announced, are handed on as they
// came, and a message that is too large by its own word is refused before it is sent.
func TestParameters(t *testing.T) {
	var got *Transaction
	server := takes(func(tr *Transaction) { got = tr })
	server.Extensions = func(context.Context) []string { return []string{"8BITMIME", "DSN", "SIZE 1000"} }
	_, say := talk(t, start(t, server))
	say("LHLO a", "220", "250")
	for _, test := range []struct{ line, want string }{
		{"MAIL FROM:<> SMTPUTF8", "555"},
		{"MAIL FROM:<> AUTH=<>", "555"},
		{"MAIL FROM:<> BODY=BINARYMIME", "555"},
		{"MAIL FROM:<> SIZE=1001", "552"},
		{"MAIL FROM:<> SIZE=99999999999999999999999", "552"},
		{"MAIL FROM:<> ENVID=a\x00b", "501"},
		{"MAIL FROM:<> SIZE=1000 BODY=8BITMIME RET=HDRS ENVID=QQ314159", "250"},
		{"RCPT TO:<a@a.example> X=1", "555"},
		{"RCPT TO:<a@a.example> NOTIFY=SUCCESS,DELAY ORCPT=rfc822;a@a.example", "250"},
	} {
		say(test.line, test.want)
	}
	say("DATA\r\n.", "354", "250")
	for _, test := range []struct {
		extensions, mail, rcpt, lacks string
	}{
		{"250-a\r\n250-DSN\r\n250 8BITMIME", "<> BODY=8BITMIME RET=HDRS ENVID=QQ314159", "<a@a.example> NOTIFY=SUCCESS,DELAY ORCPT=rfc822;a@a.example", ""},
		{"250-a\r\n250 8BITMIME", "<> BODY=8BITMIME", "<a@a.example>", "DSN"},
		{"250 a", "<>", "<a@a.example>", "8BITMIME"},
	} {
		address, said := scripted(t, map[string]string{"LHLO": test.extensions, "DATA": "354 go", "message": "250 fine"})
		c := dialed(t, address)
		if lacks := c.Lacks(append([]*Path{got.From}, got.To...)...); lacks != test.lacks {
			t.Errorf("Lacks: got %q, want %q", lacks, test.lacks)
		}
		c.Send(got.From, got.To, strings.NewReader(""), 0)
		if got := said(); len(got) < 3 || got[1] != "MAIL FROM:"+test.mail || got[2] != "RCPT TO:"+test.rcpt {
			t.Errorf("got %q, want %q and %q", got, test.mail, test.rcpt)
		}
	}
}

// A reply for a recipient does not announce the end of the connection.
func TestNoCloseForRecipient(t *testing.T) {
	address := start(t, &Server{Name: "mx.example", Deliver: func(_ context.Context, _ *Transaction, data io.Reader) []Reply {
		io.Copy(io.Discard, data)
		return []Reply{{421, "4.3.2 the next hop ends"}}
	}})
	replies, err := sendOne(dialed(t, address), "a")
	if want := (Reply{451, "4.3.2 the next hop ends"}); err != nil || replies[0] != want {
		t.Errorf("got %v, %v, want %v", replies, err, want)
	}
}

// Who goes away after the message, before the reply, is noticed; who has sent the
// next command already has not gone.
func TestClientGone(t *testing.T) {
	for _, test := range []struct {
		name, then string
		gone       bool
	}{
		{"Gone", "", true},
		{"NextCommand", "NOOP\r\n", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			ended := make(chan error)
			read, release := make(chan struct{}), make(chan struct{})
			address := start(t, &Server{Name: "mx.example", Deliver: func(ctx context.Context, _ *Transaction, data io.Reader) []Reply {
				io.Copy(io.Discard, data)
				close(read)
				select {
				case <-ctx.Done():
				case <-release:
				}
				ended <- ctx.Err()
				return []Reply{replyOK}
			}})
			conn, _ := talk(t, address)
			io.WriteString(conn, "LHLO a\r\nMAIL FROM:<>\r\nRCPT TO:<a>\r\nDATA\r\nSubject: a\r\n.\r\n"+test.then)
			<-read
			if test.gone {
				conn.Close()
			} else {
				close(release)
			}
			if err := <-ended; errors.Is(err, context.Canceled) != test.gone {
				t.Errorf("got %v, want an end %v", err, test.gone)
			}
			if test.gone {
				return
			}
			io.WriteString(conn, "QUIT\r\n")
			said, err := io.ReadAll(conn)
			if err != nil || !strings.HasSuffix(string(said), fmt.Sprintf("%s\r\n%s\r\n221 2.0.0 Bye\r\n", replyOK, replyOK)) {
				t.Errorf("got %q, %v, want the replies to the message, NOOP and QUIT", said, err)
			}
		})
	}
}

// More replies than recipients are none for the next message.
func TestMoreReplies(t *testing.T) {
	address, _ := scripted(t, map[string]string{"DATA": "354 go", "message": "250 taken\r\n550 nobody"})
	c := dialed(t, address)
	for i, want := range []int{250, 0} {
		replies, err := sendOne(c, "a")
		if replies[0].Code != want || errors.Is(err, ErrProtocol) != (want == 0) {
			t.Errorf("message %d: got %v, %v, want %d", i, replies, err, want)
		}
	}
}

// A server that goes away at any octet of its replies is believed only for its whole
// replies.
func TestServerDies(t *testing.T) {
	const greeting, lhlo, mail, rcpt, data, taken = "220 a\r\n", "250-a\r\n250 SIZE\r\n", "250 b\r\n", "250 c\r\n250 d\r\n", "354 e\r\n", "250-f\r\n250 g\r\n450 h\r\n"
	whole := greeting + lhlo + mail + rcpt + data + taken
	var upTo atomic.Int64
	address := accepting(t, func(conn net.Conn) {
		r := bufio.NewReader(conn)
		left := int(upTo.Load())
		for _, step := range []struct {
			before string // it is said after this
			say    string
		}{{"", greeting}, {"LHLO", lhlo}, {"MAIL", mail}, {"RCPT", rcpt[:7]}, {"RCPT", rcpt[7:]}, {"DATA", data}, {".\r\n", taken}} {
			for step.before != "" {
				if line, err := r.ReadString('\n'); err != nil || strings.HasPrefix(line, step.before) {
					break
				}
			}
			n := min(left, len(step.say))
			io.WriteString(conn, step.say[:n])
			if left -= n; n < len(step.say) {
				break
			}
		}
	})
	for cut := range len(whole) + 1 {
		upTo.Store(int64(cut))
		want := [2]int{}
		if cut >= len(whole)-len("450 h\r\n") {
			want[0] = 250
		}
		if cut == len(whole) {
			want[1] = 450
		}
		c, err := Dial(t.Context(), address, "a")
		if got := cut < len(greeting+lhlo); got != (err != nil) {
			t.Errorf("after %q: got error %v of Dial, want one %v", whole[:cut], err, got)
		}
		if err != nil {
			continue
		}
		replies, err := c.Send(&Path{}, []*Path{{Address: "a"}, {Address: "b"}}, strings.NewReader("a\r\n"), 3)
		if replies[0].Code != want[0] || replies[1].Code != want[1] || (err == nil) != (cut == len(whole)) {
			t.Errorf("after %q: got %v, %v, want %v", whole[:cut], replies, err, want)
		}
		c.Close()
	}
}
