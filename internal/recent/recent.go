// Package recent has maps that forget the oldest entry when they are full.
package recent

import "container/list"

// A Map has at most Max entries. The zero Map with a Max is ready to use. One goroutine may use it.
type Map[K comparable, V any] struct {
	Max int // at least 1

	entries map[K]*list.Element
	order   list.List // of entry[K, V], the oldest first
}

type entry[K comparable, V any] struct {
	key   K
	value V
}

// Get returns the value of a key, and whether there is one.
func (m *Map[K, V]) Get(key K) (value V, ok bool) {
	if e := m.entries[key]; e != nil {
		return e.Value.(entry[K, V]).value, true
	}
	return value, false
}

// Put sets the value of a key, which is then the newest. If there are too many, it forgets the oldest.
func (m *Map[K, V]) Put(key K, value V) {
	m.Delete(key)
	if m.entries == nil {
		m.entries = make(map[K]*list.Element)
	}
	m.entries[key] = m.order.PushBack(entry[K, V]{key, value})
	if len(m.entries) > m.Max {
		m.Delete(m.order.Front().Value.(entry[K, V]).key)
	}
}

// Delete forgets a key, if it is there.
func (m *Map[K, V]) Delete(key K) {
	if e := m.entries[key]; e != nil {
		m.order.Remove(e)
		delete(m.entries, key)
	}
}

// Len returns the number of entries.
func (m *Map[K, V]) Len() int { return len(m.entries) }
