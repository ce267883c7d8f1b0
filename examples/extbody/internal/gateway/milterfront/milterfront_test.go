package milterfront

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	milter "github.com/emersion/go-milter"
	"go.uber.org/goleak"

	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/inspect"
	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/serve"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// start starts a milter and returns its address.
func start(t testing.TB, rules string) (*Server, *serve.Engine, string) {
	policy, err := inspect.ParsePolicy([]byte(rules))
	if err != nil {
		t.Fatal(err)
	}
	deferrals, err := inspect.NewDeferrals("")
	if err != nil {
		t.Fatal(err)
	}
	e := serve.New(serve.Options{Inspector: new(inspect.Inspector), Name: "mx.example", Deferrals: deferrals}, policy)
	s := New(e, time.Second, true)
	l, err := net.Listen("unix", filepath.Join(t.TempDir(), "s"))
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		if err := s.Serve(l); err != nil {
			t.Errorf("Serve: got error %v, want none", err)
		}
	})
	t.Cleanup(func() {
		ctx, stop := context.WithTimeout(context.Background(), time.Second)
		defer stop()
		s.Drain(ctx)
		wg.Wait()
	})
	return s, e, l.Addr().String()
}

// refers are the header and the body of a message.
var refers = [][2]string{
	{"Subject", "a"}, {"x-extbody", "forged"}, {"MIME-Version", "1.0"}, {"X-Extbody ", "forged\n too"},
	{"Content-Type", "message/external-body; access-type=url;\n\turl=\"https://a.example/f\""},
}

const refersBody = "Content-Type: text/plain\r\n\r\n"

// offered is what Postfix offers.
const offered = milter.OptAddHeader | milter.OptChangeHeader | milter.OptQuarantine | milter.OptAddRcpt | milter.OptRemoveRcpt

// begin begins a session of a mail server that offers actions.
func begin(t testing.TB, address string, offers milter.OptAction) (x *milter.ClientSession, end func()) {
	t.Helper()
	c := milter.NewClientWithOptions("unix", address, milter.ClientOptions{ActionMask: offers})
	x, err := c.Session()
	if err != nil {
		t.Fatal(err)
	}
	return x, func() { x.Close(); c.Close() }
}

// ask sends a message, by a client that is named unless it is "", and returns the changes and the answer.
func ask(t testing.TB, address, client string, header [][2]string, body string) ([]milter.ModifyAction, *milter.Action) {
	t.Helper()
	return askOffering(t, address, client, offered, header, body)
}

// askOffering does what ask does, for a mail server that offers actions.
func askOffering(t testing.TB, address, client string, offers milter.OptAction, header [][2]string, body string) ([]milter.ModifyAction, *milter.Action) {
	t.Helper()
	x, end := begin(t, address, offers)
	defer end()
	must := func(a *milter.Action, err error) {
		t.Helper()
		if err != nil || a.Code != milter.ActContinue {
			t.Fatalf("got %+v, %v, want to continue", a, err)
		}
	}
	if client != "" {
		must(x.Conn("client.example", milter.FamilyInet, 25, client))
	}
	must(x.Mail("from@a.example", nil))
	must(x.Rcpt("to@a.example", nil))
	for _, f := range header {
		must(x.HeaderField(f[0], f[1]))
	}
	must(x.HeaderEnd())
	for chunk := range slices.Chunk([]byte(body), milter.MaxBodyChunk) {
		must(x.BodyChunk(chunk))
	}
	changes, a, err := x.End()
	if err != nil {
		t.Fatal(err)
	}
	return changes, a
}

func TestMilter(t *testing.T) {
	rule := func(action string) string { return "[[rule]]\nname = \"r\"\naction = \"" + action + "\"\n" }
	for _, test := range []struct {
		name, rules string
		header      [][2]string
		code        milter.ActionCode
		reply       int
		changes     string
	}{
		{"NoReferences", rule("reject"), [][2]string{{"Subject", "a"}}, milter.ActAccept, 0, ""},
		{"Forged", rule("reject"), [][2]string{{"Subject", "a"}, {"X-Extbody", "b"}}, milter.ActAccept, 0, "change 1"},
		{"Tag", "", refers, milter.ActAccept, 0, "change 2, change 1, insert 0 X-Extbody"},
		{"Inline", rule("inline"), refers, milter.ActAccept, 0, "change 2, change 1, insert 0 X-Extbody"},
		{"Quarantine", rule("quarantine"), refers, milter.ActAccept, 0, "change 2, change 1, insert 0 X-Extbody, quarantine"},
		{"Redirect", rule("redirect\"\nto = \"desk@b.example"), refers, milter.ActAccept, 0, "change 2, change 1, insert 0 X-Extbody, add <desk@b.example>, remove <to@a.example>"},
		{"RedirectToSame", rule("redirect\"\nto = \"to@a.example"), refers, milter.ActAccept, 0, "change 2, change 1, insert 0 X-Extbody"},
		{"Notice", rule("notice"), refers, milter.ActAccept, 0, "change 2, change 1, insert 0 X-Extbody, quarantine"},
		{"Hold", rule("hold"), refers, milter.ActAccept, 0, "change 2, change 1, insert 0 X-Extbody, quarantine"},
		{"Reject", rule("reject"), refers, milter.ActReplyCode, 550, ""},
		{"Defer", rule("defer"), refers, milter.ActReplyCode, 451, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, _, address := start(t, test.rules)
			changes, a := ask(t, address, "192.0.2.1", test.header, refersBody)
			var said []string
			for _, c := range changes {
				switch c.Code {
				case milter.ActChangeHeader:
					said = append(said, fmt.Sprint("change ", c.HeaderIndex))
				case milter.ActInsertHeader:
					said = append(said, fmt.Sprint("insert ", c.HeaderIndex, " ", c.HeaderName))
					if strings.Contains(c.HeaderValue, "\r") || !strings.Contains(c.HeaderValue, "action=") {
						t.Errorf("got the field %q, want an action and no CR", c.HeaderValue)
					}
				case milter.ActAddRcpt:
					said = append(said, "add "+c.Rcpt)
				case milter.ActDelRcpt:
					said = append(said, "remove "+c.Rcpt)
				case milter.ActQuarantine:
					said = append(said, "quarantine")
				default:
					t.Errorf("got the change %c, want one that this milter makes", c.Code)
				}
			}
			if got := strings.Join(said, ", "); a.Code != test.code || got != test.changes || a.SMTPCode != test.reply {
				t.Errorf("got %c %d, %q, want %c %d, %q", a.Code, a.SMTPCode, got, test.code, test.reply, test.changes)
			}
		})
	}
}

// Only actions that the mail server offers are asked for. If it cannot hold a message, the
// message is rejected.
func TestOffered(t *testing.T) {
	for _, test := range []struct {
		name    string
		offers  milter.OptAction
		rules   string
		changes int
		code    milter.ActionCode
	}{
		{"All", milter.OptAddHeader | milter.OptChangeHeader | milter.OptQuarantine, "quarantine", 4, milter.ActAccept},
		{"NoRecipient", offered &^ milter.OptRemoveRcpt, "redirect\"\nto = \"desk@b.example", 4, milter.ActAccept},
		{"NoQuarantine", milter.OptAddHeader | milter.OptChangeHeader, "quarantine", 0, milter.ActReplyCode},
		{"NoChange", milter.OptAddHeader, "tag", 1, milter.ActAccept},
		{"NoHeader", milter.OptQuarantine, "quarantine", 1, milter.ActAccept},
		{"Nothing", 0, "tag", 0, milter.ActAccept},
	} {
		_, _, address := start(t, "[[rule]]\nname = \"r\"\naction = \""+test.rules+"\"\n")
		// The client of the library fails if an action is asked for that it did not offer.
		changes, a := askOffering(t, address, "", test.offers, refers, refersBody)
		if len(changes) != test.changes || a.Code != test.code {
			t.Errorf("%s: got %d changes, %c, want %d, %c", test.name, len(changes), a.Code, test.changes, test.code)
		}
	}
}

// With a mail server that lets bodies be replaced, it gets the message that the Inspector
// makes.
func TestReplace(t *testing.T) {
	const part = "Content-Type: message/external-body; access-type=url; url=\"https://a.example/f\"\r\n\r\nContent-Type: text/plain; name=a.txt\r\n\r\n"
	long := strings.Repeat(strings.Repeat("x", 97)+"\r\n", 3000)
	for _, test := range []struct {
		name   string
		header [][2]string
		body   string
		want   string // in the result
	}{
		{"Whole", refers, refersBody, "[A file was removed here: f]"},
		{"Part", [][2]string{{"Subject", "a\n\tb"}, {"X-Extbody", "forged"}, {"Content-Type", "multipart/mixed; boundary=b"}, {"MIME-Version", "1.0"}},
			"--b\r\n\r\n" + long + "\r\n--b\r\n" + part + "\r\n--b--\r\n", "[A file was removed here: a.txt]"},
	} {
		for _, action := range []inspect.Action{inspect.Notice, inspect.Strip} {
			_, e, address := start(t, "[[rule]]\nname = \"r\"\naction = \""+string(action)+"\"\n")
			changes, a := askOffering(t, address, "", offered|milter.OptChangeBody, test.header, test.body)
			if a.Code != milter.ActAccept {
				t.Fatalf("%s, %s: got %c, want it accepted", test.name, action, a.Code)
			}
			got := apply(t, test.header, test.body, changes)
			s := e.Spool()
			defer s.Close()
			for _, f := range test.header {
				if f[0] != "X-Extbody" && f[0] != "x-extbody" && f[0] != "X-Extbody " {
					fmt.Fprintf(s, "%s: %s\r\n", f[0], strings.ReplaceAll(f[1], "\n", "\r\n"))
				}
			}
			io.WriteString(s, "\r\n"+test.body)
			m := &serve.Mail{Front: "test", Spool: s, Received: time.Now(), Actions: []inspect.Action{inspect.Notice, inspect.Strip}}
			c := e.Check(t.Context(), m)
			defer c.Close()
			text, err := io.ReadAll(c.Text(c.Decide()).Section())
			if err != nil {
				t.Fatal(err)
			}
			if want := string(text); got != want || strings.Contains(want, test.want) != (action == inspect.Notice) || strings.Contains(want, "a.example") {
				t.Errorf("%s, %s: got %.300q, want %.300q", test.name, action, got, want)
			}
		}
	}
}

// apply does what a mail server does with changes, and returns the message without our field.
func apply(t *testing.T, header [][2]string, body string, changes []milter.ModifyAction) string {
	t.Helper()
	header, replaced := slices.Clone(header), ""
	for _, c := range changes {
		switch c.Code {
		case milter.ActChangeHeader:
			n := uint32(0)
			for i := range header {
				if !strings.EqualFold(strings.TrimSpace(header[i][0]), c.HeaderName) {
					continue
				}
				if n++; n == c.HeaderIndex {
					if header[i][1] = c.HeaderValue; c.HeaderValue == "" {
						header = slices.Delete(header, i, i+1)
					}
					break
				}
			}
		case milter.ActAddHeader:
			header = append(header, [2]string{c.HeaderName, c.HeaderValue})
		case milter.ActReplBody:
			replaced += string(c.Body)
		case milter.ActInsertHeader:
		default:
			t.Errorf("got the change %c, want one of header and body", c.Code)
		}
	}
	if replaced != "" {
		body = strings.ReplaceAll(replaced, "\n", "\r\n")
	}
	var b strings.Builder
	for _, f := range header {
		fmt.Fprintf(&b, "%s: %s\r\n", f[0], strings.ReplaceAll(f[1], "\n", "\r\n"))
	}
	return b.String() + "\r\n" + body
}

// Packets that are announced and do not come take a bounded amount of memory, and a mail
// server is served beside them.
func TestUnfinishedPackets(t *testing.T) {
	s, _, address := start(t, "")
	var all []net.Conn
	for range 100 {
		c := dialed(t, address)
		all = append(all, c)
		c.Write(append(packet("M<a@a.example>\x00"), 0, 0x0f, 0xff, 0xff, 'B'))
	}
	refused := 0
	time.Sleep(200 * time.Millisecond)
	for _, c := range all {
		c.SetReadDeadline(time.Now().Add(20 * time.Millisecond))
		if _, err := io.ReadAll(c); !errors.Is(err, os.ErrDeadlineExceeded) {
			refused++
		}
	}
	if n := s.large.Load(); n > maxLarge || refused < 100-maxLarge/0xfffff-1 {
		t.Errorf("got %d octets in memory and %d connections ended, want at most %d", n, refused, maxLarge)
	}
	if _, a := ask(t, address, "", refers, refersBody); a.Code != milter.ActAccept {
		t.Errorf("got %c, want the message accepted", a.Code)
	}
	for _, c := range all {
		c.Close()
	}
}

// A mail server that goes away in the middle leaves nothing behind, and does not hold
// up the end.
func TestGone(t *testing.T) {
	s, _, address := start(t, "")
	x, end := begin(t, address, offered)
	if _, err := x.Mail("a@a.example", nil); err != nil {
		t.Fatal(err)
	}
	end()
	ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
	defer stop()
	s.Drain(ctx)
	if ctx.Err() != nil {
		t.Error("got a session that is left, want none")
	}
}

// A mail server whose client has not begun a message when the end comes can send it.
func TestDrainLetsEnd(t *testing.T) {
	s, _, address := start(t, "")
	x, end := begin(t, address, offered)
	drained := make(chan struct{})
	go func() { s.Drain(t.Context()); close(drained) }()
	<-s.conns.Ending().Done()
	if _, err := x.Mail("a@a.example", nil); err != nil {
		t.Fatalf("after the beginning of the end: got error %v, want none", err)
	}
	if _, a, err := x.End(); err != nil || a.Code != milter.ActAccept {
		t.Errorf("got %v, %v, want the message accepted", a, err)
	}
	end()
	<-drained
}
