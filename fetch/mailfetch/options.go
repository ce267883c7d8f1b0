package mailfetch

import "context"

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
}
