package throttle

import (
	"crypto/sha256"
	"maps"
	"net/url"
	"slices"
	"time"
)

// A hold is a link that wants no requests until a time.
type hold struct {
	link  string // its digest
	owner string // of its host
	until time.Time
}

// linkID returns the digest of a URL without its fragment.
func linkID(u *url.URL) string {
	c := *u
	c.Fragment, c.RawFragment = "", ""
	sum := sha256.Sum256([]byte(c.String()))
	return string(sum[:])
}

// held returns until when u wants no requests, and the zero Time if it takes them.
func (s *State) held(u *url.URL, now time.Time) time.Time {
	if len(s.links) == 0 {
		return time.Time{}
	}
	if until := s.links[linkID(u)].until; until.After(now) {
		return until
	}
	return time.Time{}
}

// ask notes a Retry-After. A short one holds for the endpoint. The owner of a link can get
// it banned for long, so that a long one holds for the link, and for the endpoint only after
// several links in a row had one.
func (s *State) ask(t slot, after, now time.Time) {
	if !after.After(now) {
		return
	}
	// This time has a monotonic reading: a clock that jumps makes no request wait for a
	// year.
	until := now.Add(min(after.Sub(now), maxAfter))
	e := t.at
	if until.Sub(now) <= maxHostAfter {
		e.notBefore = later(e.notBefore, until)
		return
	}
	h := hold{linkID(t.to), owner(e.name), until}
	s.hold(h, now)
	e.long = slices.DeleteFunc(e.long, func(old hold) bool { return old.link == h.link || !old.until.After(now) })
	if e.long = append(e.long, h); len(e.long) < agreeing {
		return
	}
	least := slices.MinFunc(e.long, func(a, b hold) int { return a.until.Compare(b.until) })
	e.notBefore, e.long = later(e.notBefore, least.until), e.long[1:]
}

// hold remembers h. If there are too many it forgets one whose time has come, or one of the
// owner of most of them.
func (s *State) hold(h hold, now time.Time) {
	if s.links == nil {
		s.links = make(map[string]hold)
	}
	if s.links[h.link] = h; len(s.links) <= maxLinks {
		return
	}
	least := dispensable(maps.Values(s.links), func(l hold) (string, bool) { return l.owner, !l.until.After(now) })
	delete(s.links, least.link)
}
