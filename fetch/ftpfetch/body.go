package ftpfetch

import (
	"errors"
	"io"
	"net"
	"os"
	"time"

	"github.com/go-extbody/extbody/fetch"
)

// A body is the data connection, and at its end the word of the server that
// this was all. It sets no deadline on the data, because [fetch.Do] limits the
// time without octets.
type body struct {
	session *session // nil once closed
	src     net.Conn // the data connection, or TLS on it
	raw     *eofConn // below TLS; nil without it
	size    int64    // -1 if not known
	n       int64
	err     error
}

var errNoNotify = errors.New("the TLS data connection ended without close_notify")

// Read implements [io.Reader].
func (b *body) Read(p []byte) (int, error) {
	if b.err != nil {
		return 0, b.err
	}
	n, err := b.src.Read(p)
	b.n += int64(n)
	b.session.received += int64(n)
	switch {
	case err == nil || n > 0:
		// An error comes again.
		return n, nil
	case err == io.EOF:
		b.err = b.finish()
	default:
		b.err = fetch.CutOff(err)
	}
	if b.err != io.EOF {
		b.err = fetch.Interrupted(b.session.ctx, b.err)
	}
	return 0, b.err
}

// finish is the verdict when the data connection has ended. RFC 959 section 3.4.1
// makes its end the end of the file, but a lost connection looks the same: the
// server's reply after it decides.
func (b *body) finish() error {
	if b.raw != nil && b.raw.eof && b.n != b.size {
		return fetch.CutOff(errNoNotify)
	}
	// Our side is closed first: some servers linger on theirs until then.
	b.src.Close()
	d := b.session.dialog
	d.wait = completionTime(b.session.req.Timeouts)
	for range maxInterim {
		r, err := d.reply("the reply after the data")
		if err != nil {
			return fetch.CutOff(err)
		}
		switch r.class() {
		case preliminary: // 110, a restart marker
		case completed:
			return io.EOF
		default:
			return fetch.CutOff(b.session.refusal(r))
		}
	}
	return fetch.CutOff(errNotReady)
}

// completionTime is how long to wait for the reply after the data. It ends
// before Stall does, which would report a stalled body.
func completionTime(t fetch.Timeouts) time.Duration {
	if t.Stall <= 0 {
		return t.FirstOctet
	}
	d := t.Stall - t.Stall/8
	if t.FirstOctet > 0 {
		d = min(d, t.FirstOctet)
	}
	return d
}

// Close implements [io.Closer]. It does not wait for the server.
func (b *body) Close() error {
	if b.session == nil {
		return nil
	}
	if b.err == io.EOF {
		b.session.quit()
	}
	b.session.close()
	if b.err == nil {
		b.err = &fetch.Error{Kind: fetch.Local, Err: os.ErrClosed}
	}
	b.session.log.End(b.err) // unless fetch.Do has ended it
	b.session = nil
	return nil
}
