package externalbody

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"hash"
	"io"
	"os"
	"sync"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/file/spool"
	"github.com/go-extbody/extbody/internal/mime/date"
	"github.com/go-extbody/extbody/internal/mime/message"
	"github.com/go-extbody/extbody/internal/netx/lastoctet"
)

// A Body is the data that a Reference stands for. It is verified as it is read: Read
// holds back the last octet, and returns io.EOF only if the data is whole and as
// promised. A Body must be closed, and is for one goroutine. Ending the context given
// to Resolve interrupts it.
//
// A program must not act on a Body before io.EOF. io.Copy to an HTTP client, for
// example, gives a complete answer with a body that fails; package webbody aborts the
// connection.
type Body struct {
	// MediaType is the phantom Content-Type with its parameters (RFC 2046 section
	// 5.2.3.7), or "" if nothing is known.
	MediaType string

	// Size is the number of octets to come, or -1 if it is not known beforehand.
	Size int64

	r      lastoctet.Reader
	verify *verifier
	stop   func() // ends the time limit of nested references; may be nil
}

func newBody(a *admission, enc message.Encoding, promises []claim) *Body {
	b := &Body{MediaType: a.report.MediaType, Size: -1, verify: &verifier{admission: a, src: a.resp.Body}}
	if !enc.Hides() {
		b.Size = a.resp.Size
	}
	if d := message.DecodeStrict(a.resp.Body, enc); d != nil {
		b.verify.src, b.verify.decoder = d, d
	}
	b.verify.expect(promises, !a.r.NoDigest)
	b.r.R = b.verify
	return b
}

// Read implements [io.Reader].
func (b *Body) Read(p []byte) (int, error) { return b.r.Read(p) }

// WriteTo implements [io.WriterTo]. It writes the last buffer, of up to 128 KiB,
// only after the verdict.
func (b *Body) WriteTo(w io.Writer) (int64, error) {
	if b.verify.n > 0 || b.r.Err() != nil {
		return b.r.WriteTo(w)
	}
	var total int64
	var held []byte
	var buffers [2]*[maxChunk]byte
	defer func() {
		b.verify.hashing.Wait() // it reads one of them
		for _, p := range buffers {
			if p != nil {
				chunkBuffers.Put(p)
			}
		}
	}()
	for i := 0; ; i = 1 - i {
		if buffers[i] == nil {
			buffers[i] = chunkBuffers.Get().(*[maxChunk]byte)
		}
		// While held is written, chunk is hashed.
		chunk, err := b.verify.next(buffers[i][:])
		if err != nil {
			b.r.Abandon(err)
		}
		if err != nil && err != io.EOF {
			return total, err
		}
		n, werr := writeAll(w, held)
		if total += n; werr == nil && err == io.EOF {
			n, werr = writeAll(w, chunk)
			total += n
		}
		if werr != nil {
			b.r.Abandon(werr)
		}
		if werr != nil || err == io.EOF {
			return total, werr
		}
		held = chunk
	}
}

// chunkBuffers holds the buffers of WriteTo.
var chunkBuffers = sync.Pool{New: func() any { return new([maxChunk]byte) }}

// writeAll writes p, if it is not empty.
func writeAll(w io.Writer, p []byte) (int64, error) {
	if len(p) == 0 {
		return 0, nil
	}
	n, err := w.Write(p)
	if err == nil && n < len(p) {
		err = io.ErrShortWrite
	}
	return int64(n), err
}

// Close frees the resources of the Body. A Body that is closed before io.EOF is given
// up.
func (b *Body) Close() error {
	b.r.Abandon(&fetch.Error{Op: "read", URL: b.verify.plan.URL, Kind: fetch.Local, Err: os.ErrClosed})
	b.verify.hashing.Wait()
	if b.stop != nil {
		b.stop()
	}
	err := b.verify.resp.Body.Close()
	if b.verify.report.Ended.IsZero() {
		b.verify.report.Ended = now()
	}
	return err
}

// Report returns the Report of the Body. Its Bytes, SHA256 and Checks are final after
// Read has returned io.EOF or another error.
func (b *Body) Report() *Report { return b.verify.report }

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
		r.err = &fetch.Error{Op: "read", Kind: fetch.Local, Err: errors.New("the temporary file has other octets than were written")}
		return 0, r.err
	}
	return n, err
}
