package ftpfetch

import (
	"fmt"
	"io"
	"net"
	"net/url"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/fetchtest"
)

func TestConformance(t *testing.T) {
	fetchtest.Run(t, fetchtest.Harness{
		Fetcher: New(&Options{Guard: loopback()}),
		Serve: func(t *testing.T, obj fetchtest.Object) *fetch.Request {
			f := &fake{body: string(obj.Body)}
			half := f.body[:len(f.body)/2]
			switch obj.Fault {
			case fetchtest.Missing:
				f.replies = map[string]string{"RETR": "550 x?token=s3cr3t: No such file", "SIZE": "550 no"}
			case fetchtest.Cut:
				f.data = func(c net.Conn) { io.WriteString(c, half); c.Close() }
			case fetchtest.Stalled:
				f.data = func(c net.Conn) { io.WriteString(c, half); io.Copy(io.Discard, c) }
			case fetchtest.Mute:
				f.greeting = hang
			case fetchtest.Forbidden:
				u, _ := url.Parse("ftp://private.example/x")
				return &fetch.Request{URL: u}
			}
			f.start(t)
			return &fetch.Request{URL: f.url(t, "/x")}
		},
		Lose: func(t *testing.T, body []byte, cuts []int, changed bool) *fetch.Request {
			f := &fake{body: string(body), rest: true, cuts: cuts}
			if changed {
				day := 0
				f.replies = map[string]string{}
				f.onCmd = func(line string) {
					if strings.HasPrefix(line, "MDTM") {
						day++
						f.replies["MDTM"] = fmt.Sprintf("213 2004022%d000000", day)
					}
				}
			}
			f.start(t)
			return &fetch.Request{URL: f.url(t, "/x")}
		},
	})
}
