package mailbox

import (
	"context"
	"errors"
	"io"
	"iter"

	"github.com/go-extbody/extbody/examples/extbody/internal/mail/discover"
)

// Candidates is [Walk] without the messages that package discover rules out: those in
// which nothing can be found without dialects. The Index of a message counts them too.
//
// They are found in the same pass over the file as the beginnings of messages. A
// message that cannot be read to its end is yielded, so that opening it shows the
// error.
//
// Up to jobs goroutines read the files of a Maildir, those of a folder whose names end
// in ".eml", and a large mbox. They have ended when the sequence has. The sequence ends
// when ctx does, with the error of ctx if it was reading a file.
func Candidates(ctx context.Context, path string, jobs int) iter.Seq2[*Message, error] {
	return func(yield func(*Message, error) bool) {
		w := walker{yield: yield, judge: &judge{ctx: ctx}, jobs: jobs}
		w.walk(path)
	}
}

// ReadCandidates is to [Read] as [Candidates] is to Walk.
func ReadCandidates(ctx context.Context, path string, r io.ReaderAt, size int64) iter.Seq2[*Message, error] {
	return func(yield func(*Message, error) bool) {
		s := splitter{window: window{r: r, size: size, judge: &judge{ctx: ctx}}, path: path, yield: yield}
		s.split(false)
	}
}

// A judge decides which messages are candidates, while a splitter looks for their ends.
// A nil judge takes all of them.
type judge struct {
	ctx    context.Context
	filter discover.Filter
	given  int64 // the filter has seen the file up to here
	active bool  // it is given what the window moves away from
}

// canceled reports whether nobody waits for the candidates any more.
func (j *judge) canceled() bool { return j != nil && j.ctx.Err() != nil }

// context returns the context of the caller who waits for the candidates.
func (j *judge) context() context.Context {
	if j == nil {
		return context.Background()
	}
	return j.ctx
}

// begin begins the judging of a message.
func (j *judge) begin(content int64) {
	if j == nil {
		return
	}
	j.filter.Reset()
	j.given, j.active = content, true
}

// pass is called before the window moves to off.
func (j *judge) pass(w *window, off int64) {
	if j.ctx.Err() != nil {
		w.err = j.ctx.Err()
		return
	}
	if end := min(off, w.off+int64(len(w.buf))); j.active && w.off <= j.given && j.given < end {
		j.filter.Write(w.buf[j.given-w.off : end-w.off])
		j.given = end
	}
}

// ready fills the window of a file that will be read to its end.
func (j *judge) ready(w *window) {
	if j == nil {
		return
	}
	if w.at(0, 1, 1); w.err != nil {
		j.excuse(w)
	}
}

// excuse forgets an error in reading octets that are not needed to find messages.
func (j *judge) excuse(w *window) {
	if !j.canceled() && !errors.Is(w.err, ErrChanged) {
		w.err, w.buf = nil, nil
	}
}

// end ends the judging of a message, whose content ends at trailer, and reports whether
// it is a candidate. The filter may also have seen the first octet of the trailer,
// which makes no difference to it.
func (j *judge) end(w *window, trailer int64) bool {
	if j == nil {
		return true
	}
	j.active = false
	if w.err != nil {
		return true
	}
	for j.given < trailer {
		b := w.at(j.given, 1, windowSize)
		if w.err != nil {
			j.excuse(w)
			return true
		}
		if n := trailer - j.given; int64(len(b)) >= n {
			return j.filter.Possible(b[:n])
		}
		if !j.filter.Write(b) {
			return true
		}
		j.given += int64(len(b))
	}
	return j.filter.Possible(nil)
}
