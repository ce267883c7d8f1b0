package imapfetch

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"io"
	"net"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/netguard"
)

// A fake is a server that answers by the first words of a command. In answers
// TAG stands for the tag, and lines end with LF. An answer "hang" is never
// sent. After one that ends in "HANG" nothing more comes, and one that ends in
// "CLOSE" ends the connection.
type fake struct {
	greeting string            // "" for OK
	caps     string            // after IMAP4rev1
	answers  map[string]string // by the beginning of a command; the longest that fits counts
	implicit *tls.Config       // TLS from the first octet
	starttls *tls.Config

	addr string
	mu   sync.Mutex
	log  []string
}

func (f *fake) start(t testing.TB) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	f.addr = l.Addr().String()
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			wg.Go(func() { f.serve(conn) })
		}
	})
	t.Cleanup(func() {
		l.Close()
		wg.Wait()
	})
}

func (f *fake) serve(conn net.Conn) {
	defer conn.Close()
	if f.implicit != nil {
		conn = tls.Server(conn, f.implicit)
	}
	if f.greeting == "hang" {
		io.Copy(io.Discard, conn)
		return
	}
	greeting := f.greeting
	if greeting == "" {
		greeting = "* OK ready"
	}
	io.WriteString(conn, greeting+"\r\n")
	in := bufio.NewReader(conn)
	last := ""
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		tag, command, tagged := strings.Cut(strings.TrimRight(line, "\r\n"), " ")
		if !tagged {
			command, tag = tag, last // an answer to "+"
		}
		last = tag
		f.mu.Lock()
		f.log = append(f.log, command)
		f.mu.Unlock()
		answer := f.answer(command)
		if answer == "hang" {
			io.Copy(io.Discard, conn)
			return
		}
		text, closes := strings.CutSuffix(answer, "CLOSE")
		text, hangs := strings.CutSuffix(text, "HANG")
		io.WriteString(conn, strings.NewReplacer("\n", "\r\n", "TAG ", tag+" ").Replace(text))
		if hangs {
			io.Copy(io.Discard, conn)
		}
		if closes {
			return
		}
		if command == "STARTTLS" && f.starttls != nil {
			conn = tls.Server(conn, f.starttls)
			in = bufio.NewReader(conn)
		}
	}
}

func (f *fake) answer(command string) string {
	best := ""
	for prefix := range f.answers {
		if strings.HasPrefix(command, prefix) && len(prefix) > len(best) {
			best = prefix
		}
	}
	if best != "" {
		return f.answers[best]
	}
	verb, _, _ := strings.Cut(command, " ")
	switch verb {
	case "CAPABILITY":
		return "* CAPABILITY IMAP4rev1 " + f.caps + "\nTAG OK done\n"
	case "EXAMINE":
		return "* 3 EXISTS\n* OK [UIDVALIDITY 42] valid\nTAG OK [READ-ONLY] done\n"
	case "AUTHENTICATE":
		return "+ \n"
	}
	return "TAG OK done\n"
}

// commands returns what the server was asked, in a line each.
func (f *fake) commands() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return strings.Join(f.log, "\n")
}

// request returns a request for a URL, in which HOST is the server.
func (f *fake) request(t testing.TB, text string) *fetch.Request {
	t.Helper()
	text = strings.Replace(text, "HOST", f.addr, 1)
	u, err := url.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return &fetch.Request{URL: u, Text: text}
}

// loopback lets tests connect to servers of theirs.
func loopback() *netguard.Guard {
	return &netguard.Guard{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, AnyPort: true}
}

// pair returns configurations for a server on loopback and its client.
func pair(t testing.TB) (server, client *tls.Config) {
	t.Helper()
	s := httptest.NewTLSServer(nil)
	defer s.Close()
	pool := x509.NewCertPool()
	pool.AddCert(s.Certificate())
	return &tls.Config{Certificates: s.TLS.Certificates}, &tls.Config{RootCAs: pool}
}
