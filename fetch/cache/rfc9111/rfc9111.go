// Package rfc9111 has the rules of RFC 9111, HTTP Caching, as functions of
// header fields and times. It stores nothing, sends nothing and has no clock.
//
// Header fields are maps as [net/http.Header] and [net/textproto.MIMEHeader]
// are, with names in canonical form, and can be passed as they are. They come
// from strangers: every function takes time linear in their length, and none
// modifies what it is given.
//
// A cache asks, in this order:
//
//   - [Policy.Storable] whether an answer may be stored, and [Stored] for the
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

// A Policy says what kind of cache the rules are applied for. The zero Policy is
// a private cache with the heuristics that RFC 9111 section 4.2.2 describes. A
// Policy may be used by several goroutines at once.
type Policy struct {
	// Shared makes it a shared cache, which serves more than one user.
	Shared bool

	// MinHeuristic is the least lifetime of an answer that says nothing of how
	// long it is fresh. 0 means that only the age of its Last-Modified counts.
	MinHeuristic time.Duration

	// MaxHeuristic is the most that a heuristic gives. 0 means 24 hours.
	MaxHeuristic time.Duration
}

// A Response is what is known of an answer.
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

// maxAge is what stands for times that are too long (section 1.2.2): 2^31 s.
const maxAge = (1 << 31) * time.Second

func (p *Policy) maxHeuristic() time.Duration {
	if p.MaxHeuristic > 0 {
		return p.MaxHeuristic
	}
	return 24 * time.Hour
}
