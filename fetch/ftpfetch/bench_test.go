package ftpfetch

import (
	"context"
	"fmt"
	"io"
	"net"
	"testing"

	"github.com/go-extbody/extbody/fetch"
	"github.com/jlaffaye/ftp"
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
		for _, do := range []struct {
			name  string
			fetch func() (int64, error)
		}{
			{"ftpfetch", func() (int64, error) {
				resp, err := fetch.Do(context.Background(), client, &fetch.Request{URL: u})
				if err != nil {
					return 0, err
				}
				defer resp.Body.Close()
				return io.Copy(io.Discard, resp.Body)
			}},
			{"jlaffaye", func() (int64, error) { return jlaffaye(f.addr, nil) }},
			{"jlaffaye256K", func() (int64, error) { return jlaffaye(f.addr, make([]byte, 256<<10)) }},
		} {
			b.Run(fmt.Sprintf("%s/%dKiB", do.name, size>>10), func(b *testing.B) {
				b.SetBytes(size)
				b.ReportAllocs()
				for b.Loop() {
					if n, err := do.fetch(); err != nil || n != size {
						b.Fatalf("got %d octets, %v, want %d, nil", n, err, size)
					}
				}
			})
		}
	}
}

// jlaffaye fetches with jlaffaye/ftp, through a buffer if there is one.
func jlaffaye(addr string, buf []byte) (int64, error) {
	c, err := ftp.Dial(addr)
	if err != nil {
		return 0, err
	}
	defer c.Quit()
	if err := c.Login("anonymous", "anonymous@"); err != nil {
		return 0, err
	}
	r, err := c.Retr("x")
	if err != nil {
		return 0, err
	}
	// io.Discard brings its own buffer to io.CopyBuffer.
	n, err := io.CopyBuffer(struct{ io.Writer }{io.Discard}, r, buf)
	if cerr := r.Close(); err == nil {
		err = cerr
	}
	return n, err
}
