package httpfront

import (
	"io"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// A question that comes on a connection that was taken before the end is answered,
// also if it comes after that.
func TestDrain(t *testing.T) {
	taken := make(chan struct{}, 2)
	s := Serving(&http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body)
		w.Write(text)
	})})
	state := s.http.ConnState
	s.http.ConnState = func(c net.Conn, now http.ConnState) {
		state(c, now)
		if now == http.StateNew {
			taken <- struct{}{}
		}
	}
	path := filepath.Join(t.TempDir(), "s")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		if err := s.Serve(l); err != nil {
			t.Errorf("Serve: got error %v, want none", err)
		}
	})
	c, err := net.Dial("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	<-taken
	drained := make(chan struct{})
	go func() { s.Drain(t.Context()); close(drained) }()
	wg.Wait()
	io.WriteString(c, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello")
	got, err := io.ReadAll(c)
	if err != nil || !strings.HasSuffix(string(got), "\r\n\r\nhello") {
		t.Errorf("got %q, %v, want the answer", got, err)
	}
	<-drained
}
