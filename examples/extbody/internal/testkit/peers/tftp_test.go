package peers

import (
	"bytes"
	"errors"
	"io"
	"net"
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
