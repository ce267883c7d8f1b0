package throttle

import (
	"context"
	"crypto/sha256"
	"errors"
	"maps"
	"net"
	"net/textproto"
	"net/url"
	"slices"
	"syscall"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
	"github.com/go-extbody/extbody/internal/link"
)

// An outcome is the evidence of a request about its host. A host is in one of six states, by the
// fields of its endpoint:
//
//   - up: each request was answered;
//   - mute: two requests in a row were not answered in time;
//   - stalled: two bodies in a row stopped coming;
//   - asked: it wants no requests until a time;
//   - down: none are sent until a time, and after it one, the probe, shows whether that has changed;
//   - away: as down, for the shorter time of a host that no connection leads to while no other answers.
//
// A request ends with an outcome. The table has the state after it, by the state before it. If the
// host was down or away, the request is the probe. An outcome of a request that was sent before the
// host was found to be down changes nothing, except for an answer.
//
//	outcome    up     mute     stalled  asked  down   away
//	nothing    up     mute     stalled  asked  down   away
//	alive      up     up       stalled  asked  up     up
//	whole      up     up       up       asked  up     up
//	busy       asked  asked    asked    asked  asked  asked
//	mute       up     down     stalled  asked  down   down
//	unreached  up     down     stalled  asked  down   down
//	stalled    up     mute     down     asked  down   down
//	refused    down   down     down     down   down   down
//
// In the table, another host answered after the request was sent. While none answers, this machine's
// network may be at fault. So the third unreached request in a row, or an unreached probe, makes a host
// away and not down. The third mute one does so while another host is silent too. The next answer of any
// host makes every host that is away up.
type outcome uint8

const (
	nothing   outcome = iota // it was not sent, or was given up by us
	alive                    // an answer
	whole                    // a body to its end
	busy                     // 429, 503, 421
	mute                     // no answer in time
	unreached                // no connection in time
	stalled                  // a body that stopped coming
	refused                  // no connection, or no address
)

// judge returns the evidence of the error of a fetch about the host that was contacted
// last.
func judge(ctx context.Context, err error) outcome {
	if ctx.Err() != nil {
		if timedOut(context.Cause(ctx)) && !errors.Is(err, ErrTurn) {
			return mute
		}
		return nothing
	}
	answered, isBusy := answer(err)
	switch {
	case isBusy:
		return busy
	case answered:
		return alive
	case errors.Is(err, syscall.ECONNREFUSED):
		return refused
	}
	if dns, ok := errors.AsType[*net.DNSError](err); ok {
		if dns.IsNotFound {
			return refused
		}
		return nothing // a fault of a resolver, not of the host
	}
	switch fetch.KindOfFetch(err) {
	case fetch.Unavailable:
		op, isOp := errors.AsType[*net.OpError](err)
		switch {
		case !timedOut(err):
			return nothing
		case errors.Is(err, driver.ErrUnreached), isOp && op.Op == "dial":
			return unreached
		}
		return mute
	case fetch.Unsupported, fetch.Malformed, fetch.Blocked, fetch.Denied, fetch.TooLarge,
		fetch.Pending, fetch.Canceled, fetch.Local, fetch.Deferred:
		return nothing
	}
	return alive
}

// answer reports whether err is about an answer of the server, and whether the server is
// busy by it.
func answer(err error) (answered, isBusy bool) {
	if b, ok := errors.AsType[interface {
		error
		Busy() bool
	}](err); ok {
		return true, b.Busy()
	}
	if reply, ok := errors.AsType[*textproto.Error](err); ok {
		return true, reply.Code == 421 // RFC 959 section 5.4
	}
	return false, false
}

// timedOut reports whether err is one of the limits on time of a Request. The
// deadline of a caller's context shows nothing of the host.
func timedOut(err error) bool {
	t, ok := errors.AsType[interface {
		error
		Timeout() bool
	}](err)
	return ok && t.Timeout() && !errors.Is(err, context.DeadlineExceeded)
}

// settle changes the state of a host by the outcome of a slot, as the table of outcome has it. It
// starts the timers of hosts that are down, wakes the requests that may go, and fails
// the ones that would wait too long.
func (s *State) settle(t slot, what outcome, after, now time.Time) {
	e := t.at
	if t.probe {
		e.probing = false
	}
	// A request that was sent before the host was found to be down adds nothing.
	late := !t.probe && !e.downUntil.IsZero() && t.since.Before(e.downSince.Add(1))
	if what == alive || what == whole || what == busy {
		s.hear(now)
	}
	switch what {
	case alive:
		e.up()
		e.group.answered(t.since)
	case whole:
		e.stalled = 0
		e.up()
	case busy:
		long := e.long
		e.up()
		e.long = long
		e.group.strike(t.since, now)
		s.ask(t, after, now)
		e.group.siftAll(s, now)
	case mute, unreached, stalled, refused:
		if !late {
			s.miss(t, what, now)
		}
	}
}

// answered is called when the header of a body has arrived: the host is up, though the slot is
// still in use. A host that is down because its bodies stalled has to send a whole one first.
func (s *State) answered(t slot) {
	s.hear(time.Now())
	if t.at.why != errStall {
		t.at.up()
	}
	t.at.group.answered(t.since)
	s.offerHost(t.at)
	s.schedule(time.Now())
}

// hear notes that a host answered. If hosts to which there was no connection, or several
// hosts, were silent until now, this machine's network or proxy may have been away.
func (s *State) hear(now time.Time) {
	s.heard = now
	for e := range s.silent {
		silent := e.why == nil || e.why == errMute
		if e.why == errAway || silent && len(s.silent) > 1 {
			s.revive(e, now)
		}
	}
	clear(s.silent)
}

// miss counts a request that was not answered.
func (s *State) miss(t slot, what outcome, now time.Time) {
	e := t.at
	limit := downAfter
	why := errMute
	switch what {
	case mute, unreached:
		if e.mute++; e.mute == 1 {
			e.muteSince = t.since
		}
		if !s.heard.After(e.muteSince) {
			s.silent[e] = true
			if what == unreached || len(s.silent) > 1 {
				why = errAway
			}
		}
	case stalled:
		why = errStall
		e.stalled++
	case refused:
		why = errRefuse
		limit = 0
	}
	if t.probe || max(e.mute, e.stalled) >= limit {
		e.down(why, now)
		e.withdraw()
		e.sift(s, now)
		if e.waiters.Len() > 0 {
			e.wakeAt(s, now)
			e.announce()
		}
	}
}

// siftAll ends the wait of those for g that have to wait too long by now.
func (g *group) siftAll(s *State, now time.Time) {
	for elem := g.queued.Front(); elem != nil; {
		e := elem.Value.(*endpoint)
		elem = elem.Next() // before e has no waiters any more
		e.sift(s, now)
	}
}

// linkID returns the digest of a URL without its fragment.
func linkID(u *url.URL) string {
	sum := sha256.Sum256([]byte(link.WithoutFragment(u).String()))
	return string(sum[:])
}

// held returns until when u wants no requests, and the zero Time if it takes them.
func (s *State) held(u *url.URL, now time.Time) time.Time {
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
	h := hold{linkID(t.to), linkID(t.first), e.owner, until}
	s.hold(h, now)
	e.long = slices.DeleteFunc(e.long, func(old hold) bool {
		return old.link == h.link || old.first == h.first || !old.until.After(now)
	})
	e.long = append(e.long, h)
	if len(e.long) < agreeing {
		return
	}
	least := slices.MinFunc(e.long, func(a, b hold) int { return a.until.Compare(b.until) })
	e.notBefore = later(e.notBefore, least.until)
	e.long = e.long[1:]
}

// hold remembers h. If there are too many it forgets one whose time is over, or one of the
// owner of most of them.
func (s *State) hold(h hold, now time.Time) {
	if s.links == nil {
		s.links = make(map[string]hold)
	}
	s.links[h.link] = h
	if len(s.links) <= maxLinks {
		return
	}
	least := dispensable(maps.Values(s.links), func(l hold) (string, bool) { return l.owner, !l.until.After(now) })
	delete(s.links, least.link)
}
