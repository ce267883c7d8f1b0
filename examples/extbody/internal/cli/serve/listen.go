package serve

import (
	"fmt"
	"net"
	"sync"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/listen"
)

// listenAll opens the listeners of all front ends. If one cannot be opened, it closes the
// others and returns the error. It calls full when no more connections fit at a front
// end, and report at most once a minute.
func listenAll(fronts []front, full func(), report func(front string, err error)) ([]net.Listener, error) {
	var mu sync.Mutex
	var last time.Time
	var list []net.Listener
	for _, f := range fronts {
		l, err := listen.Open(f.address)
		if err != nil {
			for _, l := range list {
				l.Close()
			}
			return nil, fmt.Errorf("--%s: %w", f.name, err)
		}
		list = append(list, listen.Patient(l, func(err error) {
			full()
			mu.Lock()
			defer mu.Unlock()
			if last.IsZero() || time.Since(last) >= time.Minute {
				last = time.Now()
				report(f.name, err)
			}
		}))
	}
	return list, nil
}
