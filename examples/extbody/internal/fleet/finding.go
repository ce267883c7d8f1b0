package fleet

import (
	"context"
	"encoding/hex"
	"errors"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/go-extbody/extbody/fetch"
)

// Outcome returns the outcome of a scan that a client of the tier set: of the body with a
// SHA-256 in hexadecimal, by a version of the signatures. It returns nil if no client did.
func (c *Client) Outcome(ctx context.Context, sha256, version string) (outcome []byte, err error) {
	sum, err := hex.DecodeString(sha256)
	if err == nil {
		err = c.tier.db.QueryRow(ctx, `SELECT outcome FROM fleet_scans WHERE sha256 = $1 AND version = $2`, sum, version).Scan(&outcome)
	}
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil
	}
	return outcome, public(err)
}

// SetOutcome sets the outcome of a scan, which is JSON, unless there is one.
func (c *Client) SetOutcome(ctx context.Context, sha256, version string, outcome []byte) error {
	sum, err := hex.DecodeString(sha256)
	if err == nil {
		_, err = c.tier.db.Exec(ctx, `INSERT INTO fleet_scans (sha256, version, outcome) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`, sum, version, string(outcome))
	}
	return public(err)
}

// A Finding is a mail that referred to a body.
type Finding struct {
	Found     time.Time `json:"found"`
	Server    string    `json:"server"`
	QueueID   string    `json:"queue_id,omitempty"`
	MessageID string    `json:"message_id,omitempty"`
}

// maxFindings bounds the findings of a Client that wait to be written.
const maxFindings = 1000

// Find writes that the mail f refers to the bodies with the SHA-256 in hexadecimal. The time is
// the present one. Find does not wait: it reports whether there was room, and the finding is
// written when the database is there.
func (c *Client) Find(sha256 []string, f Finding) bool {
	return c.found.add(func(ctx context.Context) error {
		_, err := c.tier.db.Exec(ctx, `INSERT INTO fleet_findings (sha256, server, queue_id, message_id)
			SELECT decode(sum, 'hex'), $2, $3, $4 FROM unnest($1::text[]) AS sum ON CONFLICT DO NOTHING`, sha256, f.Server, f.QueueID, f.MessageID)
		return err
	})
}

// findings are writes that wait.
type findings struct {
	mu      sync.Mutex
	waiting []func(context.Context) error
	running chan struct{} // closed when the goroutine that writes ends; nil without one
	stop    context.CancelFunc
	closed  bool
}

func (q *findings) add(write func(context.Context) error) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed || len(q.waiting) >= maxFindings {
		return false
	}
	q.waiting = append(q.waiting, write)
	if len(q.waiting) == 1 {
		ctx, stop := context.WithCancel(context.Background())
		q.running, q.stop = make(chan struct{}), stop
		go q.run(ctx, q.running)
	}
	return true
}

// run writes until none waits. Each stays in waiting until it is written.
func (q *findings) run(ctx context.Context, ended chan struct{}) {
	defer close(ended)
	for {
		q.mu.Lock()
		write := q.waiting[0]
		q.mu.Unlock()
		each, cancel := context.WithTimeout(ctx, queryTime)
		err := write(each)
		cancel()
		if err != nil && fetch.Pause(ctx, pollTime) != nil {
			return
		}
		if err != nil {
			continue
		}
		q.mu.Lock()
		q.waiting = q.waiting[1:]
		more := len(q.waiting) > 0
		q.mu.Unlock()
		if !more {
			return
		}
	}
}

func (q *findings) close() {
	q.mu.Lock()
	q.closed = true
	running, stop := q.running, q.stop
	q.mu.Unlock()
	if running == nil {
		return
	}
	defer stop()
	select {
	case <-running:
	case <-time.After(queryTime):
		stop()
		<-running
	}
}

// Who returns the findings of a body, the oldest first. It needs the role fleet_worker.
func (t *Tier) Who(ctx context.Context, sum []byte) ([]Finding, error) {
	rows, _ := t.db.Query(ctx, `SELECT found, server, queue_id, message_id FROM fleet_findings WHERE sha256 = $1 ORDER BY found, server, queue_id`, sum)
	list, err := pgx.CollectRows(rows, pgx.RowToStructByPos[Finding])
	return list, public(err)
}
