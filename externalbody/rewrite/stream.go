package rewrite

import (
	"io"
	"math"
	"strings"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/internal/mimeparam"
	"github.com/go-extbody/extbody/internal/mimescan"
)

// A stream is the externalbody.Sink of one body. Where its first octets show that
// it is base64, whatever follows, it goes to the output if that takes it back;
// every other body goes to the sink.
type stream struct {
	*sink
	x     *inliner
	open  []int64 // as in inliner.body
	aside bool    // the body goes to the sink in any case

	place   *mimescan.Part // where the body that comes belongs
	header  []byte         // what comes before it in the output; nil if it goes to the sink
	coding  coding
	mark    mark
	encoder io.WriteCloser // into the output; nil if the body goes to the sink
}

// Begin is told of a body before its first octet.
func (k *stream) Begin(report *externalbody.Report, size int64) error {
	k.header = nil
	mediaType := mimeparam.Parse(report.MediaType).Type
	k.survey.brief = !strings.HasPrefix(mediaType, "text/") && !isComposite(mediaType)
	if k.survey.brief && !k.aside {
		k.err = k.prepare(report, size)
	}
	return k.err
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
	m, reason, err := newMerger(x.r, k.place, &x.opts, report)
	if reason != nil || err != nil || size < 0 && m.needsSize() {
		return err
	}
	m.size = size
	// A header that cannot be written is the reason to leave the reference, when
	// the body is inserted.
	k.header, _ = m.header(inBase64)
	k.coding = coding{name: inBase64, eol: m.eol, last: k.place.Entity().End == x.index.Size}
	return nil
}

// Write takes the next octets.
func (k *stream) Write(p []byte) (n int, err error) {
	if k.encoder == nil && k.header != nil && k.survey.n == 0 {
		first := k.survey
		if first.Write(p); first.ended {
			if k.err = k.start(); k.err != nil {
				return 0, k.err
			}
		}
	}
	if k.encoder == nil {
		return k.sink.Write(p)
	}
	n, k.err = k.encoder.Write(p)
	return n, k.err
}

// start writes what comes before the body to the output.
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

// Reset takes back what was written.
func (k *stream) Reset() error {
	if k.encoder == nil {
		return k.sink.Reset()
	}
	k.encoder = nil
	if err := k.x.out.back(k.mark); k.err == nil {
		k.err = err
	}
	return k.err
}

// finish ends the body in the output.
func (k *stream) finish() error {
	k.x.out.at = k.place.Entity().End
	return local(k.encoder.Close())
}
