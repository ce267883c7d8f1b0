package store

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"
)

// A silence is the limits of the time in which no octet comes from a bucket, and none goes there.
type silence struct {
	ask  time.Duration // of a request that stores nothing, and of its answer
	take time.Duration // while an object, or a part of one, is sent and stored
	join time.Duration // until the parts of an object are one, which may take minutes on S3
}

// errSilent is the error of a bucket that was given up. It matches [os.ErrDeadlineExceeded].
type errSilent struct{ after time.Duration }

func (e errSilent) Error() string { return fmt.Sprintf("the bucket was silent for %v", e.after) }

// Is implements the function for [errors.Is].
func (errSilent) Is(target error) bool { return target == os.ErrDeadlineExceeded }

// uploadKey is the key of a context.CancelCauseFunc in the context of an upload. A silence ends the upload, and not
// only the request, which the client would make again: the server may be at work on it.
type uploadKey struct{}

// A listener is a RoundTripper that gives a silent bucket up.
type listener struct {
	next   http.RoundTripper
	limits silence
}

// RoundTrip implements http.RoundTripper.
func (l *listener) RoundTrip(req *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancelCause(req.Context())
	w := &watch{ctx: ctx, cancel: cancel, limit: l.limits.ask}
	if end, ok := ctx.Value(uploadKey{}).(context.CancelCauseFunc); ok {
		w.cancel = end
		w.limit = l.limits.take
		if req.Method == http.MethodPost && req.URL.Query().Has("uploadId") {
			w.limit = l.limits.join
		}
	}
	w.timer = time.AfterFunc(w.limit, func() {
		if ctx.Err() == nil { // otherwise the answer is over, and what was not sent of the body does not matter
			w.cancel(errSilent{w.limit})
		}
	})
	req = req.WithContext(ctx)
	if req.Body != nil && req.Body != http.NoBody {
		req.Body = sent{req.Body, w}
	}
	resp, err := l.next.RoundTrip(req)
	w.timer.Stop()
	if err != nil {
		err = w.cause(err)
		cancel(err)
		return nil, err
	}
	resp.Body = received{resp.Body, w, cancel}
	return resp, nil
}

// A watch gives a request up, or its upload, at the end of its timer.
type watch struct {
	ctx    context.Context
	cancel context.CancelCauseFunc
	limit  time.Duration
	timer  *time.Timer
}

// cause returns the error of a bucket that was given up, or err.
func (w *watch) cause(err error) error {
	if silent, ok := context.Cause(w.ctx).(errSilent); ok {
		return silent
	}
	return err
}

// sent is the body of a request. A Read tells that what was read before has gone.
type sent struct {
	io.ReadCloser
	watch *watch
}

func (s sent) Read(p []byte) (int, error) {
	s.watch.timer.Reset(s.watch.limit)
	return s.ReadCloser.Read(p)
}

// received is the body of an answer. The time between two Reads is the caller's.
type received struct {
	io.ReadCloser
	watch *watch
	free  context.CancelCauseFunc
}

func (r received) Read(p []byte) (int, error) {
	r.watch.timer.Reset(r.watch.limit)
	n, err := r.ReadCloser.Read(p)
	r.watch.timer.Stop()
	if err != nil && err != io.EOF {
		err = r.watch.cause(err)
	}
	return n, err
}

func (r received) Close() error {
	defer r.free(context.Canceled)
	return r.ReadCloser.Close()
}
