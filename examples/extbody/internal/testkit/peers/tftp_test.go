package peers

import (
	"bytes"
	"errors"
	"io"
	"net"
	"strconv"
	"testing"
	"time"

	"github.com/pin/tftp/v3"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/tftpfetch"
)

// tftpServer starts the server of pin/tftp.
func tftpServer(t testing.TB, files map[string][]byte) net.Addr {
	t.Helper()
	s := tftp.NewServer(func(name string, to io.ReaderFrom) error {
		data, ok := files[name]
		if !ok {
			return errors.New("no such file")
		}
		_, err := to.ReadFrom(bytes.NewReader(data))
		return err
	}, nil)
	s.SetBlockSizeNegotiation(false)
	s.SetTimeout(100 * time.Millisecond)
	s.SetRetries(100) // a machine may stand still for seconds
	s.SetBackoff(func(int) time.Duration { return 0 })
	conn, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error)
	go func() { done <- s.Serve(conn) }()
	t.Cleanup(func() {
		s.Shutdown()
		<-done
	})
	return conn.LocalAddr()
}

// TF-4, TF-10: files around one and two blocks, and one of more than 65535 blocks.
func TestTFTP(t *testing.T) {
	check := func(block, n int) {
		t.Helper()
		want := octets(n)
		addr := tftpServer(t, map[string][]byte{"f": want})
		f := tftpfetch.New(&tftpfetch.Options{Guard: guard(), BlockSize: block})
		got, resp, err := get(t, f, &fetch.Request{URL: parse(t, "tftp", addr.String(), "/f")})
		if err != nil || got != string(want) {
			t.Errorf("%d octets in blocks of %d: got %d, %v, want all, nil", n, block, len(got), err)
		} else if resp.Size != int64(n) && n > 0 {
			t.Errorf("%d octets in blocks of %d: got Size %d, want %d", n, block, resp.Size, n)
		}
	}
	for _, block := range []int{512, 1428, 65464} {
		for _, n := range []int{0, 1, block - 1, block, block + 1, 2 * block, 2*block + 1} {
			check(block, n)
		}
	}
	if !testing.Short() {
		check(512, 66_000*512)
	}
}

// BenchmarkTFTP compares tftpfetch with the client of pin/tftp.
func BenchmarkTFTP(b *testing.B) {
	data := octets(4 << 20)
	addr := tftpServer(b, map[string][]byte{"f": data})
	for _, block := range []int{512, 1428, 8192} {
		b.Run("Extbody/"+strconv.Itoa(block), func(b *testing.B) {
			f := tftpfetch.New(&tftpfetch.Options{Guard: guard(), BlockSize: block})
			req := &fetch.Request{URL: parse(b, "tftp", addr.String(), "/f")}
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				resp, err := fetch.Do(b.Context(), f, req)
				if err != nil {
					b.Fatal(err)
				}
				if n, err := io.Copy(io.Discard, resp.Body); n != int64(len(data)) || err != nil {
					b.Fatalf("got %d octets, %v, want %d, nil", n, err, len(data))
				}
				resp.Body.Close()
			}
		})
		b.Run("Pin/"+strconv.Itoa(block), func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				c, err := tftp.NewClient(addr.String())
				if err != nil {
					b.Fatal(err)
				}
				c.SetBlockSize(block)
				src, err := c.Receive("f", "octet")
				if err != nil {
					b.Fatal(err)
				}
				if n, err := src.WriteTo(io.Discard); n != int64(len(data)) || err != nil {
					b.Fatalf("got %d octets, %v, want %d, nil", n, err, len(data))
				}
			}
		})
	}
}
