package externalbody

import (
	"io"
	"os"
	"sync"

	"github.com/go-extbody/extbody/fetch"
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
	report *Report
	resp   *fetch.Response
	stop   func() // ends the time limit of nested references; may be nil
}

func newBody(a *admission, enc message.Encoding, promises []claim) *Body {
	report, resp := a.report, a.resp
	b := &Body{
		MediaType: report.MediaType,
		Size:      -1,
		report:    report,
		resp:      resp,
	}
	if !enc.Hides() {
		b.Size = resp.Size
	}
	b.verify = &verifier{a: a, ref: report.Reference, report: report, resp: resp, where: a.plan.URL, src: resp.Body}
	b.verify.decode(enc)
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
	var held, spare []byte
	defer func() {
		b.verify.hashing.Wait() // it reads held or spare
		putChunk(held)
		putChunk(spare)
	}()
	for {
		if spare == nil {
			spare = getChunk(b.Size)
		}
		// While held is written, chunk is hashed.
		chunk, err := b.verify.next(spare)
		spare = chunk
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
		held, spare = chunk, held
	}
}

// chunkBuffers holds the buffers of WriteTo. For bodies of one chunk they are in
// smallBuffers.
var (
	chunkBuffers = sync.Pool{New: func() any { return new([maxChunk]byte) }}
	smallBuffers = sync.Pool{New: func() any { return new([minChunk]byte) }}
)

// getChunk returns a buffer for the chunks of a body of that size, -1 if it is not known.
func getChunk(size int64) []byte {
	if 0 <= size && size < minChunk {
		return smallBuffers.Get().(*[minChunk]byte)[:]
	}
	return chunkBuffers.Get().(*[maxChunk]byte)[:]
}

// putChunk gives the buffer of a chunk back, if there is one.
func putChunk(p []byte) {
	switch cap(p) {
	case minChunk:
		smallBuffers.Put((*[minChunk]byte)(p[:minChunk]))
	case maxChunk:
		chunkBuffers.Put((*[maxChunk]byte)(p[:maxChunk]))
	}
}

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
	b.r.Abandon(&fetch.Error{Op: "read", URL: b.verify.where, Kind: fetch.Local, Err: os.ErrClosed})
	b.verify.hashing.Wait()
	if b.stop != nil {
		b.stop()
	}
	err := b.resp.Body.Close()
	if b.report.Ended.IsZero() {
		b.report.Ended = now()
	}
	return err
}

// Report returns the Report of the Body. Its Bytes, SHA256 and Checks are final after
// Read has returned io.EOF or another error.
func (b *Body) Report() *Report { return b.report }
