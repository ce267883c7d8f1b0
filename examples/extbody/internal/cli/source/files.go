package source

import (
	"context"
	"fmt"
	"io"
	"iter"
	"os"

	"github.com/go-extbody/extbody/examples/extbody/internal/mail/mailbox"
)

// Files finds the messages that paths of files stand for. A message can be read until
// it is closed, and one of standard input until the Files are closed.
type Files struct {
	In     io.Reader // standard input
	spools []func()
}

// path yields the messages of a path in their order; "-" is standard input. The
// receiver closes each message.
func (s *Files) path(path string) iter.Seq2[*mailbox.Message, error] {
	if path == "-" {
		return s.stream(path, s.In)
	}
	info, err := os.Stat(path)
	if err != nil || info.IsDir() || info.Mode().IsRegular() {
		return mailbox.Walk(path)
	}
	// An example is a pipe that the shell made for <(...).
	return func(yield func(*mailbox.Message, error) bool) {
		f, err := os.Open(path)
		if err != nil {
			yield(&mailbox.Message{Path: path}, err)
			return
		}
		defer f.Close()
		s.stream(path, f)(yield)
	}
}

// stream yields the messages that r gives.
func (s *Files) stream(path string, r io.Reader) iter.Seq2[*mailbox.Message, error] {
	return func(yield func(*mailbox.Message, error) bool) {
		text, release, err := Hold(context.Background(), r)
		if err != nil {
			yield(&mailbox.Message{Path: path}, fmt.Errorf("read it into memory or a temporary file: %w", err))
			return
		}
		s.spools = append(s.spools, release)
		s.inflated(path, text, text.Size())(yield)
	}
}

// inflated yields the messages in r, which may be compressed.
func (s *Files) inflated(path string, r io.ReaderAt, size int64) iter.Seq2[*mailbox.Message, error] {
	return func(yield func(*mailbox.Message, error) bool) {
		whole, n, err := mailbox.Inflate(context.Background(), r, size)
		if err != nil {
			yield(&mailbox.Message{Path: path}, err)
			return
		}
		if whole != nil {
			s.spools = append(s.spools, whole.Discard)
			r, size = whole, n
		}
		mailbox.Read(path, r, size)(yield)
	}
}

// Close frees spooled data.
func (s *Files) Close() {
	for _, release := range s.spools {
		release()
	}
}
