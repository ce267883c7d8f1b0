package fleet

import "time"

// SessionTime is how long the locks of a worker stay after the server heard of it last.
const SessionTime = 10 * time.Second

const (
	// restTime is how long a host is left alone after requests to it were given up, as it is when its worker was killed.
	restTime = SessionTime

	// pingTime is the time between two questions whether the server is there.
	pingTime = SessionTime / 6

	// silentTime is the time without an answer of PostgreSQL after which it counts as away. The wait for a
	// connection of the pool counts too: a silent server would hold the last of many requests up for minutes.
	silentTime = SessionTime / 3

	// connectTime bounds the time of a connection to PostgreSQL, and of the question whether an idle one is alive.
	// The pool asks that even when its caller has gone, and its end waits for the answer.
	connectTime = 2 * time.Second

	// bucketTime is the time without an octet of the bucket after which it counts as away for a request
	// that stores nothing.
	bucketTime = SessionTime / 2

	// queryTime bounds the time of a query for a store, whose methods have no context.
	queryTime = 2 * time.Second

	// probeTime is the time between two looks whether a bucket that was away takes bodies again, and
	// how long a request waits for that at most.
	probeTime = 5 * time.Second

	// retryTime is when a request that failed because the tier is away may come again.
	retryTime = 10 * time.Second

	// pollTime is how long a notification may be lost before the result is seen.
	pollTime = time.Second

	// unservedTime is the time without any fetcher after which a request fails.
	unservedTime = 2 * SessionTime

	// tidyTime is the time between two looks of a worker for bodies that were handed over.
	tidyTime = 5 * time.Second

	// passTime is the time between two looks of a worker at the jobs.
	passTime = 200 * time.Millisecond

	// idleTime is the time after which a host without jobs is given up.
	idleTime = 2 * time.Second
)

// statementTime bounds the time of a statement whose caller waits longer, or for ever. It is long, since a new
// version of the tables may rewrite one.
var statementTime = 30 * SessionTime
