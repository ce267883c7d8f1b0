package tftpfetch

import (
	"cmp"
	"time"

	"github.com/go-extbody/extbody/fetch/netguard"
)

// Options adjust a [Fetcher]. The zero value is safe.
type Options struct {
	// Guard judges the addresses that are asked; nil is the strict zero Guard.
	// Port 69 is added to the ports that it allows.
	Guard *netguard.Guard

	// BlockSize is the number of octets to ask for in each block (RFC 2348).
	// A server may choose fewer. 0 means 1428, which fits into one frame of
	// Ethernet with room for a tunnel. Values are brought into the range from
	// 512 to 65464.
	BlockSize int

	// RetryAfter is the time after which a packet that got no answer is
	// repeated; 0 or less means 1 s. The time between repetitions doubles, and
	// the server is given up when the fourth has had no answer either, 31 times
	// RetryAfter after the packet was sent first.
	RetryAfter time.Duration
}

const (
	defaultBlockSize = 512 // of a transfer without the option (RFC 1350 section 2)
	maxBlockSize     = 65464
	frameBlockSize   = 1428

	defaultRetryAfter = time.Second
	maxRetries        = 4
)

func (o *Options) withDefaults() Options {
	c := *cmp.Or(o, new(Options))
	c.BlockSize = cmp.Or(c.BlockSize, frameBlockSize)
	c.BlockSize = min(max(c.BlockSize, defaultBlockSize), maxBlockSize)
	if c.RetryAfter <= 0 {
		c.RetryAfter = defaultRetryAfter
	}
	return c
}
