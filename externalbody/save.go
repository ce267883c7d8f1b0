package externalbody

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"hash"
	"io"
	"sync"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/file/spool"
	"github.com/go-extbody/extbody/internal/mime/date"
)

// A Sink is where Save writes a body, such as a file, or a part of a message that is
// being written. After Reset, writing starts again with the first octet of a body.
//
// If a Sink has the method
//
//	Begin(r *Report, size int64) error
//
// too, Save calls it before the first octet of each body that it tries. The Report is complete except
// for Bytes, SHA256 and Checks. size is the number of octets to come, or -1 if it is not known. An error
// of Begin counts as an error of the Sink.
type Sink interface {
	io.Writer

	// Reset discards all octets that were written, because they are not the body.
	Reset() error
}

// A beginner is a Sink with a method Begin.
type beginner interface {
	Sink
	Begin(r *Report, size int64) error
}

// Save writes the body that alts stand for to dst. It tries first the bodies at hand, then
// the mechanisms that verify the server, then the others; mail-server is last, since it
// cannot complete in one go (EB-34). A caller who wants another order passes alternatives
// one by one. After a failure it calls dst.Reset and tries the next one. It stops
// at the first success, so that a body is never delivered twice (RFC 2046 section
// 5.1.4). If ctx ends or dst fails, no other alternative is tried. If a stored copy of a
// body is damaged ([fetch.ErrDamaged]), the same alternative is tried once more.
//
// dst holds the body only if Save returns nil. The Report is never nil. It belongs to the
// alternative that succeeded, or to the first one that was tried. Its Failures list the
// alternatives that failed.
//
// A failure of dst is of Kind Local. If several alternatives fail, the error is the most
// useful one:
//
//   - the one that ended the Save, Local or Canceled; or
//   - one that is Pending, since the body will arrive later; or
//   - the first that is transient, since the body may be available later; or
//   - the first.
//
// [fetch.KindOf] and [errors.AsType] find that error. Its text also names some of the
// others, and [errors.Is] finds all of them.
func (r *Resolver) Save(ctx context.Context, alts Alternatives, dst Sink) (*Report, error) {
	if len(alts) == 0 {
		return &Report{}, &fetch.Error{Op: "save", Kind: fetch.Malformed, Err: errors.New("no reference")}
	}
	ctx = context.WithValue(ctx, savingKey{}, new(sync.Map))
	var failures []Failure
	var first *Report
	others := r.others(alts)
	for _, ref := range inOrder(alts) {
		report, err := r.saveOne(ctx, ref, others, dst)
		if errors.Is(err, fetch.ErrDamaged) && dst.Reset() == nil {
			report, err = r.saveOne(ctx, ref, others, dst)
		}
		if first == nil {
			first = report
		}
		if err == nil {
			report.Failures = failures
			return report, nil
		}
		failures = append(failures, Failure{ref, err, report})
		if e := dst.Reset(); e != nil {
			failures = append(failures, Failure{ref, &fetch.Error{Op: "save", Kind: fetch.Local, Err: e}, report})
		}
		last := failures[len(failures)-1].Err
		if kind := fetch.KindOf(last); kind == fetch.Local || kind == fetch.Canceled {
			report.Failures = failures
			return report, newSaveError(failures, true)
		}
	}
	first.Failures = failures
	return first, newSaveError(failures, false)
}

// saveOne writes the body of one Reference, and compares it with the promises of
// others.
func (r *Resolver) saveOne(ctx context.Context, ref *Reference, others *others, dst Sink) (*Report, error) {
	body, report, err := r.resolve(ctx, ref)
	if err != nil {
		return report, err
	}
	defer body.Close()
	body.compare(others)
	if s, ok := dst.(beginner); ok {
		if err := s.Begin(body.Report(), body.Size); err != nil {
			return body.Report(), sinkError(err)
		}
	}
	if _, err := body.WriteTo(dst); err != nil {
		return body.Report(), sinkError(err)
	}
	return body.Report(), nil
}

// sinkError returns an error of writing a body to a Sink. An error of the Body has a Kind.
// One of the Sink is Local unless it has a Kind.
func sinkError(err error) error {
	if _, ok := errors.AsType[*fetch.Error](err); ok {
		return err
	}
	return &fetch.Error{Op: "save", Kind: fetch.Local, Err: err}
}

// A Spool is a verified body that can be read at any place, several times. It is in memory
// while it is short, and otherwise in a temporary file without a name. It must be closed.
//
// A Spool belongs to a stranger: a browser must not get it with its own media type, because
// it could run scripts in the name of the site. Package webbody answers HTTP requests with
// a Spool. [net/http.ServeContent] alone is not enough.
//
// Read and Seek are for one goroutine. Several goroutines may use the other methods.
type Spool struct {
	// MediaType is the type of the data with its parameters, as in Body.
	MediaType string

	// FileName is a name for the body that is safe on any system; see
	// Report.FileName.
	FileName string

	// ModTime is the Last-Modified that the server named; the zero time if it named
	// none.
	ModTime time.Time

	// Report records how the body was verified.
	Report *Report

	data *spool.Spool
	own  io.ReadSeeker // for Read and Seek
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

// SaveSpool saves the body that alts stand for in a Spool. dir is the folder for a
// temporary file; "" is the system's folder for such files. SaveSpool tries alts as
// [Resolver.Save] does, with the same errors. The Report in the Spool has the
// alternatives that failed. With an error there is no Spool and no file.
func (r *Resolver) SaveSpool(ctx context.Context, alts Alternatives, dir string) (*Spool, error) {
	data := &spool.Spool{Dir: dir}
	saved := false
	defer func() {
		if !saved {
			data.Close() // also if a function of the Resolver panics
		}
	}()
	report, err := r.Save(ctx, alts, data)
	if err != nil {
		return nil, err
	}
	saved = true
	s := &Spool{data: data, MediaType: report.MediaType, FileName: report.FileName(), Report: report}
	if t, _, err := date.Parse(report.Header.Get("Last-Modified")); err == nil {
		s.ModTime = t
	}
	s.own = s.NewReader()
	return s, nil
}

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
	elsewhere := at != 0 && at != r.hashed
	if r.want == nil || elsewhere || n == 0 {
		return n, err
	}
	if at == 0 {
		r.hash.Reset()
		r.hashed = 0
	}
	r.hash.Write(p[:n])
	r.hashed += int64(n)
	if r.hashed == r.Size() && !bytes.Equal(r.hash.Sum(nil), r.want) {
		r.err = &fetch.Error{
			Op: "read", Kind: fetch.Local, Err: errors.New("the temporary file has other octets than were written"),
		}
		return 0, r.err
	}
	return n, err
}
