package tftpfetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/netguard"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// noError ends the test if err is not nil.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// random returns n octets.
func random(n int) []byte {
	b := make([]byte, n)
	rand.NewChaCha8([32]byte{1}).Read(b)
	return b
}

func TestFetch(t *testing.T) {
	want := random(5000)
	conn := fileServer(t, map[string][]byte{"/abs/file": want})
	var phases []fetch.Phase
	req := &fetch.Request{
		URL:      urlOf(t, conn, "/%2Fabs/file;mode=octet"),
		Progress: func(e fetch.Event) { phases = append(phases, e.Phase) },
	}
	got, resp, err := get(t.Context(), quick(), req)
	if err != nil || got != string(want) {
		t.Fatalf("got %d octets, %v, want %d, nil", len(got), err, len(want))
	}
	if resp.Size != 5000 || resp.MediaType != "" || resp.Header != nil || resp.URL.String() != req.URL.String() {
		t.Errorf("got size %d, type %q, header %v, URL %v, want 5000, none, none, %v", resp.Size, resp.MediaType, resp.Header, resp.URL, req.URL)
	}
	if resp.RemoteAddr.String() != conn.LocalAddr().String() {
		t.Errorf("got RemoteAddr %v, want %v", resp.RemoteAddr, conn.LocalAddr())
	}
	if want := []fetch.Phase{fetch.Connecting, fetch.Sending, fetch.Receiving, fetch.Verified}; !slices.Equal(slices.Compact(phases), want) {
		t.Errorf("phases %q, want %q", phases, want)
	}
}

// TF-4: the end is a block that is shorter, if need be an empty one. Sizes
// around one and two blocks, with several block sizes.
func TestLengths(t *testing.T) {
	for _, block := range []int{512, 1428, 65464} {
		f := New(&Options{Guard: loopback(), BlockSize: block})
		for _, n := range []int{0, 1, block - 1, block, block + 1, 2 * block, 2*block + 1} {
			want := random(n)
			got, resp, err := get(t.Context(), f, &fetch.Request{URL: urlOf(t, fileServer(t, map[string][]byte{"f": want}), "/f")})
			if err != nil || got != string(want) {
				t.Errorf("%d octets in blocks of %d: got %d, %v, want all, nil", n, block, len(got), err)
			} else if resp.Size != int64(n) && n > 0 {
				t.Errorf("%d octets in blocks of %d: got Size %d, want %d", n, block, resp.Size, n)
			}
		}
	}
}

// TF-10: a file of more than 65535 blocks.
func TestBlockNumberWraps(t *testing.T) {
	if testing.Short() {
		t.Skip("66000 round trips")
	}
	want := random(66_000 * 512)
	f := New(&Options{Guard: loopback(), BlockSize: 512})
	req := &fetch.Request{URL: urlOf(t, fileServer(t, map[string][]byte{"f": want}), "/f")}
	got, _, err := get(t.Context(), f, req)
	if err != nil || got != string(want) {
		t.Errorf("got %d octets, %v, want %d, nil", len(got), err, len(want))
	}
}

// TF-7, TF-8: the ways in which servers treat the options. The scripts get the
// requests in turn; want is the body.
func TestOptionNegotiation(t *testing.T) {
	const body = "0123456789"
	long := string(random(1300))
	plain := func(s *session) { s.blocks(long, 512) }
	none := func(s *session) { s.send(6, "") } // as atftpd answers with both options off
	refuse := func(s *session) { s.fail(badOptions, "no options") }
	agree := func(text string, block int, options ...string) func(*session) {
		return func(s *session) {
			s.oack(options...)
			s.ack(0)
			s.blocks(text, block)
		}
	}
	oack := func(options ...string) func(*session) { return func(s *session) { s.oack(options...) } }
	twice := func(block string) func(*session) {
		return func(s *session) {
			s.oack("blksize", "1428")
			s.ack(0)
			agree(long, 1428, "blksize", block)(s)
		}
	}
	type scripts = []func(*session)
	for _, tt := range []struct {
		name    string
		scripts scripts // the first request has all options, the second one none
		want    string
		size    int64
		kind    fetch.Kind
	}{
		{"Acknowledged", scripts{agree(long, 1428, "blksize", "1428", "tsize", "1300")}, long, 1300, 0},
		{"Lowered", scripts{agree(long, 600, "blksize", "600")}, long, -1, 0},
		{"LoweredBelow512", scripts{agree(long, 100, "blksize", "100")}, long, -1, 0},
		{"UpperCase", scripts{agree(long, 1428, "BLKSIZE", "1428")}, long, -1, 0},
		{"Ignored", scripts{plain}, long, -1, 0},
		{"SizeOnly", scripts{agree(long, 512, "tsize", "1300")}, long, 1300, 0},
		{"AcknowledgedNone", scripts{none, plain}, long, -1, 0},
		{"AcknowledgedNoneTwice", scripts{none, none}, "", 0, fetch.Protocol},
		{"NotAsked", scripts{oack("blksize", "1428", "windowsize", "64")}, "", 0, fetch.Protocol},
		{"Twice", scripts{oack("blksize", "1428", "BlkSize", "1428")}, "", 0, fetch.Protocol},
		{"NotPairs", scripts{oack("blksize")}, "", 0, fetch.Protocol},
		{"TooSmall", scripts{oack("blksize", "7")}, "", 0, fetch.Protocol},
		{"AcknowledgedAgain", scripts{twice("1428")}, long, -1, 0},
		{"AcknowledgedOtherwise", scripts{twice("600")}, "", 0, fetch.Protocol},
		{"LargerThanAgreed", scripts{agree(long, 601, "blksize", "600")}, "", 0, fetch.Protocol},
		{"Refused", scripts{refuse, plain}, long, -1, 0},
		{"RefusedTwice", scripts{refuse, refuse}, "", 0, fetch.Protocol},
		{"Raised", scripts{agree(body, 2000, "blksize", "2000")}, "", 0, fetch.Protocol},
		{"SizeIsNoNumber", scripts{agree(body, 1428, "blksize", "1428", "tsize", "-7")}, body, -1, 0},
		{"SizeIsTooGreat", scripts{agree(body, 1428, "blksize", "1428", "tsize", "11")}, "", 0, fetch.Truncated},
		{"SizeIsTooSmall", scripts{agree(body, 1428, "blksize", "1428", "tsize", "9")}, "", 0, fetch.Protocol},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var n atomic.Int32
			conn := fake(t, func(s *session) {
				i := int(n.Add(1)) - 1
				if i >= len(tt.scripts) {
					t.Errorf("got request %d with %q, want at most %d", i+1, s.options, len(tt.scripts))
					return
				}
				if want := [][]string{{"blksize=1428", "tsize=0"}, nil}[i]; !slices.Equal(s.options, want) {
					t.Errorf("request %d has options %q, want %q", i+1, s.options, want)
				}
				tt.scripts[i](s)
			})
			got, resp, err := get(t.Context(), quick(), &fetch.Request{URL: urlOf(t, conn, "/f")})
			if fetch.KindOf(err) != tt.kind {
				t.Fatalf("got %d octets, error %v, want %v", len(got), err, tt.kind)
			}
			if int(n.Load()) != len(tt.scripts) {
				t.Errorf("%d requests, want %d", n.Load(), len(tt.scripts))
			}
			if err == nil && (got != tt.want || resp.Size != tt.size) {
				t.Errorf("got %d octets, Size %d; want %d, %d", len(got), resp.Size, len(tt.want), tt.size)
			}
		})
	}
}

// The default block size is not asked for, so that no answer can lower it.
func TestDefaultBlockSize(t *testing.T) {
	conn := fake(t, func(s *session) {
		if !slices.Equal(s.options, []string{"tsize=0"}) {
			t.Errorf("got options %q, want tsize=0 alone", s.options)
		}
		s.blocks("x", 512)
	})
	f := New(&Options{Guard: loopback(), BlockSize: 512})
	if got, _, err := get(t.Context(), f, &fetch.Request{URL: urlOf(t, conn, "/f")}); got != "x" || err != nil {
		t.Errorf("got %q, %v, want %q, nil", got, err, "x")
	}
}

// TF-6: ERROR instead of the first block.
func TestServerErrors(t *testing.T) {
	for code, kind := range []fetch.Kind{
		fetch.Protocol, fetch.NotFound, fetch.Forbidden, fetch.Unavailable, fetch.Protocol,
		fetch.Protocol, fetch.Protocol, fetch.Protocol, fetch.Protocol, fetch.Protocol,
	} {
		t.Run(itoa(code), func(t *testing.T) {
			conn := fake(t, func(s *session) { s.fail(uint16(code), "no s3cr3t for you") })
			_, _, err := get(t.Context(), quick(), &fetch.Request{URL: urlOf(t, conn, "/s3cr3t")})
			if fetch.KindOf(err) != kind || !errors.Is(err, kind) {
				t.Fatalf("error %v, want %v", err, kind)
			}
			e, ok := errors.AsType[*serverError](err)
			if !ok || int(e.code) != code || e.message != "no s3cr3t for you" {
				t.Errorf("got %#v, want code %d and what the server says", e, code)
			}
			if strings.Contains(e.Error(), "s3cr3t") {
				t.Errorf("got %q, want it without what the server says", e)
			}
		})
	}
}

// TF-6: ERROR within the body, with a code that means something else before it.
func TestErrorInBody(t *testing.T) {
	for _, code := range []uint16{0, notFound, diskFull} {
		conn := fake(t, func(s *session) {
			s.oack("blksize", "1428")
			if s.ack(0) {
				s.data(1, string(random(1428)))
				s.ack(1)
				s.fail(code, "")
			}
		})
		got, _, err := get(t.Context(), quick(), &fetch.Request{URL: urlOf(t, conn, "/f")})
		e, ok := errors.AsType[*serverError](err)
		if fetch.KindOf(err) != fetch.Truncated || len(got) != 1427 || !ok || e.code != code {
			t.Errorf("code %d: got %d octets, %v, want 1427, %v", code, len(got), err, fetch.Truncated)
		}
	}
}

// Packets that no server should send.
func TestBrokenServers(t *testing.T) {
	for _, tt := range []struct {
		name   string
		script func(*session)
		kind   fetch.Kind
	}{
		{"Short", func(s *session) { s.conn.WriteTo([]byte{0}, s.peer) }, fetch.Protocol},
		{"ShortData", func(s *session) { s.send(3, "\x00") }, fetch.Protocol},
		{"Opcode", func(s *session) { s.send(9, "hello") }, fetch.Protocol},
		{"Request", func(s *session) { s.send(1, "file\x00octet\x00") }, fetch.Unavailable},
		{"WrongBlock", func(s *session) { s.data(7, "hello") }, fetch.Unavailable},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := New(&Options{Guard: loopback(), retryAfter: 5 * time.Millisecond})
			_, _, err := get(t.Context(), f, &fetch.Request{URL: urlOf(t, fake(t, tt.script), "/f")})
			if fetch.KindOf(err) != tt.kind {
				t.Errorf("error %v, want %v", err, tt.kind)
			}
		})
	}
}

// TF-5: lost and repeated packets.
func TestLoss(t *testing.T) {
	body := string(random(3000))
	t.Run("Request", func(t *testing.T) {
		var n atomic.Int32
		conn := fake(t, func(s *session) {
			if n.Add(1) > 2 {
				s.blocks(body, 512)
			}
		})
		f := New(&Options{Guard: loopback(), retryAfter: 5 * time.Millisecond, BlockSize: 512})
		if got, _, err := get(t.Context(), f, &fetch.Request{URL: urlOf(t, conn, "/f")}); got != body || err != nil {
			t.Errorf("got %d octets, %v, want %d, nil", len(got), err, len(body))
		}
	})
	t.Run("Acknowledgment", func(t *testing.T) {
		conn := fake(t, func(s *session) {
			rest := body
			for block := uint16(1); ; block++ {
				n := min(512, len(rest))
				s.data(block, rest[:n])
				s.ack(block)
				s.data(block, rest[:n]) // as if it had not come
				if rest = rest[n:]; n < 512 {
					return
				}
			}
		})
		f := New(&Options{Guard: loopback(), BlockSize: 512})
		if got, _, err := get(t.Context(), f, &fetch.Request{URL: urlOf(t, conn, "/f")}); got != body || err != nil {
			t.Errorf("got %d octets, %v, want %d, nil", len(got), err, len(body))
		}
	})
}

// A server that falls silent is given up after the repetitions.
func TestSilence(t *testing.T) {
	f := New(&Options{Guard: loopback(), retryAfter: 5 * time.Millisecond, BlockSize: 512})
	t.Run("Request", func(t *testing.T) {
		var n atomic.Int32
		conn := fake(t, func(*session) { n.Add(1) })
		_, _, err := get(t.Context(), f, &fetch.Request{URL: urlOf(t, conn, "/f")})
		e, ok := errors.AsType[*fetch.Error](err)
		if !ok || e.Kind != fetch.Unavailable || !e.Timeout() {
			t.Errorf("got %v, want unavailable, a time-out", err)
		}
		if n.Load() != 1+maxRetries {
			t.Errorf("got %d requests, want %d", n.Load(), 1+maxRetries)
		}
	})
	t.Run("Body", func(t *testing.T) {
		conn := fake(t, func(s *session) { s.data(1, string(random(512))) })
		got, _, err := get(t.Context(), f, &fetch.Request{URL: urlOf(t, conn, "/f")})
		if fetch.KindOf(err) != fetch.Truncated || len(got) != 511 {
			t.Errorf("got %d octets, %v, want 511, %v", len(got), err, fetch.Truncated)
		}
	})
}

// TF-3: packets from another address, or from another port of the same one after
// the first answer, are not the server's.
func TestForeignPackets(t *testing.T) {
	other, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 2)})
	if err != nil {
		t.Skip("this system has one loopback address only")
	}
	defer other.Close()
	neighbour := listen(t)
	defer neighbour.Close()
	first := string(random(512))
	conn := fake(t, func(s *session) {
		evil := func(c *net.UDPConn, block byte) {
			c.WriteTo([]byte("\x00\x03\x00"+string(block)+"evil"), s.peer)
			c.WriteTo([]byte("\x00\x05\x00\x01gone\x00"), s.peer)
		}
		evil(other, 1)
		s.data(1, first)
		s.ack(1)
		evil(other, 2)
		evil(neighbour, 2)
		s.data(2, "good")
		s.ack(2)
	})
	f := New(&Options{Guard: loopback(), BlockSize: 512})
	got, _, err := get(t.Context(), f, &fetch.Request{URL: urlOf(t, conn, "/f")})
	if err != nil || got != first+"good" {
		t.Errorf("got %d octets, %v, want %d, nil", len(got), err, len(first+"good"))
	}
}

// The name is resolved once, the whole answer judged, and the address given to
// the engine as a literal.
func TestGuard(t *testing.T) {
	conn := fileServer(t, map[string][]byte{"f": []byte("hello")})
	local := conn.LocalAddr().(*net.UDPAddr).AddrPort()
	for _, tt := range []struct {
		name   string
		answer []string
		port   uint16
		want   string
		kind   fetch.Kind
	}{
		{name: "Allowed", answer: []string{"127.0.0.1"}, want: "hello"},
		{name: "IPv4First", answer: []string{"2001:4860::1", "127.0.0.1"}, want: "hello"},
		{name: "Mixed", answer: []string{"127.0.0.1", "10.0.0.1"}, kind: fetch.Blocked},
		{name: "Private", answer: []string{"192.168.1.1"}, kind: fetch.Blocked},
		{name: "Port", answer: []string{"127.0.0.1"}, port: 53, kind: fetch.Blocked},
		{name: "NoAnswer", kind: fetch.Unavailable},
	} {
		t.Run(tt.name, func(t *testing.T) {
			names := &resolver{answer: tt.answer}
			f := New(&Options{Guard: &netguard.Guard{
				Allow:    []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")},
				Ports:    []uint16{local.Port()},
				Resolver: names,
			}})
			if tt.port == 0 {
				tt.port = local.Port()
			}
			u := urlOf(t, conn, "/f")
			u.Host = fmt.Sprintf("Files.Example:%d", tt.port)
			got, resp, err := get(t.Context(), f, &fetch.Request{URL: u})
			if got != tt.want || fetch.KindOf(err) != tt.kind {
				t.Fatalf("got %q, %v, want %q, %v", got, err, tt.want, tt.kind)
			}
			if err == nil && resp.RemoteAddr != local {
				t.Errorf("got RemoteAddr %v, want %v", resp.RemoteAddr, local)
			}
			if n := names.calls.Load(); n > 1 || n == 0 && tt.port == local.Port() {
				t.Errorf("got %d lookups, want 1 where the port is allowed, and never more", n)
			}
		})
	}
}

type resolver struct {
	answer []string
	calls  atomic.Int32
	mute   bool
}

func (r *resolver) LookupNetIP(ctx context.Context, _, host string) ([]netip.Addr, error) {
	r.calls.Add(1)
	if r.mute {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	if host != "files.example." {
		return nil, errors.New("lookup of " + host)
	}
	var addrs []netip.Addr
	for _, s := range r.answer {
		addrs = append(addrs, netip.MustParseAddr(s))
	}
	return addrs, nil
}

// The guard judges the socket as well.
func TestProbe(t *testing.T) {
	for addr, kind := range map[string]fetch.Kind{"10.0.0.1:69": fetch.Blocked, "192.0.0.8:53": fetch.Blocked, "127.0.0.1:69": 0} {
		_, err := New(&Options{Guard: &netguard.Guard{Allow: loopback().Allow}}).(*fetcher).probe(t.Context(), netip.MustParseAddrPort(addr))
		if fetch.KindOf(err) != kind {
			t.Errorf("%s: got %v, want %v", addr, err, kind)
		}
	}
}

func TestConnectTimeout(t *testing.T) {
	f := New(&Options{Guard: &netguard.Guard{Resolver: &resolver{mute: true}}})
	req := &fetch.Request{URL: &url.URL{Scheme: "tftp", Host: "files.example", Path: "/f"}}
	req.Timeouts.Connect = 10 * time.Millisecond
	_, err := fetch.Do(t.Context(), f, req)
	e, ok := errors.AsType[*fetch.Error](err)
	if !ok || e.Kind != fetch.Unavailable || !e.Timeout() {
		t.Errorf("got %v, want unavailable, a time-out", err)
	}
}

// TF-11, AT-9.
func TestNetascii(t *testing.T) {
	pad := strings.Repeat("x", 511)
	for _, tt := range []struct{ name, wire, crlf, lf string }{
		{"Lines", "a\r\nb\r\n", "a\r\nb\r\n", "a\nb\n"},
		{"CR", "a\r\x00b", "a\rb", "a\rb"},
		{"CRAndLine", "a\r\x00\r\n", "a\r\r\n", "a\r\n"},
		{"LF", "a\nb", "a\nb", "a\nb"},
		{"BareCR", "a\rb\r\rc", "a\rb\r\rc", "a\rb\r\rc"},
		{"NUL", "a\x00b", "a\x00b", "a\x00b"},
		{"CRAtEnd", "a\r", "a\r", "a\r"},
		{"CRAlone", "\r", "\r", "\r"},
		{"Empty", "", "", ""},
		{"LineStraddles", pad + "\r\nb", pad + "\r\nb", pad + "\nb"},
		{"NULStraddles", pad + "\r\x00b", pad + "\rb", pad + "\rb"},
		{"CREndsBlock", pad + "\r", pad + "\r", pad + "\r"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			conn := fake(t, func(s *session) {
				if !strings.EqualFold(s.mode, "netascii") {
					t.Errorf("got mode %q, want netascii", s.mode)
				}
				// RFC 2349: the size need not be the size of the netascii form.
				s.oack("tsize", "1")
				s.ack(0)
				s.blocks(tt.wire, 512)
			})
			f := New(&Options{Guard: loopback(), BlockSize: 512})
			for media, want := range map[string]string{"": tt.crlf, "text/plain": tt.crlf, "image/jpeg": tt.lf} {
				req := &fetch.Request{URL: urlOf(t, conn, "/f"), TransferType: "netascii", MediaType: media}
				got, resp, err := get(t.Context(), f, req)
				if err != nil || got != want {
					t.Errorf("%q: got %q, %v; want %q", media, got, err, want)
				} else if resp.Size != -1 {
					t.Errorf("%q: got Size %d, want -1", media, resp.Size)
				}
			}
		})
	}
}

// However a text is cut into writes, it comes out the same.
func FuzzLineDecoder(f *testing.F) {
	for _, s := range []string{"a\r\nb", "\r\x00\r\n", "\r\r\r", "\n\r", "\x00", ""} {
		f.Add(s, uint8(1))
	}
	f.Fuzz(func(t *testing.T, local string, size uint8) {
		wire := strings.NewReplacer("\r", "\r\x00", "\n", "\r\n").Replace(local)
		for _, crlf := range []bool{false, true} {
			want := local
			if crlf {
				want = strings.ReplaceAll(local, "\n", "\r\n")
			}
			var out []byte
			l := &lineDecoder{crlf: crlf}
			for part := range slices.Chunk([]byte(wire), max(1, int(size))) {
				out = l.decode(out, part, false)
			}
			if out = l.decode(out, nil, true); string(out) != want {
				t.Fatalf("%q: got %q, want %q", wire, out, want)
			}
		}
	})
}

// When a fetch is given up, the server gets an ERROR, which shows that the socket
// is closed as well.
func TestGivenUp(t *testing.T) {
	told := make(chan bool, 1)
	conn := fake(t, func(s *session) {
		s.data(1, string(random(512)))
		for {
			switch p := s.packet(); {
			case p == nil:
				told <- false
				return
			case p[1] == 5:
				told <- true
				return
			}
		}
	})
	f := New(&Options{Guard: loopback(), BlockSize: 512, retryAfter: 50 * time.Millisecond})
	for _, how := range []string{"Context", "Close"} {
		t.Run(how, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			resp, err := f.Fetch(ctx, &fetch.Request{URL: urlOf(t, conn, "/f")})
			noError(t, err)
			if how == "Context" {
				cancel()
				if _, err := io.Copy(io.Discard, resp.Body); !errors.Is(err, context.Canceled) {
					t.Errorf("Read: got %v, want %v", err, context.Canceled)
				}
			}
			resp.Body.Close()
			if !<-told {
				t.Error("got no ERROR for the server, want one")
			}
		})
	}
}

// When a fetch is given up while the server is silent, nothing is repeated.
func TestGivenUpInSilence(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var n atomic.Int32
	conn := fake(t, func(*session) {
		n.Add(1)
		cancel()
	})
	before := goleak.IgnoreCurrent()
	_, err := quick().Fetch(ctx, &fetch.Request{URL: urlOf(t, conn, "/f")})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want %v", err, context.Canceled)
	}
	goleak.VerifyNone(t, before)
	if n.Load() != 1 {
		t.Errorf("got %d requests, want 1", n.Load())
	}
}

// A server that acknowledges the options and then falls silent.
func TestMuteAfterOptions(t *testing.T) {
	conn := fake(t, func(s *session) { s.oack("blksize", "1428") })
	req := &fetch.Request{URL: urlOf(t, conn, "/f")}
	req.Timeouts.FirstOctet = 20 * time.Millisecond
	_, err := fetch.Do(t.Context(), quick(), req)
	e, ok := errors.AsType[*fetch.Error](err)
	if !ok || e.Kind != fetch.Unavailable || !e.Timeout() {
		t.Errorf("got %v, want unavailable, a time-out", err)
	}
}
