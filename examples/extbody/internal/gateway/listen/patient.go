package listen

import (
	"errors"
	"net"
	"slices"
	"syscall"
	"time"
)

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
