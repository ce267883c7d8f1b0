package ledger

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/go-extbody/extbody/internal/file/below"
	"github.com/go-extbody/extbody/internal/wording"
)

// Read calls f with each line from the place from to the end of the ledger. The zero Place
// is its start. prev is the head of the lines before that place. Read returns the
// head after the last line that f was called with, and the number of octets of unfinished
// lines at the end. It holds only lines in memory that were written together.
//
// Read calls fault with each damage, and goes on if fault returns true. It then calls f
// with damaged lines too, if they can be read as lines.
//
// The error is one of these:
//
//   - an error of a file, or of a line that is longer than MaxLine
//   - an error of f
//   - a [*Fault], if fault is nil or returned false
func Read(dir string, from Place, prev Head, fault func(*Fault) bool, f func(*Line) error) (Head, int64, error) {
	names, err := Files(dir)
	if err != nil {
		return prev, 0, err
	}
	r := reader{dir: dir, head: prev, done: prev, fault: fault, f: f}
	if r.fault == nil {
		r.fault = func(*Fault) bool { return false }
	}
	for i, name := range names {
		offset := int64(0)
		switch {
		case name < from.File:
			continue
		case name == from.File:
			offset = from.Offset
		}
		if err := r.file(name, offset, i == len(names)-1); err != nil {
			return r.done, r.torn, err
		}
	}
	return r.done, r.torn, nil
}

// DigestBefore returns the digest of the line that ends at p.
func DigestBefore(dir string, p Place) (digest [sha256.Size]byte, err error) {
	file, _, err := below.Open(dir, p.File)
	if err != nil {
		return digest, err
	}
	defer file.Close()
	for n := int64(64 << 10); ; n = min(2*n, MaxLine+1) { // most lines are short
		text := make([]byte, min(n, p.Offset))
		if _, err := file.ReadAt(text, p.Offset-int64(len(text))); err != nil {
			return digest, err
		}
		start := bytes.LastIndexByte(text[:max(0, len(text)-1)], '\n') + 1
		switch {
		case start > 0 || int64(len(text)) == p.Offset:
			return sha256.Sum256(text[start:]), nil
		case n > MaxLine:
			return digest, fmt.Errorf("%s: %w", p, errTooLong)
		}
	}
}

type reader struct {
	dir   string
	head  Head   // after the last line that was read
	done  Head   // after the last line that f was called with
	held  []Line // lines that wait for those written together with them
	one   Line   // one that waits for none
	text  []byte // the Text of these
	torn  int64  // octets of unfinished lines
	fault func(*Fault) bool
	f     func(*Line) error
}

func (r *reader) file(name string, offset int64, last bool) error {
	file, _, err := below.Open(r.dir, name)
	if err != nil {
		return err
	}
	defer file.Close()
	if _, err := file.Seek(offset, io.SeekStart); err != nil {
		return err
	}
	in := bufio.NewReaderSize(file, MaxLine)
	for {
		text, err := in.ReadSlice('\n')
		if err == bufio.ErrBufferFull {
			return fmt.Errorf("%s: %w", Place{name, offset}, errTooLong)
		}
		if err == io.EOF {
			if last {
				r.torn = int64(len(text))
				for _, l := range r.held {
					r.torn += int64(len(l.Text))
				}
				return nil
			}
			err = nil
			if len(text) > 0 {
				err = r.bad(Place{name, offset}, r.head.Seq+1, "has no end", r.head)
			}
			return errors.Join(err, r.release())
		}
		if err != nil {
			return err
		}
		if err := r.line(Place{name, offset}, text); err != nil {
			return err
		}
		offset += int64(len(text))
	}
}

// bad reports damage. after is the head after it.
func (r *reader) bad(p Place, seq int64, what string, after Head) error {
	f := &Fault{p, seq, what, r.head, after}
	if r.fault(f) {
		return nil
	}
	return f
}

func (r *reader) line(p Place, text []byte) error {
	l := &r.one
	*l = Line{Text: text, Place: p, Digest: sha256.Sum256(text)}
	if !l.parse() {
		if err := r.release(); err != nil {
			return err
		}
		next := Head{r.head.Seq + 1, l.Digest}
		err := r.bad(p, next.Seq, "is no line of a ledger", next)
		r.head = next
		r.done = r.head
		return err
	}
	if l.Seq != r.head.Seq+1 {
		if err := r.bad(p, l.Seq, fmt.Sprintf("follows line %d", r.head.Seq), Head{l.Seq, l.Digest}); err != nil {
			return err
		}
	}
	var prev [2 * sha256.Size]byte
	hex.Encode(prev[:], r.head.Digest[:])
	if l.Prev != string(prev[:]) {
		const changed = "has not the digest of the line before it: one of the two was changed"
		if err := r.bad(p, l.Seq, changed, Head{l.Seq, l.Digest}); err != nil {
			return err
		}
	}
	r.head = Head{l.Seq, l.Digest}
	if n := len(r.held); n > 0 && l.More != r.held[n-1].More-1 {
		if err := r.release(); err != nil {
			return err
		}
	}
	if l.More > 0 || len(r.held) > 0 {
		// The texts share one piece of memory, because a ledger has millions of lines.
		start := len(r.text)
		r.text = append(r.text, l.Text...)
		l.Text = r.text[start:len(r.text):len(r.text)]
		r.held = append(r.held, *l)
		if l.More > 0 {
			return nil
		}
		return r.give()
	}
	r.done = r.head
	return r.f(l)
}

// give calls f with the lines that are held.
func (r *reader) give() error {
	held := r.held
	r.held = r.held[:0]
	defer func() { r.text = r.text[:0] }()
	for i := range held {
		l := &held[i]
		r.done = Head{l.Seq, l.Digest}
		if err := r.f(l); err != nil {
			return err
		}
	}
	return nil
}

// release reports that lines are missing after the ones that are held, and calls f with the
// lines that are held.
func (r *reader) release() error {
	if len(r.held) == 0 {
		return nil
	}
	last := r.held[len(r.held)-1]
	text := "is followed by " + wording.Count(last.More, "line") + " less than it says"
	if err := r.bad(last.Place, last.Seq, text, Head{last.Seq, last.Digest}); err != nil {
		return err
	}
	return r.give()
}

// Places reads single lines of a ledger. It keeps the files open until Close. Its methods
// may be called by several goroutines at once.
type Places struct {
	dir string

	mu    sync.Mutex
	files map[string]*os.File
}

// maxPlaces bounds the files that are open at the same time. There is one for each month.
const maxPlaces = 64

// NewPlaces returns the Places of the ledger in the folder dir.
func NewPlaces(dir string) *Places { return &Places{dir: dir, files: make(map[string]*os.File)} }

// At returns the line at p, without its Digest. It does not check the chain.
func (s *Places) At(p Place) (*Line, error) {
	text, err := s.text(p)
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p, err)
	}
	l := &Line{Text: text, Place: p}
	if !l.parse() {
		return nil, &Fault{Place: p, What: "is no line of a ledger"}
	}
	return l, nil
}

// text returns the line at p with its LF.
func (s *Places) text(p Place) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.files[p.File] == nil {
		if len(s.files) == maxPlaces {
			s.close()
		}
		file, _, err := below.Open(s.dir, p.File)
		if err != nil {
			return nil, err
		}
		s.files[p.File] = file
	}
	return bufio.NewReader(io.NewSectionReader(s.files[p.File], p.Offset, MaxLine)).ReadBytes('\n')
}

// Close closes the files. At opens them again.
func (s *Places) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.close()
}

func (s *Places) close() error {
	var errs []error
	for name, f := range s.files {
		errs = append(errs, f.Close())
		delete(s.files, name)
	}
	return errors.Join(errs...)
}
