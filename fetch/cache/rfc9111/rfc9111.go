// Package rfc9111 has the rules of RFC 9111, HTTP Caching, as functions of
// header fields and times. It stores nothing, sends nothing and has no clock.
//
// Header fields are maps as [net/http.Header] and [net/textproto.MIMEHeader]
// are, with names in canonical form, and can be passed as they are. They come
// from strangers: every function takes time linear in their length, and none
// modifies its arguments.
//
// A cache asks, in this order:
//
//   - [Storable] whether an answer may be stored, and [Stored] for the
//     fields of it to store;
//   - [Matches] whether a stored answer was selected by the same fields of the
//     request (Vary);
//   - [Policy.Judge] whether it may be used as it is;
//   - [Validators] for the conditions to ask with if it may not;
//   - [Selects] whether an answer 304 speaks of the stored one, and [Updated]
//     for the fields of that afterwards.
//
// Methods other than GET, and invalidation by unsafe ones (section 4.4), are
// not treated here.
package rfc9111

import "time"

// A Policy has the parameters of the rules, for a private cache. The zero Policy is
// a cache with the heuristics that RFC 9111 section 4.2.2 describes. A
// Policy may be used by several goroutines at once.
type Policy struct {
	// MinHeuristic is the least lifetime of an answer without a lifetime of its own. 0
	// means that only the age of its Last-Modified counts.
	MinHeuristic time.Duration
}

// A Response is an answer with its times.
type Response struct {
	Status int                 // the status code
	Header map[string][]string // the header fields, names in canonical form

	// Requested is when the request was sent, and Received when its answer
	// came (section 4.2.3).
	Requested, Received time.Time
}

// heuristicFraction is the part of the time since Last-Modified that a heuristic
// lifetime is (section 4.2.2): a tenth.
const heuristicFraction = 10

// maxAge replaces times that are too long (section 1.2.2): 2^31 s.
const maxAge = (1 << 31) * time.Second

// maxHeuristic bounds a heuristic lifetime.
const maxHeuristic = 24 * time.Hour
