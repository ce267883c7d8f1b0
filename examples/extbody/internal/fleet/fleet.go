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
// that has not heard of the server for a third of that cancels what it fetches. A host whose
// worker lost the lock, and did not give it up, is taken by another one when that worker has not
// been heard of for SessionTime. After a start or a promotion of the server, which forget all
// locks, workers take none for SessionTime. A worker
// that is stopped for longer than SessionTime with a request open may see that request
// answered after another worker has asked the host.
package fleet

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	_ "embed"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/go-extbody/extbody/examples/extbody/internal/store"
	"github.com/go-extbody/extbody/fetch"
)

// SessionTime is how long the locks of a worker stay after the server heard of it last.
const SessionTime = 10 * time.Second

// version is the version of the tables.
const version = 3

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
	tenant  *string // nil means the tenant of the login

	mu     sync.Mutex
	secret []byte // of the tenant; nil until it was read
}

// Init creates the tables, and the roles fleet_client, fleet_reader and fleet_worker. If they exist
// it brings them to the present version, in one transaction.
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
			return errVersion(present)
		}
		for _, statements := range strings.Split(schema, "\n-- Version ")[present:] {
			if _, err := tx.Exec(ctx, "-- "+statements); err != nil {
				return err
			}
		}
		set := `UPDATE fleet_tier SET version = $1, secret = coalesce(secret, $2)`
		if !exists {
			set = `INSERT INTO fleet_tier (version, secret) VALUES ($1, $2)`
		}
		secret := make([]byte, 32)
		rand.Read(secret)
		if _, err := tx.Exec(ctx, set, version, secret); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, roles)
		return err
	})
}

// SetTenant makes a login of the database one of a tenant, which needs the login that called Init.
func SetTenant(ctx context.Context, database, login, tenant string) error {
	return change(ctx, database, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `INSERT INTO fleet_tenants SELECT rolname, $2 FROM pg_roles WHERE rolname = $1 ON CONFLICT (login) DO UPDATE SET tenant = $2`, login, tenant)
		if err == nil && tag.RowsAffected() == 0 {
			err = fmt.Errorf("the database has no login %q", login)
		}
		return err
	})
}

// change runs f in a transaction.
func change(ctx context.Context, database string, f func(pgx.Tx) error) error {
	db, err := pgx.Connect(ctx, database)
	if err != nil {
		return public(err)
	}
	defer db.Close(context.WithoutCancel(ctx))
	return pgx.BeginFunc(ctx, db, f)
}

// Open opens a tier that Init made, for the tenant of the login. database is a URL or a connection string of libpq;
// bucket is for [store.Open]. The server need not be there yet: requests are Deferred
// until it is.
func Open(ctx context.Context, database, bucket string) (*Tier, error) {
	config, err := pgxpool.ParseConfig(database)
	if err != nil {
		return nil, public(err)
	}
	config.ConnConfig.ConnectTimeout = connectTime
	config.MaxConns = 8
	t := &Tier{outage: new(outage)}
	if t.objects, err = store.Open(bucket); err != nil {
		return nil, err
	}
	if t.db, err = pgxpool.NewWithConfig(ctx, config); err != nil {
		return nil, public(err)
	}
	return t, nil
}

// connectTime bounds the time of a connection to PostgreSQL.
const connectTime = 2 * time.Second

// As returns the tier for another tenant than the login's, which needs the role fleet_worker. It
// ends with t.
func (t *Tier) As(tenant string) *Tier {
	return &Tier{db: t.db, objects: t.objects, outage: t.outage, tenant: &tenant}
}

// Close closes the connections. Bodies must be closed before.
func (t *Tier) Close() { t.db.Close() }

// name returns a name that discloses nothing of b, and that only the tenant and workers can make.
// It reads the secret the first time.
func (t *Tier) name(ctx context.Context, b []byte) ([]byte, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.secret == nil {
		var v int
		if err := t.db.QueryRow(ctx, `SELECT version FROM fleet_tier`).Scan(&v); err != nil {
			return nil, err
		}
		if v != version {
			return nil, errVersion(v)
		}
		if err := t.db.QueryRow(ctx, `SELECT fleet_secret(coalesce($1, fleet_tenant()))`, t.tenant).Scan(&t.secret); err != nil {
			return nil, err
		}
		if t.secret == nil {
			return nil, errTenant
		}
	}
	h := hmac.New(sha256.New, t.secret)
	h.Write(b)
	return h.Sum(nil), nil
}

var errTenant = errors.New("the login of the database is one of another tenant, and has no role fleet_worker")

func errVersion(v int) error {
	return fmt.Errorf("the tables of the tier have version %d, and this program knows %d: \"fleet init\" of the newer program brings them up", v, version)
}

// public returns err without the password that a connection string may have.
func public(err error) error {
	if parse, ok := errors.AsType[*pgconn.ParseConfigError](err); ok {
		return errors.New("the URL of the database cannot be read: " + parse.Unwrap().Error())
	}
	return err
}

// away returns the error of a request that the tier cannot take at present.
func away(part string, err error) error {
	return &fetch.Error{Op: "fetch", Kind: fetch.Deferred, Err: fmt.Errorf("the %s of the fleet is away: %w", part, public(err)), After: time.Now().Add(retryTime)}
}

// retryTime is when a request that was Deferred because the tier is away may come again.
const retryTime = 10 * time.Second

// A Status is the state of a tier at a time.
type Status struct {
	Jobs    []Jobs   `json:"jobs"`
	Waiting []Queue  `json:"waiting"` // the hosts whose jobs wait longest, at most 20
	Workers []Member `json:"workers"`
	Hosts   int      `json:"hosts"` // that have an owner
	Entries int64    `json:"entries"`
	Octets  int64    `json:"octets"` // of the bodies of Entries
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
	Drain   bool      `json:"drain,omitempty"` // it takes no more hosts
}

// Status returns the state of the tier.
func (t *Tier) Status(ctx context.Context) (*Status, error) {
	s := new(Status)
	err := t.db.QueryRow(ctx, `SELECT (SELECT count(*) FROM fleet_hosts WHERE owner IS NOT NULL), count(*), coalesce(sum(size), 0)::bigint FROM fleet_entries`).
		Scan(&s.Hosts, &s.Entries, &s.Octets)
	if err == nil {
		s.Jobs, err = collect(ctx, t.db, pgx.RowToStructByPos[Jobs], `SELECT state, count(*), min(created) FROM fleet_jobs GROUP BY state ORDER BY state`)
	}
	if err == nil {
		s.Waiting, err = collect(ctx, t.db, pgx.RowToStructByPos[Queue], `SELECT host, count(*), min(created) FROM fleet_jobs WHERE state = 'queued' GROUP BY host ORDER BY 3 LIMIT 20`)
	}
	if err == nil {
		s.Workers, err = collect(ctx, t.db, pgx.RowToStructByPos[Member], `SELECT id, seen, hosts, running, drain FROM fleet_workers ORDER BY id`)
	}
	return s, public(err)
}

// Drain makes a worker take no more hosts, or take hosts again. It reports whether the tier
// knows the worker.
func (t *Tier) Drain(ctx context.Context, name string, drain bool) (bool, error) {
	tag, err := t.db.Exec(ctx, `UPDATE fleet_workers SET drain = $2 WHERE id = $1`, name, drain)
	return tag.RowsAffected() > 0, public(err)
}

// A querier is a pool of connections, or a transaction.
type querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

// collect returns the rows of a query.
func collect[T any](ctx context.Context, db querier, row pgx.RowToFunc[T], sql string, args ...any) ([]T, error) {
	rows, _ := db.Query(ctx, sql, args...) // rows has the error
	list, err := pgx.CollectRows(rows, row)
	return list, public(err)
}
