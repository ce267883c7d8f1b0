package mailfetch

import (
	"context"
	"crypto/rand"
	"time"
)

// Options adjust a [Fetcher]. The zero value is safe, and sends nothing.
type Options struct {
	// From is the address of the user, as local@domain: the From field and the
	// reverse path of each request. The mail server answers to it, and learns
	// it. Anything but an address makes every request Local.
	From string

	// Send hands a request over for sending, for example to a submission
	// server. msg is a whole message with CRLF line ends, whose last line may
	// lack one; its lines are not dot-stuffed. nil as the result means that the
	// request is on its way. Send is called by the goroutine that fetches, by
	// several at once if several do. nil makes every request Unsupported.
	Send func(ctx context.Context, from, to string, msg []byte) error

	// MaxPerAddress bounds the requests to one address, which is compared
	// without regard to case. 0 means 3; a negative value that none is sent.
	// More are Blocked.
	MaxPerAddress int

	// MaxRequests bounds the requests of the Fetcher, and thus its memory.
	// 0 means 10; a negative value that none is sent. More are
	// Blocked.
	MaxRequests int

	// Now is the clock; nil means time.Now.
	Now func() time.Time

	// MessageID returns a new message identifier, with angle brackets; nil
	// means a random one in the domain of From.
	MessageID func() string
}

const (
	defaultPerAddress = 3
	defaultRequests   = 10
)

func (o *Options) withDefaults() Options {
	var c Options
	if o != nil {
		c = *o
	}
	if c.MaxPerAddress == 0 {
		c.MaxPerAddress = defaultPerAddress
	}
	if c.MaxRequests == 0 {
		c.MaxRequests = defaultRequests
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.MessageID == nil {
		from, _ := parseAddress(c.From)
		c.MessageID = func() string { return "<" + rand.Text() + "@" + from.domain + ">" }
	}
	return c
}
