package ftpfetch

import (
	"errors"
	"io"

	"github.com/go-extbody/extbody/fetch"
)

// Limits on octets of a line, of the kept part of a reply, and of all replies of a
// session. Greetings of a few kilobytes exist.
const (
	maxLine    = 64 << 10
	maxReply   = 64 << 10
	maxSession = 1 << 20
)

var errTooLong = errors.New("a reply that is too long")

// A meter bounds the octets of one line, and of all replies of a session.
type meter struct {
	src           io.Reader
	line, session int // octets left
}

func (m *meter) Read(p []byte) (int, error) {
	left := min(m.line, m.session)
	if left <= 0 {
		return 0, &fetch.Error{Kind: fetch.Protocol, Err: errTooLong}
	}
	n, err := m.src.Read(p[:min(len(p), left)])
	m.line -= n
	m.session -= n
	return n, err
}
