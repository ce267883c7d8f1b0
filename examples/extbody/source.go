package main

import (
	"context"
	"fmt"
	"io"
	"iter"
	"os"

	"github.com/go-extbody/extbody/internal/mailbox"
	"github.com/go-extbody/extbody/internal/spool"
)

// A source finds the messages that paths stand for. Messages can be read until
// they are closed, and those of standard input until the source is.
type source struct {
	in     io.Reader
	spools []func()

	// With candidates, messages that hold no message/external-body are left
	// out, jobs goroutines look for them, and the sequence ends with the
	// context. Dialects find their references in messages that are left out.
	candidates context.Context
	jobs       int
}

func (s *source) walk(path string) iter.Seq2[*mailbox.Message, error] {
	if s.candidates == nil {
		return mailbox.Walk(path)
	}
	return mailbox.Candidates(s.candidates, path, s.jobs)
}

func (s *source) read(path string, r io.ReaderAt, size int64) iter.Seq2[*mailbox.Message, error] {
	if s.candidates == nil {
		return mailbox.Read(path, r, size)
	}
	return mailbox.ReadCandidates(s.candidates, path, r, size)
}

// messages yields the messages of the paths in order; without paths those of
// standard input. The receiver closes each message.
func (s *source) messages(paths []string) iter.Seq2[*mailbox.Message, error] {
	if len(paths) == 0 {
		paths = []string{"-"}
	}
	return func(yield func(*mailbox.Message, error) bool) {
		for _, path := range paths {
			for m, err := range s.path(path) {
				if !yield(m, err) {
					return
				}
			}
		}
	}
}

func (s *source) path(path string) iter.Seq2[*mailbox.Message, error] {
	if path == "-" {
		return s.stream(path, s.in)
	}
	info, err := os.Stat(path)
	if err != nil || info.IsDir() || info.Mode().IsRegular() {
		return s.walk(path)
	}
	// A pipe that the shell made of <(...), for one.
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

// stream yields the messages of what r gives.
func (s *source) stream(path string, r io.Reader) iter.Seq2[*mailbox.Message, error] {
	return func(yield func(*mailbox.Message, error) bool) {
		text, release, err := spool.Hold(context.Background(), r)
		if err != nil {
			yield(&mailbox.Message{Path: path}, fmt.Errorf("spool: %w", err))
			return
		}
		s.spools = append(s.spools, release)
		s.inflated(path, text, text.Size())(yield)
	}
}

// inflated yields the messages of what r holds, which may be compressed.
func (s *source) inflated(path string, r io.ReaderAt, size int64) iter.Seq2[*mailbox.Message, error] {
	return func(yield func(*mailbox.Message, error) bool) {
		ctx := s.candidates
		if ctx == nil {
			ctx = context.Background()
		}
		whole, n, err := mailbox.Inflate(ctx, r, size)
		if err != nil {
			yield(&mailbox.Message{Path: path}, err)
			return
		}
		if whole != nil {
			s.spools = append(s.spools, whole.Discard)
			r, size = whole, n
		}
		s.read(path, r, size)(yield)
	}
}

// close frees what was spooled.
func (s *source) close() {
	for _, release := range s.spools {
		release()
	}
}
