package imapfetch

import (
	"errors"
	"io"
	"os"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/imap/wire"
)

var errOtherMessage = errors.New("the server did not say for which message it answered")

// A literal reads a value. It reports io.EOF when the server has confirmed the
// command that asked for it.
type literal struct {
	session *session
	value   *value
	n       int64
	err     error
}

func (l *literal) Read(p []byte) (int, error) {
	if l.err != nil || len(p) == 0 {
		return 0, l.err
	}
	if l.n == l.value.size {
		l.err = l.finish()
		return 0, l.err
	}
	var n int
	if l.value.quote {
		n = copy(p, l.value.text[l.n:])
	} else {
		// fetch.Do limits the time without octets.
		var err error
		n, err = l.session.wire.Read(p[:min(int64(len(p)), l.value.size-l.n)])
		if err != nil && n == 0 {
			l.err = truncated(err)
		}
	}
	l.n += int64(n)
	if !l.value.quote {
		l.session.received += int64(n)
	}
	return n, l.err
}

// finish is the verdict when all octets have come.
func (l *literal) finish() error {
	s, v := l.session, l.value
	if !v.quote {
		rest, err := s.line()
		if err != nil {
			return truncated(err)
		}
		if uid, ok := findUID(rest); ok && uid == s.uid() {
			v.uidSeen = true
		}
		if err := s.untagged("* "+rest, nil); err != nil {
			return truncated(err)
		}
	}
	st, err := s.wait(v.tag, nil)
	if err != nil {
		return truncated(err)
	}
	if err := st.Fault(wire.ErrUnavailable); err != nil {
		return truncated(err)
	}
	if v.checkUID && !v.uidSeen {
		// RFC 3501 section 6.4.8 wants the UID in each response.
		return fault(fetch.Protocol, errOtherMessage)
	}
	return io.EOF
}

// truncated is [fetch.CutOff] for errors of a session.
func truncated(err error) error {
	if e, ok := err.(*wire.Fault); ok {
		err = e.Err
	}
	return fetch.CutOff(err)
}

// A body is a value, decoded or not.
type body struct {
	session *session // nil once closed
	literal literal
	src     io.Reader // literal, or a decoder on it
	err     error
}

// Read implements [io.Reader].
func (b *body) Read(p []byte) (int, error) {
	if b.err != nil {
		return 0, b.err
	}
	n, err := b.src.Read(p)
	if err == nil {
		return n, nil
	}
	b.err = b.verdict(err)
	if b.err != io.EOF {
		b.err = fetch.Interrupted(b.session.ctx, b.err)
	}
	return n, b.err
}

// verdict returns why the source has ended. A decoder may be at its end before
// the literal is.
func (b *body) verdict(err error) error {
	if err == io.EOF {
		if _, err := io.Copy(io.Discard, &b.literal); err != nil {
			return err
		}
		return io.EOF
	}
	if b.literal.err != nil && b.literal.err != io.EOF {
		return b.literal.err
	}
	return fault(fetch.Protocol, err)
}

// Close implements [io.Closer]. It does not wait for the server.
func (b *body) Close() error {
	if b.session == nil {
		return nil
	}
	if b.err == io.EOF {
		b.session.wire.LogOut()
	}
	b.session.close()
	if b.err == nil {
		b.err = fault(fetch.Local, os.ErrClosed)
	}
	b.session.log.End(b.err) // unless fetch.Do has ended it
	b.session = nil
	return nil
}
