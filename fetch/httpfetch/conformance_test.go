package httpfetch_test

import (
	"bufio"
	"fmt"
	"net"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/fetchtest"
	"github.com/go-extbody/extbody/fetch/httpfetch"
)

func TestConformance(t *testing.T) {
	fetchtest.Run(t, fetchtest.Harness{
		Fetcher: httpfetch.New(&httpfetch.Options{Guard: fetchtest.Guard()}),
		Serve: func(t *testing.T, obj fetchtest.Object) *fetch.Request {
			if obj.Fault == fetchtest.Forbidden {
				return request(t, "http://[::1]/?token=SECRET")
			}
			return request(t, serveObject(t, obj).url+"?token=SECRET")
		},
		At:      func(host string) *fetch.Request { return request(t, "http://"+host+"/") },
		Watches: true,
		Lose: func(t *testing.T, body []byte, cuts []int, changed bool) *fetch.Request {
			return request(t, serveLossy(t, body, cuts, changed).url)
		},
	})
}

// serveLossy serves an object with a strong validator, and ends connections
// within it.
func serveLossy(t testing.TB, body []byte, cuts []int, changed bool) *script {
	var asked atomic.Int32
	return serveRaw(t, func(c net.Conn, r *bufio.Reader) {
		head := readRequest(r)
		n := int(asked.Add(1))
		tag := `"v"`
		if changed {
			tag = fmt.Sprintf(`"v%d"`, n)
		}
		first, status := 0, "200 OK"
		if _, value, ok := strings.Cut(head, "\r\nRange: bytes="); ok && strings.Contains(head, "\r\nIf-Range: "+tag+"\r\n") {
			fmt.Sscanf(value, "%d-", &first)
			status = fmt.Sprintf("206 Partial\r\nContent-Range: bytes %d-%d/%d", first, len(body)-1, len(body))
		}
		end := len(body)
		if n <= len(cuts) {
			end = max(first, cuts[n-1])
		}
		fmt.Fprintf(c, "HTTP/1.1 %s\r\nETag: %s\r\nContent-Length: %d\r\n\r\n%s", status, tag, len(body)-first, body[first:end])
	})
}

func serveObject(t *testing.T, obj fetchtest.Object) *script {
	half := obj.Body[:len(obj.Body)/2]
	return serveRaw(t, func(c net.Conn, r *bufio.Reader) {
		for readRequest(r) != "" {
			switch obj.Fault {
			case fetchtest.Good:
				fmt.Fprintf(c, "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", len(obj.Body), obj.Body)
			case fetchtest.Missing:
				fmt.Fprint(c, "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
			case fetchtest.Cut:
				fmt.Fprintf(c, "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", len(obj.Body), half)
				return
			case fetchtest.Stalled:
				fmt.Fprintf(c, "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", len(obj.Body), half)
				wait(r)
				obj.Left()
			case fetchtest.Mute:
				wait(r)
			}
		}
	})
}
