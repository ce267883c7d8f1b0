package ftpfetch

import (
	"bufio"
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
	"github.com/go-extbody/extbody/fetch/netguard"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// noError ends the test if err is not nil.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Ends of replies of a fake, which may be all of them.
const (
	hang   = "\x00hang"   // nothing, until the client hangs up
	hangUp = "\x00hangup" // the control connection is closed
)

// A fake is a scripted FTP server. A command that is not scripted is answered as a
// plain server with one file would.
type fake struct {
	greeting string            // default "220 ready"
	replies  map[string]string // by command line or verb: lines without the last CRLF, or hang or hangUp
	features string            // lines of FEAT; "" refuses it
	body     string
	data     func(net.Conn) // sends the body; default: body, and close
	done     string         // the reply after the data; default "226 done"
	tls      *tls.Config    // offers AUTH TLS
	dataTLS  *tls.Config    // default tls
	implicit bool
	noClear  string            // the reply to USER without TLS; "" for none
	onCmd    func(line string) // called at each command, before it is answered
	rest     bool              // knows REST
	cuts     []int             // where the transfers of body are lost

	addr     string
	mu       sync.Mutex
	commands []string
	conns    []net.Conn
	resumed  bool // the last data connection in TLS resumed a session
	group    sync.WaitGroup
	dialogs  sync.WaitGroup // the control connections
}

// start makes the fake listen until the end of the test.
func (f *fake) start(t testing.TB) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	noError(t, err)
	f.addr = l.Addr().String()
	f.group.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			f.keep(conn)
			f.dialogs.Go(func() { f.serve(conn) })
		}
	})
	t.Cleanup(func() {
		l.Close()
		f.mu.Lock()
		for _, c := range f.conns {
			c.Close()
		}
		f.mu.Unlock()
		f.group.Wait()
		f.dialogs.Wait()
	})
}

// hungUp waits until the client has closed its control connections.
func (f *fake) hungUp() { f.dialogs.Wait() }

func (f *fake) keep(c net.Conn) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.conns = append(f.conns, c)
}

// seen returns the commands so far.
func (f *fake) seen() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.commands)
}

func (f *fake) serve(raw net.Conn) {
	defer raw.Close()
	conn := raw
	if f.implicit {
		conn = tls.Server(raw, f.tls)
	}
	in := bufio.NewReader(conn)
	if !f.say(conn, cmp.Or(f.greeting, "220 ready")) {
		return
	}
	var data net.Listener
	defer func() {
		if data != nil {
			data.Close()
		}
	}()
	private := false
	rest := 0 // the argument of the last REST
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		line = strings.TrimSuffix(line, "\r\n")
		f.mu.Lock()
		f.commands = append(f.commands, line)
		f.mu.Unlock()
		if f.onCmd != nil {
			f.onCmd(line)
		}
		v, arg, _ := strings.Cut(line, " ")
		if v == "EPSV" || v == "PASV" {
			if data != nil {
				data.Close()
			}
			if data, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
				return
			}
		}
		answer, scripted := f.replies[line]
		if !scripted {
			answer, scripted = f.replies[v]
		}
		if scripted {
			if data != nil {
				port := data.Addr().(*net.TCPAddr).Port
				answer = strings.NewReplacer("{port}", strconv.Itoa(port),
					"{p1}", strconv.Itoa(port>>8), "{p2}", strconv.Itoa(port&255)).Replace(answer)
			}
			if !f.say(conn, answer) {
				return
			}
			if strings.HasPrefix(answer, "1") && data != nil {
				if !f.transfer(conn, data, private) {
					return
				}
			}
			continue
		}
		switch v {
		case "AUTH":
			if f.tls == nil {
				answer = "502 no TLS"
				break
			}
			if !f.say(conn, "234 go on") {
				return
			}
			conn = tls.Server(raw, f.tls)
			in = bufio.NewReader(conn)
			continue
		case "PROT":
			private = true
			answer = "200 ok"
		case "USER":
			answer = "331 password"
			if f.noClear != "" && conn == raw {
				answer = f.noClear
			}
		case "PASS":
			answer = "230 in"
		case "FEAT":
			answer = "500 what?"
			if f.features != "" {
				answer = "211-Features:\r\n" + f.features + "\r\n211 End"
			}
		case "SIZE":
			answer = fmt.Sprintf("213 %d", len(f.body))
		case "MDTM":
			answer = "213 20040229235959.5"
		case "REST":
			if answer = "502 no"; f.rest {
				rest, _ = strconv.Atoi(arg)
				answer = "350 go on"
			}
		case "EPSV":
			answer = fmt.Sprintf("229 Entering Extended Passive Mode (|||%d|)", data.Addr().(*net.TCPAddr).Port)
		case "PASV":
			port := data.Addr().(*net.TCPAddr).Port
			answer = fmt.Sprintf("227 Entering Passive Mode (127,0,0,1,%d,%d)", port>>8, port&255)
		case "RETR", "NLST":
			if !f.say(conn, "150 here it comes") || !f.transferFrom(rest, conn, data, private) {
				return
			}
			rest = 0
			continue
		case "QUIT":
			f.say(conn, "221 bye")
			return
		case "PBSZ", "CWD", "TYPE", "OPTS":
			answer = "200 ok"
		default:
			answer = "500 unexpected " + arg
		}
		if !f.say(conn, answer) {
			return
		}
	}
}

// say sends an answer and reports whether to go on.
func (f *fake) say(conn net.Conn, answer string) bool {
	text, fatal := strings.CutSuffix(answer, hangUp)
	text, waits := strings.CutSuffix(text, hang)
	if !fatal && !waits {
		text += "\r\n"
	}
	_, err := io.WriteString(conn, text)
	if waits {
		io.Copy(io.Discard, conn)
	}
	return err == nil && !fatal && !waits
}

func (f *fake) transfer(conn net.Conn, data net.Listener, private bool) bool {
	return f.transferFrom(0, conn, data, private)
}

func (f *fake) transferFrom(rest int, conn net.Conn, data net.Listener, private bool) bool {
	raw, err := data.Accept()
	if err != nil {
		return false
	}
	f.keep(raw)
	defer raw.Close()
	dc := raw
	if private {
		c := tls.Server(raw, cmp.Or(f.dataTLS, f.tls))
		if err := c.Handshake(); err != nil {
			return true
		}
		f.mu.Lock()
		f.resumed = c.ConnectionState().DidResume
		f.mu.Unlock()
		dc = c
	}
	switch {
	case f.data != nil:
		f.data(dc)
	default:
		f.mu.Lock()
		end := len(f.body)
		if len(f.cuts) > 0 {
			end, f.cuts = max(rest, f.cuts[0]), f.cuts[1:]
		}
		f.mu.Unlock()
		io.WriteString(dc, f.body[min(rest, len(f.body)):end])
		dc.Close()
		if end < len(f.body) {
			return f.say(conn, "426 lost")
		}
	}
	return f.say(conn, cmp.Or(f.done, "226 done"))
}

// url returns a URL on the fake; its name is files.example to the guard of
// local.
func (f *fake) url(t testing.TB, path string) *url.URL {
	t.Helper()
	_, port, _ := net.SplitHostPort(f.addr)
	scheme, userinfo := "ftp", ""
	if f.implicit {
		scheme = "ftps"
	}
	if i := strings.Index(path, "@/"); i >= 0 {
		userinfo, path = path[:i+1], path[i+1:]
	}
	u, err := url.Parse(scheme + "://" + userinfo + "files.example:" + port + path)
	noError(t, err)
	return u
}

// loopback is a guard under which every name is 127.0.0.1, except private.example,
// which it does not let through.
func loopback() *netguard.Guard {
	return &netguard.Guard{
		Allow:    []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")},
		AnyPort:  true,
		Resolver: resolver{},
	}
}

type resolver struct{}

func (resolver) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	if host == "private.example." {
		return []netip.Addr{netip.MustParseAddr("10.0.0.1")}, nil
	}
	return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
}

// patient are limits that a test on loopback does not reach.
var patient = fetch.Timeouts{
	Connect: time.Minute, TLS: time.Minute, FirstOctet: time.Minute, Stall: time.Minute,
}

// get fetches all through Do.
func get(t testing.TB, f driver.Inspector, req *fetch.Request) (string, *fetch.Response, error) {
	t.Helper()
	if req.Timeouts == (fetch.Timeouts{}) {
		req.Timeouts = patient
	}
	resp, err := fetch.Do(t.Context(), f, req)
	if err != nil {
		return "", nil, err
	}
	b, err := io.ReadAll(resp.Body)
	if cerr := resp.Body.Close(); cerr != nil {
		t.Errorf("got error %v of Close, want none", cerr)
	}
	return string(b), resp, err
}

// get starts f and gets a path from it.
func (f *fake) get(t testing.TB, client driver.Inspector, path string) (string, *fetch.Response, error) {
	t.Helper()
	f.start(t)
	return get(t, client, &fetch.Request{URL: f.url(t, path)})
}

// wantKind fails the test unless err is of the kind; 0 stands for nil.
func wantKind(t testing.TB, err error, kind fetch.Kind) {
	t.Helper()
	if kind == 0 && err != nil || kind != 0 && !errors.Is(err, kind) {
		t.Errorf("error %v, want kind %q", err, kind)
	}
}
