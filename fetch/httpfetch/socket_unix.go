//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package httpfetch

import (
	"io"
	"net"
	"os"
	"syscall"
)

// read reads from the connection. Whether the system has octets, and whether the reader waits,
// change together.
func (s *socket) read(p []byte) (n int, err error) {
	if s.raw == nil {
		return s.plain(p)
	}
	var fault error
	err = s.raw.Read(func(fd uintptr) bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		for {
			n, fault = syscall.Read(int(fd), p)
			if fault != syscall.EINTR {
				break
			}
		}
		s.blocks(fault == syscall.EAGAIN)
		return fault != syscall.EAGAIN || s.hurried
	})
	switch {
	case err != nil:
		return 0, err
	case fault == syscall.EAGAIN:
		return 0, errHurried
	case fault != nil:
		return 0, &net.OpError{
			Op: "read", Net: s.RemoteAddr().Network(), Source: s.LocalAddr(), Addr: s.RemoteAddr(),
			Err: os.NewSyscallError("read", fault),
		}
	case n == 0:
		return 0, io.EOF
	}
	return n, nil
}

// readable reports whether the system has octets of the connection. s is locked.
func (s *socket) readable() bool {
	if s.raw == nil {
		return false
	}
	var n int
	s.raw.Control(func(fd uintptr) {
		n, _, _ = syscall.Recvfrom(int(fd), make([]byte, 1), syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
	})
	return n > 0
}
