package throttle

import (
	"math/rand/v2"
	"time"
)

// Bounds.
const (
	maxRepeats   = 2                // of a request, after a Retry-After within MaxWait
	perAddress   = 32               // fetches at a time at one address
	firstWindow  = 2                // requests at a time to a host of which nothing is known
	knownWait    = 10 * time.Second // the default of MaxWait where the time of the wait is known
	firstPause   = time.Second      // after the first 429 or 503; doubles each time
	maxPause     = 5 * time.Minute  // where the host does not ask for more
	maxHostAfter = 10 * time.Minute // Retry-After that holds for the whole host
	maxAfter     = 24 * time.Hour   // that is believed, whatever the host asks for
	agreeing     = 3                // links with a longer Retry-After, for one that holds for the host
	maxLinks     = 4096             // links with such a Retry-After that are remembered
	growth       = 100              // answers for one more request at a time
	downAfter    = 3                // requests in a row that time out before a host is down
	downTime     = time.Minute      // that a host is down at first; doubles each time
	awayTime     = knownWait        // that a host is put off at first while no host answers; doubles to downTime
	maxDown      = 16               // times downTime
	maxResting   = 4096             // hosts of each sort that are remembered without being in use
	memory       = time.Hour        // without use, after which the knowledge of a host is old
	guess        = 10 * time.Second // to the next try, where nothing is known
)

// backoff returns how long a host is left alone after n answers in a row that it
// is busy: a time between d and d/2 (so that not all who were turned away return
// together), where d doubles with n.
func backoff(n int) time.Duration {
	d := maxPause
	if n < 16 {
		d = min(d, firstPause<<(n-1))
	}
	return d/2 + rand.N(d/2)
}
