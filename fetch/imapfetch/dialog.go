package imapfetch

import (
	"bytes"
	"io"
	"strings"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/imap/wire"
)

// Limits on the dialogue besides the body.
const (
	maxLine     = 64 << 10
	maxDialogue = 4 << 20
)

// A handler is given a response, and reports whether it has dealt with it and with
// all literals in it.
type handler func(line string) (bool, error)

// line reads a line without its end.
func (s *session) line() (string, error) {
	line, err := s.wire.Line()
	return string(line), failed(err)
}

// wait reads responses up to the one with the tag and returns its status. Each other
// is given to handle; the rest of it is skipped. A response that goes on
// after a skipped literal is given to handle again, with "{}" for the literal.
func (s *session) wait(tag string, handle handler) (*wire.Status, error) {
	for {
		line, err := s.line()
		if err != nil {
			return nil, err
		}
		if text, ok := strings.CutPrefix(line, tag+" "); ok {
			st, err := wire.ParseStatus(text)
			return st, failed(err)
		}
		if err := s.untagged(line, handle); err != nil {
			return nil, err
		}
	}
}

// untagged deals with a response that is not the one waited for.
func (s *session) untagged(line string, handle handler) error {
	for {
		if handle != nil {
			if done, err := handle(line); done || err != nil {
				return err
			}
		}
		switch {
		case !strings.HasPrefix(line, "* "):
			return fault(fetch.Protocol, wire.ErrNotIMAP)
		case wire.HasPrefixFold(line, "* BYE"):
			return fault(fetch.Unavailable, wire.ErrBye)
		}
		before, size, ok := cutLiteral(line)
		if !ok || !wire.HasData([]byte(line)) {
			return nil
		}
		if err := s.wire.Skip(size); err != nil {
			return failed(err)
		}
		rest, err := s.line()
		if err != nil {
			return err
		}
		if line = before + "{}" + rest; len(line) > maxLine {
			return fault(fetch.Protocol, wire.ErrTooLong)
		}
	}
}

// literal reads a literal that is part of the dialogue.
func (s *session) literal(size int64) (string, error) {
	var b bytes.Buffer
	if _, err := io.CopyN(&b, s.wire, size); err != nil {
		return "", unavailable(err)
	}
	return b.String(), nil
}

func cutLiteral(line string) (before string, size int64, ok bool) {
	b, size, ok := wire.CutLiteral([]byte(line))
	return string(b), size, ok
}
