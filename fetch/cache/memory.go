package cache

import (
	"bytes"
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

// A memItem is not changed once it is in the store.
type memItem struct {
	key  string
	text []byte // of the meta, if known is nil
	body []byte

	// known is the meta of a Cache that keeps it here as it is: most of what is in
	// memory is never asked for, and needs no text.
	known *meta
}

func (it *memItem) size() int64 {
	n := int64(len(it.key) + len(it.text) + len(it.body))
	if it.known != nil {
		n += it.known.size()
	}
	return n
}

// Meta implements [Item].
func (it *memItem) Meta() []byte {
	if it.known != nil {
		return it.known.encode()
	}
	return it.text
}

func (it *memItem) Size() int64 { return int64(len(it.body)) }

func (it *memItem) Open() io.ReadCloser { return io.NopCloser(bytes.NewReader(it.body)) }

func (it *memItem) Close() error { return nil }

// Get implements [Store].
func (s *MemoryStore) Get(key string) (Item, error) {
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
func (s *MemoryStore) Create(size int64) (Draft, error) {
	if size > s.max {
		return nil, ErrFull
	}
	return &memDraft{store: s, size: size}, nil
}

// Update implements [Store].
func (s *MemoryStore) Update(key string, it Item, meta []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.put(&memItem{key: key, text: slices.Clone(meta), body: it.(*memItem).body})
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
	s.entries[it.key] = s.recent.PushFront(it)
	return nil
}

func (s *MemoryStore) remove(key string) {
	if e, ok := s.entries[key]; ok {
		s.used -= e.Value.(*memItem).size()
		s.recent.Remove(e)
		delete(s.entries, key)
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
	size  int64 // as announced; -1 if it was not

	mu     sync.RWMutex
	body   []byte
	closed bool
	kept   bool // the store accounts for body
}

// maxAnnounced bounds the memory that a draft takes for octets that have not come.
const maxAnnounced = 128 << 10

// Write implements [io.Writer].
func (w *memDraft) Write(p []byte) (int, error) {
	w.store.mu.Lock()
	err := w.store.reserve(int64(len(p)))
	w.store.mu.Unlock()
	if err != nil {
		return 0, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.body == nil {
		// What is announced and does not come takes little.
		w.body = make([]byte, 0, max(int64(len(p)), min(w.size, maxAnnounced)))
	}
	w.body = append(w.body, p...)
	return len(p), nil
}

// ReadAt implements [io.ReaderAt].
func (w *memDraft) ReadAt(p []byte, off int64) (int, error) {
	w.mu.RLock()
	defer w.mu.RUnlock()
	if off >= int64(len(w.body)) {
		return 0, io.EOF
	}
	n := copy(p, w.body[off:])
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
	if w.closed || w.kept {
		return os.ErrClosed
	}
	w.store.mu.Lock()
	defer w.store.mu.Unlock()
	w.store.used -= int64(len(w.body))
	w.kept = true
	it.body = slices.Clip(w.body)
	return w.store.put(it)
}

// Close implements [io.Closer].
func (w *memDraft) Close() error {
	if w.closed {
		return nil
	}
	w.closed = true
	if !w.kept {
		w.store.mu.Lock()
		w.store.used -= int64(len(w.body))
		w.store.mu.Unlock()
	}
	return nil
}
