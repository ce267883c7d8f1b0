package rewrite

import (
	"io"
	"math"
	"strings"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/mime/message"
	"github.com/go-extbody/extbody/internal/mime/param"
)

// A stream is the externalbody.Sink of one body. If the first octets of the body show
// that it will be base64, whatever follows, the body goes to the output, provided that
// the output can take it back. Every other body goes to the sink.
type stream struct {
	*sink
	x     *inliner
	open  []int64 // see inliner.body
	aside bool    // the body goes to the sink in any case
	fatal error   // of the output or the source, which ends everything
	most  int64   // the most octets that the body may have

	place   *message.Part // the part that the body replaces
	header  []byte        // the octets before it in the output; nil if it goes to the sink
	coding  coding
	mark    mark
	encoder io.WriteCloser // into the output; nil if the body goes to the sink
}

// Begin is called before the first octet of a body.
func (k *stream) Begin(report *externalbody.Report, size int64) error {
	k.header = nil
	mediaType := param.Parse(report.MediaType).Type
	k.survey.brief = !strings.HasPrefix(mediaType, "text/") && !isComposite(mediaType)
	k.most = k.x.mostOctets(k.survey.brief)
	if k.survey.brief && !k.aside {
		k.fatal = k.prepare(report, size)
	}
	if k.fatal == nil && size > k.most {
		return leave(fetch.TooLarge, errMaxOutput)
	}
	return k.fatal
}

// prepare sets header if the body may go to the output.
func (k *stream) prepare(report *externalbody.Report, size int64) (err error) {
	x := k.x
	if x.out.file == nil || x.opts.ResultField != "" {
		return nil
	}
	if x.opts.Transport8bit && k.open[1] < math.MaxInt64 {
		return nil // a later body may raise labels before this one
	}
	if k.place, err = x.place(report.Reference); err != nil || begin(k.place) > k.open[0] {
		return err
	}
	m, reason, err := newMerger(&x.layout, k.place, &x.opts, report)
	if reason != nil || err != nil || size < 0 && m.needsSize() {
		return err
	}
	m.size = size
	// If a header cannot be written, the reference is left when the body is inserted.
	k.header, _ = m.header(inBase64)
	k.coding = coding{name: inBase64, eol: m.eol, last: k.place.Entity().End == x.index.Size}
	return nil
}

// written returns how many octets of the body are in the output after n octets of it.
func (k *stream) written(n int64) int64 {
	return int64(len(k.header)) + k.coding.base64Len(n)
}

// Write takes the next octets.
func (k *stream) Write(p []byte) (n int, err error) {
	if k.survey.n+int64(len(p)) > k.most {
		return 0, leave(fetch.TooLarge, errMaxOutput)
	}
	if k.encoder == nil && k.header != nil && k.survey.n == 0 {
		first := k.survey
		if first.Write(p); first.ended {
			if k.fatal = k.start(); k.fatal != nil {
				return 0, k.fatal
			}
		}
	}
	if k.encoder == nil {
		return k.sink.Write(p)
	}
	if !k.x.fits(k.written(k.survey.n+int64(len(p))) - k.place.Entity().Len()) {
		return 0, leave(fetch.TooLarge, errMaxOutput)
	}
	n, err = k.encoder.Write(p)
	k.survey.n += int64(n)
	if err != nil {
		return n, k.takeBack(err)
	}
	return n, nil
}

// takeBack removes a body from the output after an error of writing it. A body for which
// the disk has no room is left as a reference. Any other error is fatal.
func (k *stream) takeBack(err error) error {
	if err = local(err); fetch.KindOf(err) != fetch.Local {
		k.fatal = err
		return err
	}
	k.encoder, k.header, k.survey = nil, nil, survey{}
	if k.fatal = k.x.out.back(k.mark); k.fatal != nil {
		return k.fatal
	}
	return err
}

// start writes the octets before the body to the output.
func (k *stream) start() (err error) {
	x := k.x
	sortEdits(x.edits)
	if x.edits, err = x.out.to(begin(k.place), x.edits); err != nil {
		return err
	}
	if k.mark, err = x.out.mark(); err != nil {
		return err
	}
	if err := x.out.copy(k.place.Entity().Start); err != nil {
		return err
	}
	k.encoder = k.coding.writer(x.out.w)
	_, err = x.out.w.Write(k.header)
	return local(err)
}

// Reset drops the octets that were written.
func (k *stream) Reset() error {
	if k.encoder == nil {
		return k.sink.Reset()
	}
	k.encoder, k.survey = nil, survey{}
	if err := k.x.out.back(k.mark); k.fatal == nil {
		k.fatal = err
	}
	return k.fatal
}

// finish ends the body in the output, or returns the reason why it is not there.
func (k *stream) finish() (reason, err error) {
	x := k.x
	err = k.encoder.Close()
	if err == nil {
		err = x.out.w.Flush()
	}
	if err != nil {
		reason = k.takeBack(err)
		return reason, k.fatal
	}
	x.out.at = k.place.Entity().End
	x.size += k.written(k.survey.n) - k.place.Entity().Len()
	return nil, nil
}
