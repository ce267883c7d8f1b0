package fleet

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/cache"
	"github.com/go-extbody/extbody/fetch/driver"
	"github.com/go-extbody/extbody/fetch/throttle"
	"github.com/go-extbody/extbody/internal/codec/bounded"
	"github.com/go-extbody/extbody/internal/file/spool"
	"github.com/go-extbody/extbody/internal/netx/rfc9111"
)

// maxTries bounds how often a job is started whose worker died.
const maxTries = 3

// WorkerOptions are the options of a Worker.
type WorkerOptions struct {
	// Name is the name of the worker, such as its host's. Each has another one.
	Name string

	// Hosts is the State of the throttle below Around. It knows when a host wants no
	// requests.
	Hosts *throttle.State

	// MaxBytes bounds a body. 0 means [fetch.DefaultMaxBytes].
	MaxBytes int64

	// Jobs bounds the jobs at a time. 0 means 256.
	Jobs int

	// PerHost bounds the jobs of one host at a time: somewhat more than the throttle lets
	// go, so that none waits for a query. 0 means 8.
	PerHost int

	// TempDir is where bodies are until they are in the bucket; "" is the system's folder.
	TempDir string

	// Log is called with the steps of the worker, and Warn with the faults that need an operator. nil
	// means no calls.
	Log, Warn func(message string, args ...any)
}

// A Worker contacts hosts for the clients of a tier. After a body for which TempDir has no room it begins
// nothing until there is room for 1 MiB: other workers have its hosts (OP-51).
type Worker struct {
	tier *Tier
	o    WorkerOptions
	disk spool.Disk // of TempDir

	rests rests

	mu      sync.Mutex
	session *session         // nil without one
	tenants map[string]*Tier // by name

	known    bool      // it had a session, for Run
	said     string    // of the last warning, for Run
	warned   time.Time // when that was
	overlaps atomic.Int64
}

// NewWorker returns a Worker, which Run runs.
func NewWorker(t *Tier, o WorkerOptions) *Worker {
	o.Jobs = cmp.Or(o.Jobs, 256)
	o.PerHost = cmp.Or(o.PerHost, 8)
	none := func(string, ...any) {}
	if o.Log == nil {
		o.Log = none
	}
	if o.Warn == nil {
		o.Warn = none
	}
	return &Worker{tier: t, o: o, tenants: make(map[string]*Tier)}
}

// Stored returns a Fetcher that stores the answers of f in the tier, apart for each tenant. It is
// for [safefetch.Options].Remote.
func (w *Worker) Stored(f fetch.Fetcher) fetch.Fetcher {
	return &stored{Layer: driver.Layer{Next: f}, w: w, caches: make(map[*Tier]*cache.Cache)}
}

type stored struct {
	driver.Layer
	w *Worker

	mu     sync.Mutex
	caches map[*Tier]*cache.Cache
}

// tierKey is the key of the Tier of a job in its context.
type tierKey struct{}

// Fetch implements fetch.Fetcher.
func (s *stored) Fetch(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
	tier := ctx.Value(tierKey{}).(*Tier)
	s.mu.Lock()
	c := s.caches[tier]
	if c == nil {
		c = cache.New(s.Next, &answers{tier: tier, write: true, dir: s.w.o.TempDir}, &cache.Options{Exchanges: true})
		s.caches[tier] = c
	}
	s.mu.Unlock()
	return c.Fetch(ctx, req)
}

func (w *Worker) as(tenant string) *Tier {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.tenants[tenant] == nil {
		w.tenants[tenant] = w.tier.As(tenant)
	}
	return w.tenants[tenant]
}

// Run runs jobs by f, a Fetcher that was made with Contacts and Stored, until ctx ends. It returns
// when the jobs that it started have ended.
func (w *Worker) Run(ctx context.Context, f fetch.Fetcher) {
	jobs := listen(w.tier.db, "fleet_job")
	defer jobs.close()
	wake := jobs.await("")
	for ctx.Err() == nil {
		s, err := w.open(ctx)
		message := "the fetcher has no session, and takes nothing"
		if err == nil {
			w.said = ""
			w.o.Log("the fetcher has a session, and takes requests")
			message = "the fetcher lost its session: what it was fetching is fetched anew"
			err = s.run(ctx, f, wake)
			w.set(nil)
			s.close()
		}
		if err != nil && ctx.Err() == nil {
			w.warn(message, public(err).Error())
			driver.Pause(ctx, pollTime)
		}
	}
}

// warn warns of a session that is missing: the same once a minute.
func (w *Worker) warn(message, reason string) {
	if said := message + reason; said != w.said || time.Since(w.warned) >= time.Minute {
		w.said = said
		w.warned = time.Now()
		w.o.Warn(message, "error", reason)
	}
}

// Load returns how many hosts the Worker owns and how many jobs it runs now, and how often since
// it started another worker had taken a job that it still ran: the two may have asked the host at
// the same time.
func (w *Worker) Load() (hosts, running int, overlaps int64) {
	if s, err := w.current(); err == nil {
		hosts, running = s.load()
	}
	return hosts, running, w.overlaps.Load()
}

// Ready reports whether the Worker takes jobs: it has a session, its name is its own, the tables serve it, and
// TempDir has room.
func (w *Worker) Ready() bool {
	_, err := w.current()
	return err == nil && !w.full()
}

// full reports whether TempDir has no room for bodies.
func (w *Worker) full() bool { return w.disk.Full(w.o.TempDir) }

func (w *Worker) set(s *session) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.session = s
}

// current returns the session, or the error of a worker that has none.
func (w *Worker) current() (*session, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.session == nil {
		return nil, away("database", errNoSession)
	}
	return w.session, nil
}

var errNoSession = errors.New("the worker has no session")

// errNoRoom is the error of a request for which no host was asked since TempDir has no room.
var errNoRoom = errors.New("no host is asked while the disk for bodies is full")

// errUsedUp is the outcome of a request that may have used up a download, and whose answer is lost.
var errUsedUp = &fetch.Error{Kind: fetch.Denied, Err: errors.New(
	"its worker ended during the request, which may have used up a download, so that it is not repeated",
)}

// A taken is a job that this worker runs.
type taken struct {
	id    int64
	host  string
	tries int
	tier  *Tier // of the tenant
	job   job

	refused error // why the row has no request, which a login of the database may have written
}

// maxRequestValues bounds the values of a request.
const maxRequestValues = 10_000

// errForm is the error of a row that is not a request.
var errForm = &fetch.Error{Op: "fetch", Kind: fetch.Malformed, Err: errors.New("the row of the request is not one")}

// maxPage bounds the start of a body that is whole in the Exchanges of a job. The object has
// the rest, and the archive shows no more of it as the words of the server.
const maxPage = 4 << 10

// run runs a job, and writes its result. The job is left to another worker if ctx ends.
func (w *Worker) run(ctx context.Context, f fetch.Fetcher, session int64, t *taken) error {
	var said []*fetch.Exchange
	res, d, shared := w.fetch(context.WithValue(ctx, tierKey{}, t.tier), f, t, func(x *fetch.Exchange) {
		x.By = w.o.Name
		if x.Kind == 0 && len(x.Beginning) > maxPage {
			x.Beginning = x.Beginning[:maxPage:maxPage]
		}
		said = append(said, x)
	}, func(ctx context.Context) error {
		tag, err := w.tier.exec(
			ctx, `UPDATE fleet_jobs SET claimed = true WHERE id = $1 AND session = $2 AND tries = $3 AND state = 'running'`,
			t.id, session, t.tries,
		)
		if err == nil && tag.RowsAffected() == 0 {
			err = errNoSession
		}
		if err != nil {
			return away("database", err)
		}
		return nil
	})
	if d != nil {
		defer d.Close()
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if res.unasked {
		if left, err := w.leave(ctx, session, t); left || err != nil {
			return err
		}
	}
	res.Exchanges = said
	var object *string
	if d != nil {
		if !shared {
			d.own = fmt.Sprintf("job %d %d ", t.id, t.tries)
		}
		name, sum, err := d.put(ctx)
		for deadline := time.Now().Add(putTime); err != nil && t.job.Once && time.Now().Before(deadline); {
			driver.Pause(ctx, pollTime) // the body cannot be had again
			name, sum, err = d.put(ctx)
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		switch {
		case err != nil && t.job.Once:
			res = &result{Failure: newFailure(errUsedUp), Exchanges: said}
			shared = true
		case err != nil:
			res = &result{Failure: newFailure(away("bucket", err)), Exchanges: said}
			shared = true
		default:
			res.Answer.SHA256 = sum
			object = &name
		}
	}
	return w.end(context.WithoutCancel(ctx), session, t, res, object, shared)
}

// fetch fetches for a job. The draft has the body of an Answer.
func (w *Worker) fetch(
	ctx context.Context, f fetch.Fetcher, t *taken, observe func(*fetch.Exchange), claim func(context.Context) error,
) (_ *result, _ *draft, shared bool) {
	failed := func(err error) (*result, *draft, bool) {
		return &result{Failure: newFailure(err), unasked: errors.Is(err, errNoRoom)}, nil, true
	}
	if t.refused != nil {
		return failed(t.refused)
	}
	req, err := t.job.request(observe)
	if err != nil {
		return failed(err)
	}
	if err := w.tier.outage.await(ctx, t.job.patience()); err != nil {
		return failed(err)
	}
	req.MaxBytes = w.o.MaxBytes
	ctx = cache.WithPartition(ctx, t.job.Partition)
	if t.job.Once {
		ctx = context.WithValue(ctx, claimKey{}, claim)
	}
	resp, d, err := w.body(ctx, f, req, t.tier)
	if errors.Is(err, fetch.ErrDamaged) {
		resp, d, err = w.body(ctx, f, req, t.tier) // the stored answer was deleted
	}
	if err != nil {
		return failed(err)
	}
	return &result{Answer: newAnswer(resp, d.size.Load(), nil, w.tier.clock)}, d, sharable(resp)
}

// body fetches a body into a draft.
func (w *Worker) body(ctx context.Context, f fetch.Fetcher, req *fetch.Request, tier *Tier) (*fetch.Response, *draft, error) {
	resp, err := f.Fetch(ctx, req)
	if err != nil {
		return nil, nil, err
	}
	defer resp.Body.Close()
	d := newDraft(tier, w.o.TempDir)
	if _, err := io.Copy(d, resp.Body); err != nil {
		d.Close()
		if w.disk.Note(err) {
			w.o.Warn("the disk for bodies is full: the fetcher takes nothing until it has room", "error", err.Error())
		}
		return nil, nil, err
	}
	return resp, d, nil
}

// leave leaves a job for which no host was asked to any worker. It reports false if it may have used up a
// download.
func (w *Worker) leave(ctx context.Context, session int64, t *taken) (bool, error) {
	tag, err := w.tier.exec(ctx, `UPDATE fleet_jobs SET state = 'queued', tries = tries - 1
		WHERE id = $1 AND session = $2 AND tries = $3 AND state = 'running' AND NOT claimed`, t.id, session, t.tries)
	return tag.RowsAffected() > 0, err
}

// end writes the result of a job, unless another worker has the job by now.
func (w *Worker) end(ctx context.Context, session int64, t *taken, res *result, object *string, shared bool) error {
	tag, err := w.tier.exec(ctx, `WITH done AS (
			UPDATE fleet_jobs SET state = 'done', ended = now(), result = $4, object = $5, shared = $6
			WHERE id = $1 AND session = $2 AND tries = $3 AND state = 'running' RETURNING id
		) SELECT pg_notify('fleet_done', id::text) FROM done`, t.id, session, t.tries, string(encode(res)), object, shared)
	if err == nil && tag.RowsAffected() == 0 {
		w.overlaps.Add(1)
		w.o.Warn("a result came too late: another worker has the job", "job", t.id)
	}
	return err
}

// take starts n queued jobs of the hosts: first of the hosts with the fewest started, at most
// PerHost of each.
func (w *Worker) take(ctx context.Context, session int64, hosts []string, begun []int, n int) ([]*taken, error) {
	rows, err := w.tier.db.Query(ctx, `UPDATE fleet_jobs SET state = 'running', worker = $1, session = $6, tries = tries + 1 WHERE id IN (
			SELECT id FROM (SELECT q.id, begun + row_number() OVER (PARTITION BY h ORDER BY q.id) AS nth
				FROM unnest($2::text[], $3::int[]) AS hosts (h, begun), LATERAL (
					SELECT id FROM fleet_jobs WHERE state = 'queued' AND host = h ORDER BY id LIMIT $4 - begun FOR UPDATE SKIP LOCKED
				) q) fair ORDER BY nth, id LIMIT $5
		) RETURNING id, host, tries, tenant, CASE WHEN octet_length(request::text) <= $7 THEN request END`,
		w.o.Name, hosts, begun, w.o.PerHost, n, session, maxRequest)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (*taken, error) {
		t := new(taken)
		var text []byte
		var tenant string
		if err := row.Scan(&t.id, &t.host, &t.tries, &tenant, &text); err != nil {
			return nil, err
		}
		t.tier = w.as(tenant)
		switch {
		case text == nil:
			t.refused = errRequest
		case bounded.JSON(text, &t.job, maxRequestValues) != nil:
			t.refused = errForm
		}
		return t, nil
	})
}

// sharable reports whether all who wait may have the answer: a private cache may store it.
func sharable(resp *fetch.Response) bool {
	return resp.Status == 0 || rfc9111.Storable(nil, &rfc9111.Response{Status: resp.Status, Header: resp.Header})
}

// heartbeat writes that the worker is there.
func (w *Worker) heartbeat(ctx context.Context, hosts, running int) error {
	_, err := w.tier.exec(ctx, `INSERT INTO fleet_workers VALUES ($1, now(), $2, $3)
		ON CONFLICT (id) DO UPDATE SET seen = now(), hosts = $2, running = $3`, w.o.Name, hosts, running)
	return err
}

// sweep removes old rows, and objects that no row names. One worker at a time does it.
func (w *Worker) sweep(ctx context.Context) error {
	return pgx.BeginFunc(ctx, w.tier.db, func(tx pgx.Tx) error {
		var mine bool
		if err := tx.QueryRow(ctx, `SELECT pg_try_advisory_xact_lock(hashtext('fleet sweep'))`).Scan(&mine); err != nil || !mine {
			return err
		}
		for _, statement := range []string{
			`DELETE FROM fleet_jobs WHERE state = 'done' AND ended < now() - interval '10 minutes'`,
			`DELETE FROM fleet_jobs WHERE state = 'queued' AND created < now() - interval '1 day'`,
			`DELETE FROM fleet_entries WHERE used < now() - interval '30 days'`,
			`DELETE FROM fleet_scans WHERE scanned < now() - interval '30 days'`,
			`DELETE FROM fleet_findings WHERE found < now() - interval '30 days'`,
			`DELETE FROM fleet_deferrals WHERE first < now() - interval '6 days'`,
			`DELETE FROM fleet_hosts WHERE owner IS NULL AND wanted_by IS NULL AND coalesce(not_until, '-infinity') < now()`,
			`DELETE FROM fleet_workers WHERE seen < now() - interval '1 day'`,
			`UPDATE fleet_workers SET server = NULL WHERE seen < now() - interval '1 minute'`,
		} {
			if _, err := tx.Exec(ctx, statement); err != nil {
				return err
			}
		}
		_, err := w.tier.clean(ctx, tx, `used < now() - interval '1 hour'`)
		return err
	})
}

// spend removes the answers that may not be stored and were handed over, with their bodies. One that no
// client took within a minute goes too, but for a download that cannot be had again.
func (w *Worker) spend(ctx context.Context) error {
	return pgx.BeginFunc(ctx, w.tier.db, func(tx pgx.Tx) error {
		objects, err := collect(ctx, tx, pgx.RowTo[string], `DELETE FROM fleet_jobs WHERE id IN (
			SELECT id FROM fleet_jobs WHERE state = 'done' AND NOT shared AND object IS NOT NULL
				AND (handed OR NOT taken AND NOT claimed AND ended < now() - interval '1 minute') LIMIT 100 FOR UPDATE SKIP LOCKED
			) RETURNING object`)
		if err != nil {
			return err
		}
		for _, name := range objects {
			if err := w.tier.objects.Delete(ctx, name); err != nil {
				return err
			}
		}
		_, err = tx.Exec(ctx, `DELETE FROM fleet_objects WHERE name = ANY($1)`, objects)
		return err
	})
}

// sweepTime is the time between two sweeps.
const sweepTime = time.Minute
