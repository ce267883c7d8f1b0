package cache

import (
	"container/list"
	"io"
	"io/fs"
	"os"
	"slices"
	"sync"
)

// A MemoryStore is a [Store] in memory, for one process.
type MemoryStore struct {
	max int64

	mu      sync.Mutex
	used    int64 // with what drafts have
	entries map[string]*list.Element
	recent  list.List // of *memItem, the one used last in front
}

// Memory returns a store in memory of at most maxBytes octets, those that are
// being written included; those that were used longest ago make room.
func Memory(maxBytes int64) *MemoryStore {
	return &MemoryStore{max: maxBytes, entries: make(map[string]*list.Element)}
}

// A memItem is not changed once it is in the store, which holds its body.
type memItem struct {
	key  string
	text []byte // of the meta, if known is nil
	body *pieces

	// known is the meta of a Cache that keeps it here as it is: most of what is in
	// memory is never asked for, and needs no text.
	known *meta
}

func (it *memItem) size() int64 {
	n := int64(len(it.key)+len(it.text)) + it.body.n
	if it.known != nil {
		n += it.known.size()
	}
	return n
}

// A memOpened is an item that was got, and holds its body.
type memOpened struct {
	*memItem
	closed bool
}

// Meta implements [Item].
func (it *memOpened) Meta() []byte {
	if it.known != nil {
		return it.known.encode()
	}
	return it.text
}

// Size implements [Item].
func (it *memOpened) Size() int64 { return it.body.n }

// Open implements [Item].
func (it *memOpened) Open() io.ReadCloser { return it.body.open() }

// Close implements [io.Closer].
func (it *memOpened) Close() error {
	if !it.closed {
		it.closed = true
		it.body.letGo()
	}
	return nil
}

// Get implements [Store].
func (s *MemoryStore) Get(key string) (Item, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e, ok := s.entries[key]
	if !ok {
		return nil, fs.ErrNotExist
	}
	s.recent.MoveToFront(e)
	it := e.Value.(*memItem)
	it.body.hold()
	return &memOpened{memItem: it}, nil
}

// Create implements [Store].
func (s *MemoryStore) Create(size int64) (Draft, error) {
	if size > s.max {
		return nil, ErrFull
	}
	return &memDraft{store: s, body: newPieces()}, nil
}

// Update implements [Store].
func (s *MemoryStore) Update(key string, it Item, meta []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.put(&memItem{key: key, text: slices.Clone(meta), body: it.(*memOpened).body})
}

// Delete implements [Store].
func (s *MemoryStore) Delete(key string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.remove(key)
	return nil
}

// put makes it the item of its key.
func (s *MemoryStore) put(it *memItem) error {
	s.remove(it.key)
	if err := s.reserve(it.size()); err != nil {
		return err
	}
	it.body.hold()
	s.entries[it.key] = s.recent.PushFront(it)
	return nil
}

func (s *MemoryStore) remove(key string) {
	if e, ok := s.entries[key]; ok {
		it := e.Value.(*memItem)
		s.used -= it.size()
		s.recent.Remove(e)
		delete(s.entries, key)
		it.body.letGo()
	}
}

// reserve makes room for n octets more.
func (s *MemoryStore) reserve(n int64) error {
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
	store *MemoryStore

	mu     sync.RWMutex
	body   *pieces
	closed bool
	kept   bool // the store accounts for body
}

// Write implements [io.Writer].
func (w *memDraft) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed || w.kept {
		return 0, os.ErrClosed
	}
	w.store.mu.Lock()
	err := w.store.reserve(int64(len(p)))
	w.store.mu.Unlock()
	if err != nil {
		return 0, err
	}
	w.body.write(p)
	return len(p), nil
}

// ReadAt implements [io.ReaderAt].
func (w *memDraft) ReadAt(p []byte, off int64) (int, error) {
	w.mu.RLock()
	defer w.mu.RUnlock()
	if w.closed {
		return 0, os.ErrClosed
	}
	n := w.body.readAt(p, off)
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// Commit implements [Draft].
func (w *memDraft) Commit(key string, meta []byte) error {
	return w.enter(&memItem{key: key, text: slices.Clone(meta)})
}

// enter makes the body that was written that of it, and it the item of its key.
func (w *memDraft) enter(it *memItem) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed || w.kept {
		return os.ErrClosed
	}
	w.body.cut()
	it.body = w.body
	w.store.mu.Lock()
	defer w.store.mu.Unlock()
	w.store.used -= w.body.n
	w.kept = true
	return w.store.put(it)
}

// Close implements [io.Closer].
func (w *memDraft) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return nil
	}
	w.closed = true
	if !w.kept {
		w.store.mu.Lock()
		w.store.used -= w.body.n
		w.store.mu.Unlock()
	}
	w.body.letGo()
	return nil
}
