package main

import (
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"sync"

	ftpserver "github.com/fclairamb/ftpserverlib"
	"github.com/spf13/afero"
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

// A page is what the http server has.
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
	disk := afero.NewMemMapFs()
	for name, text := range files {
		if err := afero.WriteFile(disk, name, []byte(text), 0o444); err != nil {
			return err
		}
	}
	l, err := net.Listen("tcp", loopback)
	if err != nil {
		return err
	}
	server := ftpserver.NewFtpServer(&ftpDriver{l, afero.NewReadOnlyFs(disk)})
	if err := server.Listen(); err != nil {
		l.Close()
		return err
	}
	s.ftp = l.Addr().(*net.TCPAddr)
	s.wg.Go(func() { server.Serve() })
	s.stops = append(s.stops, func() { server.Stop() })
	return nil
}

func (s *demoServers) stop() {
	for _, stop := range s.stops {
		stop()
	}
	s.wg.Wait()
}

// An ftpDriver lets everybody read one file system.
type ftpDriver struct {
	listener net.Listener
	disk     afero.Fs
}

func (d *ftpDriver) GetSettings() (*ftpserver.Settings, error) {
	return &ftpserver.Settings{Listener: d.listener, DisableActiveMode: true}, nil
}

func (d *ftpDriver) ClientConnected(ftpserver.ClientContext) (string, error) { return "demo", nil }
func (d *ftpDriver) ClientDisconnected(ftpserver.ClientContext)              {}

func (d *ftpDriver) AuthUser(_ ftpserver.ClientContext, user, _ string) (ftpserver.ClientDriver, error) {
	if user != "anonymous" && user != "ftp" {
		return nil, errors.New("anonymous users only")
	}
	return d.disk, nil
}

func (d *ftpDriver) GetTLSConfig() (*tls.Config, error) { return nil, errors.New("no TLS here") }
