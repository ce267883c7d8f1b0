package milterfront

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
	"net"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/inspect"
	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/serve"
)

// packet returns a packet of the protocol.
func packet(text string) []byte {
	return append(binary.BigEndian.AppendUint32(nil, uint32(len(text))), text...)
}

// dialed returns a connection to an address, which ends with the test.
func dialed(t *testing.T, address string) net.Conn {
	t.Helper()
	conn, err := net.Dial("unix", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

// exchange sends packets, and returns the answers up to the end of the connection.
func exchange(t *testing.T, address string, packets ...string) string {
	t.Helper()
	conn := dialed(t, address)
	for _, p := range packets {
		conn.Write(packet(p))
	}
	conn.SetReadDeadline(time.Now().Add(20 * time.Second))
	got, err := io.ReadAll(conn)
	if err != nil {
		t.Fatal(err)
	}
	return string(got)
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
		conn := dialed(t, address)
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
		s := New(e, time.Second, false)
		here, there := net.Pipe()
		ended := make(chan struct{})
		go func() { s.serve(there); close(ended) }()
		go io.Copy(io.Discard, here)
		here.SetDeadline(time.Now().Add(20 * time.Second))
		here.Write(text)
		here.Close()
		select {
		case <-ended:
		case <-time.After(20 * time.Second):
			t.Error("got a session that is left, want none")
		}
	})
}

// A header of any size is held in no memory but that of a Spool: a stranger cannot make
// the server grow by many small fields.
func TestManyFields(t *testing.T) {
	_, _, address := start(t, "")
	conn := dialed(t, address)
	r := bufio.NewReader(conn)
	say := func(packets []byte, answers int) {
		t.Helper()
		if _, err := conn.Write(packets); err != nil {
			t.Fatal(err)
		}
		for range answers {
			var head [5]byte
			if _, err := io.ReadFull(r, head[:]); err != nil || head[4] != 'c' {
				t.Fatalf("got %q, %v, want to go on", head, err)
			}
		}
	}
	heap := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	say(packet("M<a@a.example>\x00"), 1)
	before := heap()
	const batches, each = 200, 1000
	batch := bytes.Repeat(packet("LA\x00b\x00"), each)
	for range batches {
		say(batch, each)
	}
	if grown := int64(heap()) - int64(before); grown > 4<<20 {
		t.Errorf("got %d octets more for %d fields, want at most %d", grown, batches*each, 4<<20)
	}
}

// A field before a message, or with a NUL in it, changes nothing for the messages after
// it; the field with a NUL is looked at as the mail server's strings are, to the NUL.
func TestOddFields(t *testing.T) {
	_, _, address := start(t, "")
	got := exchange(t, address,
		"LX-Extbody\x00before\x00", "LX-Extbody\x00before\x00", "M<a@a.example>\x00", "R<b@b.example>\x00", "LX-Extbody\x00one\x00two\x00", "LX-Extbody\x00", "L\x00x\x00", "L",
		"LSubject\x00a\n b\x00", "N", "Bhello\r\n", "E", "Q")
	change := func(i byte) string { return string(packet("m\x00\x00\x00" + string(rune(i)) + "X-Extbody\x00\x00")) }
	want := strings.Repeat(string(packet("c")), 11) + change(2) + change(1) + string(packet("a"))
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// The address of the client comes as mail servers write it, or is not known.
func TestClientAddress(t *testing.T) {
	for text, want := range map[string]bool{
		"a\x004\x00\x19192.0.2.1\x00": true, "a\x006\x00\x192001:db8::1\x00": true, "a\x006\x00\x19IPv6:2001:db8::1\x00": true,
		"a\x004\x00\x19198.51.100.1\x00": false, "a\x00U": false, "a\x00L\x00\x00/socket\x00": false, "a\x004\x00\x19": false,
	} {
		_, _, address := start(t, "[[rule]]\nname = \"r\"\nclient = [\"192.0.2.0/24\", \"2001:db8::/32\"]\naction = \"reject\"\n")
		got := exchange(t, address, "C"+text, "M<a@a.example>\x00", "R<b@b.example>\x00", "L"+refers[4][0]+"\x00"+refers[4][1]+"\x00", "N", "B"+refersBody, "E", "Q")
		if rejected := strings.Contains(got, "y550 "); rejected != want {
			t.Errorf("%q: got %q, want it rejected %t", text, got, want)
		}
	}
}
