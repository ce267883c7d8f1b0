package throttle

import (
	"net"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/go-extbody/extbody/internal/link/host"
)

// Options are for [New]. The zero value is fit for a program that fetches the objects of
// many messages.
type Options struct {
	// PerHost bounds the requests to one host at a time. 0 means 2, and a negative number
	// no limit, also for one address.
	PerHost int

	// MaxPerHost is the value up to which PerHost grows for a host that answers, by one
	// for each hundred answers without a 429 or 503. 0 means that it does not grow.
	MaxPerHost int

	// Rate bounds the requests to one host in a second, evenly spread; 0.5 is
	// one in two seconds. 0 means no limit.
	Rate float64

	// Fetches bounds the fetches at a time in all. 0 means no limit.
	Fetches int

	// MaxWait bounds how long a request waits for its turn. 0 means 10 seconds
	// where the host has said when, or is down, and as long as its context
	// lets it where other requests are before it. A negative value means that
	// no request waits.
	MaxWait time.Duration

	// Key returns the key by which hosts share limits: those with the same key
	// share PerHost, Rate and the pauses after 429 and 503. Retry-After, and
	// whether it is down, hold for a scheme, host and port alone. URLs without TLS
	// share nothing with those with TLS, since anybody on the way can answer. nil
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
	maxRepeats   = 2                // of a request, after a Retry-After within MaxWait
	perAddress   = 32               // fetches at a time at one address
	firstWindow  = 2                // requests at a time to a host of which nothing is known
	knownWait    = 10 * time.Second // the default of MaxWait where the time of the wait is known
	firstPause   = time.Second      // after the first 429 or 503; doubles each time
	maxPause     = 5 * time.Minute  // where the host does not ask for more
	maxHostAfter = 10 * time.Minute // Retry-After that holds for the host at once
	maxAfter     = 24 * time.Hour   // that is believed, whatever the host asks for
	agreeing     = 3                // links with a longer Retry-After, for one that holds for the host
	maxLinks     = 4096             // links with such a Retry-After that are remembered
	growth       = 100              // answers for one more request at a time
	downAfter    = 3                // requests in a row that time out before a host is down
	downTime     = time.Minute      // that a host is down at first; doubles each time
	maxDown      = 16               // times downTime
	maxResting   = 4096             // hosts of each sort that are remembered without being in use
	memory       = time.Hour        // without use, after which the knowledge of a host is old
	guess        = 10 * time.Second // to the next try, where nothing is known
)

// HostPort returns the host of u in lower case and its port, by default the port of the
// scheme.
func HostPort(u *url.URL) string {
	port := u.Port()
	if n := host.Port(strings.ToLower(u.Scheme)); port == "" && n != 0 {
		port = strconv.Itoa(int(n))
	}
	return net.JoinHostPort(strings.TrimSuffix(strings.ToLower(u.Hostname()), "."), port)
}
