package externalbody

import (
	"errors"
	"io"
	"os"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/maildate"
)

// A Spool is a verified body in a temporary file, for a reader that seeks, such
// as [net/http.ServeContent]. It has to be closed, which removes the file.
type Spool struct {
	*io.SectionReader // Read, Seek, ReadAt and Size of the body

	// MediaType labels the body, as in [Body].
	MediaType string

	// FileName is a name for the body that is safe on any system; "" if none
	// is known.
	FileName string

	// ModTime is the time of the last change that the server told; the zero
	// time if it did not.
	ModTime time.Time

	// Report says how the body was verified.
	Report *Report

	file *os.File
}

// Spool reads the Body to its end into a temporary file in dir, "" being the
// system's folder for such files, and closes the Body. It returns an error,
// and leaves no file, unless the whole body was verified.
func (b *Body) Spool(dir string) (*Spool, error) {
	defer b.Close()
	f, err := os.CreateTemp(dir, ".extbody-*")
	if err != nil {
		return nil, &fetch.Error{Op: "spool", Kind: fetch.Local, Err: err}
	}
	s := &Spool{
		MediaType: b.MediaType,
		FileName:  FileName(b.Name),
		Report:    b.report,
		file:      f,
	}
	n, err := b.WriteTo(localWriter{f})
	if err != nil {
		s.Close()
		return nil, err
	}
	s.SectionReader = io.NewSectionReader(f, 0, n)
	if t, _, err := maildate.Parse(b.report.Header.Get("Last-Modified")); err == nil {
		s.ModTime = t
	}
	return s, nil
}

// Close removes the file.
func (s *Spool) Close() error {
	return errors.Join(s.file.Close(), os.Remove(s.file.Name()))
}
