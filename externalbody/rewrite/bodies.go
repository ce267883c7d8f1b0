package rewrite

import (
	"cmp"
	"context"
	"errors"
	"io"
	"math"
	"net/url"
	"slices"
	"strings"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/file/diskfull"
	"github.com/go-extbody/extbody/internal/mime/param"
	"github.com/go-extbody/extbody/internal/netx/only"
	"github.com/go-extbody/extbody/internal/netx/rethrow"
)

// The most bodies of one message that are asked for at the same time: in all, and of
// one host.
const (
	maxAhead        = 4
	maxAheadPerHost = 2
)

// start runs jobs. The caller calls wait before it returns.
func start(jobs []*job, run func(*job)) *workers {
	w := &workers{run: run, jobs: jobs, busy: make(map[string]int), thrown: make(chan struct{})}
	for _, j := range jobs {
		j.done = make(chan struct{})
	}
	for range min(maxAhead, len(jobs)) {
		w.group.Go(w.work)
	}
	return w
}

func (w *workers) work() {
	for j := w.next(nil); j != nil; j = w.next(j) {
		w.do(j)
	}
}

// next returns a job that may start, after one that has ended. Without such a job the
// worker ends: only the end of another job makes room for one.
func (w *workers) next(ended *job) *job {
	w.mu.Lock()
	defer w.mu.Unlock()
	if ended != nil {
		w.busy[ended.host]--
	}
	i := slices.IndexFunc(w.jobs, func(j *job) bool { return j.host == "" || w.busy[j.host] < maxAheadPerHost })
	if i < 0 || w.over {
		return nil
	}
	j := w.jobs[i]
	w.jobs = slices.Delete(w.jobs, i, i+1)
	w.busy[j.host]++
	return j
}

// do runs a job. If that panics or ends the goroutine, no other job starts.
func (w *workers) do(j *job) {
	var end rethrow.End
	defer func() {
		if !end.Thrown() {
			close(j.done)
			return
		}
		w.mu.Lock()
		defer w.mu.Unlock()
		if !w.over {
			w.over = true
			w.end = end
			close(w.thrown)
		}
	}()
	end.Run(func() { w.run(j) })
}

// await returns when a job has ended. If any job did not return, await ends as that did.
func (w *workers) await(j *job) {
	select {
	case <-j.done:
	case <-w.thrown:
		w.end.Raise()
	}
}

// wait returns when all jobs that have started have ended.
func (w *workers) wait() { w.group.Wait() }

// Err implements context.Context.
func (p *noDeadline) Err() error {
	err := p.Context.Err()
	if !p.strict && errors.Is(err, context.DeadlineExceeded) {
		return nil
	}
	return err
}

// late reports whether the deadline has passed.
func (p *noDeadline) late() bool { return errors.Is(p.Context.Err(), context.DeadlineExceeded) }

// errNotAsked is the error of a body whose host was not asked because of the disk for temporary files.
var errNotAsked = errors.New("no host is asked since the disk for temporary files took no more octets")

// whileRoom returns the Resolver and the context for the References of one body. After the disk is full
// they ask no host, and those that wait for their turns at a host are canceled (OP-51). The caller calls cancel.
func (x *inliner) whileRoom(ctx context.Context) (r *externalbody.Resolver, asking context.Context, cancel context.CancelFunc) {
	asking, cancel = context.WithCancel(ctx)
	if x.opts.Resolver.Fetcher == nil {
		return x.opts.Resolver, asking, cancel
	}
	c := *x.opts.Resolver
	c.Fetcher = &whileRoom{c.Fetcher, x.disk, context.AfterFunc(x.disk, cancel)}
	return &c, asking, cancel
}

// A whileRoom is a Fetcher that asks no host after the disk has ended. stay keeps the request from being canceled by
// that.
type whileRoom struct {
	next fetch.Fetcher
	disk context.Context
	stay func() bool
}

// Fetch implements [fetch.Fetcher]. A request that has begun goes on, after a redirect too.
func (w *whileRoom) Fetch(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
	c := *req
	part := c.Driver(only.Driver{}).Part()
	gate := part.Gate
	begun := false
	part.Gate = func(ctx context.Context, to *url.URL) error {
		if !begun && w.disk.Err() != nil {
			return leave(fetch.Local, errNotAsked)
		}
		begun = true
		w.stay()
		if gate == nil {
			return nil
		}
		return gate(ctx, to)
	}
	return c.Driver(only.Driver{}).Ask(ctx, w.next)
}

// Check and AnonymousPassword are the questions of a Plan to a Fetcher. They are here since package driver, whose
// Layer has them, needs TLS.

// Check returns the answer of the next Fetcher.
func (w *whileRoom) Check(req *fetch.Request) error {
	if next, ok := w.next.(interface{ Check(*fetch.Request) error }); ok {
		return next.Check(req)
	}
	return nil
}

// AnonymousPassword returns the answer of the next Fetcher.
func (w *whileRoom) AnonymousPassword(scheme string) (password string, known bool) {
	if next, ok := w.next.(interface{ AnonymousPassword(string) (string, bool) }); ok {
		return next.AnonymousPassword(scheme)
	}
	return "", false
}

// spoolMemory bounds the octets of bodies that wait in memory.
const spoolMemory = 1 << 20

// sink returns a Sink for the next body.
func (x *inliner) sink() *sink { return &sink{x: x, body: x.open(), most: math.MaxInt64} }

// Begin is called before the first octet of a body.
func (k *sink) Begin(report *externalbody.Report, size int64) error {
	mediaType := param.Parse(report.MediaType).Type
	k.survey.brief = !strings.HasPrefix(mediaType, "text/") && !isComposite(mediaType)
	k.most = k.x.mostOctets(k.survey.brief)
	if size > k.most {
		return leave(fetch.TooLarge, ErrMaxOutput)
	}
	return nil
}

func (k *sink) Write(p []byte) (n int, err error) {
	if k.survey.n+int64(len(p)) > k.most {
		return 0, leave(fetch.TooLarge, ErrMaxOutput)
	}
	if k.err == nil {
		n, k.err = k.body.Write(p)
		k.survey.Write(p[:n])
		if diskfull.Is(k.err) {
			k.x.fill()
		}
	}
	return n, k.err
}

// Reset drops the body. After an error of Write it returns that error.
func (k *sink) Reset() error {
	err := k.body.Reset()
	k.survey = survey{}
	k.err = cmp.Or(k.err, err)
	return k.err
}

// len returns the number of octets of the body.
func (k *sink) len() int64 { return k.survey.n }

func (k *sink) reader() *io.SectionReader { return io.NewSectionReader(k.body, 0, k.len()) }

// fits reports whether the message may grow by that many octets.
func (x *inliner) fits(more int64) bool {
	return x.opts.MaxOutput <= 0 || more <= 0 || x.size <= x.opts.MaxOutput-more
}

// mostOctets returns the most octets that a body may have, before its encoding is
// known. Data never takes fewer octets than it has. Text may, since the CRs may be left
// out.
func (x *inliner) mostOctets(data bool) int64 {
	switch most := x.opts.MaxOutput; {
	case most <= 0, !data && most > math.MaxInt64/2:
		return math.MaxInt64
	case data:
		return most
	default:
		return 2 * most
	}
}
