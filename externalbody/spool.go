package externalbody

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"hash"
	"io"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/file/spool"
	"github.com/go-extbody/extbody/internal/mime/date"
)

// A Spool is a verified body that can be read at any place, several times. It is in memory
// while it is short, and otherwise in a temporary file without a name. It must be closed.
//
// A Spool belongs to a stranger: a browser must not get it with its own media type, because
// it could run scripts in the name of the site. Package webbody answers HTTP requests with
// a Spool. [net/http.ServeContent] alone is not enough.
//
// Read and Seek are for one goroutine. Several goroutines may use the other methods.
type Spool struct {
	// MediaType is the type of the data with its parameters, as in [Body].
	MediaType string

	// FileName is a name for the body that is safe on any system; see
	// [Report.FileName].
	FileName string

	// ModTime is the Last-Modified that the server named; the zero time if it named
	// none.
	ModTime time.Time

	// Report records how the body was verified.
	Report *Report

	data *spool.Spool
	own  io.ReadSeeker // for Read and Seek
}

// SaveSpool saves the body that alts stand for in a Spool. dir is the folder for a
// temporary file; "" is the system's folder for such files. SaveSpool tries alts as
// [Resolver.Save] does, with the same errors. The Report in the Spool has the
// alternatives that failed. With an error there is no Spool and no file.
func (r *Resolver) SaveSpool(ctx context.Context, alts []*Reference, dir string) (*Spool, error) {
	data := &spool.Spool{Dir: dir}
	report, err := r.Save(ctx, alts, data)
	if err != nil {
		data.Close()
		return nil, err
	}
	s := &Spool{data: data, MediaType: report.MediaType, FileName: report.FileName(), Report: report}
	if t, _, err := date.Parse(report.Header.Get("Last-Modified")); err == nil {
		s.ModTime = t
	}
	s.own = s.NewReader()
	return s, nil
}

// Size returns the number of octets.
func (s *Spool) Size() int64 { return s.data.Size() }

// ReadAt implements [io.ReaderAt].
func (s *Spool) ReadAt(p []byte, off int64) (int, error) { return s.data.ReadAt(p, off) }

// Read implements [io.Reader], like a reader of NewReader.
func (s *Spool) Read(p []byte) (int, error) { return s.own.Read(p) }

// Seek implements [io.Seeker].
func (s *Spool) Seek(offset int64, whence int) (int64, error) { return s.own.Seek(offset, whence) }

// NewReader returns a reader of its own. If it reads the body from the first octet to the
// last, it compares the octets with the SHA-256 of the Report. It does not return the last
// octets if they differ, but an error of Kind Local.
func (s *Spool) NewReader() io.ReadSeeker {
	r := &spoolReader{SectionReader: s.data.Section(), want: s.Report.SHA256}
	if r.want != nil {
		r.hash = sha256.New()
	}
	return r
}

// Close frees the memory or the file.
func (s *Spool) Close() error { return s.data.Close() }

// A spoolReader hashes the octets that it reads one after the other from the first on.
type spoolReader struct {
	*io.SectionReader
	want   []byte    // nil if it is not known
	hash   hash.Hash // of the first hashed octets
	hashed int64
	err    error // once the octets were found to differ
}

func (r *spoolReader) Read(p []byte) (int, error) {
	if r.err != nil {
		return 0, r.err
	}
	at, _ := r.SectionReader.Seek(0, io.SeekCurrent)
	n, err := r.SectionReader.Read(p)
	if err != nil && err != io.EOF {
		err = &fetch.Error{Op: "read", Kind: fetch.Local, Err: err}
	}
	if r.want == nil || at != 0 && at != r.hashed || n == 0 {
		return n, err
	}
	if at == 0 {
		r.hash.Reset()
		r.hashed = 0
	}
	r.hash.Write(p[:n])
	if r.hashed += int64(n); r.hashed == r.Size() && !bytes.Equal(r.hash.Sum(nil), r.want) {
		r.err = &fetch.Error{Op: "read", Kind: fetch.Local, Err: errSpoolChanged}
		return 0, r.err
	}
	return n, err
}

var errSpoolChanged = errors.New("the temporary file has other octets than were written")
