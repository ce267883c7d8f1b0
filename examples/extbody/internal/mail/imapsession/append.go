package imapsession

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/go-extbody/extbody/internal/imap/wire"
)

// Append adds a message to the open mailbox (RFC 3501 section 6.3.11), with the flag \Seen and the time
// at which it arrived; the zero time leaves that to the server. text has size octets, with lines that end
// in CRLF. After an error of text, or of a context that ended, the server has no part of the message.
// If a connection is lost after all octets were sent, the message may be there: see [Session.Holds].
// Append is not tried again.
func (s *Session) Append(ctx context.Context, text io.Reader, size int64, at time.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.connected(ctx); err != nil {
		return err
	}
	when := ""
	if !at.IsZero() {
		when = at.UTC().Format(` "02-Jan-2006 15:04:05 -0700"`)
	}
	sent := false
	stop := context.AfterFunc(ctx, s.conn.Abort)
	refused, err := s.conn.Exchange(nil, func() error {
		if sent {
			return wire.NewFault(wire.ErrProtocol, wire.ErrNotIMAP)
		}
		sent = true
		return s.conn.Literal(text)
	}, fmt.Sprintf(`APPEND %s (\Seen)%s {%d}`, s.conn.Mailbox(s.mailbox), when, size))
	stop()
	switch {
	case err != nil:
		s.drop()
		return failed(ctx, err)
	case refused != nil:
		return refused.Fault(wire.ErrForbidden)
	}
	return nil
}

// Holds reports whether the open mailbox has a message with a Message-ID, a number of octets and the
// SHA-256 of these: a stranger can write any Message-ID. It is false for one that cannot be asked for.
func (s *Session) Holds(ctx context.Context, id string, size int64, sum []byte) (bool, error) {
	uids, err := s.alike(ctx, id, size)
	for _, uid := range uids {
		h := sha256.New()
		switch _, err := s.Fetch(ctx, uid, h); {
		case errors.Is(err, ErrGone):
		case err != nil:
			return false, err
		case bytes.Equal(h.Sum(nil), sum):
			return true, nil
		}
	}
	return false, err
}

// alike returns the messages of the open mailbox with a Message-ID and a number of octets.
func (s *Session) alike(ctx context.Context, id string, size int64) (found []uint32, err error) {
	if id == "" || !wire.Sendable(id) {
		return nil, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var uids []uint32
	err = s.again(func() error {
		uids = nil
		_, err := s.run(ctx, func(line []byte) error {
			list, _, err := searched(line)
			uids = append(uids, list...)
			return err
		}, "UID SEARCH HEADER Message-ID "+wire.Quoted(id))
		return err
	})
	for _, uid := range uids {
		if err != nil {
			return nil, err
		}
		fits := false
		err = s.again(func() error {
			_, err := s.run(ctx, func(line []byte) error {
				if _, word, data := numbered(line); word == "FETCH" {
					f := parseFetch(data)
					fits = fits || f.uid == uid && f.size == size
				}
				return nil
			}, "UID FETCH "+strconv.FormatUint(uint64(uid), 10)+" (UID RFC822.SIZE)")
			return err
		})
		if fits {
			found = append(found, uid)
		}
	}
	return found, err
}
