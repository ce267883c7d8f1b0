package imapsession

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/go-extbody/extbody/internal/testkit/dovecot"
)

// Whatever a server drops, repeats, splits or cuts, each message comes once, in
// order, as it is or as one that was not read; or an Unread counts those that
// are missing.
func FuzzSweep(f *testing.F) {
	for seed := range uint64(60) {
		f.Add(seed, uint8(seed*5))
	}
	f.Fuzz(func(t *testing.T, seed uint64, rate uint8) {
		synctest.Test(t, func(t *testing.T) {
			const n = 40
			server := &fake{messages: box(n), tamper: chaos(seed, rate)}
			s, err := Open(t.Context(), server.config())
			if err != nil {
				return // the first connection is not tried again
			}
			defer server.wg.Wait()
			defer s.Close()
			if s.Examine(t.Context(), "INBOX", 0) != nil {
				return
			}
			lines, reasons := swept(t.Context(), s)
			got, next := 0, uint32(0)
			for _, line := range lines {
				var uid uint32
				var how string
				if line == "error" {
					continue
				}
				if _, err := fmt.Sscan(line, &uid, &how); err != nil || how == "wrong" {
					t.Fatalf("got %q (%v), want a message as it is", line, err)
				}
				if uid <= next {
					t.Fatalf("got UID %d after %d, want a larger one", uid, next)
				}
				// A message without references is seen only if its structure
				// could not be had.
				if next = uid; uid/10%2 == 1 {
					got++
				}
			}
			missing := 0
			for _, err := range reasons {
				if u, ok := errors.AsType[*Unread](err); ok {
					missing += int(u.N)
				} else if strings.Contains(fmt.Sprint(lines), "error") && len(lines) == 1 {
					return // the list could not be had
				}
			}
			if got != n/2 && missing < n/2-got {
				t.Errorf("got %d messages and %d reported as missing, want %d in all: %v", got, missing, n/2, reasons)
			}
		})
	})
}

// chaos returns a tamper that does something to rate in 256 responses for a
// message.
func chaos(seed uint64, rate uint8) func(string, uint32, string) string {
	r := rand.New(rand.NewPCG(seed, 0))
	var mu sync.Mutex
	return func(command string, uid uint32, response string) string {
		mu.Lock()
		defer mu.Unlock()
		if r.IntN(256) >= int(rate) {
			return response
		}
		if uid == 0 {
			if r.IntN(8) == 0 {
				return "CLOSE"
			}
			return response
		}
		switch r.IntN(8) {
		case 0:
			return ""
		case 1:
			return response + response
		case 2:
			return response[:r.IntN(len(response))] + "CLOSE"
		case 3:
			return response[:r.IntN(len(response))] + "HANG"
		case 4:
			return "* 9 FETCH (FLAGS (\\Seen))\r\n* 99 EXISTS\r\n" + response
		case 5:
			return strings.TrimSuffix(strings.Replace(response, fmt.Sprintf("(UID %d ", uid), "(", 1), ")\r\n") + fmt.Sprintf(" UID %d)\r\n", uid)
		case 6:
			return fmt.Sprintf("* 9 FETCH (UID %d BODYSTRUCTURE (()) X)\r\n", uid)
		}
		return "* BYE\r\nCLOSE"
	}
}

// A message on which a connection was lost is asked for on a new one before it is given up: the
// loss of a connection that was used for others proves nothing about it.
func TestFetchOfSuspect(t *testing.T) {
	for _, tt := range []struct {
		name string
		cuts int // how many connections the message ends when it is fetched whole
		want string
	}{
		{"Once", 1, "30 whole 20"},
		{"EachTime", 9, "30 unread"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cut := 0
			f := &fake{messages: box(5)}
			f.tamper = func(command string, uid uint32, response string) string {
				switch {
				case uid != 30 || strings.Contains(command, "BODYSTRUCTURE"):
				case !strings.Contains(command, "BODY.PEEK[]"):
					return "CLOSE"
				case cut < tt.cuts:
					cut++
					return "CLOSE"
				}
				return response
			}
			lines, reasons := swept(t.Context(), f.open(t))
			if want := []string{"10 sections", tt.want, "50 sections"}; !slices.Equal(lines, want) || cut > maxTries {
				t.Errorf("got %q, %v, after %d cuts, want %q", lines, reasons, cut, want)
			}
		})
	}
}

// A connection to dovecot that is cut ever again, wherever that is, costs time,
// and that a few messages are read whole.
func TestDovecotCut(t *testing.T) {
	const n = 1000
	server := dovecot.Start(t, func(maildir string) {
		for _, m := range box(n) {
			text := "Subject: x\r\n\r\nhello\r\n"
			if m.sections != nil {
				text = fmt.Sprintf("Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nx\r\n--b\r\nContent-Type: message/external-body; x=%d\r\n\r\n\r\n\r\n--b--\r\n", m.uid/10)
			}
			if err := os.WriteFile(filepath.Join(maildir, "cur", fmt.Sprintf("%09d:2,", m.uid)), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	})
	s := dovecotSession(t, server, false, func(conn net.Conn) net.Conn {
		return &cut{Conn: conn, left: 32<<10 + rand.Int64N(16<<10)}
	})
	lines, reasons := swept(t.Context(), s)
	next := 1
	for _, line := range lines {
		var uid int
		var how string
		switch fmt.Sscan(line, &uid, &how); how {
		case "sections", "whole":
		default:
			t.Fatalf("got %s, %v; want sections or whole", line, reasons)
		}
		if uid%2 == 0 {
			continue // without a reference, and read since a connection was lost on it
		}
		if uid != next {
			t.Fatalf("got %s, want message %d", line, next)
		}
		next += 2
	}
	if next != n+1 {
		t.Errorf("got messages up to %d, %v; want %d", next-2, reasons, n-1)
	}
}

// A cut ends after a number of octets.
type cut struct {
	net.Conn
	left int64
}

func (c *cut) Read(p []byte) (int, error) {
	if c.left <= 0 {
		c.Close()
		return 0, io.EOF
	}
	n, err := c.Conn.Read(p[:min(int64(len(p)), c.left)])
	c.left -= int64(n)
	return n, err
}
