package mailbox

import (
	"cmp"
	"context"
	"crypto/sha256"
	"io"
	"os"
	"sync/atomic"
	"time"

	"github.com/go-extbody/extbody/internal/file/atomicfile"
	"github.com/go-extbody/extbody/internal/file/filestate"
)

// A sharedFile is a file of messages that is closed when its last user releases it.
//
// Other programs may change it while it is read. It is checked after each read, so that
// the error ErrChanged comes instead of octets that do not belong to the messages that
// were found. A mailbox that grows, as programs deliver to it, counts as unchanged, and
// so does one in which flags are changed in place.
type sharedFile struct {
	*os.File
	users atomic.Int64
	size  int64                     // when it was opened
	begun filestate.State           // when it was opened
	at    time.Time                 // when it was opened
	seen  atomic.Pointer[fileState] // the last state in which it was unchanged
	ends  *[2]mark                  // of a file of several messages; nil for one message
	spool *atomicfile.File          // the file if it is our own, otherwise nil
}

// A fileState changes with each change of a file.
type fileState struct {
	size, modified int64 // octets; nanoseconds since 1970
}

// newSharedFile returns a shared file with one user. info is the FileInfo of f when it was
// opened.
func newSharedFile(f *os.File, info os.FileInfo) *sharedFile {
	s := &sharedFile{File: f, size: info.Size(), begun: filestate.Of(info), at: time.Now()}
	s.seen.Store(stateOf(info))
	s.users.Store(1)
	return s
}

func stateOf(info os.FileInfo) *fileState {
	return &fileState{info.Size(), info.ModTime().UnixNano()}
}

// retain adds a user. The caller is a user already.
func (s *sharedFile) retain() { s.users.Add(1) }

func (s *sharedFile) release() error {
	if s.users.Add(-1) > 0 {
		return nil
	}
	if s.spool != nil {
		s.spool.Discard()
		return nil
	}
	return s.File.Close()
}

// inflated returns the contents of the file if it is compressed, and closes it.
// Otherwise it returns the file itself. begin is its start.
func (s *sharedFile) inflated(begin []byte) (*sharedFile, error) {
	spool, _, err := inflate(context.Background(), begin, s, s.size)
	if spool == nil && err == nil {
		return s, nil
	}
	s.release()
	if err != nil {
		return nil, err
	}
	info, err := spool.Stat()
	if err != nil {
		spool.Discard()
		return nil, err
	}
	t := newSharedFile(spool.File, info)
	t.spool = spool
	return t, nil
}

// digest returns the digest of the whole file.
func (s *sharedFile) digest() (sum [sha256.Size]byte, err error) {
	h := sha256.New()
	_, err = io.Copy(h, io.NewSectionReader(s.File, 0, s.size))
	return [sha256.Size]byte(h.Sum(nil)), err
}

// unchanged returns ErrChanged if the file does not have the octets any more that it had
// when it was opened. A program can set the time of a change back. Only the ctime shows it
// then, which changes with the name as well, and does not show a second change within a tick of
// the clock: sum is the digest for these cases, or nil.
func (s *sharedFile) unchanged(sum *[sha256.Size]byte) error {
	if now, err := filestate.Stat(s.File); err != nil || now.Same(s.begun) && (sum == nil || now.Settled(s.at)) {
		return err
	}
	if _, err := s.check(); err != nil || sum == nil {
		return cmp.Or(err, ErrChanged)
	}
	now, err := s.digest()
	if err == nil && now != *sum {
		err = ErrChanged
	}
	return err
}

// several notes that the file has several messages, which may move within it.
func (s *sharedFile) several() error {
	ends, err := s.readEnds()
	s.ends = &ends
	return err
}

// readEnds returns the marks of the start and the end of the file, at the size that
// it had when it was opened.
func (s *sharedFile) readEnds() (ends [2]mark, err error) {
	ends[0], err = readMark(s.File, 0, s.size)
	if err == nil {
		ends[1], err = readMark(s.File, max(0, s.size-markSize), s.size)
	}
	return ends, err
}

// ReadAt implements io.ReaderAt.
func (s *sharedFile) ReadAt(p []byte, off int64) (int, error) {
	n, err := s.File.ReadAt(p, off)
	if _, changed := s.check(); changed != nil {
		return 0, changed
	}
	return n, err
}

// check returns the state of the file, or ErrChanged if the messages are no longer
// where they were.
func (s *sharedFile) check() (*fileState, error) {
	info, err := s.Stat()
	if err != nil {
		return nil, err
	}
	now := stateOf(info)
	if *now == *s.seen.Load() {
		return now, nil
	}
	if s.ends == nil || now.size < s.size {
		return nil, ErrChanged
	}
	if ends, err := s.readEnds(); err != nil || ends != *s.ends {
		return nil, ErrChanged
	}
	s.seen.Store(now)
	return now, nil
}

// markSize is how many octets a mark is made from: a "From " line and a few of the
// lines that delivery adds before a header, but not the flags of later messages.
const markSize = 256

// A mark distinguishes octets at a place from others.
type mark [16]byte

func markOf(b []byte) mark {
	sum := sha256.Sum256(b)
	return mark(sum[:len(mark{})])
}

// readMark returns the mark of the octets at off, of a file of size octets.
func readMark(r io.ReaderAt, off, size int64) (mark, error) {
	var b [markSize]byte
	n, err := r.ReadAt(b[:min(markSize, size-off)], off)
	if err == io.EOF {
		err = nil
	}
	return markOf(b[:n]), err
}

// A markedReader reads a message of a shared file. It checks that the start of the
// message is where it was, at the first read and whenever the file has changed.
type markedReader struct {
	file  *sharedFile
	start int64 // of the message
	mark  mark  // of its start
	seen  atomic.Pointer[fileState]
}

// ReadAt implements io.ReaderAt.
func (m *markedReader) ReadAt(p []byte, off int64) (int, error) {
	n, err := m.file.File.ReadAt(p, off)
	now, changed := m.file.check()
	if changed != nil {
		return 0, changed
	}
	if seen := m.seen.Load(); seen == nil || *seen != *now {
		if is, err := m.markIn(p[:n], off); err != nil || is != m.mark {
			return 0, ErrChanged
		}
		m.seen.Store(now)
	}
	return n, err
}

// markIn returns the mark of the octets that are there now. b was read at off before the last check.
// It holds them if the file has one message, since that has not changed then.
func (m *markedReader) markIn(b []byte, off int64) (mark, error) {
	size := min(markSize, m.file.size-m.start)
	if at := m.start - off; m.file.ends == nil && at >= 0 && at+size <= int64(len(b)) {
		return markOf(b[at : at+size]), nil
	}
	return readMark(m.file.File, m.start, m.file.size)
}
