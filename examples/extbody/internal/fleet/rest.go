package fleet

import (
	"maps"
	"slices"
	"sync"
	"time"
)

// rests are the hosts at which requests were given up, and until when each is left alone. The connections of these
// requests are closed. A host that has not noticed still works on them, and would have more than its limit with new ones.
type rests struct {
	mu    sync.Mutex
	until map[string]time.Time
}

// add leaves a host alone for a time from now.
func (r *rests) add(host string, d time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.until == nil {
		r.until = make(map[string]time.Time)
	}
	if until := time.Now().Add(d); until.After(r.until[host]) {
		r.until[host] = until
	}
}

// has reports whether a host is left alone.
func (r *rests) has(host string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return time.Now().Before(r.until[host])
}

// hosts returns the hosts that are left alone, and whether the rest of others has ended since the last call.
func (r *rests) hosts() (list []string, ended bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := len(r.until)
	maps.DeleteFunc(r.until, func(_ string, until time.Time) bool { return !time.Now().Before(until) })
	return slices.Collect(maps.Keys(r.until)), len(r.until) < n
}
