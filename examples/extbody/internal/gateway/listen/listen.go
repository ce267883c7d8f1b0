// Package listen opens the listeners of a server, including those that systemd hands
// over, ends them together, and reports the state of the server to systemd.
package listen

import (
	"fmt"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"
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
