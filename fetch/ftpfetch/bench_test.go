package ftpfetch

import (
	"context"
	"fmt"
	"io"
	"net"
	"testing"

	"github.com/go-extbody/extbody/fetch"
)

// BenchmarkFetch fetches from a server that does nothing but write.
func BenchmarkFetch(b *testing.B) {
	chunk := octets(1 << 20)
	for _, size := range []int64{64 << 10, 200 << 20} {
		f := &fake{
			replies: map[string]string{"SIZE": fmt.Sprintf("213 %d", size)},
			data: func(c net.Conn) {
				for left := size; left > 0; left -= int64(len(chunk)) {
					if _, err := c.Write(chunk[:min(left, int64(len(chunk)))]); err != nil {
						break
					}
				}
				c.Close()
			},
		}
		f.start(b)
		client := New(&Options{Guard: loopback()})
		u := f.url(b, "/x")
		read := func() (int64, error) {
			resp, err := fetch.Do(context.Background(), client, &fetch.Request{URL: u})
			if err != nil {
				return 0, err
			}
			defer resp.Body.Close()
			return io.Copy(io.Discard, resp.Body)
		}
		b.Run(fmt.Sprintf("%dKiB", size>>10), func(b *testing.B) {
			b.SetBytes(size)
			b.ReportAllocs()
			for b.Loop() {
				if n, err := read(); err != nil || n != size {
					b.Fatalf("got %d octets, %v, want %d, nil", n, err, size)
				}
			}
		})
	}
}
