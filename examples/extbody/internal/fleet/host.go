package fleet

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"io"
	"net/url"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
	"github.com/go-extbody/extbody/fetch/safefetch"
)

// Contacts returns a Fetcher that lets f contact a host only while this worker holds the lock
// of the host. It is for [safefetch.Options].Contacts.
func (w *Worker) Contacts(f fetch.Fetcher) fetch.Fetcher { return &owned{driver.Layer{Next: f}, w} }

type owned struct {
	driver.Layer
	w *Worker
}

// Fetch implements fetch.Fetcher.
func (o *owned) Fetch(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
	s, err := o.w.current()
	if err != nil {
		return nil, err
	}
	t := &turn{session: s, gate: driver.OfRequest(req).Gate}
	r := *req
	driver.OfRequest(&r).Gate = t.contact
	resp, err := o.Layer.Fetch(ctx, &r)
	if err != nil {
		// The throttle learns of a Retry-After at once: the database may take its time.
		s.jobs.Go(func() {
			t.postpone(fetch.AfterOf(err))
			t.end()
		})
		return nil, err
	}
	t.ReadCloser = resp.Body
	resp.Body = t
	return resp, nil
}

// A turn is the use of one host at a time by a fetch, and then its body.
type turn struct {
	io.ReadCloser
	session *session
	gate    func(context.Context, *url.URL) error // the caller's
	begun   bool                                  // a host was contacted

	mu   sync.Mutex
	host string // "" if it uses none
}

// contact is the Gate of the request.
func (t *turn) contact(ctx context.Context, to *url.URL) error {
	if t.gate != nil {
		if err := t.gate(ctx, to); err != nil {
			return err
		}
	}
	if !t.begun && t.session.w.full() {
		return &fetch.Error{Kind: fetch.Local, Err: errNoRoom}
	}
	t.begun = true
	t.end()
	err := t.session.use(ctx, to, func(host string) {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.host = host
	})
	if claim, ok := ctx.Value(claimKey{}).(func(context.Context) error); ok && err == nil {
		err = claim(ctx)
	}
	return err
}

// claimKey is the key of the function in a context that is called before a host is contacted
// for a request that uses up a download.
type claimKey struct{}

// maxAfter bounds the Retry-After that other workers keep to: one link may have asked for it.
const maxAfter = 10 * time.Minute

// postpone writes the Retry-After of the host at once, so that it holds if this worker is killed.
func (t *turn) postpone(after time.Time) {
	if most := time.Now().Add(maxAfter); after.After(most) {
		after = most
	}
	if t.host != "" && after.After(time.Now()) {
		t.session.postpone(t.host, after)
	}
}

// end ends the use of the host.
func (t *turn) end() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.host != "" {
		t.session.unuse(t.host)
		t.host = ""
	}
}

// Close implements io.Closer.
func (t *turn) Close() error {
	defer t.end()
	return t.ReadCloser.Close()
}

// A host is one whose lock this session holds.
type host struct {
	jobs     int
	uses     int // fetches that contact it, or wait to
	idle     time.Time
	leaving  bool      // it is given up when uses is 0
	notUntil time.Time // by the row, which another worker wrote
}

// use waits until the session holds the lock of the host of u, counts a use, and calls started
// with the host.
func (s *session) use(ctx context.Context, u *url.URL, began func(host string)) error {
	name := safefetch.Key(u)
	for {
		if err := s.alive(); err != nil {
			return away("database", err)
		}
		if _, err := s.lock(ctx, name, true); err != nil {
			return away("database", err)
		}
		s.mu.Lock()
		h := s.hosts[name] // nil without the lock
		if h != nil && time.Now().Before(h.notUntil) {
			defer s.mu.Unlock()
			return &fetch.Error{
				Op: "fetch", Kind: fetch.Deferred, Err: errors.New("the host asked another worker to come later"), After: h.notUntil,
			}
		}
		if h != nil {
			h.uses++
		}
		s.mu.Unlock()
		if h != nil {
			began(name)
			return nil
		}
		if err := driver.Pause(ctx, passTime/4); err != nil {
			return err
		}
	}
}

// unuse ends a use of a host. A session that is lost has given the request up.
func (s *session) unuse(name string) {
	if s.ctx.Err() != nil {
		s.w.rests.add(name, restTime)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if h := s.hosts[name]; h != nil {
		h.uses--
		h.idle = time.Now()
	}
}

// lock takes the lock of a host, if it is free, and reports whether the session has it. A host that is left alone
// counts as one that is not free. If want is set, the worker that has it is asked to give it up.
func (s *session) lock(ctx context.Context, name string, want bool) (bool, error) {
	held := s.holds(name)
	if held || s.w.rests.has(name) {
		return held, nil
	}
	err := s.query(ctx, func(ctx context.Context) error {
		held = s.holds(name)
		if held {
			return nil
		}
		if err := s.conn.QueryRow(ctx, `SELECT pg_try_advisory_lock($1)`, lockOf(name)).Scan(&held); err != nil {
			return err
		}
		if !held {
			if want {
				_, err := s.conn.Exec(ctx, `UPDATE fleet_hosts SET wanted_by = $2 WHERE host = $1`, name, s.w.o.Name)
				return err
			}
			return nil
		}
		var notFor *float64 // seconds: the clock is the server's
		err := s.conn.QueryRow(ctx, `INSERT INTO fleet_hosts AS h VALUES ($1, $2, $3) `+
			`ON CONFLICT (host) DO UPDATE SET owner = $3, wanted_by = NULL
			WHERE h.owner IS NULL OR h.owner = $3 `+
			`OR NOT EXISTS (SELECT FROM fleet_workers WHERE id = h.owner AND seen > now() - $4::interval)
			RETURNING extract(epoch FROM not_until - now())::float8`, name, lockOf(name), s.w.o.Name, SessionTime).Scan(&notFor)
		if errors.Is(err, pgx.ErrNoRows) { // its owner lost the lock, and may still contact it
			held = false
			_, err = s.conn.Exec(ctx, `SELECT pg_advisory_unlock($1)`, lockOf(name))
			return err
		}
		if err != nil {
			return err
		}
		h := &host{idle: time.Now()}
		if notFor != nil {
			h.notUntil = time.Now().Add(time.Duration(*notFor * float64(time.Second)))
		}
		s.mu.Lock()
		s.hosts[name] = h
		s.mu.Unlock()
		return nil
	})
	return held && err == nil, err
}

// holds reports whether the session has the lock of a host.
func (s *session) holds(name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.hosts[name] != nil
}

// giveUp gives up the locks of hosts without jobs, of hosts that another worker waits for, and of
// hosts beyond the worker's share.
func (s *session) giveUp(queued, wanted []string, share int) error {
	s.mu.Lock()
	var free []string
	over := len(s.hosts) - share
	for name, h := range s.hosts {
		switch {
		case slices.Contains(wanted, name):
			h.leaving = true
		case h.uses == 0 && h.jobs == 0 && !slices.Contains(queued, name) && time.Since(h.idle) > idleTime:
			h.leaving = true
		case over > 0:
			h.leaving = true
		}
		if h.leaving {
			over--
			if h.uses == 0 {
				free = append(free, name)
				delete(s.hosts, name)
			}
		}
	}
	s.mu.Unlock()
	for _, name := range free {
		if err := s.unlock(name); err != nil {
			return err
		}
	}
	return nil
}

// unlock gives up the lock of a host, after it wrote when the host may be asked again.
func (s *session) unlock(name string) error {
	if at := s.notUntil(name); !at.IsZero() {
		s.postpone(name, at)
	}
	err := s.exec(s.ctx, `UPDATE fleet_hosts SET owner = NULL WHERE host = $1`, name)
	if err == nil {
		err = s.exec(s.ctx, `SELECT pg_advisory_unlock($1)`, lockOf(name))
	}
	return err
}

// postpone writes that a host wants no requests before a time, by the clock of the server (OP-42). A
// failure ends the session.
func (s *session) postpone(name string, until time.Time) {
	err := s.exec(
		s.ctx, `UPDATE fleet_hosts SET not_until = greatest(not_until, now() + $2::interval) WHERE host = $1`,
		name, time.Until(until),
	)
	if err != nil {
		s.cancel(err)
	}
}

// notUntil returns when the throttle lets the host be asked again.
func (s *session) notUntil(name string) time.Time {
	for _, h := range s.w.o.Hosts.Hosts() {
		switch {
		case h.Key != name:
		case h.Down.After(h.After):
			return h.Down
		default:
			return h.After
		}
	}
	return time.Time{}
}

// lockOf returns the number of the advisory lock of a host.
func lockOf(name string) int64 { return numberOf("fleet host " + name) }

// numberOf returns the number of an advisory lock for a text.
func numberOf(text string) int64 {
	sum := sha256.Sum256([]byte(text))
	return int64(binary.BigEndian.Uint64(sum[:]))
}
