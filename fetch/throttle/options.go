package throttle

import (
	"net"
	"net/url"
	"strings"
	"time"
)

// Options are for [New]. The zero value is fit for a program that fetches what
// many messages refer to.
type Options struct {
	// PerHost bounds the requests to one host at a time. 0 means 2, a negative
	// number no limit.
	PerHost int

	// Rate bounds the requests to one host in a second, evenly spread; 0.5 is
	// one in two seconds. 0 means no limit.
	Rate float64

	// Fetches bounds the fetches at a time in all. 0 means no limit.
	Fetches int

	// OctetRate bounds the octets of all bodies in a second, before content
	// codings are undone. 0 means no limit.
	OctetRate int64

	// MaxWait bounds how long a request waits for its turn. 0 means 10 seconds
	// where the host has said when, or is down, and as long as its context
	// lets it where other requests are before it. A negative value means that
	// no request waits.
	MaxWait time.Duration

	// Retries bounds how often a request is repeated that a host answered with
	// 429 or 503 and a Retry-After within MaxWait. 0 means 2, a negative
	// number none.
	Retries int

	// DownAfter is how many requests in a row have to time out before a host
	// is down. 0 means 3, a negative number that no host ever is.
	DownAfter int

	// DownTime is how long a host is down at first. It doubles each time that
	// the host is found to be down still, up to 16 times as much. 0 means a
	// minute.
	DownTime time.Duration

	// Key returns what the limits on one host are for: hosts with the same key
	// share PerHost, Rate and Retry-After. Whether a host is down is known of
	// each alone, so that one name that does not resolve stops no others. nil
	// means that each host and port is for itself.
	Key func(u *url.URL) string

	// State is shared by several Throttles, which then act as one. The first of
	// them gives it its limits, and the Options of the others should be the
	// same. A caller of something that makes a Throttle of Options can ask
	// State about hosts. nil means a State of its own.
	State *State
}

// Bounds.
const (
	firstWindow = 2                      // requests at a time to a host of which nothing is known
	knownWait   = 10 * time.Second       // what MaxWait is by default where it is known how long a wait will be
	firstPause  = time.Second            // after the first 429 or 503; doubles each time
	maxPause    = 5 * time.Minute        // where the host does not ask for more
	maxAfter    = 24 * time.Hour         // that is believed, whatever the host asks for
	maxDown     = 16                     // times DownTime
	maxResting  = 4096                   // hosts of each sort that are remembered without being in use
	memory      = time.Hour              // without use, after which what is known of a host is old
	guess       = 10 * time.Second       // to the next try, where nothing is known
	slice       = 250 * time.Millisecond // of OctetRate that one Read takes at most
)

func (o Options) withDefaults() Options {
	if o.PerHost == 0 {
		o.PerHost = 2
	}
	if o.Retries == 0 {
		o.Retries = 2
	}
	if o.DownAfter == 0 {
		o.DownAfter = 3
	}
	if o.DownTime <= 0 {
		o.DownTime = time.Minute
	}
	return o
}

// HostPort returns the host of u in lower case and its port, that of the scheme
// if u has none.
func HostPort(u *url.URL) string {
	port := u.Port()
	if port == "" {
		switch strings.ToLower(u.Scheme) {
		case "http":
			port = "80"
		case "https":
			port = "443"
		case "ftp":
			port = "21"
		case "ftps":
			port = "990"
		case "tftp":
			port = "69"
		case "imap":
			port = "143"
		case "imaps":
			port = "993"
		}
	}
	return net.JoinHostPort(strings.TrimSuffix(strings.ToLower(u.Hostname()), "."), port)
}
