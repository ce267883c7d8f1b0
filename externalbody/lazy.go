package externalbody

import "sync"

// A lazy is a value that is made when it is first asked for. If making it fails, it is
// tried again the next time. The zero lazy is ready to use. Several goroutines may use
// it at once.
type lazy[T any] struct {
	mu    sync.Mutex
	made  bool
	value T
}

func (l *lazy[T]) get(make func() (T, error)) (T, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.made {
		value, err := make()
		if err != nil {
			return value, err
		}
		l.value, l.made = value, true
	}
	return l.value, nil
}
