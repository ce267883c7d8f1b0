package inspect

import (
	"context"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/share"
	"github.com/go-extbody/extbody/internal/unnamed"
)

// A Keeper is a [fetch.Fetcher] that keeps the bodies of links whose host counts the
// downloads, whatever caches may keep. A body that is looked at, and is put into a
// message later, is then fetched once. All other requests go to the next Fetcher.
//
// A body is kept for an hour after it was asked for last. At most 256 bodies are kept, and
// all together have 1 GiB on disk at most. Those that were asked for the longest time ago
// make room for others.
//
// Several goroutines may use a Keeper at once. Close must be called.
type Keeper struct {
	next fetch.Fetcher
	dir  string

	mu     sync.Mutex
	kept   map[string]*keptBody // by link
	bodies int                  // those of them that are there
	octets int64
}

// A keptBody is a body that is kept, or is being fetched.
type keptBody struct {
	turn chan struct{} // holds a value while nobody fetches the body
	resp *fetch.Response
	file *unnamed.File // nil until the body is there
	size int64
	last time.Time
	asks int // calls of Fetch that have not returned
}

// The bounds of a Keeper.
const (
	keepBody   = time.Hour
	keepBodies = 256 // each is an open file
	keepOctets = 1 << 30
)

// NewKeeper returns a Keeper that asks next, and keeps bodies in dir. If dir is "", that
// is the system's folder for temporary files.
func NewKeeper(next fetch.Fetcher, dir string) *Keeper {
	if dir == "" {
		dir = os.TempDir()
	}
	return &Keeper{next: next, dir: dir, kept: make(map[string]*keptBody)}
}

// Check implements [fetch.Checker], as next does.
func (k *Keeper) Check(req *fetch.Request) error {
	if c, ok := k.next.(fetch.Checker); ok {
		return c.Check(req)
	}
	return nil
}

// Audit implements [fetch.Auditor], as next does.
func (k *Keeper) Audit(resp *fetch.Response) error { return fetch.Audit(k.next, resp) }

// Fetch implements [fetch.Fetcher].
func (k *Keeper) Fetch(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
	text := req.Text
	if text == "" {
		text = req.URL.String()
	}
	if l, ok := share.Match(text); !ok || !l.Once || req.Conditions != nil {
		return k.next.Fetch(ctx, req)
	}
	b := k.body(text)
	defer k.leave(text, b)
	select {
	case <-b.turn:
		defer func() { b.turn <- struct{}{} }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	k.mu.Lock()
	there := b.file != nil
	k.mu.Unlock()
	if !there {
		if err := k.fetch(ctx, req, text, b); err != nil {
			return nil, err
		}
	}
	resp := *b.resp
	resp.Body = io.NopCloser(io.NewSectionReader(b.file, 0, b.size))
	return &resp, nil
}

// body returns the keptBody of a link, after it has forgotten those that are too old.
func (k *Keeper) body(text string) *keptBody {
	k.mu.Lock()
	defer k.mu.Unlock()
	now := time.Now()
	for other, o := range k.kept {
		if o.asks == 0 && now.Sub(o.last) > keepBody {
			k.forget(other, o)
		}
	}
	b := k.kept[text]
	if b == nil {
		b = &keptBody{turn: make(chan struct{}, 1)}
		b.turn <- struct{}{}
		k.kept[text] = b
	}
	b.last = now
	b.asks++
	return b
}

// leave ends what body began. Nothing is known about a body that could not be had.
func (k *Keeper) leave(text string, b *keptBody) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if b.asks--; b.asks == 0 && b.file == nil && k.kept[text] == b {
		delete(k.kept, text)
	}
}

// fetch fetches a body and keeps it.
func (k *Keeper) fetch(ctx context.Context, req *fetch.Request, text string, b *keptBody) error {
	resp, err := k.next.Fetch(ctx, req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	file, err := unnamed.Open(k.dir)
	if err != nil {
		return &fetch.Error{Op: "keep", Kind: fetch.Local, Err: err}
	}
	limit := int64(keepOctets)
	if req.MaxBytes > 0 {
		limit = min(limit, req.MaxBytes)
	}
	disk := &localFile{File: file}
	size, err := io.Copy(disk, io.LimitReader(resp.Body, limit+1))
	switch {
	case disk.err != nil:
		err = &fetch.Error{Op: "keep", Kind: fetch.Local, Err: disk.err}
	case err == nil && size > limit:
		err = &fetch.Error{Op: "keep", Kind: fetch.TooLarge, Err: fmt.Errorf("more than %d octets", limit)}
	}
	if err != nil {
		file.Discard()
		return err
	}
	resp.Body, resp.Resume = nil, nil
	k.mu.Lock()
	defer k.mu.Unlock()
	b.resp, b.file, b.size = resp, file, size
	k.kept[text] = b
	k.bodies++
	k.octets += size
	k.makeRoom()
	return nil
}

// A localFile remembers its own error, which is not one of what is written.
type localFile struct {
	*unnamed.File
	err error
}

func (f *localFile) Write(p []byte) (n int, err error) {
	n, f.err = f.File.Write(p)
	return n, f.err
}

// ReadFrom is that of Write, so that an error is known to be one of the file.
func (f *localFile) ReadFrom(r io.Reader) (int64, error) {
	return io.Copy(struct{ io.Writer }{f}, r)
}

// makeRoom forgets bodies that nobody asks for until there are few enough.
func (k *Keeper) makeRoom() {
	for k.bodies > keepBodies || k.octets > keepOctets {
		text, oldest := "", (*keptBody)(nil)
		for t, o := range k.kept {
			if o.asks == 0 && o.file != nil && (oldest == nil || o.last.Before(oldest.last)) {
				text, oldest = t, o
			}
		}
		if oldest == nil {
			return
		}
		k.forget(text, oldest)
	}
}

// forget removes a body. Who reads it at the moment has an error.
func (k *Keeper) forget(text string, b *keptBody) {
	delete(k.kept, text)
	if b.file != nil {
		k.bodies--
		k.octets -= b.size
		b.file.Discard()
	}
}

// Close forgets all bodies.
func (k *Keeper) Close() {
	k.mu.Lock()
	defer k.mu.Unlock()
	for text, b := range k.kept {
		k.forget(text, b)
	}
}
