package fleet

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
)

// A session is the time of a connection to PostgreSQL, whose locks say which hosts this
// worker may contact.
type session struct {
	w      *Worker
	id     int64           // the number of an advisory lock that it holds
	ctx    context.Context // of all that is fetched
	cancel context.CancelCauseFunc

	db   sync.Mutex // of conn
	conn *pgx.Conn

	named bool // the name of the worker is its own

	mu      sync.Mutex
	heard   time.Time // when the server answered last
	hosts   map[string]*host
	running int
	freed   chan struct{} // receives when one job less runs than may run
	jobs    sync.WaitGroup
}

var errSilent = errors.New("the server did not answer in time")

// errName is the error of a worker whose name another one has.
var errName = errors.New("another fetcher has this name and is there: each needs a name of its own (--name)")

// open starts a session, and waits until the locks of sessions that a server has forgotten
// count no more.
func (w *Worker) open(ctx context.Context) (*session, error) {
	config := w.tier.db.Config().ConnConfig.Copy()
	milliseconds := strconv.FormatInt(SessionTime.Milliseconds(), 10)
	for name, value := range map[string]string{
		"application_name": "extbody fetcher " + w.o.Name, "idle_session_timeout": milliseconds, "tcp_user_timeout": milliseconds,
	} {
		config.RuntimeParams[name] = value
	}
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return nil, err
	}
	s := &session{w: w, id: rand.Int64(), conn: conn, heard: time.Now(), hosts: make(map[string]*host), freed: make(chan struct{}, 1)}
	s.ctx, s.cancel = context.WithCancelCause(context.WithoutCancel(ctx))
	err = s.exec(ctx, `SELECT pg_advisory_lock($1)`, s.id)
	if err == nil {
		err = s.fits(ctx)
	}
	if err == nil {
		err = s.takeName(ctx)
	}
	if err == nil && !w.known {
		err = s.inherit(ctx)
	}
	if err == nil {
		err = s.settle(ctx)
	}
	if err == nil {
		err = w.heartbeat(ctx, 0, 0)
	}
	if err == nil {
		err = s.disown(ctx)
	}
	if err != nil {
		s.close()
		return nil, err
	}
	w.set(s)
	w.known = true
	return s, nil
}

// fits returns an error if the tables do not serve this program. Another program may bring them up
// while this one runs.
func (s *session) fits(ctx context.Context) error {
	return s.query(ctx, func(ctx context.Context) error { return fits(ctx, s.conn, s.w.tier.clock) })
}

// takeName takes the name of the worker until the session ends.
func (s *session) takeName(ctx context.Context) error {
	return s.query(ctx, func(ctx context.Context) error {
		var mine bool
		err := s.conn.QueryRow(ctx, `SELECT pg_try_advisory_lock($1)`, numberOf("fleet worker "+s.w.o.Name)).Scan(&mine)
		if err == nil && !mine {
			err = errName
		}
		s.named = err == nil
		return err
	})
}

// inherit leaves the hosts alone that a process of this name had before it was killed, as other workers do.
func (s *session) inherit(ctx context.Context) error {
	return s.query(ctx, func(ctx context.Context) error {
		rows, _ := s.conn.Query(ctx, `SELECT host, extract(epoch FROM $2 - (now() - seen))::float8 `+
			`FROM fleet_hosts JOIN fleet_workers ON id = owner
			WHERE owner = $1 AND seen > now() - $2::interval`, s.w.o.Name, restTime)
		var host string
		var seconds float64
		_, err := pgx.ForEachRow(rows, []any{&host, &seconds}, func() error {
			s.w.rests.add(host, time.Duration(seconds*float64(time.Second)))
			return nil
		})
		return err
	})
}

// settle waits after the start of the server until each worker that had a session before has
// noticed, by the row that it writes then, but not longer than SessionTime. The row of a worker of
// this name that another process wrote counts as one of these. After a promotion, which may have
// lost rows, it waits for SessionTime.
func (s *session) settle(ctx context.Context) error {
	for told := false; ; told = true {
		var wait float64
		err := s.query(ctx, func(ctx context.Context) error {
			if _, err := s.conn.Exec(ctx, `UPDATE fleet_tier SET timeline = t, changed = CASE WHEN timeline IS NOT NULL THEN now() END
				FROM (SELECT left(pg_walfile_name(pg_current_wal_lsn()), 8) AS t) AS server `+
				`WHERE timeline IS DISTINCT FROM t`); err != nil {
				return err
			}
			if _, err := s.conn.Exec(ctx, `INSERT INTO fleet_workers AS w (id, seen, hosts, running, server) `+
				`VALUES ($1, now(), 0, 0, pg_postmaster_start_time())
				ON CONFLICT (id) DO UPDATE SET seen = now(), hosts = 0, running = 0, server = pg_postmaster_start_time()
				WHERE $2 OR coalesce(w.server, pg_postmaster_start_time()) = pg_postmaster_start_time() `+
				`OR now() - pg_postmaster_start_time() > $3::interval`,
				s.w.o.Name, s.w.known, SessionTime); err != nil {
				return err
			}
			return s.conn.QueryRow(ctx, `SELECT coalesce(extract(epoch FROM $1 - (now() - greatest(changed,
				(SELECT pg_postmaster_start_time() `+
				`WHERE EXISTS (SELECT FROM fleet_workers WHERE server <> pg_postmaster_start_time())))))::float8, 0) FROM fleet_tier`,
				SessionTime).Scan(&wait)
		})
		if err != nil || wait <= 0 {
			return err
		}
		if !told {
			s.w.o.Log("the database has started: hosts are taken when the other fetchers have noticed", "seconds at most", math.Ceil(wait))
		}
		if err := driver.Pause(ctx, min(passTime, time.Duration(wait*float64(time.Second))+time.Millisecond)); err != nil {
			return err
		}
	}
}

// query runs f, which uses conn, within silentTime.
func (s *session) query(ctx context.Context, f func(context.Context) error) error {
	s.db.Lock()
	defer s.db.Unlock()
	ctx, cancel := context.WithTimeoutCause(ctx, silentTime, errSilent)
	defer cancel()
	if err := f(ctx); err != nil {
		if ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		return err
	}
	s.mu.Lock()
	s.heard = time.Now()
	s.mu.Unlock()
	return nil
}

// exec runs a statement within silentTime.
func (s *session) exec(ctx context.Context, statement string, args ...any) error {
	return s.query(ctx, func(ctx context.Context) error {
		_, err := s.conn.Exec(ctx, statement, args...)
		return err
	})
}

// alive returns an error if the locks may be gone.
func (s *session) alive() error {
	if s.ctx.Err() != nil {
		return context.Cause(s.ctx)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if time.Since(s.heard) > pingTime+silentTime {
		s.cancel(errSilent)
		return errSilent
	}
	return nil
}

// close ends the session: first all that is fetched, then the locks.
func (s *session) close() {
	s.cancel(errNoSession)
	s.jobs.Wait()
	s.mu.Lock()
	clear(s.hosts)
	s.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), queryTime)
	defer cancel()
	if s.named && s.disown(ctx) == nil { // if it fails, the others wait for SessionTime
		s.exec(ctx, `UPDATE fleet_workers SET server = NULL WHERE id = $1`, s.w.o.Name)
	}
	s.db.Lock()
	defer s.db.Unlock()
	s.conn.Close(ctx)
}

// disown writes that this worker contacts no hosts but those that it has locked. A host that has an owner and no
// lock was left by a session that was killed or cut off, whose worker may not have noticed. The worker remains the owner
// of hosts that it leaves alone, so that the others do so too.
func (s *session) disown(ctx context.Context) error {
	return s.query(ctx, func(ctx context.Context) error {
		keep, _ := s.w.rests.hosts()
		s.mu.Lock()
		keep = slices.AppendSeq(keep, maps.Keys(s.hosts))
		s.mu.Unlock()
		_, err := s.conn.Exec(
			ctx, `UPDATE fleet_hosts SET owner = NULL WHERE owner = $1 AND host <> ALL(coalesce($2, '{}'::text[]))`, s.w.o.Name, keep,
		)
		return err
	})
}

// run runs jobs until ctx ends or the session is lost. When ctx ends, the jobs that it started go
// on to their ends.
func (s *session) run(ctx context.Context, f fetch.Fetcher, wake <-chan struct{}) error {
	failed := make(chan error, 1)
	ping, stop := context.WithCancel(context.Background())
	var pinging sync.WaitGroup
	pinging.Go(func() {
		for driver.Pause(ping, pingTime) == nil {
			err := s.alive()
			if err == nil {
				err = s.exec(ping, "SELECT 1")
			}
			if err != nil && ping.Err() == nil {
				s.cancel(err)
				failed <- err
				return
			}
		}
	})
	pinging.Go(func() { s.tidy(ping) })
	defer pinging.Wait()
	defer stop()
	tick := time.NewTicker(passTime)
	defer tick.Stop()
	var beaten time.Time
	for {
		err := s.pass(f)
		if err == nil && time.Since(beaten) > pingTime {
			beaten = time.Now()
			hosts, running := s.load()
			idle := running == 0 && s.w.full() // it is not there for clients and for others
			err = s.fits(s.ctx)
			if err == nil && !idle {
				err = s.w.heartbeat(s.ctx, hosts, running)
			}
			if err == nil {
				err = s.reclaim(s.ctx)
			}
			if _, ended := s.w.rests.hosts(); err == nil && ended {
				err = s.disown(s.ctx)
			}
		}
		if err != nil {
			s.cancel(err)
			return err
		}
		select {
		case <-wake:
		case <-s.freed:
		case <-tick.C:
		case err := <-failed:
			return err
		case <-ctx.Done():
			s.jobs.Wait()
			return nil
		}
	}
}

// tidy removes rows and objects that are not needed any more until ctx ends. The bucket, which may be slow, holds up
// nothing else.
func (s *session) tidy(ctx context.Context) {
	var swept, failed time.Time
	for driver.Pause(ctx, tidyTime) == nil {
		err := error(nil)
		if time.Since(failed) > sweepTime {
			err = s.w.spend(ctx)
		}
		if err == nil && time.Since(swept) > sweepTime {
			swept = time.Now()
			err = s.w.sweep(ctx)
		}
		if err != nil && ctx.Err() == nil {
			failed = time.Now()
			s.w.o.Warn("the tier was not swept", "error", public(err).Error())
		}
	}
}

func (s *session) load() (hosts, running int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.hosts), s.running
}

// pass gives up hosts, takes others, and starts jobs.
func (s *session) pass(f fetch.Fetcher) error {
	ctx, cancel := context.WithTimeoutCause(s.ctx, silentTime, errSilent)
	defer cancel()
	var queued, wanted []string
	var active, workers int
	var drain bool
	err := s.w.tier.db.QueryRow(ctx, `WITH others AS (SELECT * FROM fleet_workers WHERE seen > now() - $2::interval AND id <> $1)
		SELECT coalesce((SELECT array_agg(host ORDER BY first) `+
		`FROM (SELECT host, min(id) AS first FROM fleet_jobs WHERE state = 'queued' GROUP BY host) q
			WHERE NOT EXISTS (SELECT FROM fleet_hosts h JOIN others ON id = owner WHERE h.host = q.host)), '{}'),
		coalesce((SELECT array_agg(host) FROM fleet_hosts JOIN others ON id = wanted_by), '{}'),
		(SELECT count(DISTINCT host) FROM fleet_jobs WHERE state <> 'done'),
		(SELECT count(*) FROM others WHERE NOT drain) + 1,
		coalesce((SELECT drain FROM fleet_workers WHERE id = $1), false)`,
		s.w.o.Name, SessionTime).Scan(&queued, &wanted, &active, &workers, &drain)
	if err != nil {
		return err
	}
	share := (active + workers - 1) / workers
	if drain || s.w.full() {
		share = 0
	}
	if err := s.giveUp(queued, wanted, share); err != nil {
		return err
	}
	for _, name := range queued {
		if n, _ := s.load(); n >= share {
			break
		}
		if !slices.Contains(wanted, name) {
			if _, err := s.lock(ctx, name, false); err != nil {
				return err
			}
		}
	}
	return s.begin(ctx, f, queued)
}

// begin starts queued jobs of the hosts that are locked.
func (s *session) begin(ctx context.Context, f fetch.Fetcher, queued []string) error {
	s.mu.Lock()
	var names []string
	var begun []int // jobs of each of them
	for _, name := range queued {
		if h := s.hosts[name]; h != nil && !h.leaving && h.jobs < s.w.o.PerHost {
			names = append(names, name)
			begun = append(begun, h.jobs)
		}
	}
	room := s.w.o.Jobs - s.running
	s.mu.Unlock()
	if len(names) == 0 || room <= 0 || s.alive() != nil {
		return nil
	}
	jobs, err := s.w.take(ctx, s.id, names, begun, room)
	if err != nil {
		return err
	}
	for _, t := range jobs {
		s.count(t.host, 1)
		s.jobs.Go(func() {
			defer s.count(t.host, -1)
			if err := s.w.run(s.ctx, f, s.id, t); err != nil && s.ctx.Err() == nil {
				s.cancel(fmt.Errorf("the result of a job was not written: %w", err))
			}
		})
	}
	return nil
}

// count counts the jobs of a host.
func (s *session) count(name string, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.running += n; n < 0 && s.running == s.w.o.Jobs-1 {
		select {
		case s.freed <- struct{}{}:
		default:
		}
	}
	if h := s.hosts[name]; h != nil {
		h.jobs = max(0, h.jobs+n)
		h.idle = time.Now()
	}
}

// reclaim queues the jobs of sessions that have ended again, or ends them after maxTries, and
// those that may have used up a download.
func (s *session) reclaim(ctx context.Context) error {
	lost := encode(&result{Failure: newFailure(&fetch.Error{
		Kind: fetch.Deferred, Err: errors.New("its worker ended each time"), After: time.Now().Add(time.Minute),
	})})
	usedUp := encode(&result{Failure: newFailure(errUsedUp)})
	_, err := s.w.tier.exec(ctx, `WITH gone AS MATERIALIZED (
			SELECT session FROM (SELECT DISTINCT session FROM fleet_jobs WHERE state = 'running' AND session <> $1) s `+
		`WHERE pg_try_advisory_xact_lock(session)
		), again AS (
			UPDATE fleet_jobs j SET state = 'queued' FROM gone WHERE j.session = gone.session `+
		`AND state = 'running' AND tries < $2 AND NOT claimed
		), lost AS (
			UPDATE fleet_jobs j SET state = 'done', ended = now(), result = CASE WHEN claimed THEN $4::jsonb ELSE $3::jsonb END
			FROM gone WHERE j.session = gone.session AND state = 'running' AND (tries >= $2 OR claimed) RETURNING id
		) SELECT pg_notify('fleet_done', id::text) FROM lost`, s.id, maxTries, string(lost), string(usedUp))
	return err
}
