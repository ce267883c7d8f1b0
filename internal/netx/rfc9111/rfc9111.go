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

import (
	"slices"
	"time"
)

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

// maxHeuristic bounds a heuristic lifetime.
const maxHeuristic = 24 * time.Hour

// A Verdict is the permission to use a stored answer.
type Verdict struct {
	// Fresh: it may be used as it is.
	Fresh bool

	// Disconnected: it may be used although it is not fresh, by a
	// cache that cannot contact the server at all (section 4.2.4).
	Disconnected bool

	// OnError: it may be used although it is not fresh where the server cannot be
	// reached or fails, because the server allowed it
	// (stale-if-error, RFC 5861 section 4).
	OnError bool

	// Age is how old the answer is, for the field Age.
	Age time.Duration
}

// Judge returns how a stored answer may be used at the time now, for a request
// with the header fields of request, whose Cache-Control is honoured (section
// 5.2.1). It does not compare the fields that Vary names: see [Matches].
//
// A clock that was set back makes every answer of its future stale.
func (p *Policy) Judge(request map[string][]string, r *Response, now time.Time) Verdict {
	asked := ParseDirectives(request["Cache-Control"])
	d := ParseDirectives(r.Header["Cache-Control"])
	age, sane := r.Age(now)
	v := Verdict{Age: age}
	if asked.Has("no-cache") || len(asked) == 0 && ParseDirectives(request["Pragma"]).Has("no-cache") {
		return v // section 5.2.1.4, 5.4
	}
	lifetime, _ := p.Lifetime(r)
	stale := max(age-lifetime, 0)
	plain := d.HasPlain("no-cache")
	v.Fresh = sane && age < lifetime && !plain
	// Section 5.2.2.2; proxy-revalidate and s-maxage are for shared caches.
	if !plain && !d.Has("must-revalidate") {
		v.Disconnected = true
		if limit, ok := d.Seconds("stale-if-error"); ok && sane && stale <= limit {
			v.OnError = true
		}
		limit, ok := asked.Seconds("max-stale")
		isAccepted := ok && sane && stale <= limit
		if isAccepted || asked.HasPlain("max-stale") {
			v.Fresh = true // section 5.2.1.2
		}
	}
	// These hold also where the request accepts stale answers.
	if limit, ok := asked.Seconds("max-age"); ok && age > limit {
		v.Fresh = false // section 5.2.1.1
	}
	if reserve, ok := asked.Seconds("min-fresh"); ok && age+reserve > lifetime {
		v.Fresh = false // section 5.2.1.3
	}
	return v
}

// Lifetime returns how long an answer is fresh, and whether that is its own value
// (section 4.2.1). Values that cannot be read are 0, and so is an expiration in
// the past.
func (p *Policy) Lifetime(r *Response) (lifetime time.Duration, explicit bool) {
	d := ParseDirectives(r.Header["Cache-Control"])
	if t, ok := d.Seconds("max-age"); ok {
		return t, true
	}
	if expires, valid, present := date(r.Header, "Expires"); present {
		if !valid {
			return 0, true // section 5.3
		}
		return min(max(expires.Sub(r.date()), 0), maxAge), true
	}
	if !heuristic(r.Status) && !d.Has("public") {
		return 0, false
	}
	modified, valid, _ := date(r.Header, "Last-Modified")
	if valid {
		lifetime = max(r.date().Sub(modified)/heuristicFraction, 0)
	}
	return min(max(lifetime, p.MinHeuristic), maxHeuristic), false
}

// date returns the value of Date, or when the answer came (RFC 9110 section
// 6.6.1).
func (r *Response) date() time.Time {
	if t, valid, _ := date(r.Header, "Date"); valid {
		return t
	}
	return r.Received
}

// Age returns how old an answer is at the time now (section 4.2.3). It reports
// false if that cannot be known: the answer came later than now, or has an Age
// that is not one number. RFC 9111 section 5.1 would ignore such an Age, or take
// its first member; an answer of unknown age is better asked for anew.
func (r *Response) Age(now time.Time) (age time.Duration, sane bool) {
	sane = !now.Before(r.Received)
	value := time.Duration(0)
	if lines := r.Header["Age"]; len(lines) > 0 {
		var ok bool
		value, ok = parseSeconds(lines[0])
		sane = sane && ok && len(lines) == 1
	}
	apparent := max(r.Received.Sub(r.date()), 0)
	corrected := value + max(r.Received.Sub(r.Requested), 0)
	resident := max(now.Sub(r.Received), 0)
	return min(max(apparent, corrected)+resident, maxAge), sane
}

// heuristic reports whether a status is heuristically cacheable (RFC 9110
// section 15.1).
func heuristic(status int) bool {
	return slices.Contains([]int{200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501}, status)
}
