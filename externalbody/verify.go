package externalbody

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/mime/message"
	"github.com/go-extbody/extbody/internal/mime/param"
	"github.com/go-extbody/extbody/internal/netx/lastoctet"
	"github.com/go-extbody/extbody/internal/netx/only"
)

// A verifier undoes the transfer encoding and compares the result with the promises of
// the Reference. Its io.EOF is the verdict.
type verifier struct {
	*admission

	src     io.Reader       // the fetched octets, decoded
	decoder message.Decoder // may be nil

	n        int64
	sha256   hash.Hash // of the octets delivered; nil if not wanted
	promises []comparison
	others   []*claimSet  // of the other References given to Save
	extra    []comparison // computed for them alone
	crlf     *crlfText    // the octets with line ends made CRLF; nil if not wanted

	hashes  []io.Writer    // all that takes the octets: sha256, promises and crlf
	hashing sync.WaitGroup // for the octets that are being hashed
}

// expect arranges the comparisons. Text may come with any line ends: its SIZE and
// digests count the canonical form (RFC 1864 section 2; HT-17).
func (v *verifier) expect(promises []claim, sha bool) {
	if sha {
		v.sha256 = sha256.New()
		v.hashes = append(v.hashes, v.sha256)
	}
	if isText(v.report.MediaType) && (len(promises) > 0 || v.ref.Size >= 0) {
		v.crlf = &crlfText{}
	}
	for _, p := range promises {
		v.promises = append(v.promises, v.compute(p))
	}
	if v.crlf != nil {
		v.hashes = append(v.hashes, v.crlf)
	}
}

// compute arranges for the digest of a promise to be computed.
func (v *verifier) compute(p claim) comparison {
	d := comparison{claim: p}
	if p.sum != nil {
		d.raw = p.hash()
		v.hashes = append(v.hashes, d.raw)
		if v.crlf != nil {
			d.crlf = p.hash()
			v.crlf.hashes = append(v.crlf.hashes, d.crlf)
		}
	}
	return d
}

// start waits for the octets being hashed, and starts to hash p on as many cores as
// there are hashes.
func (v *verifier) start(p []byte) {
	v.hashing.Wait()
	for _, h := range v.hashes {
		if len(p) < minChunk {
			h.Write(p)
			continue
		}
		v.hashing.Go(func() { h.Write(p) })
	}
}

func (v *verifier) Read(p []byte) (int, error) {
	n, err := v.read(p)
	v.start(p[:n])
	v.hashing.Wait()
	if err != nil {
		err = v.end(err)
	}
	return n, err
}

// next reads a chunk of octets into buf, which has room for maxChunk. The chunk is hashed
// in place and must not be changed until the next call has returned.
func (v *verifier) next(buf []byte) ([]byte, error) {
	n := 0
	var err error
	for n < minChunk && err == nil {
		var m int
		m, err = v.read(buf[n:])
		n += m
	}
	v.start(buf[:n])
	if err != nil {
		err = v.end(err)
	}
	return buf[:n], err
}

// read reads octets and counts them.
func (v *verifier) read(p []byte) (int, error) {
	n, err := v.src.Read(p)
	v.n += int64(n)
	v.report.Bytes = v.n
	return n, err
}

// end returns the verdict. src has ended with err, and all octets were passed on to be
// hashed.
func (v *verifier) end(err error) error {
	v.hashing.Wait()
	if err == io.EOF {
		err = nil
		if v.decoder != nil { // which can be at its end before the fetch
			_, err = io.Copy(io.Discard, v.resp.Body)
		}
	}
	if err != nil {
		err = v.fault(err)
	}
	v.report.Checks = append(v.report.Checks, v.resp.Checks...)
	v.report.Ended = now()
	if err == nil {
		err = v.verdict()
	}
	return err
}

// fault turns an error of a decoder into one of ours. Errors of fetch are ours already.
func (v *verifier) fault(err error) error {
	if _, ok := errors.AsType[*fetch.Error](err); ok {
		return err
	}
	kind := fetch.Malformed
	if errors.Is(err, io.ErrUnexpectedEOF) {
		kind = fetch.Truncated
	}
	return &fetch.Error{
		Op: "read", URL: v.plan.URL, Kind: kind, Err: errors.New("the transfer encoding of the data is damaged"),
	}
}

// verdict makes the comparisons after everything has been read. It returns io.EOF if
// the body keeps all promises.
func (v *verifier) verdict() error {
	if v.decoder != nil && v.decoder.Forgiven() > 0 {
		v.report.Warnings = append(v.report.Warnings, Diag{Code: diagEncodingForgiven, Param: "content-transfer-encoding"})
	}
	if v.crlf != nil {
		v.crlf.finish()
	}
	if err := v.checkSize(); err != nil {
		return err
	}
	if err := v.checkDigests(); err != nil {
		return err
	}
	v.checkOthers()
	if unasked := v.resp.Driver(only.Driver{}).Unasked; unasked != nil && unasked() {
		v.report.Warnings = append(v.report.Warnings, Diag{Code: diagUnasked})
	}
	v.report.complete = true
	if v.sha256 != nil {
		v.report.SHA256 = v.sha256.Sum(nil)
	}
	return io.EOF
}

// checkSize compares the body with SIZE.
//
//   - If only the end of the connection ended the body, fewer octets mean that the
//     connection broke, which is an error. A size that only the URL of a share link
//     claims does not count here.
//   - Any other difference is a warning (EB-28), or an error with Strict, or if Judge
//     refuses it.
func (v *verifier) checkSize() error {
	want := v.ref.Size
	if want < 0 {
		return nil
	}
	if form := v.sizeForm(want); form != "" {
		v.check("size", fetch.Match, form)
		return nil
	}
	v.check("size", fetch.Mismatch, "")
	most := v.n
	if v.crlf != nil {
		most = max(most, v.crlf.n)
	}
	if v.resp.Undelimited && most < want && !slices.Contains(v.ref.Claims, "size") {
		return &fetch.Error{Op: "read", URL: v.plan.URL, Kind: fetch.Truncated, Err: fmt.Errorf(
			"the connection ended after %d of %d octets", most, want,
		)}
	}
	if err := v.judge(v.sizeObjection(v.ref, want, v.n)); err != nil {
		return err
	}
	v.report.Warnings = append(v.report.Warnings, Diag{Code: diagSizeMismatch, Param: "size"})
	return nil
}

// sizeForm returns the form in which the body has that many octets: "raw", or for text
// "crlf" or "lf". It returns "" if it has another size.
func (v *verifier) sizeForm(size int64) string {
	switch {
	case v.n == size:
		return "raw"
	case v.crlf == nil:
	case v.crlf.n == size:
		return "crlf"
	case v.crlf.n-v.crlf.lines == size:
		return "lf"
	}
	return ""
}

// checkDigests compares the body with the digests that the Reference promises (IN-1 to
// IN-3, SI-11).
func (v *verifier) checkDigests() error {
	for _, d := range v.promises {
		switch {
		case d.bad == DiagBadDigest:
			v.check(d.name, fetch.BadDigest, "")
			continue
		case d.sum == nil:
			continue
		}
		form := d.form()
		if form == "" {
			v.check(d.name, fetch.Mismatch, "")
			return &fetch.Error{
				Op: "read", URL: v.plan.URL, Kind: fetch.DigestMismatch, Err: fmt.Errorf("%s promises other data", d.param),
			}
		}
		v.check(d.name, fetch.Match, form)
	}
	return nil
}

func (v *verifier) check(name string, s fetch.Status, form string) {
	v.report.Checks = append(v.report.Checks, fetch.Check{Name: name, Status: s, Form: form})
}

// find returns the comparison with a claim, or nil.
func (v *verifier) find(p claim) *comparison {
	isSame := func(q comparison) bool { return q.name == p.name && bytes.Equal(q.sum, p.sum) }
	for _, all := range [][]comparison{v.promises, v.extra} {
		if i := slices.IndexFunc(all, isSame); i >= 0 {
			return &all[i]
		}
	}
	return nil
}

// checkOthers records the sets that the body agrees with.
func (v *verifier) checkOthers() {
	mediaType := param.Parse(v.report.MediaType).Type
	for _, c := range v.others {
		switch {
		case c.mediaType != "" && c.mediaType != mediaType:
		case c.size >= 0 && v.sizeForm(c.size) == "" && v.judge(v.sizeObjection(c.ref, c.size, v.n)) != nil:
		case slices.ContainsFunc(c.promises, func(p claim) bool { return v.find(p).form() == "" }):
		default:
			v.report.kept = append(v.report.kept, c)
		}
	}
}

// A chunk of WriteTo has from minChunk to maxChunk octets, except the last one. It is
// hashed while the next one is read. A shorter one is hashed before that.
const (
	minChunk = 64 << 10
	maxChunk = 128 << 10
)

// A comparison is a claim with the hashes that are compared with it.
type comparison struct {
	claim
	raw, crlf hash.Hash // crlf is nil if the data is not text
}

// form returns the form in which the octets are as promised, "raw" or "crlf". It
// returns "" if they are not as promised.
func (d *comparison) form() string {
	switch {
	case bytes.Equal(d.raw.Sum(nil), d.sum):
		return "raw"
	case d.crlf != nil && bytes.Equal(d.crlf.Sum(nil), d.sum):
		return "crlf"
	}
	return ""
}

// isText reports whether the data of that Content-Type is text.
func isText(contentType string) bool {
	return len(contentType) > 5 && strings.EqualFold(contentType[:5], "text/")
}

// A crlfText counts and hashes text in canonical form, with each line end (LF, CR or
// CRLF) as CRLF (RFC 2046 section 4.1.1).
type crlfText struct {
	hashes []hash.Hash
	n      int64
	lines  int64 // line ends among the n octets
	cr     bool  // the last octet was a CR whose line end is not yet written
}

// Write takes the next octets. It never fails.
func (c *crlfText) Write(p []byte) (int, error) {
	n := len(p)
	for len(p) > 0 {
		if c.cr {
			c.finish()
			p = bytes.TrimPrefix(p, crlf[1:])
			continue
		}
		i := bytes.IndexAny(p, "\r\n")
		if i < 0 {
			c.put(p)
			break
		}
		c.put(p[:i])
		c.cr = p[i] == '\r'
		if !c.cr {
			c.end()
		}
		p = p[i+1:]
	}
	return n, nil
}

// finish ends the text.
func (c *crlfText) finish() {
	if c.cr {
		c.end()
		c.cr = false
	}
}

// end writes a line end.
func (c *crlfText) end() {
	c.lines++
	c.put(crlf)
}

func (c *crlfText) put(p []byte) {
	c.n += int64(len(p))
	for _, h := range c.hashes {
		h.Write(p)
	}
}

var crlf = []byte("\r\n")

// A Body is the data that a Reference stands for. It is verified as it is read: Read
// holds back the last octet, and returns io.EOF only if the data is whole and as
// promised. A Body must be closed, and is for one goroutine. Ending the context given
// to Resolve interrupts it.
//
// A program must not act on a Body before io.EOF. io.Copy to an HTTP client, for
// example, gives a complete answer with a body that fails; package webbody aborts the
// connection.
//
// Many readers stop before io.EOF, when their value is complete: those of encoding/json,
// encoding/xml, archive/tar, image/png and compress/gzip, for example. They can take a body
// that fails for a good one. [Body.Verify] after them has the verdict.
type Body struct {
	// MediaType is the phantom Content-Type with its parameters (RFC 2046 section
	// 5.2.3.7), or "" if nothing is known.
	MediaType string

	// Size is the number of octets to come, or -1 if it is not known beforehand.
	Size int64

	r      lastoctet.Reader
	verify *verifier
	stop   func() // ends the time limit of nested references; may be nil
	closed bool
	failed error // before it was closed
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
		total += n
		if werr == nil && err == io.EOF {
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

// Verify reads the rest of the Body and reports whether the Body was verified. It returns
// nil if Read returned io.EOF or would have, and otherwise the error of Read. It does not
// matter how much of the Body was read before. A Body that was closed before io.EOF is not
// verified.
func (b *Body) Verify() error {
	_, err := b.WriteTo(io.Discard)
	return err
}

// Close frees the resources of the Body. A Body that is closed before io.EOF is given
// up. If Read or WriteTo failed before, Close returns that error, each time it is called.
func (b *Body) Close() error {
	if b.closed {
		return b.failed
	}
	b.closed = true
	if err := b.r.Err(); err != io.EOF {
		b.failed = err
	}
	b.r.Abandon(&fetch.Error{Op: "read", URL: b.verify.plan.URL, Kind: fetch.Local, Err: os.ErrClosed})
	b.verify.hashing.Wait()
	if b.stop != nil {
		b.stop()
	}
	err := b.verify.resp.Body.Close()
	if b.verify.report.Ended.IsZero() {
		b.verify.report.Ended = now()
	}
	return cmp.Or(b.failed, err)
}

// Report returns the Report of the Body. Its Bytes, SHA256 and Checks are final after
// Read has returned io.EOF or another error.
func (b *Body) Report() *Report { return b.verify.report }

// compare makes the Body compare itself with o, besides the claims of its own
// Reference. It is called before the Body is read.
func (b *Body) compare(o *others) {
	v := b.verify
	b.verify.report.others = o
	v.others = o.claimSets
	for _, c := range o.claimSets {
		more := slices.DeleteFunc(slices.Clone(c.promises), func(p claim) bool { return v.find(p) != nil })
		compares := len(more) > 0 || c.size >= 0
		if v.crlf == nil && compares && isText(v.report.MediaType) {
			v.crlf = &crlfText{}
			v.hashes = append(v.hashes, v.crlf)
		}
		for _, p := range more {
			v.extra = append(v.extra, v.compute(p))
		}
	}
}

func newBody(a *admission, enc message.Encoding, promises []claim) *Body {
	b := &Body{MediaType: a.report.MediaType, Size: -1, verify: &verifier{admission: a, src: a.resp.Body}}
	if !enc.Hides() {
		b.Size = a.resp.Size
	}
	if d := message.DecodeStrict(a.resp.Body, enc); d != nil {
		b.verify.src = d
		b.verify.decoder = d
	}
	b.verify.expect(promises, !a.r.NoDigest)
	b.r.R = b.verify
	return b
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
