package throttle

import (
	"context"
	"sync"
	"time"

	"github.com/go-extbody/extbody/fetch"
)

// A pace bounds the octets of all bodies in a second. Each Read pays for its
// octets with time, one after the other.
type pace struct {
	rate int64 // 0 and less: no limit

	mu   sync.Mutex
	paid time.Time // until when the octets that were read have to last
}

// bound returns the part of b that one Read may fill.
func (p *pace) bound(b []byte) []byte {
	if p.rate <= 0 {
		return b
	}
	return b[:min(int64(len(b)), max(1, int64(float64(p.rate)*slice.Seconds())))]
}

// pay waits for as long as n octets have to last.
func (p *pace) pay(ctx context.Context, n int) error {
	if p.rate <= 0 || n == 0 {
		return nil
	}
	p.mu.Lock()
	now := time.Now()
	p.paid = later(p.paid, now).Add(time.Duration(float64(n) / float64(p.rate) * float64(time.Second)))
	d := p.paid.Sub(now)
	p.mu.Unlock()
	return fetch.Pause(ctx, d)
}
