package safefetch_test

import (
	"bufio"
	"net"
	"net/netip"
	"net/url"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/netguard"
	"github.com/go-extbody/extbody/fetch/safefetch"
)

// What an ftp server is told first says whether TLS is asked for.
func TestRequireTLS(t *testing.T) {
	for _, tt := range []struct {
		name string
		opts safefetch.Options
		want string
	}{
		{"Default", safefetch.Options{}, "USER anonymous"},
		{"Plaintext", safefetch.Options{AllowPlaintext: true}, "AUTH TLS"},
		{"Required", safefetch.Options{RequireTLS: true}, "AUTH TLS"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			defer l.Close()
			told := make(chan string, 1)
			go func() {
				c, err := l.Accept()
				if err != nil {
					told <- err.Error()
					return
				}
				defer c.Close()
				c.Write([]byte("220 ready\r\n"))
				line, _ := bufio.NewReader(c).ReadString('\n')
				c.Write([]byte("421 bye\r\n"))
				told <- strings.TrimSpace(line)
			}()
			tt.opts.Guard = &netguard.Guard{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, AnyPort: true}
			u := &url.URL{Scheme: "ftp", Host: l.Addr().String(), Path: "/x"}
			if resp, err := safefetch.New(&tt.opts).Fetch(t.Context(), &fetch.Request{URL: u}); err == nil {
				resp.Body.Close()
				t.Error("got a body, want an error")
			}
			if got := <-told; got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
