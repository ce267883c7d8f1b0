package fleet

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
)

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
	rows, _ := t.db.Query(ctx, `SELECT state, count(*), min(created) FROM fleet_jobs GROUP BY state ORDER BY state`)
	var err error
	if s.Jobs, err = pgx.CollectRows(rows, pgx.RowToStructByPos[Jobs]); err != nil {
		return nil, public(err)
	}
	rows, _ = t.db.Query(ctx, `SELECT host, count(*), min(created) FROM fleet_jobs WHERE state = 'queued' GROUP BY host ORDER BY 3 LIMIT 20`)
	if s.Waiting, err = pgx.CollectRows(rows, pgx.RowToStructByPos[Queue]); err != nil {
		return nil, public(err)
	}
	rows, _ = t.db.Query(ctx, `SELECT id, seen, hosts, running, drain FROM fleet_workers ORDER BY id`)
	if s.Workers, err = pgx.CollectRows(rows, pgx.RowToStructByPos[Member]); err != nil {
		return nil, public(err)
	}
	err = t.db.QueryRow(ctx, `SELECT (SELECT count(*) FROM fleet_hosts WHERE owner IS NOT NULL), count(*), coalesce(sum(size), 0)::bigint FROM fleet_entries`).
		Scan(&s.Hosts, &s.Entries, &s.Octets)
	return s, public(err)
}

// Drain makes a worker take no more hosts, or take hosts again. It reports whether the tier
// knows the worker.
func (t *Tier) Drain(ctx context.Context, name string, drain bool) (bool, error) {
	tag, err := t.db.Exec(ctx, `UPDATE fleet_workers SET drain = $2 WHERE id = $1`, name, drain)
	return tag.RowsAffected() > 0, public(err)
}
