package tftpfetch

import (
	"bytes"
	"context"
	"encoding/binary"
	"io"
	"net"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
	"github.com/go-extbody/extbody/fetch/fetchtest"
	"github.com/go-extbody/extbody/fetch/netguard"
)

// loopback allows this machine, which no reference can reach otherwise.
func loopback() *netguard.Guard {
	return &netguard.Guard{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, AnyPort: true}
}

// quick is a fetcher that does not wait long for lost packets.
func quick() driver.Inspector {
	return New(&Options{Guard: loopback(), retryAfter: 50 * time.Millisecond})
}

func get(ctx context.Context, f fetch.Fetcher, req *fetch.Request) (string, *fetch.Response, error) {
	resp, err := fetch.Do(ctx, f, req)
	if err != nil {
		return "", nil, err
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	return string(data), resp, err
}

func listen(t testing.TB) *net.UDPConn {
	t.Helper()
	conn, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	noError(t, err)
	return conn
}

func urlOf(t testing.TB, conn net.PacketConn, path string) *url.URL {
	t.Helper()
	u, err := url.Parse("tftp://" + conn.LocalAddr().String() + path)
	noError(t, err)
	return u
}

// fileServer starts a server of files, which waits for lost packets as long as the
// client does.
func fileServer(t *testing.T, files map[string][]byte) *net.UDPConn {
	return fake(t, func(s *session) {
		body, ok := files[s.name]
		if !ok {
			s.fail(notFound, "no such file")
			return
		}
		size := 512
		options := []string{"tsize", itoa(len(body))}
		if n, err := strconv.Atoi(s.option("blksize")); err == nil {
			size = n
			options = append(options, "blksize", itoa(size))
		}
		if len(s.options) > 0 && !s.deliver(0, func() { s.oack(options...) }) {
			return
		}
		for block := uint16(1); ; block++ {
			part := body[:min(size, len(body))]
			if !s.deliver(block, func() { s.data(block, string(part)) }) || len(part) < size {
				return
			}
			body = body[size:]
		}
	})
}

// deliver sends a packet until it is acknowledged, and reports whether it was.
func (s *session) deliver(block uint16, send func()) bool {
	buf := make([]byte, 2048)
	for range 100 {
		send()
		s.conn.SetReadDeadline(time.Now().Add(100 * time.Millisecond))
		for {
			n, _, err := s.conn.ReadFrom(buf)
			if err != nil {
				break
			}
			if n >= 4 && buf[1] == 5 {
				return false
			}
			if n == 4 && buf[1] == 4 && binary.BigEndian.Uint16(buf[2:]) == block {
				return true
			}
		}
	}
	return false
}

// A session is one read request to a fake server, with a socket of its own.
type session struct {
	*testing.T
	name, mode string
	options    []string // names and values, in order of the names
	peer       net.Addr
	conn       *net.UDPConn
}

// fake starts a server that answers each read request with script. It ends when
// the scripts have returned.
func fake(t *testing.T, script func(*session)) *net.UDPConn {
	t.Helper()
	conn := listen(t)
	var wg sync.WaitGroup
	wg.Go(func() {
		buf := make([]byte, 2048)
		for {
			n, peer, err := conn.ReadFrom(buf)
			if err != nil {
				return
			}
			s := &session{T: t, peer: peer, conn: listen(t)}
			if !s.parse(buf[:n]) {
				t.Errorf("got %q, want a read request", buf[:n])
			}
			t.Cleanup(func() { s.conn.Close() })
			wg.Go(func() { script(s) })
		}
	})
	t.Cleanup(func() {
		conn.Close()
		wg.Wait()
	})
	return conn
}

func (s *session) parse(p []byte) bool {
	rest, ok := bytes.CutPrefix(p, []byte("\x00\x01"))
	if !ok || !bytes.HasSuffix(rest, []byte{0}) || len(p) > maxRequest {
		return false
	}
	fields := strings.Split(string(rest[:len(rest)-1]), "\x00")
	if len(fields) < 2 || len(fields)%2 != 0 {
		return false
	}
	s.name, s.mode = fields[0], fields[1]
	var options []string
	for pair := range slices.Chunk(fields[2:], 2) {
		options = append(options, pair[0]+"="+pair[1])
	}
	slices.Sort(options)
	s.options = options
	return true
}

func (s *session) send(code uint16, rest string) {
	p := binary.BigEndian.AppendUint16(nil, code)
	s.conn.WriteTo(append(p, rest...), s.peer)
}

func (s *session) oack(options ...string) { s.send(6, strings.Join(options, "\x00")+"\x00") }

func (s *session) fail(code uint16, message string) {
	s.send(5, string(binary.BigEndian.AppendUint16(nil, code))+message+"\x00")
}

func (s *session) data(block uint16, octets string) {
	s.send(3, string(binary.BigEndian.AppendUint16(nil, block))+octets)
}

// ack waits for the acknowledgment of a block and reports whether it came.
func (s *session) ack(block uint16) bool {
	p := s.packet()
	return len(p) == 4 && p[1] == 4 && binary.BigEndian.Uint16(p[2:]) == block
}

// packet waits for a packet; nil if none comes.
func (s *session) packet() []byte {
	buf := make([]byte, 2048)
	s.conn.SetReadDeadline(time.Now().Add(5 * time.Second))
	n, _, err := s.conn.ReadFrom(buf)
	if err != nil {
		return nil
	}
	return buf[:n]
}

// blocks sends body in blocks of the given size, from block 1 on.
func (s *session) blocks(body string, size int) {
	for block := uint16(1); ; block++ {
		n := min(size, len(body))
		s.data(block, body[:n])
		if !s.ack(block) || n < size {
			return
		}
		body = body[n:]
	}
}

// option returns the value of an option of the request, or "".
func (s *session) option(name string) string {
	for _, o := range s.options {
		if v, ok := strings.CutPrefix(o, name+"="); ok {
			return v
		}
	}
	return ""
}

func itoa(n int) string { return strconv.Itoa(n) }

// peer is a real server, named by two variables: EXTBODY_TFTPD is its URL, such
// as tftp://127.0.0.1:6969/, and EXTBODY_TFTPD_ROOT the folder that it serves
// under this URL, in which the tests put files.
type peer struct{ url, root string }

func newPeer(t *testing.T) *peer {
	p := &peer{url: os.Getenv("EXTBODY_TFTPD"), root: os.Getenv("EXTBODY_TFTPD_ROOT")}
	if p.url == "" || p.root == "" {
		t.Skip("EXTBODY_TFTPD and EXTBODY_TFTPD_ROOT name no server")
	}
	return p
}

// put makes a file that the server may give to anybody.
func (p *peer) put(t *testing.T, data []byte) *url.URL {
	t.Helper()
	f, err := os.CreateTemp(p.root, "extbody-*")
	noError(t, err)
	t.Cleanup(func() { os.Remove(f.Name()) })
	if _, err := f.Write(data); err != nil {
		t.Fatal(err)
	}
	noError(t, f.Chmod(0o644))
	noError(t, f.Close())
	return p.parse(t, filepath.Base(f.Name()))
}

func (p *peer) parse(t *testing.T, name string) *url.URL {
	t.Helper()
	u, err := url.Parse(strings.TrimSuffix(p.url, "/") + "/" + name)
	noError(t, err)
	return u
}

func TestPeer(t *testing.T) {
	p := newPeer(t)
	t.Run("Lengths", func(t *testing.T) {
		for _, n := range []int{1, 511, 512, 513, 1428, 2 * 1428, 5000} {
			for _, block := range []int{512, 1428, 8192} {
				want := random(n)
				f := New(&Options{Guard: loopback(), BlockSize: block})
				got, resp, err := get(t.Context(), f, &fetch.Request{URL: p.put(t, want)})
				if err != nil || got != string(want) || resp.Size != int64(n) && resp.Size != -1 {
					t.Errorf("%d octets in blocks of %d: got %d, %v, want all, nil, and their number as size or none", n, block, len(got), err)
				}
			}
		}
	})
	t.Run("BlockNumberWraps", func(t *testing.T) {
		want := random(66_000 * 512)
		f := New(&Options{Guard: loopback(), BlockSize: 512})
		got, _, err := get(t.Context(), f, &fetch.Request{URL: p.put(t, want)})
		if err != nil || got != string(want) {
			t.Errorf("got %d octets, %v, want %d, nil", len(got), err, len(want))
		}
	})
	t.Run("Netascii", func(t *testing.T) {
		// Longer than a block, with line ends at all offsets, and a CR.
		local := strings.Repeat("line\nline\r.\n\n", 300)
		u := p.put(t, []byte(local))
		for media, want := range map[string]string{
			"text/plain": strings.ReplaceAll(local, "\n", "\r\n"),
			"image/png":  local,
		} {
			req := &fetch.Request{URL: u, TransferType: "netascii", MediaType: media}
			got, _, err := get(t.Context(), New(&Options{Guard: loopback()}), req)
			if err != nil || got != want {
				t.Errorf("%s: %d octets of %d, %v", media, len(got), len(want), err)
			}
		}
	})
	t.Run("Missing", func(t *testing.T) {
		_, _, err := get(t.Context(), New(&Options{Guard: loopback()}), &fetch.Request{URL: p.parse(t, "extbody-missing")})
		if fetch.KindOf(err) != fetch.NotFound {
			t.Errorf("error %v, want %v", err, fetch.NotFound)
		}
	})
}

var _ driver.Inspector = (*fetcher)(nil)

func TestConformance(t *testing.T) {
	fetchtest.Run(t, fetchtest.Harness{
		Fetcher: New(&Options{Guard: fetchtest.Guard(), retryAfter: 50 * time.Millisecond}),
		Serve:   serve,
		At: func(host string) *fetch.Request {
			return &fetch.Request{URL: &url.URL{Scheme: "tftp", Host: host, Path: "/file"}}
		},
	})
}

func serve(t *testing.T, obj fetchtest.Object) *fetch.Request {
	body := string(obj.Body)
	half := body[:len(body)/2]
	request := func(script func(*session)) *fetch.Request {
		return &fetch.Request{URL: urlOf(t, fake(t, script), "/file")}
	}
	switch obj.Fault {
	case fetchtest.Good, fetchtest.Missing:
		files := map[string][]byte{"file": obj.Body}
		if obj.Fault == fetchtest.Missing {
			files = nil
		}
		return &fetch.Request{URL: urlOf(t, fileServer(t, files), "/file")}
	case fetchtest.Cut:
		return request(func(s *session) {
			s.oack("blksize", s.option("blksize"), "tsize", itoa(len(body)))
			if s.ack(0) {
				s.blocks(half, 1428)
			}
		})
	case fetchtest.Stalled:
		return request(func(s *session) {
			if s.option("blksize") != "" {
				s.fail(badOptions, "")
				return
			}
			s.data(1, body[:512])
		})
	case fetchtest.Mute:
		return request(func(*session) {})
	case fetchtest.Forbidden:
		req := request(func(s *session) { s.Error("a request was sent") })
		req.URL.Host = "10.0.0.1"
		return req
	}
	return nil
}
