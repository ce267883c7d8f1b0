package demo

import (
	"errors"
	"net"
	"net/http"
	"sync"
)

// loopback is where the servers of the demo listen.
const loopback = "127.0.0.1:0"

// demoServers are an http and an ftp server on this machine alone.
type demoServers struct {
	http, ftp *net.TCPAddr

	stops []func()
	wg    sync.WaitGroup
}

// startServers serves pages by http, by path, and files by ftp, by path, to
// anonymous users and for reading.
func startServers(pages map[string]page, files map[string]string) (*demoServers, error) {
	s := &demoServers{}
	if err := errors.Join(s.startHTTP(pages), s.startFTP(files)); err != nil {
		s.stop()
		return nil, err
	}
	return s, nil
}

// A page is a file of the http server.
type page struct{ mediaType, text string }

func (s *demoServers) startHTTP(pages map[string]page) error {
	l, err := net.Listen("tcp", loopback)
	if err != nil {
		return err
	}
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p, ok := pages[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", p.mediaType)
		w.Write([]byte(p.text))
	})}
	s.http = l.Addr().(*net.TCPAddr)
	s.wg.Go(func() { server.Serve(l) })
	s.stops = append(s.stops, func() { server.Close() })
	return nil
}

func (s *demoServers) startFTP(files map[string]string) error {
	l, err := net.Listen("tcp", loopback)
	if err != nil {
		return err
	}
	server := &ftpServer{files: files}
	s.ftp = l.Addr().(*net.TCPAddr)
	s.wg.Go(func() { server.serve(l) })
	s.stops = append(s.stops, func() { l.Close() })
	return nil
}

func (s *demoServers) stop() {
	for _, stop := range s.stops {
		stop()
	}
	s.wg.Wait()
}
