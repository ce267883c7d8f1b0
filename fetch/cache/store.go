package cache

import (
	"bytes"
	"container/list"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
	"sync"
)

// A Store keeps bodies with their meta. [Dir] and [Memory] return
// Stores. A Store is safe for concurrent use.
//
// A key is any sequence of octets. It holds credentials, so a Store must not
// show it, in the names of files for example. meta is the cache's own data
// about the body; the Store keeps it as it is, and has to notice when it was
// changed.
//
// No error of a Store becomes the caller's of a fetch: the cache goes on without
// the Store.
//
// A Store that machines share, whose clocks may differ, can have a method Now() time.Time, which
// returns the time of one clock. The times of answers are stored by that clock, and their age and
// freshness are judged by it. Responses have times by the clock of their machine.
type Store interface {
	// Get returns the item that was committed last for key. The error matches
	// fs.ErrNotExist if there is nothing.
	Get(key string) (Item, error)

	// Create starts a body. size is the number of octets that are expected, -1
	// if that is not known.
	Create(size int64) (Draft, error)

	// Update replaces the meta of it, which Get returned for key. The body
	// stays.
	Update(key string, it Item, meta []byte) error

	// Delete forgets the item of key. It is not an error if there is
	// nothing.
	Delete(key string) error

	// Close frees the resources of the Store. It is called after the last use of the Store, of its Items and
	// of its Drafts.
	Close() error
}

// An Item is a body in a Store, and the meta that was committed with it. It may
// be used while the Store gets rid of it. It has to be closed.
type Item interface {
	io.Closer

	// Meta returns the meta that was committed.
	Meta() []byte

	// Open returns a reader of the body from its start. It reports io.EOF only if
	// all its octets are the ones that were committed, and otherwise ErrCorrupt,
	// not before its end. If the Store cannot read the body at present, the error
	// is a *fetch.Error, and the entry stays. It has to be closed, before the Item.
	Open() io.ReadCloser
}

// A Draft is a body that is being stored. It is for one goroutine at a time. It has to
// be closed; if it was not committed, nothing of it is left then.
type Draft interface {
	io.Writer
	io.ReaderAt
	io.Closer

	// Commit makes the body that was written the one for key. When it returns
	// without error, the body is there after a crash as well, if the Store
	// outlives the process. ReadAt may be called afterwards, Write may not.
	Commit(key string, meta []byte) error
}

var (
	// ErrCorrupt is the error of a body in a Store that differs from the committed one.
	ErrCorrupt = errors.New("cache: the stored body is damaged")

	// ErrFull is the error of a Store that has no room for a body, although it
	// gave up all that it could.
	ErrFull = errors.New("cache: the store is full")
)

// A memoryStore is a Store in memory, for one process.
type memoryStore struct {
	max int64

	mu      sync.Mutex
	used    int64 // with the drafts
	entries map[string]*list.Element
	recent  list.List // of *memItem, the one used last in front
}

// Memory returns a Store in memory, for one process, of at most maxBytes octets, the ones that are
// being written included; the ones that were used longest ago make room.
func Memory(maxBytes int64) Store {
	return &memoryStore{max: maxBytes, entries: make(map[string]*list.Element)}
}

// A memItem is not changed once it is in the store.
type memItem struct {
	key        string
	meta, body []byte
}

func (it *memItem) bytes() int64 { return int64(len(it.key) + len(it.meta) + cap(it.body)) }

// Meta implements [Item].
func (it *memItem) Meta() []byte { return it.meta }

// Open implements [Item].
func (it *memItem) Open() io.ReadCloser { return io.NopCloser(bytes.NewReader(it.body)) }

// Close implements [io.Closer].
func (it *memItem) Close() error { return nil }

// Get implements [Store].
func (s *memoryStore) Get(key string) (Item, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e, ok := s.entries[key]
	if !ok {
		return nil, fs.ErrNotExist
	}
	s.recent.MoveToFront(e)
	return e.Value.(*memItem), nil
}

// Create implements [Store].
func (s *memoryStore) Create(size int64) (Draft, error) {
	if size > s.max {
		return nil, ErrFull
	}
	return &memDraft{store: s}, nil
}

// Update implements [Store].
func (s *memoryStore) Update(key string, it Item, meta []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.put(&memItem{key, slices.Clone(meta), it.(*memItem).body})
}

// Delete implements [Store].
func (s *memoryStore) Delete(key string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.remove(key)
	return nil
}

// Close implements [Store].
func (s *memoryStore) Close() error { return nil }

// put makes it the item of its key.
func (s *memoryStore) put(it *memItem) error {
	s.remove(it.key)
	if err := s.reserve(it.bytes()); err != nil {
		return err
	}
	s.entries[it.key] = s.recent.PushFront(it)
	return nil
}

func (s *memoryStore) remove(key string) {
	if e, ok := s.entries[key]; ok {
		s.used -= e.Value.(*memItem).bytes()
		s.recent.Remove(e)
		delete(s.entries, key)
	}
}

// reserve makes room for n octets more.
func (s *memoryStore) reserve(n int64) error {
	if n > s.max {
		return ErrFull
	}
	for s.used > s.max-n && s.recent.Len() > 0 {
		s.remove(s.recent.Back().Value.(*memItem).key)
	}
	if s.used > s.max-n {
		return ErrFull
	}
	s.used += n
	return nil
}

// A memDraft is a body in memory.
type memDraft struct {
	store    *memoryStore
	body     []byte
	reserved int64
	closed   bool
}

// Write implements [io.Writer].
func (w *memDraft) Write(p []byte) (int, error) {
	if w.closed {
		return 0, os.ErrClosed
	}
	w.store.mu.Lock()
	err := w.store.reserve(int64(len(p)))
	w.store.mu.Unlock()
	if err != nil {
		return 0, err
	}
	w.reserved += int64(len(p))
	w.body = append(w.body, p...)
	return len(p), nil
}

// ReadAt implements [io.ReaderAt].
func (w *memDraft) ReadAt(p []byte, off int64) (int, error) {
	return bytes.NewReader(w.body).ReadAt(p, off)
}

// Commit implements [Draft].
func (w *memDraft) Commit(key string, meta []byte) error {
	if w.closed {
		return os.ErrClosed
	}
	body := w.body
	if cap(body) > len(body)+len(body)/8 {
		body = slices.Clone(body)
	}
	w.Close()
	w.store.mu.Lock()
	defer w.store.mu.Unlock()
	return w.store.put(&memItem{key, slices.Clone(meta), body})
}

// Close implements [io.Closer].
func (w *memDraft) Close() error {
	if !w.closed {
		w.closed = true
		w.store.mu.Lock()
		w.store.used -= w.reserved
		w.store.mu.Unlock()
	}
	return nil
}
