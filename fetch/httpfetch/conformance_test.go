package httpfetch_test

import (
	"bufio"
	"fmt"
	"net"
	"testing"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/fetchtest"
	"github.com/go-extbody/extbody/fetch/httpfetch"
)

func TestConformance(t *testing.T) {
	guard := loopback()
	guard.AnyPort = true
	fetchtest.Run(t, fetchtest.Harness{
		Fetcher: httpfetch.New(&httpfetch.Options{Guard: guard}),
		Serve: func(t *testing.T, obj fetchtest.Object) *fetch.Request {
			if obj.Fault == fetchtest.Forbidden {
				return request(t, "http://[::1]/?token=SECRET")
			}
			return request(t, serveObject(t, obj).url+"?token=SECRET")
		},
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
			case fetchtest.Mute:
				wait(r)
			}
		}
	})
}
