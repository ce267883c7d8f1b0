package lmtp

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// listening returns the address of a server, which ends with the test.
func listening(t testing.TB, network, address string, serve func(net.Listener) error, drain func(context.Context)) string {
	l, err := net.Listen(network, address)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- serve(l) }()
	t.Cleanup(func() {
		ctx, stop := context.WithCancel(context.Background())
		stop()
		drain(ctx)
		if err := <-done; err != nil {
			t.Errorf("Serve: got error %v, want none", err)
		}
	})
	return l.Addr().String()
}

// start starts a Server and returns its address.
func start(t testing.TB, s *Server) string {
	return listening(t, "unix", filepath.Join(t.TempDir(), "s"), s.Serve, s.Drain)
}

// dialed returns a Client of a server that ends with the test.
func dialed(t testing.TB, address string) *Client {
	t.Helper()
	c, err := Dial(t.Context(), address, "a")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// sendOne sends a short message to one recipient.
func sendOne(c *Client, to string) ([]Reply, error) {
	return c.Send(&Path{}, []*Path{{Address: to}}, strings.NewReader("a\r\n"), 3)
}

// talk connects to a server, and returns the connection and a function that sends a command,
// unless it is "", and wants replies with the codes.
func talk(t testing.TB, address string) (net.Conn, func(command string, codes ...string)) {
	t.Helper()
	conn, err := net.Dial("unix", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	r := bufio.NewReader(conn)
	return conn, func(command string, codes ...string) {
		t.Helper()
		if command != "" {
			io.WriteString(conn, command+"\r\n")
		}
		for _, code := range codes {
			for line := "   -"; line[3] != ' '; {
				if line, err = r.ReadString('\n'); err != nil || !strings.HasPrefix(line, code) {
					t.Fatalf("%q: got %q, %v, want %s", command, line, err, code)
				}
			}
		}
	}
}

// takes returns a Server that takes each message, after it called f.
func takes(f func(tr *Transaction)) *Server {
	return &Server{Name: "mx.example", Deliver: func(_ context.Context, tr *Transaction, data io.Reader) []Reply {
		io.Copy(io.Discard, data)
		f(tr)
		return []Reply{replyOK}
	}}
}

// stuffed returns a message as DATA sends it.
func stuffed(message string) string {
	var b bytes.Buffer
	w := bufio.NewWriter(&b)
	d := newDataWriter(w)
	io.WriteString(d, message)
	d.Close()
	return b.String()
}

func TestData(t *testing.T) {
	for _, test := range []struct{ name, message, wire, comes string }{
		{"Plain", "a\r\nb\r\n", "a\r\nb\r\n.\r\n", ""},
		{"Empty", "", ".\r\n", ""},
		{"Dots", ".\r\n..\r\n.a\r\na.\r\n", "..\r\n...\r\n..a\r\na.\r\n.\r\n", ""},
		{"NoEnd", "a", "a\r\n.\r\n", "a\r\n"},
		{"EndsWithCR", "a\r", "a\r\n.\r\n", "a\r\n"},
		{"BareLF", "a\n.\nb\r\n", "a\r\n..\r\nb\r\n.\r\n", "a\r\n.\r\nb\r\n"},
		{"BareCR", "a\r.\rb\r\n", "a\r.\rb\r\n.\r\n", ""},
		{"TwoCR", "a\r\r\n.b\r\n", "a\r\r\n..b\r\n.\r\n", ""},
		{"TwoCRAtEnd", "a\r\r\n", "a\r\r\n.\r\n", ""},
		{"EmptyLines", "\r\n\r\n.\r\n", "\r\n\r\n..\r\n.\r\n", ""},
		{"Long", strings.Repeat("x", 300_000) + "\r\n.\r\n", strings.Repeat("x", 300_000) + "\r\n..\r\n.\r\n", ""},
	} {
		if test.comes == "" {
			test.comes = test.message
		}
		if got := stuffed(test.message); got != test.wire {
			t.Errorf("%s: wrote %.60q, want %.60q", test.name, got, test.wire)
		}
		for _, size := range []int{16, 17, 4096} {
			r := bufio.NewReaderSize(strings.NewReader(test.wire+"QUIT\r\n"), size)
			got, err := io.ReadAll(newDataReader(r))
			if err != nil || string(got) != test.comes {
				t.Errorf("%s, buffer of %d: got %.60q, %v, want %.60q", test.name, size, got, err, test.comes)
			}
			if rest, _ := io.ReadAll(r); string(rest) != "QUIT\r\n" {
				t.Errorf("%s, buffer of %d: %.60q is left, want the next command", test.name, size, rest)
			}
		}
	}
}

// An end that only some servers see does not end a message: nothing can be smuggled
// behind it.
func TestNoSmuggling(t *testing.T) {
	for _, end := range []string{"\n.\n", "\n.\r\n", "\r.\r", "\r\n.\n", "\r\n.\r", "\n.\r"} {
		wire := "a" + end + "MAIL FROM:<evil@a.example>\r\n.\r\n"
		got, err := io.ReadAll(newDataReader(bufio.NewReader(strings.NewReader(wire))))
		if err != nil || !strings.Contains(string(got), "MAIL") {
			t.Errorf("%q: got %q, %v, want the rest within the message", end, got, err)
		}
		// Sent on, it ends the message for no reader.
		if on := stuffed(string(got)); strings.Contains(strings.TrimSuffix(on, "\r\n.\r\n"), "\n.\n") || strings.Count(on, "\r\n.\r\n") != 1 {
			t.Errorf("%q: sent on as %q, want one end", end, on)
		}
	}
}

// A message that is cut off does not count.
func TestHalf(t *testing.T) {
	for _, wire := range []string{"", "a", "a\r\n", "a\r\n.", "a\r\n.\r"} {
		if _, err := io.ReadAll(newDataReader(bufio.NewReader(strings.NewReader(wire)))); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%q: got %v, want %v", wire, err, io.ErrUnexpectedEOF)
		}
	}
}

// A text that is written comes back, in pieces of any size.
func FuzzData(f *testing.F) {
	f.Add("a\r\n.\r\n\r\r\n..\r", 3)
	f.Fuzz(func(t *testing.T, text string, piece int) {
		var b bytes.Buffer
		d := newDataWriter(bufio.NewWriterSize(&b, 16))
		for rest := []byte(text); len(rest) > 0; {
			n := min(len(rest), 1+(piece&15))
			d.Write(rest[:n])
			rest = rest[n:]
		}
		d.Close()
		got, err := io.ReadAll(iotest.OneByteReader(newDataReader(bufio.NewReaderSize(&b, 16))))
		want := strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\n", "\r\n")
		if strings.HasSuffix(want, "\r") {
			want += "\n"
		} else if want != "" && !strings.HasSuffix(want, "\r\n") {
			want += "\r\n"
		}
		if err != nil || string(got) != want || b.Len() != 0 {
			t.Errorf("got %q, %v, %d octets left, want %q", got, err, b.Len(), want)
		}
	})
}

func TestParsePath(t *testing.T) {
	for _, test := range []struct {
		arg  string
		want *Path
	}{
		{"FROM:<a@b.example>", &Path{Address: "a@b.example", Params: []string{}}},
		{"from: <> SIZE=1 BODY=8BITMIME", &Path{Address: "", Params: []string{"SIZE=1", "BODY=8BITMIME"}}},
		{`FROM:<"a>b\""@c.example> X`, &Path{Address: `"a>b\""@c.example`, Params: []string{"X"}}},
		{"FROM:a@b.example", nil}, {"FROM:<a", nil}, {"FROM:<a>b", nil}, {"TO:<a>", nil}, {"", nil}, {"FROM:<a\r\n>", nil},
	} {
		got, err := parsePath(test.arg, "FROM")
		if (err == nil) != (test.want != nil) || err == nil && !reflect.DeepEqual(got, test.want) {
			t.Errorf("%q: got %+v, %v, want %+v", test.arg, got, err, test.want)
		}
	}
}

// Each recipient has the reply that is its own, one given twice included.
func TestReplies(t *testing.T) {
	var got string
	address := start(t, &Server{Name: "mx.example", Extensions: func(context.Context) []string { return []string{"8BITMIME", "SIZE 1000"} },
		Deliver: func(_ context.Context, tr *Transaction, data io.Reader) []Reply {
			text, err := io.ReadAll(data)
			if err != nil {
				return nil
			}
			got = string(text)
			replies := make([]Reply, len(tr.To))
			for i, to := range tr.To {
				switch to.Address {
				case "full@a.example":
					replies[i] = Reply{552, fmt.Sprintf("5.2.2 full %d", i)}
				case "forgotten@a.example":
				default:
					replies[i] = Reply{250, fmt.Sprintf("2.0.0 %d", i)}
				}
			}
			return replies
		}})
	c := dialed(t, address)
	if n := c.Size(); n != 1000 {
		t.Errorf("Size: got %d, want 1000", n)
	}
	to := []*Path{{Address: "a@a.example"}, {Address: "full@a.example"}, {Address: "a@a.example"}, {Address: "forgotten@a.example"}}
	for range 2 { // the connection is used again
		const message = "Subject: a\r\n\r\n.\r\n"
		replies, err := c.Send(&Path{Address: "x@a.example", Params: []string{"BODY=8BITMIME", "X=1"}}, to, strings.NewReader(message), int64(len(message)))
		want := []Reply{{250, "2.0.0 0"}, {552, "5.2.2 full 1"}, {250, "2.0.0 2"}, replyLater}
		if err != nil || !reflect.DeepEqual(replies, want) || got != message {
			t.Errorf("got %v, %v, message %q, want %v, %q", replies, err, got, want, message)
		}
	}
}

// The order of commands is kept to, and a line that is not a command changes
// nothing.
func TestCommands(t *testing.T) {
	_, say := talk(t, start(t, takes(func(*Transaction) {})))
	say("", "220")
	for _, step := range [][2]string{
		{"MAIL FROM:<a@a.example>", "503"}, {"EHLO a", "500"}, {"LHLO a", "250"}, {"RCPT TO:<a>", "503"}, {"DATA", "503"},
		{"MAIL FROM:a", "501"}, {"MAIL FROM:<>", "250"}, {"MAIL FROM:<>", "503"}, {"DATA", "503"}, {"RCPT TO:<>", "501"},
		{"RCPT TO:<a@a.example>", "250"}, {"RSET", "250"}, {"DATA", "503"}, {"NOOP", "250"}, {"VRFY a", "252"}, {"BDAT 1", "500"},
	} {
		say(step[0], step[1])
	}
	say("MAIL FROM:<>\r\nRCPT TO:<a>\r\nDATA\r\nSubject: a\r\n\r\n.", "250", "250", "354", "250")
	say(strings.Repeat("x", 100_000), "421")
}

// A message has a bounded number of recipients, and the rest of them come later (RFC 5321
// section 4.5.3.1.10).
func TestRecipients(t *testing.T) {
	taken := 0
	c := dialed(t, start(t, takes(func(tr *Transaction) { taken = len(tr.To) })))
	to := make([]*Path, maxRecipients+1)
	for i := range to {
		to[i] = &Path{Address: fmt.Sprintf("%d@a.example", i)}
	}
	replies, err := c.Send(&Path{}, to, strings.NewReader("a\r\n"), 3)
	if err != nil {
		t.Fatal(err)
	}
	if got := replies[maxRecipients]; got.Code != 452 || replies[maxRecipients-1].Code != 451 || taken != maxRecipients {
		t.Errorf("got %v and %v, %d recipients taken, want 451 and 452, %d", replies[maxRecipients-1], got, taken, maxRecipients)
	}
}

// Drain ends connections that are idle at once, lets who has just connected send one message, and lets a message on its way end.
func TestDrain(t *testing.T) {
	begun, release := make(chan struct{}), make(chan struct{})
	s := takes(func(tr *Transaction) {
		if tr.To[0].Address == "a" {
			close(begun)
			<-release
		}
	})
	address := start(t, s)
	want := func(name string, c *Client, to string) {
		t.Helper()
		if replies, err := sendOne(c, to); err != nil || !replies[0].OK() {
			t.Errorf("%s: got %v, %v, want the message taken", name, replies, err)
		}
	}
	idle, fresh, busy := dialed(t, address), dialed(t, address), dialed(t, address)
	want("first", idle, "first")
	var wg sync.WaitGroup
	wg.Go(func() { want("on its way", busy, "a") })
	<-begun
	drained := make(chan struct{})
	wg.Go(func() { s.Drain(context.Background()); close(drained) })
	if r, err := idle.reply(false); err != nil || r.Code != 421 {
		t.Errorf("the idle connection: got %v, %v, want 421", r, err)
	}
	select {
	case <-drained:
		t.Error("drained before the message had its reply")
	default:
	}
	want("who had connected before", fresh, "first")
	close(release)
	<-drained
	wg.Wait()
}

// A client that sends slowly is given up, and its message with it.
func TestSlowClient(t *testing.T) {
	failed := make(chan error, 1)
	address := start(t, &Server{Name: "mx.example", Idle: 20 * time.Millisecond, Deliver: func(_ context.Context, _ *Transaction, data io.Reader) []Reply {
		_, err := io.Copy(io.Discard, data)
		failed <- err
		return nil
	}})
	conn, _ := talk(t, address)
	io.WriteString(conn, "LHLO a\r\nMAIL FROM:<>\r\nRCPT TO:<a>\r\nDATA\r\nSubject: a\r\n")
	if err := <-failed; err == nil {
		t.Error("got no error for half of a message")
	}
	said, _ := io.ReadAll(conn)
	if i := strings.LastIndex(string(said), "354"); i < 0 || strings.Contains(string(said[i:]), "250") {
		t.Errorf("got %q, want no 250 after 354", said)
	}
}

// One address cannot have all connections: another one is served, and one with too
// many gets a reply about it. A connection that sends nothing ends long before one
// that has greeted.
func TestPerClient(t *testing.T) {
	s := &Server{Name: "mx.example", Connections: 7, PerClient: 2, Greeting: 100 * time.Millisecond, Deliver: func(context.Context, *Transaction, io.Reader) []Reply { return nil }}
	address := listening(t, "tcp", "127.0.0.1:0", s.Serve, s.Drain)
	dial := func(from string) *bufio.Reader {
		t.Helper()
		d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
		conn, err := d.Dial("tcp", address)
		if err != nil {
			t.Skipf("no connection from %s: %v", from, err)
		}
		t.Cleanup(func() { conn.Close() })
		if from != "127.0.0.2" {
			io.WriteString(conn, "LHLO a\r\n")
		}
		return bufio.NewReader(conn)
	}
	line := func(name string, r *bufio.Reader, want string) {
		t.Helper()
		if got, err := r.ReadString('\n'); err != nil || !strings.HasPrefix(got, want) {
			t.Errorf("%s: got %q, %v, want %s", name, got, err, want)
		}
	}
	for range 2 {
		line("the crowd", dial("127.0.0.3"), "220 ")
	}
	for range 3 {
		line("too many", dial("127.0.0.3"), "421 4.7.0 ")
	}
	for range 3 {
		line("this machine", dial("127.0.0.1"), "220 ")
	}
	silent := dial("127.0.0.2")
	line("another", silent, "220 ")
	line("another that says nothing", silent, "421 4.4.2 ")
	if _, err := silent.ReadByte(); err != io.EOF {
		t.Errorf("after 421: got %v, want %v", err, io.EOF)
	}
	line("another again", dial("127.0.0.2"), "220 ")
}

// The values of XFORWARD fit into a log line.
func FuzzParseXforward(f *testing.F) {
	f.Add("ADDR=IPV6:2001:db8::1 IDENT=a+2Bb")
	f.Fuzz(func(t *testing.T, arg string) {
		var o Origin
		if parseXforward(&o, arg) != nil {
			return
		}
		for _, s := range []string{o.Address, o.QueueID} {
			if len(s) > maxXforward || strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r > '~' }) {
				t.Errorf("%q: got %q, want what can be printed", arg, s)
			}
		}
	})
}

// A text that is read as a path is written as it came, and is one line.
func FuzzParsePath(f *testing.F) {
	f.Add("FROM:<a@b.example> SIZE=1 BODY=8BITMIME")
	f.Add(`FROM:<"a>b\""@c.example> X`)
	f.Add("FROM:<>")
	f.Add("FROM: <@a,@b:c@d>\tRET=HDRS")
	f.Fuzz(func(t *testing.T, arg string) {
		p, err := parsePath(arg, "FROM")
		if err != nil {
			return
		}
		line := "FROM:<" + p.Address + ">"
		for _, q := range p.Params {
			line += " " + q
		}
		if strings.ContainsFunc(line, func(r rune) bool { return r < ' ' || r == 0x7f }) {
			t.Errorf("%q: got the path %q, want no control character in it", arg, line)
		}
		again, err := parsePath(line, "FROM")
		if err != nil || again.Address != p.Address || strings.Join(again.Params, " ") != strings.Join(p.Params, " ") {
			t.Errorf("%q: got %+v, then %+v, %v; want the same", arg, p, again, err)
		}
	})
}

// A reply has a code that there is, and a bounded text.
func FuzzReply(f *testing.F) {
	f.Add("250 2.0.0 OK\r\n")
	f.Add("250-a\r\n250-SIZE 1\r\n250 DSN\r\n")
	f.Add("354\r\n")
	f.Add("250-a\r\n251 b\r\n")
	f.Fuzz(func(t *testing.T, text string) {
		c := &Client{r: bufio.NewReaderSize(strings.NewReader(text), maxLine)}
		r, err := c.reply(true)
		if err != nil {
			return
		}
		if r.Code < 200 || r.Code > 599 || len(r.Text) > len(text) || strings.Count(r.Text, "\n") >= maxReplyLines {
			t.Errorf("%q: got %v, want a code of three digits and bounded text", text, r)
		}
	})
}

// The XFORWARD of Postfix is read, and any other text is refused.
func TestParseXforward(t *testing.T) {
	for _, test := range []struct {
		arg  string
		want Origin
		ok   bool
	}{
		{"ADDR=192.0.2.1 IDENT=4fXyZ", Origin{"192.0.2.1", "4fXyZ"}, true},
		{"addr=IPv6:2001:db8::1", Origin{"2001:db8::1", ""}, true},
		{"ADDR=[UNAVAILABLE] IDENT=[tempunavail]", Origin{}, true},
		{"IDENT=a+2Bb+3Dc", Origin{"", "a+b=c"}, true},
		{"", Origin{}, false}, {"ADDR", Origin{}, false}, {"ADDR=", Origin{}, false}, {"HELO=a", Origin{}, false},
		{"IDENT=a+0Ab", Origin{}, false}, {"IDENT=a+2", Origin{}, false}, {"IDENT=+zz", Origin{}, false}, {"IDENT=\xff", Origin{}, false},
		{"IDENT=" + strings.Repeat("x", 256), Origin{}, false},
	} {
		var got Origin
		if err := parseXforward(&got, test.arg); got != test.want && err == nil || (err == nil) != test.ok {
			t.Errorf("%q: got %+v, %v, want %+v, %v", test.arg, got, err, test.want, test.ok)
		}
	}
}

// It holds for one transaction, and comes before it.
func TestXforward(t *testing.T) {
	got := make(chan Origin, 1)
	_, say := talk(t, start(t, takes(func(tr *Transaction) { got <- tr.Origin })))
	send := func(want Origin) {
		t.Helper()
		say("MAIL FROM:<>", "250")
		say("XFORWARD ADDR=192.0.2.9", "503")
		say("RCPT TO:<a@a.example>\r\nDATA\r\n.", "250", "354", "250")
		if o := <-got; o != want {
			t.Errorf("got %+v, want %+v", o, want)
		}
	}
	say("XFORWARD ADDR=192.0.2.1", "220", "503")
	say("LHLO a", "250")
	say("XFORWARD ADDR=192.0.2.1\r\nXFORWARD IDENT=4fXy", "250", "250")
	say("XFORWARD ADDR=192.0.2.2 HELO=a", "501")
	send(Origin{"192.0.2.1", "4fXy"})
	send(Origin{})
	say("XFORWARD ADDR=192.0.2.1\r\nRSET", "250", "250")
	send(Origin{})
}
