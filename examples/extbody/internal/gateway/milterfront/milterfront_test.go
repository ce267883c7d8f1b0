package milterfront

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"runtime"
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

// offered are the options that Postfix offers.
const offered = milter.OptAddHeader | milter.OptChangeHeader | milter.OptQuarantine | milter.OptAddRcpt | milter.OptRemoveRcpt

// begin starts a session of a mail server that offers actions.
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

// askOffering is ask for a mail server that offers actions.
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
		{"Copy", rule("copy\"\nto = \"desk@b.example"), refers, milter.ActAccept, 0, "change 2, change 1, insert 0 X-Extbody, add <desk@b.example>"},
		{"CopyToSame", rule("copy\"\nto = \"to@a.example"), refers, milter.ActAccept, 0, "change 2, change 1, insert 0 X-Extbody"},
		{"Subject", rule("subject\"\ntext = \"[File]"), refers, milter.ActAccept, 0, "change 2, change 1, insert 0 X-Extbody, change 1 [File] a"},
		{"NoSubject", rule("subject\"\ntext = \"[File]"), refers[1:], milter.ActAccept, 0, "change 2, change 1, insert 0 X-Extbody, add Subject [File]"},
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
					said = append(said, strings.TrimSpace(fmt.Sprint("change ", c.HeaderIndex, " ", c.HeaderValue)))
				case milter.ActAddHeader:
					said = append(said, fmt.Sprint("add ", c.HeaderName, " ", c.HeaderValue))
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
		{"NoRecipientToAdd", offered &^ milter.OptAddRcpt, "copy\"\nto = \"desk@b.example", 3, milter.ActAccept},
		{"NoChangeOfSubject", milter.OptAddHeader, "subject\"\ntext = \"[File]", 1, milter.ActAccept},
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
		{"Whole", refers, refersBody, "[A file was removed here]"},
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

// apply makes changes as a mail server does, and returns the message without our field.
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

// A mail server whose client has not started a message when the end comes can send it.
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

// packet returns a packet of the protocol.
func packet(text string) []byte {
	return append(binary.BigEndian.AppendUint32(nil, uint32(len(text))), text...)
}

// dialed returns a connection to an address, which ends with the test.
func dialed(t *testing.T, address string) net.Conn {
	t.Helper()
	conn, err := net.Dial("unix", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

// exchange sends packets, and returns the answers up to the end of the connection.
func exchange(t *testing.T, address string, packets ...string) string {
	t.Helper()
	conn := dialed(t, address)
	for _, p := range packets {
		conn.Write(packet(p))
	}
	conn.SetReadDeadline(time.Now().Add(20 * time.Second))
	got, err := io.ReadAll(conn)
	if err != nil {
		t.Fatal(err)
	}
	return string(got)
}

// A stream that is not the milter protocol ends its connection, and nothing else:
// the server reserves no memory for announced lengths, and goes on.
func TestNoPackets(t *testing.T) {
	_, _, address := start(t, "")
	for name, text := range map[string][]byte{
		"HTTP":        []byte("GET / HTTP/1.1\r\nHost: a.example\r\n\r\n"),
		"Empty":       {0, 0, 0, 0},
		"Huge":        {0xff, 0xff, 0xff, 0xff, 'O'},
		"MacrosEmpty": packet("D"),
		"ConnNoEnd":   packet("Ca.example"),
		"ConnNoMore":  packet("Ca.example\x00"),
		"Unknown":     packet("\x00"),
	} {
		conn := dialed(t, address)
		conn.Write(text)
		conn.SetReadDeadline(time.Now().Add(20 * time.Second))
		if said, err := io.ReadAll(conn); err != nil && len(said) == 0 {
			// A reset is an end too; a time-out is not.
			if e, ok := err.(net.Error); ok && e.Timeout() {
				t.Errorf("%s: got no end of the connection, want one", name)
			}
		}
		conn.Close()
	}
	if _, a := ask(t, address, "", refers, refersBody); a == nil {
		t.Error("got no answer after that")
	}
}

// Whatever comes, the server goes on, and forgets the connection when it ends.
func FuzzPackets(f *testing.F) {
	f.Add(append(packet("O\x00\x00\x00\x06\x00\x00\x01\xff\x00\x00\x00\x00"), packet("M<a@a.example>\x00")...))
	f.Add(append(packet("Di\x00x\x00"), packet("LSubject\x00a\x00")...))
	f.Add(append(packet("M<>\x00"), append(packet("R<a>\x00"), append(packet("Bx"), packet("E")...)...)...))
	f.Add(packet("C\x004\x00"))
	e := serve.New(serve.Options{Inspector: new(inspect.Inspector)}, new(inspect.Policy))
	f.Fuzz(func(t *testing.T, text []byte) {
		s := New(e, time.Second, false)
		here, there := net.Pipe()
		ended := make(chan struct{})
		go func() {
			s.serve(there)
			there.Close() // as the server does, so that the rest is not waited for
			close(ended)
		}()
		go io.Copy(io.Discard, here)
		here.SetDeadline(time.Now().Add(20 * time.Second))
		here.Write(text)
		here.Close()
		select {
		case <-ended:
		case <-time.After(20 * time.Second):
			t.Error("got a session that is left, want none")
		}
	})
}

// A header of any size is held in no memory but a Spool's: a stranger cannot make the
// server grow by many small fields.
func TestManyFields(t *testing.T) {
	_, _, address := start(t, "")
	conn := dialed(t, address)
	r := bufio.NewReader(conn)
	say := func(packets []byte, answers int) {
		t.Helper()
		if _, err := conn.Write(packets); err != nil {
			t.Fatal(err)
		}
		for range answers {
			var head [5]byte
			if _, err := io.ReadFull(r, head[:]); err != nil || head[4] != 'c' {
				t.Fatalf("got %q, %v, want to go on", head, err)
			}
		}
	}
	heap := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	say(packet("M<a@a.example>\x00"), 1)
	before := heap()
	const batches, each = 200, 1000
	batch := bytes.Repeat(packet("LA\x00b\x00"), each)
	for range batches {
		say(batch, each)
	}
	if grown := int64(heap()) - int64(before); grown > 4<<20 {
		t.Errorf("got %d octets more for %d fields, want at most %d", grown, batches*each, 4<<20)
	}
}

// A field before a message, or with a NUL in it, changes nothing for the messages after
// it; the field with a NUL is looked at as the mail server's strings are, to the NUL.
func TestOddFields(t *testing.T) {
	_, _, address := start(t, "")
	got := exchange(t, address,
		"LX-Extbody\x00before\x00", "LX-Extbody\x00before\x00", "M<a@a.example>\x00", "R<b@b.example>\x00", "LX-Extbody\x00one\x00two\x00", "LX-Extbody\x00", "L\x00x\x00", "L",
		"LSubject\x00a\n b\x00", "N", "Bhello\r\n", "E", "Q")
	change := func(i byte) string { return string(packet("m\x00\x00\x00" + string(rune(i)) + "X-Extbody\x00\x00")) }
	want := strings.Repeat(string(packet("c")), 11) + change(2) + change(1) + string(packet("a"))
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// The address of the client comes as mail servers write it, or is not known.
func TestClientAddress(t *testing.T) {
	for text, want := range map[string]bool{
		"a\x004\x00\x19192.0.2.1\x00": true, "a\x006\x00\x192001:db8::1\x00": true, "a\x006\x00\x19IPv6:2001:db8::1\x00": true,
		"a\x004\x00\x19198.51.100.1\x00": false, "a\x00U": false, "a\x00L\x00\x00/socket\x00": false, "a\x004\x00\x19": false,
	} {
		_, _, address := start(t, "[[rule]]\nname = \"r\"\nclient = [\"192.0.2.0/24\", \"2001:db8::/32\"]\naction = \"reject\"\n")
		got := exchange(t, address, "C"+text, "M<a@a.example>\x00", "R<b@b.example>\x00", "L"+refers[4][0]+"\x00"+refers[4][1]+"\x00", "N", "B"+refersBody, "E", "Q")
		if rejected := strings.Contains(got, "y550 "); rejected != want {
			t.Errorf("%q: got %q, want it rejected %t", text, got, want)
		}
	}
}
