package wire_test

import (
	"bytes"
	"errors"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/go-extbody/extbody/internal/imap/wire"
)

// A scripted connection reads in, a piece at a time, and forgets writes.
type scripted struct {
	net.Conn
	in   *strings.Reader
	size int
	out  bytes.Buffer
}

func (s *scripted) Read(p []byte) (int, error)       { return s.in.Read(p[:min(len(p), s.size)]) }
func (s *scripted) Write(p []byte) (int, error)      { return s.out.Write(p) }
func (s *scripted) Close() error                     { return nil }
func (s *scripted) SetReadDeadline(time.Time) error  { return nil }
func (s *scripted) SetWriteDeadline(time.Time) error { return nil }

// Whatever a server sends: each error is of a kind, no response is larger than it
// may be, each octet is in one response, and how they arrive in pieces changes
// nothing.
func FuzzResponse(f *testing.F) {
	for _, seed := range []string{
		"* OK ready\r\n", "* 1 FETCH (BODY[] {5}\r\nhello UID 7)\r\na1 OK done\r\n", "* X ~{3+}\nabc\n", "* OK {5}\r\nhello\r\n",
		"* X {99999999999999999999}\r\n", "* X {4194304}\r\n", "* X {0}\r\n{1}\r\nx\r\n", "* BYE", "+ \r\na1 NO [X y] z\r\n",
	} {
		f.Add(seed, 1)
	}
	f.Fuzz(func(t *testing.T, text string, size int) {
		read := func(size int) (responses []string, err error) {
			c := wire.New(&scripted{in: strings.NewReader(text), size: size}, wire.Options{})
			for {
				line, err := c.Response()
				if err != nil {
					return responses, err
				}
				if len(line) > wire.MaxResponse {
					t.Fatalf("got a response of %d octets, want %d at most", len(line), wire.MaxResponse)
				}
				responses = append(responses, string(line))
			}
		}
		whole, err := read(1 << 20)
		if _, ok := errors.AsType[*wire.Fault](err); !ok {
			t.Fatalf("got %v, want a Fault", err)
		}
		if got := strings.Join(whole, "\n"); len(got) > len(text) {
			t.Errorf("got %d octets of %d, want at most those", len(got), len(text))
		}
		pieces, perr := read(1 + size&7)
		if strings.Join(pieces, "\n") != strings.Join(whole, "\n") || perr.Error() != err.Error() {
			t.Errorf("in pieces of %d: got %q, %v; want %q, %v", 1+size&7, pieces, perr, whole, err)
		}
	})
}

// Nothing that is sent is more lines than were meant.
func FuzzSend(f *testing.F) {
	f.Add("ann", "secret", "INBOX")
	f.Add("a\r\na9 DELETE INBOX", "\x00", "Entwürfe & \"x\" \\")
	f.Fuzz(func(t *testing.T, user, password, mailbox string) {
		for _, caps := range []map[string]bool{{}, {"AUTH=PLAIN": true}, {"AUTH=XOAUTH2": true}, {"IMAP4REV2": true}} {
			s := &scripted{in: strings.NewReader("a1 OK x\r\n"), size: 100}
			c := wire.New(s, wire.Options{})
			c.Caps = caps
			c.LogIn(wire.Login{User: user, Password: password})
			c.Command(wire.ErrNotFound, nil, "EXAMINE "+c.Mailbox(mailbox))
			if lines := bytes.Count(s.out.Bytes(), []byte("\n")); lines > 2 || lines != bytes.Count(s.out.Bytes(), []byte("\r\n")) {
				t.Errorf("got %q, want a line for each command", s.out.Bytes())
			}
		}
	})
}

// The limits are the ones of Options, and a response over them is an error.
func TestLimits(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		opts     wire.Options
		n        int // responses before the error
		want     error
	}{
		{"Line", "* 1\r\n* " + strings.Repeat("x", 200) + "\r\n", wire.Options{MaxLine: 100}, 1, wire.ErrTooLong},
		{"LineFits", "* " + strings.Repeat("x", 96) + "\r\n", wire.Options{MaxLine: 100}, 1, io.ErrUnexpectedEOF},
		{"Dialogue", strings.Repeat("* 12345\r\n", 20), wire.Options{MaxDialogue: 100}, 11, wire.ErrTooLong},
		{"DialogueLiteral", "* X {200}\r\n" + strings.Repeat("x", 200) + "\r\n", wire.Options{MaxDialogue: 100}, 0, wire.ErrTooLong},
		{"Response", strings.Repeat("* X {1000000}\r\n"+strings.Repeat("x", 1000000), 1) + strings.Repeat("{1000000}\r\n"+strings.Repeat("x", 1000000), 4) + "\r\n", wire.Options{}, 0, wire.ErrTooLong},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := wire.New(&scripted{in: strings.NewReader(tt.in), size: 1 << 20}, tt.opts)
			n := 0
			_, err := c.Response()
			for ; err == nil; _, err = c.Response() {
				n++
			}
			if n != tt.n || !errors.Is(err, tt.want) {
				t.Errorf("got %d responses, %v; want %d, %v", n, err, tt.n, tt.want)
			}
		})
	}
}

// The limits of a Parser.
func TestParser(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		read     func(p *wire.Parser) error
		want     error
	}{
		{"Nested", strings.Repeat("(", wire.MaxNesting+1) + strings.Repeat(")", wire.MaxNesting+1), func(p *wire.Parser) error { return p.Skip(0) }, nil},
		{"NestedDeeper", strings.Repeat("(", wire.MaxNesting+2) + strings.Repeat(")", wire.MaxNesting+2), func(p *wire.Parser) error { return p.Skip(0) }, wire.ErrNesting},
		{"Number", "4294967295", number, nil},
		{"LargeNumber", "4294967296", number, wire.ErrNumber},
		{"Zero", "0", number, wire.ErrNumber},
		{"LeadingZero", "07", number, wire.ErrNumber},
		{"Sign", "+7", number, wire.ErrNumber},
		{"NoNumber", "", number, wire.ErrNumber},
	} {
		p := &wire.Parser{Rest: []byte(tt.in)}
		if err := tt.read(p); !errors.Is(err, tt.want) {
			t.Errorf("%s: got %v, want %v", tt.name, err, tt.want)
		}
	}
}

func number(p *wire.Parser) error {
	_, err := wire.Number(p.Rest)
	return err
}
