package milterfront

import (
	"context"
	"encoding/binary"
	"io"
	"net"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-extbody/extbody/internal/inspect"
	"github.com/go-extbody/extbody/internal/serve"
)

// packet returns a packet of the protocol.
func packet(text string) []byte {
	return append(binary.BigEndian.AppendUint32(nil, uint32(len(text))), text...)
}

// What is not the milter protocol ends its connection, and nothing else: the server
// makes no room for what is announced, and goes on.
func TestNoPackets(t *testing.T) {
	_, _, address := start(t, "")
	for name, text := range map[string][]byte{
		"HTTP":        []byte("GET / HTTP/1.1\r\nHost: a.example\r\n\r\n"),
		"Empty":       {0, 0, 0, 0},
		"Huge":        {0xff, 0xff, 0xff, 0xff, 'O'},
		"MacrosEmpty": packet("D"),
		"ConnNoEnd":   packet("Ca.example"),
		"ConnNoMore":  packet("Ca.example\x00"),
		"Unknown":     packet("\x00"),
	} {
		conn, err := net.Dial("unix", address)
		if err != nil {
			t.Fatal(err)
		}
		conn.Write(text)
		conn.SetReadDeadline(time.Now().Add(20 * time.Second))
		if said, err := io.ReadAll(conn); err != nil && len(said) == 0 {
			// A reset is an end too; a time-out is none.
			if e, ok := err.(net.Error); ok && e.Timeout() {
				t.Errorf("%s: got no end of the connection, want one", name)
			}
		}
		conn.Close()
	}
	if _, a := ask(t, address, "", refers, refersBody); a == nil {
		t.Error("got no answer after that")
	}
}

// Whatever comes, the server goes on, and forgets the connection when it ends.
func FuzzPackets(f *testing.F) {
	f.Add(append(packet("O\x00\x00\x00\x06\x00\x00\x01\xff\x00\x00\x00\x00"), packet("M<a@a.example>\x00")...))
	f.Add(append(packet("Di\x00x\x00"), packet("LSubject\x00a\x00")...))
	f.Add(append(packet("M<>\x00"), append(packet("R<a>\x00"), append(packet("Bx"), packet("E")...)...)...))
	f.Add(packet("C\x004\x00"))
	e := serve.New(serve.Options{Inspector: new(inspect.Inspector)}, new(inspect.Policy))
	f.Fuzz(func(t *testing.T, text []byte) {
		s := New(e, time.Second)
		here, there := net.Pipe()
		s.begin(there)
		go io.Copy(io.Discard, here)
		here.SetDeadline(time.Now().Add(20 * time.Second))
		here.Write(text)
		here.Close()
		ctx, stop := context.WithTimeout(context.Background(), 20*time.Second)
		defer stop()
		s.Drain(ctx)
		if ctx.Err() != nil || len(s.sessions) != 0 {
			t.Errorf("got %d sessions are left, want 0", len(s.sessions))
		}
	})
}

// A connection on which packets follow each other does not pay for a timer with each.
func TestDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var set []time.Duration
		begun := time.Now()
		d := deadline{set: func(at time.Time) error { set = append(set, at.Sub(begun)); return nil }, time: time.Minute}
		for range 10 {
			d.putOff()
			time.Sleep(300 * time.Millisecond)
		}
		if want := []time.Duration{60 * time.Second, 61200 * time.Millisecond, 62400 * time.Millisecond}; !slices.Equal(set, want) {
			t.Errorf("got deadlines %v, want %v", set, want)
		}
	})
}
