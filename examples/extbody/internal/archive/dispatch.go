package archive

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"sync"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive/ledger"
	"github.com/go-extbody/extbody/externalbody"
)

// A pending is an ask that is to be tried. There may be millions.
type pending struct {
	ask     ask
	expires int64
	ref     place // of the line of a reference, one whose message is here if there is one
	message int32 // the number of its message; -1 if no host is asked
	turn    turn
}

// A turn orders the asks of a run, so that one link that fails each night keeps no other
// from its turn.
type turn byte

const (
	turnNew       turn = iota // it was never tried
	turnTried                 // it failed before
	turnThrottled             // its host wanted fewer requests
)

func (s *askState) turn() turn {
	switch {
	case s.outcome == askExcepted && s.throttled:
		return turnThrottled
	case s.outcome == askOpen:
		return turnNew
	}
	return turnTried
}

// pending returns the asks that are wanted and allowed, in the order of their turns. Within a turn those that expire
// come first, by the time of expiration, and the others are in the order of the ledger. A host that wanted to be
// asked later is not asked before, unless the run is a retry. A run asks for at most DefaultMessageFetches references
// of a message, and the others count as left.
func (s *syncer) pending(want func(ask, askState) bool) (list []pending, err error) {
	err = s.a.index.asks(func(k ask, state askState) error {
		if state.ref != 0 && !state.idle && want(k, state) {
			list = append(list, pending{ask: k, expires: state.expires, ref: state.ref, turn: state.turn()})
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	// The ledger is read from its start to its end.
	slices.SortFunc(list, func(a, b pending) int { return cmp.Compare(a.ref, b.ref) })
	allowed := list[:0]
	missing := make(map[ask]int) // asks whose first reference is in a message that is not here
	many := make(map[int32]int)  // asks in a message that has too many for a run
	last := ""
	here := false
	var number int32
	asks := 0
	for _, w := range list {
		var r ReferenceRecord
		if err := s.a.line(w.ref, &r); err != nil {
			return nil, err
		}
		if r.Host != "" && (s.o.Resolve == nil || !s.o.Resolve(r.Host)) {
			s.res.Unasked++
			s.res.Contacts[r.Host]++
			continue
		}
		if !s.asked && r.Host != "" && s.a.index.waits(r.Host, s.a.now()) {
			s.count(&s.res.Deferred, 1)
			continue
		}
		if r.Message != last {
			last = r.Message
			here = s.a.here(r.Message)
			asks = 0
			number++
		}
		w.message = -1
		if r.Host != "" {
			w.message = number
			if asks++; asks > externalbody.DefaultMessageFetches {
				many[number] = 0
			}
		}
		if !here {
			missing[w.ask] = len(allowed)
		}
		allowed = append(allowed, w)
	}
	if err := s.elsewhere(allowed, missing); err != nil {
		return nil, err
	}
	slices.SortStableFunc(allowed, func(a, b pending) int {
		return cmp.Or(cmp.Compare(a.turn, b.turn), cmp.Compare(cmp.Or(a.expires, math.MaxInt64), cmp.Or(b.expires, math.MaxInt64)))
	})
	return slices.DeleteFunc(allowed, func(w pending) bool {
		n, ok := many[w.message]
		if ok {
			many[w.message] = n + 1
		}
		if n < externalbody.DefaultMessageFetches {
			return false
		}
		s.res.Left++
		return true
	}), nil
}

// here reports whether the octets of a message are an object. A bucket is not asked, because there
// may be millions of messages: if it has lost one, the attempt is an exception.
func (a *Archive) here(sum string) bool {
	return a.index.flags(sum)&flagForgotten == 0 && a.objects.Near(sum)
}

// elsewhere is for asks whose message is not here, because it was forgotten or lost. It
// looks for a reference with the same ask in a message that is here.
func (s *syncer) elsewhere(list []pending, missing map[ask]int) error {
	if len(missing) == 0 {
		return nil
	}
	return s.a.lines(func(l *ledger.Line, record any) error {
		r := record.(*ReferenceRecord)
		k := newAsk(r.Key, r.Expect)
		if i, ok := missing[k]; ok && s.a.here(r.Message) {
			list[i].ref = newPlace(l.Place)
			delete(missing, k)
		}
		return nil
	}, kindReference)
}

// resolve takes in the captures that servers have handed over, unless the run is a retry. Then it tries the asks that
// are wanted, in a pool of workers. A worker that waits for a host lets another one begin: the throttle of the
// Resolver decides which host is asked when.
func (s *syncer) resolve(want func(ask, askState) bool) error {
	if !s.asked {
		if err := s.takeIn(); err != nil {
			return err
		}
	}
	want, err := s.renewAsked(want)
	if err != nil {
		return err
	}
	list, err := s.pending(want)
	if err != nil {
		return err
	}
	s.room = newRoom(s.freeSpace)
	s.messages.dir = s.a.objects
	s.messages.by = make(map[string]*openMessage)
	defer s.messages.close()
	// Without the bucket no body could be kept, so no other host is asked. After any other failure of this machine no
	// host is asked either, and answers that have begun are read to their end (OP-51).
	before := s.ctx
	ctx, cancel := context.WithCancel(before)
	s.ctx = ctx
	defer func() {
		cancel()
		s.ctx = before
	}()
	p := newPool(s, cancel)
	left := p.try(list)
	s.res.Left += left
	s.res.Spent = s.res.Spent || p.spent || s.res.Left > 0
	return p.failed
}

// A pool tries asks with several workers.
type pool struct {
	s      *syncer
	cancel context.CancelFunc // of the context of s
	jobs   chan struct{}      // has a token for each worker that does not wait for its host
	all    chan struct{}      // has a token for each worker
	wg     sync.WaitGroup     // of the workers

	mu     sync.Mutex // guards the fields below, while there are workers
	failed error
	spent  bool
	busy   map[ask]bool // keys that are being captured
	later  []pending    // for the next round
}

func newPool(s *syncer, cancel context.CancelFunc) *pool {
	p := &pool{s: s, cancel: cancel, busy: make(map[ask]bool)}
	p.jobs = make(chan struct{}, cmp.Or(max(s.o.Jobs, 0), defaultJobs))
	p.all = make(chan struct{}, cap(p.jobs)+maxWaiters)
	return p
}

// try tries asks in rounds, until none is left for another one, or the pool has ended. It returns how many were not
// tried.
func (p *pool) try(list []pending) (left int64) {
	for len(list) > 0 {
		left += p.round(list)
		list = p.later
		p.later = nil
		if p.ended() {
			return left + int64(len(list))
		}
	}
	return left
}

// ended reports whether no other ask is tried. It is for a caller that holds the lock, or when there are no workers.
func (p *pool) ended() bool { return p.failed != nil || p.spent || p.s.ctx.Err() != nil }

// round tries each ask of a list, or leaves it for the next round, and waits for the workers. It returns how many
// asks were left because the pool has ended.
func (p *pool) round(list []pending) (left int64) {
	defer p.wg.Wait()
	for i := range list {
		p.all <- struct{}{}
		p.jobs <- struct{}{}
		p.s.room.await()
		w := &list[i]
		key := ask(append(w.ask[:16:16], make([]byte, 8)...))
		begins, ended := p.claim(w, key)
		if begins {
			p.start(w, key)
			continue
		}
		<-p.jobs
		<-p.all
		if ended {
			return int64(len(list) - i)
		}
	}
	return 0
}

// claim reports whether a worker may try an ask with a key, or whether the pool has ended. Otherwise the ask is left
// for the next round.
func (p *pool) claim(w *pending, key ask) (begins, ended bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended() {
		return false, true
	}
	if p.busy[key] {
		// The body is being captured for another expectation, and is compared later.
		p.later = append(p.later, *w)
		return false, false
	}
	p.busy[key] = true
	return true, false
}

// start tries an ask with a key in a worker.
func (p *pool) start(w *pending, key ask) {
	s := p.s
	free := sync.OnceFunc(func() { <-p.jobs })
	p.wg.Go(func() {
		t := &task{ref: new(ReferenceRecord), waits: free}
		t.state, _ = s.a.index.ask(w.ask)
		over := false
		err := s.a.line(w.ref, t.ref)
		if err == nil {
			over, err = s.attempt(t)
		}
		free()
		<-p.all
		p.end(w, key, over, err)
	})
}

// end notes the outcome of an ask with a key. over and err are as returned by attempt.
func (p *pool) end(w *pending, key ask, over bool, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.busy, key)
	switch {
	case errors.Is(err, errCrowded):
		p.later = append(p.later, *w)
		return
	case errors.Is(err, ErrAway):
		p.cancel()
	}
	p.failed = cmp.Or(p.failed, err)
	if p.failed != nil {
		p.s.room.stop()
	}
	p.spent = p.spent || over
}
