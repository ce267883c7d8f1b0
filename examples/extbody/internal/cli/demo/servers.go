package demo

import (
	"io"
	"net"
	"net/http"
	"sync"
)

// loopback is where the servers of the demo listen.
const loopback = "127.0.0.1:0"

// demoServers are an http and an ftp server on this machine alone.
type demoServers struct {
	http, ftp *net.TCPAddr
	stop      func()
}

// A page is a file of the http server.
type page struct{ mediaType, text string }

// startServers serves pages by http and files by ftp, both by path.
func startServers(pages map[string]page, files map[string]string) (*demoServers, error) {
	web, err := net.Listen("tcp", loopback)
	if err != nil {
		return nil, err
	}
	ftp, err := net.Listen("tcp", loopback)
	if err != nil {
		web.Close()
		return nil, err
	}
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p, ok := pages[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", p.mediaType)
		io.WriteString(w, p.text)
	})}
	var wg sync.WaitGroup
	wg.Go(func() { server.Serve(web) })
	wg.Go(func() { serveFTP(ftp, files) })
	stop := func() {
		server.Close()
		ftp.Close()
		wg.Wait()
	}
	return &demoServers{web.Addr().(*net.TCPAddr), ftp.Addr().(*net.TCPAddr), stop}, nil
}
