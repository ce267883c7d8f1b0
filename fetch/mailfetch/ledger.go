package mailfetch

import (
	"context"
	"crypto/sha256"
	"strings"
	"sync"

	"github.com/go-extbody/extbody/fetch"
)

// Limits on the requests of a Fetcher, and so on its memory.
const (
	maxPerAddress = 3
	maxRequests   = 10
)

// A ledger remembers the requests and their servers. It grows only with the requests
// that it lets through.
type ledger struct {
	mu       sync.Mutex
	requests int
	address  map[string]int
	entries  map[[sha256.Size]byte]*entry
}

// An entry is a request that is being sent or was sent.
type entry struct {
	key  [sha256.Size]byte
	id   string        // its Message-ID
	done chan struct{} // closed when err is set
	err  error
}

// wait reports whether err is set; ctx can end first.
func (e *entry) wait(ctx context.Context) bool {
	select {
	case <-e.done:
		return true
	case <-ctx.Done():
		return false
	}
}

// key identifies a request. None of the three texts has a NUL.
func (r *request) key() [sha256.Size]byte {
	return sha256.Sum256([]byte(r.to.String() + "\x00" + r.subject + "\x00" + r.body))
}

// check returns nil if r was sent or may be.
func (l *ledger) check(r *request) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.entries[r.key()] != nil {
		return nil
	}
	return l.limit(r)
}

// limit applies the limits to a new request.
func (l *ledger) limit(r *request) error {
	if l.requests >= maxRequests || l.address[fold(r.to)] >= maxPerAddress {
		return &fetch.Error{Kind: fetch.Blocked, Err: errOften}
	}
	return nil
}

func fold(a address) string { return strings.ToLower(a.String()) }

// enter returns the entry of r, and whether it is new: then the caller sends the
// request, and calls leave.
func (l *ledger) enter(r *request) (e *entry, first bool, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	key := r.key()
	if e := l.entries[key]; e != nil {
		return e, false, nil
	}
	if err := l.limit(r); err != nil {
		return nil, false, err
	}
	e = &entry{key: key, done: make(chan struct{})}
	l.entries[key] = e
	l.requests++
	l.address[fold(r.to)]++
	return e, true, nil
}

// leave records the outcome of sending. A request that was not sent is forgotten, but
// counts, because a part of it may have been sent.
func (l *ledger) leave(e *entry, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err != nil {
		delete(l.entries, e.key)
	}
	e.err = err
	close(e.done)
}
