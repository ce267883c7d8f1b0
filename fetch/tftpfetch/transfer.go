package tftpfetch

import (
	"context"
	"io"
	"os"
	"runtime"
	"strconv"
	"time"

	"github.com/pin/tftp/v3"

	"github.com/go-extbody/extbody/fetch"
)

// rrqOptions are the options of a read request (RFC 2347).
type rrqOptions struct {
	blockSize int  // not asked for if it is the default
	size      bool // ask for the size
}

// A transfer runs the engine for one read request, in a goroutine of its own.
type transfer struct {
	ctx        context.Context // ends when the transfer is given up
	target     *target
	options    rrqOptions
	retryAfter time.Duration

	pipe    *pipe
	lines   *lineWriter   // between the engine and the pipe; nil in octet mode
	size    int64         // -1 if not known; set before begun is closed
	begun   chan struct{} // closed with the first block
	ended   chan struct{} // closed after err is set
	err     error         // nil if the file is whole
	written bool          // the engine has given out a block
}

// attempt sends one read request and returns when the first block has come.
func (f *Fetcher) attempt(ctx context.Context, req *fetch.Request, tgt *target, r *route, o rrqOptions, log *fetch.Exchange) (*fetch.Response, error) {
	inner, cancel := context.WithCancelCause(ctx)
	t := &transfer{
		ctx:        inner,
		target:     tgt,
		options:    o,
		retryAfter: f.opts.RetryAfter,
		pipe:       newPipe(),
		size:       -1,
		begun:      make(chan struct{}),
		ended:      make(chan struct{}),
	}
	if tgt.mode == netascii {
		t.lines = &lineWriter{w: t.pipe, crlf: tgt.crlf}
	}
	client, err := t.client(r)
	if err != nil {
		cancel(err)
		return nil, &fetch.Error{Kind: fetch.Local, Err: err}
	}
	context.AfterFunc(inner, func() { t.pipe.fail(context.Cause(inner)) })
	log.Say(true, o.request(tgt))
	go t.run(client)

	if err := t.wait(ctx, req.Timeouts.FirstOctet); err != nil {
		cancel(err)
		tellError(log, err)
		return nil, err
	}
	if t.size >= 0 {
		log.Say(false, "OACK tsize "+strconv.FormatInt(t.size, 10))
	}
	return &fetch.Response{
		URL:        req.URL,
		Size:       t.size,
		Body:       &body{pipe: t.pipe, cancel: cancel, log: log},
		RemoteAddr: r.remote,
	}, nil
}

func (t *transfer) client(r *route) (*tftp.Client, error) {
	c, err := tftp.NewClient(r.remote.String())
	if err != nil {
		return nil, err
	}
	if err := c.SetLocalAddr(r.local.String()); err != nil {
		return nil, err
	}
	c.SetTimeout(t.retryAfter)
	c.SetRetries(maxRetries)
	c.SetBackoff(t.backoff)
	c.RequestTSize(t.options.size)
	if t.options.blockSize != defaultBlockSize {
		c.SetBlockSize(t.options.blockSize)
	}
	return c, nil
}

// wait returns when the first block has come, or with the reason why none will.
func (t *transfer) wait(ctx context.Context, limit time.Duration) error {
	var expired <-chan time.Time
	if limit > 0 {
		timer := time.NewTimer(limit)
		defer timer.Stop()
		expired = timer.C
	}
	select {
	case <-t.begun:
		return nil
	case <-t.ended:
	case <-expired:
		return fetch.NewTimeout("the first block")
	case <-ctx.Done():
	}
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case t.hasBegun():
		return nil // and ended: the Body says how
	}
	return t.err
}

// hasBegun reports whether a block has come.
func (t *transfer) hasBegun() bool {
	select {
	case <-t.begun:
		return true
	default:
		return false
	}
}

// run is the goroutine. Its deferred calls run also when backoff ends it.
func (t *transfer) run(client *tftp.Client) {
	t.err = errEnded
	defer func() {
		t.pipe.finish(t.err)
		close(t.ended)
	}()
	src, err := client.Receive(t.target.name, string(t.target.mode))
	if err != nil {
		t.err = engineError(err)
		return
	}
	if in, ok := src.(tftp.IncomingTransfer); ok && t.target.mode == octet {
		// The engine says 0 when the server said nothing.
		if n, ok := in.Size(); ok && n > 0 {
			t.size = n
		}
	}
	done := false
	defer func() {
		if !done && t.written {
			// The engine closes its socket when a write fails, and begins
			// with a write if it has a block. Without one the socket is left
			// to the garbage collector.
			src.WriteTo(failingWriter{})
		}
	}()
	_, err = src.WriteTo(t)
	done = true
	t.err = t.verdict(err)
}

type failingWriter struct{}

func (failingWriter) Write([]byte) (int, error) { return 0, errEnded }

// verdict is reached when the engine says that it is done.
func (t *transfer) verdict(err error) error {
	if err == nil && t.lines != nil {
		err = t.lines.end()
	}
	if err == nil {
		return nil
	}
	err = engineError(err)
	if t.hasBegun() {
		return truncated(err)
	}
	return err
}

// Write gets each block from the engine, the last one too if it is empty.
func (t *transfer) Write(block []byte) (int, error) {
	if !t.written {
		t.written = true
		if err := t.checkBlockSize(cap(block)); err != nil {
			return 0, err
		}
		defer close(t.begun)
	}
	if t.lines != nil {
		return t.lines.Write(block)
	}
	return t.pipe.Write(block)
}

// checkBlockSize judges the block size in force, which the engine shows in
// nothing but the capacity of its blocks.
func (t *transfer) checkBlockSize(n int) error {
	switch asked := t.options.blockSize; {
	case n > asked:
		return errRaised // RFC 2348
	case n == defaultBlockSize && n != asked:
		return errBlockSize
	}
	return nil
}

// backoff is called by the engine when no answer has come for retryAfter, and
// before it repeats its packet. It is the one place at which the engine can be
// stopped while the server is silent.
func (t *transfer) backoff(attempt int) time.Duration {
	timer := time.NewTimer(t.retryAfter<<attempt - t.retryAfter)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-t.ctx.Done():
	}
	if t.ctx.Err() != nil {
		runtime.Goexit()
	}
	return 0
}

// A body reads what the engine gives out.
type body struct {
	pipe   *pipe
	cancel context.CancelCauseFunc
	log    *fetch.Exchange
}

// Read implements [io.Reader].
func (b *body) Read(p []byte) (int, error) {
	n, err := b.pipe.Read(p)
	if err != nil {
		tellError(b.log, err)
	}
	return n, err
}

// Close implements [io.Closer]. The server gets an ERROR if it was not done.
func (b *body) Close() error {
	err := &fetch.Error{Kind: fetch.Local, Err: os.ErrClosed}
	b.pipe.fail(err)
	b.cancel(err)
	b.log.End(err) // unless fetch.Do has ended it
	return nil
}

var _ io.ReadCloser = (*body)(nil)
