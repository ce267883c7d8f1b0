package tftpfetch

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-extbody/extbody/fetch"
)

// A server that repeats a packet without end gets a bounded number of answers, and
// keeps no fetch alive.
func TestStubbornServers(t *testing.T) {
	for _, tt := range []struct {
		name   string
		repeat func(*session)
		kind   fetch.Kind
	}{
		{"OACK", func(s *session) { s.oack("blksize", "1428") }, fetch.Protocol},
		{"Data", func(s *session) { s.data(1, string(random(512))) }, fetch.Truncated},
		{"OldData", func(s *session) { s.data(65535, string(random(512))) }, fetch.Protocol},
		{"Ack", func(s *session) { s.send(4, "\x00\x00") }, fetch.Protocol},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var answers atomic.Int32
			conn := fake(t, func(s *session) {
				for range 200 {
					tt.repeat(s)
					s.conn.SetReadDeadline(time.Now().Add(2 * time.Millisecond))
					if _, _, err := s.conn.ReadFrom(make([]byte, 2048)); err == nil {
						answers.Add(1)
					}
				}
			})
			f := New(&Options{Guard: loopback(), retryAfter: 10 * time.Second})
			_, _, err := get(t.Context(), f, &fetch.Request{URL: urlOf(t, conn, "/f")})
			if fetch.KindOf(err) != tt.kind {
				t.Errorf("got %v, want %v", err, tt.kind)
			}
			if n := answers.Load(); n > maxCopies+3 {
				t.Errorf("got %d answers, want at most %d", n, maxCopies+3)
			}
		})
	}
}

// Close ends a transfer whose server goes on acknowledging the options.
func TestClosedWhileServerRepeats(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	conn := fake(t, func(s *session) {
		s.oack("blksize", "1428")
		cancel()
		for range 20 {
			s.oack("blksize", "1428")
		}
	})
	_, err := quick().Fetch(ctx, &fetch.Request{URL: urlOf(t, conn, "/f")})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}
}

// TF-10: some servers count from 65535 on to 1.
func TestBlockNumberWrapsToOne(t *testing.T) {
	tr := &transfer{blockSize: 4, block: 65535, begun: true}
	came, err := tr.takeData([]byte("\x00\x01abcd"))
	if !came || err != nil || tr.block != 1 || string(tr.data) != "abcd" {
		t.Errorf("got %v, %v, block %d, want block 1", came, err, tr.block)
	}
	if came, err = tr.takeData([]byte("\x00\x02ab")); !came || err != nil || !tr.whole {
		t.Errorf("got %v, %v, whole %v, want the last block", came, err, tr.whole)
	}
}

// FuzzPackets gives a transfer any packets. It takes no more than was agreed, and its
// errors have a Kind.
func FuzzPackets(f *testing.F) {
	for _, s := range []string{"\x00\x03\x00\x01abc", "\x00\x06blksize\x00600\x00tsize\x007\x00", "\x00\x06", "\x00\x05\x00\x01no\x00", "\x00", "\x00\x04\x00\x00"} {
		f.Add([]byte(s), []byte("\x00\x03\x00\x01abc"))
	}
	conn := listen(f)
	f.Cleanup(func() { conn.Close() })
	server := conn.LocalAddr().(*net.UDPAddr).AddrPort()
	f.Fuzz(func(t *testing.T, first, second []byte) {
		tr := &transfer{
			ctx: t.Context(), conn: conn, server: server,
			options: rrqOptions{blockSize: 600, size: true}, blockSize: defaultBlockSize, size: -1,
		}
		for _, p := range [][]byte{first, second} {
			p = slices.Clone(p)
			came, err := tr.take(p)
			if tr.blockSize < minBlock || tr.blockSize > 600 || tr.size < -1 || len(tr.data) > tr.blockSize {
				t.Fatalf("got blocks of %d, size %d, %d octets of data, want blocks of 8 to 600, a size of at least -1, and data within a block", tr.blockSize, tr.size, len(tr.data))
			}
			if err != nil {
				if errors.Is(err, io.EOF) || fetch.KindOf(err) == 0 {
					t.Fatalf("got %v, want an error with a Kind, and not EOF", err)
				}
				return
			}
			if came && (len(p) < headerLen || binary.BigEndian.Uint16(p) != opData) {
				t.Fatalf("got %q taken for the next block, want a DATA", p)
			}
		}
	})
}

// An OACK that was repeated may come after the first DATA, because packets overtake each
// other. It has nothing new, and the transfer goes on; another one breaks the protocol.
func TestOptionsOvertaken(t *testing.T) {
	body := string(random(1500))
	for _, tt := range []struct {
		name string
		late string // the block size in the OACK that comes late
		kind fetch.Kind
	}{
		{"Same", "600", 0},
		{"Other", "500", fetch.Truncated},
	} {
		t.Run(tt.name, func(t *testing.T) {
			conn := fake(t, func(s *session) {
				s.oack("blksize", "600")
				s.ack(0)
				s.data(1, body[:600])
				s.ack(1)
				s.oack("blksize", tt.late)
				if tt.kind != 0 {
					return
				}
				s.data(2, body[600:1200])
				s.ack(2)
				s.data(3, body[1200:])
				s.ack(3)
			})
			got, _, err := get(t.Context(), quick(), &fetch.Request{URL: urlOf(t, conn, "/f")})
			if tt.kind == 0 && (err != nil || got != body) {
				t.Errorf("got %d octets, %v; want all %d", len(got), err, len(body))
			}
			if tt.kind != 0 && fetch.KindOf(err) != tt.kind {
				t.Errorf("got %v, want %v", err, tt.kind)
			}
		})
	}
}

func TestObserve(t *testing.T) {
	for _, row := range []struct {
		name   string
		script func(*session)
		kind   fetch.Kind
		status int
		want   []string
	}{
		{"Good", func(s *session) {
			s.oack("blksize", s.option("blksize"), "tsize", "5")
			if s.ack(0) {
				s.blocks("hello", 1428)
			}
		}, 0, 0, []string{"> RRQ file octet blksize 1428 tsize 0", "< OACK tsize 5"}},
		{"Missing", func(s *session) { s.fail(notFound, "no such file") }, fetch.NotFound, notFound,
			[]string{"> RRQ file octet blksize 1428 tsize 0", "< ERROR 1 no such file"}},
		{"Options", func(s *session) {
			if s.option("blksize") != "" {
				s.fail(badOptions, "")
				return
			}
			s.blocks("hello", 512)
		}, 0, badOptions, []string{"> RRQ file octet blksize 1428 tsize 0", "< ERROR 8 ", "> RRQ file octet"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			req := &fetch.Request{URL: urlOf(t, fake(t, row.script), "/file")}
			var seen []*fetch.Exchange
			req.Observe = func(x *fetch.Exchange) { seen = append(seen, x) }
			_, _, err := get(t.Context(), quick(), req)
			if fetch.KindOf(err) != row.kind || len(seen) != 1 {
				t.Fatalf("got %d exchanges, %v, want 1, %v", len(seen), err, row.kind)
			}
			x := seen[0]
			var lines []string
			for _, l := range x.Dialogue {
				mark := "< "
				if l.Sent {
					mark = "> "
				}
				lines = append(lines, mark+string(l.Text))
			}
			if !slices.Equal(lines, row.want) {
				t.Errorf("got %q, want %q", lines, row.want)
			}
			got := []any{x.Protocol, x.URL, x.Kind, x.Status, x.Remote.IsValid(), x.Content != nil}
			if want := []any{"tftp", req.URL.String(), row.kind, row.status, true, row.kind == 0}; !slices.Equal(got, want) {
				t.Errorf("got %v, want %v", got, want)
			}
		})
	}
}
