// Package fleet lets many processes share one politeness and one memory. PostgreSQL has
// the jobs, the hosts and the stored answers; a bucket has the bodies.
//
// A [Client] takes the place, in a mail server or an archiver, of the fetchers that
// contact hosts: it hands each request to the tier as a job, waits for the result, and
// streams the body from the bucket. It contacts no host and holds no lock. A [Worker]
// contacts the hosts. It does so only for hosts whose advisory lock its session holds, so
// that the limits of its throttle hold for the whole tier. All that stands above a Fetcher
// is unchanged: the rules of share links, consent, limits and verdicts are the client's.
//
// # Tenants
//
// A login of the database belongs to a tenant, at first to the tenant "". Answers, bodies, scans
// and findings of one tenant are found by no other. The names of answers and bodies are made with
// a secret that differs for each tenant, and row level security hides the rows of the others from
// clients. The hosts, and so the limits of the throttle, are shared by all.
//
// # Order of writes
//
// The body is in the bucket before the row that names it is committed. A job that was done
// stays done. A worker that dies leaves jobs in the state "running"; the next owner of the
// host queues them again, at most [maxTries] times.
//
// # Time
//
// The session of a worker ends when the server has not heard of it for [SessionTime]. A worker
// that has not heard of the server for a third of that cancels its fetches. A host whose
// worker lost the lock, and did not give it up, is taken by another one when that worker has not
// been heard of for SessionTime. A server that starts has forgotten all locks: workers take
// none until each that had a session before has noticed, and SessionTime after a promotion. A host at
// which a request was given up is left alone for SessionTime: it may not have noticed, and still have
// as many requests as it may. A worker
// that is stopped for longer than SessionTime with a request open may see that request
// answered after another worker has asked the host.
package fleet

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/go-extbody/extbody/examples/extbody/internal/store"
)

//go:embed schema.sql
var schema string

//go:embed roles.sql
var roles string

// A Tier is the connection to PostgreSQL and the bucket, for one tenant. Its methods may be called
// by several goroutines at once.
type Tier struct {
	db      *pgxpool.Pool
	objects store.Store
	outage  *outage
	clock   *clock
	tenant  *string // nil means the tenant of the login

	mu     sync.Mutex
	secret []byte    // of the tenant; nil until it was read
	failed error     // of the last time that it was read, or nil
	asked  time.Time // when that was, and the version too
}

// Init creates the tables, and the roles fleet_client, fleet_reader and fleet_worker. If they exist
// it brings them to the version of this program, in one transaction. Programs of the version before,
// which run meanwhile, go on.
func Init(ctx context.Context, database string) error {
	return change(ctx, database, func(tx pgx.Tx) error {
		var exists bool
		if err := tx.QueryRow(ctx, `SELECT to_regclass('fleet_tier') IS NOT NULL`).Scan(&exists); err != nil {
			return err
		}
		var present int
		if exists {
			if err := tx.QueryRow(ctx, `SELECT version FROM fleet_tier FOR UPDATE`).Scan(&present); err != nil {
				return err
			}
		}
		if present > version {
			return errVersion{present, version + 1}
		}
		steps := strings.Split(schema, "\n-- Version ")
		for _, statements := range steps[min(present, len(steps)):] {
			if _, err := tx.Exec(ctx, "-- "+statements); err != nil {
				return err
			}
		}
		set := `UPDATE fleet_tier SET version = $1, serves = $2, secret = coalesce(secret, $3)`
		if !exists {
			set = `INSERT INTO fleet_tier (version, serves, secret) VALUES ($1, $2, $3)`
		}
		secret := make([]byte, 32)
		rand.Read(secret)
		if _, err := tx.Exec(ctx, set, version, served, secret); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, roles)
		return err
	})
}

// SetTenant makes a login of the database one of a tenant, which needs the login that called Init.
func SetTenant(ctx context.Context, database, login, tenant string) error {
	return change(ctx, database, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `INSERT INTO fleet_tenants SELECT rolname, $2 FROM pg_roles WHERE rolname = $1 `+
			`ON CONFLICT (login) DO UPDATE SET tenant = $2`, login, tenant)
		if err == nil && tag.RowsAffected() == 0 {
			err = fmt.Errorf("the database has no login %q", login)
		}
		return err
	})
}

// change runs f in a transaction.
func change(ctx context.Context, database string, f func(pgx.Tx) error) error {
	config, err := pgx.ParseConfig(database)
	if err != nil {
		return public(err)
	}
	config.ConnectTimeout = connectTime
	config.DialFunc = dialing(config.DialFunc)
	config.Tracer = statements{}
	db, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return public(err)
	}
	defer db.Close(context.WithoutCancel(ctx))
	return unanswered(ctx, pgx.BeginFunc(ctx, db, f))
}

// Open opens a tier that Init made, for the tenant of the login. database is a URL or a connection string of libpq;
// bucket is for [store.Open]. The server need not be there yet: requests are Away until it is.
func Open(ctx context.Context, database, bucket string) (*Tier, error) {
	config, err := pgxpool.ParseConfig(database)
	if err != nil {
		return nil, public(err)
	}
	config.ConnConfig.ConnectTimeout = connectTime
	config.ConnConfig.DialFunc = dialing(config.ConnConfig.DialFunc)
	config.ConnConfig.Tracer = statements{}
	config.MaxConns = 8
	config.PingTimeout = connectTime
	t := &Tier{clock: new(clock)}
	t.outage = newOutage(t.probe)
	t.objects, err = store.Open(bucket, bucketTime)
	if errors.Is(err, store.ErrURL) {
		return nil, &URLError{Bucket, err}
	}
	if err != nil {
		return nil, err
	}
	t.db, err = pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, public(err)
	}
	return t, nil
}

// exec runs a statement within silentTime.
func (t *Tier) exec(ctx context.Context, statement string, args ...any) (pgconn.CommandTag, error) {
	ctx, cancel := context.WithTimeout(ctx, silentTime)
	defer cancel()
	return t.db.Exec(ctx, statement, args...)
}

// probe puts an object into the bucket, and deletes it. A row keeps it from being left there for good.
func (t *Tier) probe(ctx context.Context) error {
	octets := make([]byte, sha256.Size)
	rand.Read(octets)
	object := hex.EncodeToString(octets)
	if _, err := t.db.Exec(ctx, `INSERT INTO fleet_objects VALUES ($1, now())`, object); err != nil {
		return err
	}
	if err := t.objects.Put(ctx, object, int64(len(octets)), bytes.NewReader(octets)); err != nil {
		return err
	}
	if err := t.objects.Delete(ctx, object); err != nil {
		return err
	}
	_, err := t.db.Exec(ctx, `DELETE FROM fleet_objects WHERE name = $1`, object)
	return err
}

// As returns the tier for another tenant than the login's, which needs the role fleet_worker. It
// ends with t.
func (t *Tier) As(tenant string) *Tier {
	return &Tier{db: t.db, objects: t.objects, outage: t.outage, clock: t.clock, tenant: &tenant}
}

// Close closes the connections. Bodies must be closed before.
func (t *Tier) Close() {
	t.outage.close()
	t.db.Close()
}

// name returns a name that discloses nothing of b, and that only the tenant and workers can make.
// It reads the secret the first time, and the version of the tables and the clock now and then.
func (t *Tier) name(ctx context.Context, b []byte) ([]byte, error) {
	secret, err := t.key(ctx)
	if err != nil {
		return nil, err
	}
	h := hmac.New(sha256.New, secret)
	h.Write(b)
	return h.Sum(nil), nil
}

// key returns the secret of the tenant. Those that waited for a failure share it, and so do those
// that ask within pollTime after it: a silent server holds each of them up once.
func (t *Tier) key(ctx context.Context) ([]byte, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.failed != nil && time.Since(t.asked) < pollTime:
		return nil, t.failed
	case t.failed == nil && t.secret != nil && time.Since(t.asked) < pingTime:
		return t.secret, nil
	}
	t.failed = t.readSecret(ctx)
	t.asked = time.Now()
	if ctx.Err() != nil {
		t.asked = time.Time{} // the failure is the caller's
	}
	if t.failed != nil {
		return nil, t.failed
	}
	return t.secret, nil
}

func (t *Tier) readSecret(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, silentTime)
	defer cancel()
	if err := fits(ctx, t.db, t.clock); err != nil || t.secret != nil {
		return err
	}
	err := t.db.QueryRow(ctx, `SELECT fleet_secret(coalesce($1, fleet_tenant()))`, t.tenant).Scan(&t.secret)
	if err == nil && t.secret == nil {
		err = errTenant
	}
	return err
}

var errTenant = errors.New("the login of the database is one of another tenant, and has no role fleet_worker")

// setup reports whether an error of the database is one that no waiting mends.
func setup(err error) bool {
	if errors.Is(err, errTenant) || errors.Is(err, errPooled) || isVersion(err) {
		return true
	}
	e, ok := errors.AsType[*pgconn.PgError](err)
	// Of a login, a database that is missing, of a right, a table, a column or a function.
	return ok && (strings.HasPrefix(e.Code, "28") || slices.Contains([]string{"3D000", "42501", "42P01", "42703", "42883"}, e.Code))
}

var errPooled = errors.New(
	"a pooler such as PgBouncer in transaction mode is before PostgreSQL: the locks of hosts " +
		"and the notifications need a session. Name PostgreSQL itself, or use the session mode",
)

// pooled returns errPooled if statements of one connection go to several sessions of the server, or
// statements of two connections to one.
func (t *Tier) pooled(ctx context.Context) error {
	first, err := t.db.Acquire(ctx)
	if err != nil {
		return err
	}
	defer first.Release()
	second, err := t.db.Acquire(ctx)
	if err != nil {
		return err
	}
	defer second.Release()
	const ask = `SELECT pg_backend_pid()`
	var a, b, c uint32
	if err := first.QueryRow(ctx, ask, pgx.QueryExecModeSimpleProtocol).Scan(&a); err != nil {
		return err
	}
	tx, err := second.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback(ctx)
	if err := tx.QueryRow(ctx, ask, pgx.QueryExecModeSimpleProtocol).Scan(&b); err != nil {
		return err
	}
	if err := first.QueryRow(ctx, ask, pgx.QueryExecModeSimpleProtocol).Scan(&c); err != nil {
		return err
	}
	if a == b || a != c {
		return errPooled
	}
	return nil
}

// Check looks whether the tier can do its work, and whether the login can do the work of a worker or of a client.
// The error is a [*SetupError], or an [*Away] for a fault that may pass. It waits a few seconds at most.
func (t *Tier) Check(ctx context.Context, worker bool) error {
	ctx, cancel := context.WithTimeout(ctx, silentTime)
	defer cancel()
	var may, open bool
	err := t.pooled(ctx)
	if err == nil {
		_, err = t.name(ctx, nil)
	}
	if err == nil {
		err = fits(ctx, t.db, t.clock) // again: the first one may have been a moment ago
	}
	if err == nil {
		need := `has_any_column_privilege('fleet_jobs', 'INSERT') AND has_column_privilege('fleet_jobs', 'ended', 'SELECT')`
		if worker {
			need = `has_table_privilege('fleet_hosts', 'UPDATE') AND has_table_privilege('fleet_objects', 'INSERT')`
		}
		err = t.db.QueryRow(
			ctx, `SELECT `+need+`, has_function_privilege('public', 'pg_advisory_lock(bigint)', 'EXECUTE')`,
		).Scan(&may, &open)
	}
	switch {
	case err != nil && setup(err):
		return &SetupError{Err: public(err)}
	case err != nil:
		t.mu.Lock()
		defer t.mu.Unlock()
		t.failed = err
		t.asked = time.Now()
		return &Away{"database", public(err)}
	case !may && worker:
		return &SetupError{Err: errors.New("the login of the database has not the rights of the role fleet_worker")}
	case open:
		return &SetupError{
			Err: errors.New("every login of the database may take the locks of hosts: run \"fleet init\" again as its owner"),
		}
	case !may:
		return &SetupError{Err: errors.New(
			"the login of the database has not the rights of the role fleet_client, or \"fleet init\" of this program did not run",
		)}
	}
	switch err = store.Probe(ctx, t.objects); {
	case errors.Is(err, store.ErrRefused), errors.Is(err, store.ErrNoBucket):
		return &SetupError{Err: err, bucket: true}
	case err != nil:
		return &Away{"bucket", err}
	}
	return nil
}

// A Status is the state of a tier at a time.
type Status struct {
	Now     time.Time `json:"now"` // by the clock of the server, as all other times are
	Jobs    []Jobs    `json:"jobs"`
	Waiting []Queue   `json:"waiting"` // the hosts whose jobs wait longest, at most 20
	Workers []Member  `json:"workers"`
	Hosts   int       `json:"hosts"` // that have an owner who is there
	Entries int64     `json:"entries"`
	Octets  int64     `json:"octets"` // of the bodies of Entries
}

// Jobs are the jobs in a state: "queued", "running" or "done".
type Jobs struct {
	State  string    `json:"state"`
	Count  int64     `json:"count"`
	Oldest time.Time `json:"oldest"`
}

// A Queue is the jobs that wait for a host.
type Queue struct {
	Host   string    `json:"host"`
	Count  int64     `json:"count"`
	Oldest time.Time `json:"oldest"`
}

// A Member is a worker that was there within the last day.
type Member struct {
	Name    string    `json:"name"`
	Seen    time.Time `json:"seen"`
	Hosts   int       `json:"hosts"`
	Running int       `json:"running"`
	Drain   bool      `json:"drain,omitempty"`  // it takes no more hosts
	Absent  bool      `json:"absent,omitempty"` // it was not seen for 20 seconds, and has nothing
}

// present is true for a worker that is there. The numbers of one that has gone are those that it wrote last.
const present = `seen > now() - interval '20 seconds'`

// Status returns the state of the tier.
func (t *Tier) Status(ctx context.Context) (*Status, error) {
	s := new(Status)
	err := t.db.QueryRow(ctx, `SELECT now(), `+
		`(SELECT count(*) FROM fleet_hosts WHERE owner IN (SELECT id FROM fleet_workers WHERE `+present+`)), `+
		`count(*), coalesce(sum(size), 0)::bigint FROM fleet_entries`).
		Scan(&s.Now, &s.Hosts, &s.Entries, &s.Octets)
	if err == nil {
		s.Jobs, err = collect(
			ctx, t.db, pgx.RowToStructByPos[Jobs], `SELECT state, count(*), min(created) FROM fleet_jobs GROUP BY state ORDER BY state`,
		)
	}
	if err == nil {
		s.Waiting, err = collect(
			ctx, t.db, pgx.RowToStructByPos[Queue],
			`SELECT host, count(*), min(created) FROM fleet_jobs WHERE state = 'queued' GROUP BY host ORDER BY 3 LIMIT 20`,
		)
	}
	if err == nil {
		s.Workers, err = collect(ctx, t.db, pgx.RowToStructByPos[Member], `SELECT id, seen,
			CASE WHEN `+present+` THEN hosts ELSE 0 END, CASE WHEN `+present+` THEN running ELSE 0 END, `+
			`drain, NOT `+present+` FROM fleet_workers ORDER BY id`)
	}
	return s, unanswered(ctx, err)
}

// Drain makes a worker take no more hosts, or take hosts again. It reports whether the tier
// knows the worker.
func (t *Tier) Drain(ctx context.Context, name string, drain bool) (bool, error) {
	tag, err := t.db.Exec(ctx, `UPDATE fleet_workers SET drain = $2 WHERE id = $1`, name, drain)
	return tag.RowsAffected() > 0, unanswered(ctx, err)
}

// A querier is a pool of connections, or a transaction.
type querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

func collect[T any](ctx context.Context, db querier, row pgx.RowToFunc[T], sql string, args ...any) ([]T, error) {
	rows, _ := db.Query(ctx, sql, args...) // rows has the error
	list, err := pgx.CollectRows(rows, row)
	return list, public(err)
}
