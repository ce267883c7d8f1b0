package listen

import (
	"net"
	"os"
	"path/filepath"
	"testing"
)

// A socket that a server left which was killed is taken over; one at which a server
// answers, and a file that is none, are not.
func TestOpenSocket(t *testing.T) {
	if f, err := net.Listen("unix", filepath.Join(t.TempDir(), "s")); err != nil {
		t.Skip("no Unix sockets here:", err)
	} else {
		f.Close()
	}
	left := filepath.Join(t.TempDir(), "s")
	old, err := net.Listen("unix", left)
	if err != nil {
		t.Fatal(err)
	}
	old.(*net.UnixListener).SetUnlinkOnClose(false)
	if l, err := Open(left); err == nil {
		l.Close()
		t.Error("in use: got a listener, want an error")
	}
	old.Close()
	l, err := Open(left)
	if err != nil {
		t.Fatalf("left: got %v, want a listener", err)
	}
	l.Close()
	file := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(file, []byte("mail"), 0o600); err != nil {
		t.Fatal(err)
	}
	if l, err := Open(file); err == nil {
		l.Close()
		t.Error("a file: got a listener, want an error")
	}
	if text, err := os.ReadFile(file); string(text) != "mail" {
		t.Errorf("the file: got %q, %v, want it as it was", text, err)
	}
}

// What systemd did not hand over to this process is an error.
func TestOpenInherited(t *testing.T) {
	t.Setenv("LISTEN_PID", "1")
	t.Setenv("LISTEN_FDS", "1")
	t.Setenv("LISTEN_FDNAMES", "http")
	if l, err := Open("fd:http"); err == nil {
		l.Close()
		t.Error("got a listener, want an error")
	}
}
