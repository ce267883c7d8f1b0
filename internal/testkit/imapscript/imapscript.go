// Package imapscript has a scripted IMAP server for tests of clients. A test gives the
// answer to each command as a string.
package imapscript

import (
	"bufio"
	"cmp"
	"crypto/tls"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
)

// A Server answers commands on loopback. Set Answers before the first command and all
// other fields before Start. A command without an Answer is answered with OK.
//
// In an answer and in Greeting, lines end with LF, and "TAG " is replaced by the tag
// of the command. Two words are special at the end of an answer: after "HANG" the
// server sends nothing more, and after "CLOSE" it closes the connection.
type Server struct {
	Greeting string            // "" for OK
	Caps     string            // after IMAP4rev1
	Answers  map[string]string // by the prefix of a command; the longest matching prefix counts
	Implicit *tls.Config       // TLS from the first octet
	StartTLS *tls.Config       // TLS after STARTTLS was answered with OK

	Left func() // called after a client has closed a connection that hangs; nil for none

	Addr string // host and port, after Start

	mu  sync.Mutex
	log []string
}

// Start starts the server. It stops when the test ends.
func (s *Server) Start(t testing.TB) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s.Addr = l.Addr().String()
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			wg.Go(func() { s.serve(conn) })
		}
	})
	t.Cleanup(func() {
		l.Close()
		wg.Wait()
	})
}

// Commands returns the commands received so far, one per line and without tags. They
// include the client's answers to a "+".
func (s *Server) Commands() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.log, "\n")
}

func (s *Server) serve(conn net.Conn) {
	defer func() { conn.Close() }()
	if s.Implicit != nil {
		conn = tls.Server(conn, s.Implicit)
	}
	if !s.reply(conn, cmp.Or(s.Greeting, "* OK ready\n"), "") {
		return
	}
	in := bufio.NewReader(conn)
	last := ""
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		tag, command, tagged := strings.Cut(strings.TrimRight(line, "\r\n"), " ")
		if !tagged {
			command = tag
			tag = last // an answer to "+"
		}
		last = tag
		s.mu.Lock()
		s.log = append(s.log, command)
		s.mu.Unlock()
		answer := s.answer(command)
		if !s.reply(conn, answer, tag) {
			return
		}
		if command == "STARTTLS" && s.StartTLS != nil && strings.Contains(answer, "TAG OK") {
			conn = tls.Server(conn, s.StartTLS)
			in = bufio.NewReader(conn)
		}
	}
}

// reply sends an answer. It reports whether the connection stays open.
func (s *Server) reply(conn net.Conn, answer, tag string) bool {
	answer, closes := strings.CutSuffix(answer, "CLOSE")
	answer, hangs := strings.CutSuffix(answer, "HANG")
	_, err := io.WriteString(conn, strings.NewReplacer("\n", "\r\n", "TAG ", tag+" ").Replace(answer))
	if hangs {
		io.Copy(io.Discard, conn)
		if s.Left != nil {
			s.Left()
		}
	}
	return err == nil && !closes && !hangs
}

func (s *Server) answer(command string) string {
	best := ""
	found := false
	for prefix := range s.Answers {
		fits := strings.HasPrefix(command, prefix) && (prefix != "" || command == "")
		if fits && len(prefix) >= len(best) {
			best = prefix
			found = true
		}
	}
	if found {
		return s.Answers[best]
	}
	verb, _, _ := strings.Cut(command, " ")
	switch verb {
	case "CAPABILITY":
		return "* CAPABILITY IMAP4rev1 " + s.Caps + "\nTAG OK done\n"
	case "EXAMINE":
		return "* 3 EXISTS\n* OK [UIDVALIDITY 42] valid\nTAG OK [READ-ONLY] done\n"
	case "AUTHENTICATE":
		return "+ \n"
	}
	return "TAG OK done\n"
}
