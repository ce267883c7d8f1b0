// Package listen opens the listeners of a server, including those that systemd hands
// over, ends them together, and reports the state of the server to systemd.
package listen

import (
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Open opens a listener. The address is
//
//   - "host:port"; or
//   - the path of a Unix socket, which begins with a slash; or
//   - "fd:NAME" for a socket that systemd opened.
//
// A Unix socket that a killed server left is replaced.
func Open(address string) (net.Listener, error) {
	if name, ok := strings.CutPrefix(address, "fd:"); ok {
		return inherited(name)
	}
	if !strings.HasPrefix(address, "/") {
		return net.Listen("tcp", address)
	}
	l, err := net.Listen("unix", address)
	if err == nil {
		return l, nil
	}
	// If no server answers at the socket, a killed one left it.
	if info, statErr := os.Lstat(address); statErr != nil || info.Mode()&os.ModeSocket == 0 {
		return nil, err
	}
	if c, dialErr := net.DialTimeout("unix", address, time.Second); dialErr == nil {
		c.Close()
		return nil, err
	}
	if os.Remove(address) != nil {
		return nil, err
	}
	return net.Listen("unix", address)
}

// firstDescriptor is the descriptor of the first socket that systemd hands over; see
// sd_listen_fds(3).
const firstDescriptor = 3

// inherited returns the listener with the given name, which is FileDescriptorName in
// the socket unit of systemd.
func inherited(name string) (net.Listener, error) {
	if pid := os.Getenv("LISTEN_PID"); pid != strconv.Itoa(os.Getpid()) {
		return nil, fmt.Errorf("fd:%s: no sockets were handed over to this process", name)
	}
	n, _ := strconv.Atoi(os.Getenv("LISTEN_FDS"))
	names := strings.Split(os.Getenv("LISTEN_FDNAMES"), ":")
	i := slices.Index(names, name)
	if i < 0 || i >= n {
		return nil, fmt.Errorf("fd:%s: there is no such socket among %s", name, strings.Join(names, ", "))
	}
	f := os.NewFile(uintptr(firstDescriptor+i), name)
	defer f.Close()
	return net.FileListener(f)
}

// Patient returns a listener whose Accept waits while the system has no room for
// another connection, for example because the program may open no more descriptors.
// Clients wait until there is room. full is called with the error before each wait.
func Patient(l net.Listener, full func(error)) net.Listener { return &patient{l, full} }

type patient struct {
	net.Listener
	full func(error)
}

const acceptAgain = 20 * time.Millisecond

// Accept implements net.Listener.
func (p *patient) Accept() (net.Conn, error) {
	for {
		c, err := p.Listener.Accept()
		if err == nil || !noRoom(err) {
			return c, err
		}
		p.full(err)
		time.Sleep(acceptAgain)
	}
}

// noRoom reports whether err means that other connections must end first.
func noRoom(err error) bool {
	errno, ok := errors.AsType[syscall.Errno](err)
	return ok && slices.Contains([]syscall.Errno{syscall.EMFILE, syscall.ENFILE, syscall.ENOBUFS, syscall.ENOMEM}, errno)
}

// Notify sends the state of the server to systemd, if systemd asked for that; see
// sd_notify(3). Errors are ignored.
func Notify(state string) {
	path := os.Getenv("NOTIFY_SOCKET")
	if path == "" {
		return
	}
	if path[0] == '@' {
		path = "\x00" + path[1:]
	}
	c, err := net.Dial("unixgram", path)
	if err != nil {
		return
	}
	defer c.Close()
	c.Write([]byte(state))
}
