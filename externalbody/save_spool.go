package externalbody

import (
	"context"
	"errors"
	"io"
	"os"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/file/atomicfile"
	"github.com/go-extbody/extbody/internal/mime/date"
)

// A Spool is a verified body in a temporary file, for a reader that seeks, such as
// [net/http.ServeContent]. It must be closed, which removes the file.
type Spool struct {
	*io.SectionReader // Read, Seek, ReadAt and Size of the body

	// MediaType is the type of the data with its parameters, as in [Body].
	MediaType string

	// FileName is a name for the body that is safe on any system; see
	// [Report.FileName].
	FileName string

	// ModTime is when the body was last changed, as the server told; the zero time if
	// it did not.
	ModTime time.Time

	// Report says how the body was verified.
	Report *Report

	file    *os.File
	removed bool // the file has no name any more
}

// Spool reads the Body to its end into a temporary file in dir, and closes the Body. If
// dir is "", it is the system's folder for such files. Spool returns an error and
// leaves no file unless the whole body was verified.
func (b *Body) Spool(dir string) (*Spool, error) {
	defer b.Close()
	s, err := newSpool(dir)
	if err != nil {
		return nil, err
	}
	if _, err := b.WriteTo(localWriter{s.file}); err != nil {
		s.Close()
		return nil, err
	}
	return s.filled(b.report)
}

// SaveSpool saves the body that alts stand for in a temporary file in dir. If dir is
// "", it is the system's folder for such files. SaveSpool tries alts as [Resolver.Save]
// does, and its errors are those of Save. The Report in the Spool has the alternatives
// that failed. With an error there is no Spool and no file.
func (r *Resolver) SaveSpool(ctx context.Context, alts []*Reference, dir string) (*Spool, error) {
	s, err := newSpool(dir)
	if err != nil {
		return nil, err
	}
	report, err := r.Save(ctx, alts, spoolSink{s.file})
	if err != nil {
		s.Close()
		return nil, err
	}
	return s.filled(report)
}

// newSpool returns an empty Spool. Its file has no name if the system allows that, so
// that nothing is left of it if the program is killed.
func newSpool(dir string) (*Spool, error) {
	f, err := os.CreateTemp(dir, atomicfile.Prefix+"*")
	if err != nil {
		return nil, &fetch.Error{Op: "spool", Kind: fetch.Local, Err: err}
	}
	return &Spool{file: f, removed: os.Remove(f.Name()) == nil}, nil
}

// filled returns s with what a Report says of the body in its file.
func (s *Spool) filled(report *Report) (*Spool, error) {
	size, err := s.file.Seek(0, io.SeekEnd)
	if err != nil {
		s.Close()
		return nil, &fetch.Error{Op: "spool", Kind: fetch.Local, Err: err}
	}
	s.SectionReader = io.NewSectionReader(s.file, 0, size)
	s.MediaType, s.FileName, s.Report = report.MediaType, report.FileName(), report
	if t, _, err := date.Parse(report.Header.Get("Last-Modified")); err == nil {
		s.ModTime = t
	}
	return s, nil
}

// Close removes the file.
func (s *Spool) Close() error {
	err := s.file.Close()
	if s.removed {
		return err
	}
	return errors.Join(err, os.Remove(s.file.Name()))
}

// A spoolSink is the Sink of SaveSpool.
type spoolSink struct{ *os.File }

// Reset implements Sink.
func (s spoolSink) Reset() error {
	if _, err := s.Seek(0, io.SeekStart); err != nil {
		return err
	}
	return s.Truncate(0)
}
