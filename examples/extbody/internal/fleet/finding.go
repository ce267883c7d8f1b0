package fleet

import (
	"context"
	"encoding/hex"
	"errors"
	"net/url"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/go-extbody/extbody/fetch/driver"
	"github.com/go-extbody/extbody/internal/link"
)

// Outcome returns the outcome of a scan that a client of the tier set: of the body with a
// SHA-256 in hexadecimal, by a version of the signatures. It returns nil if no client did.
func (c *Client) Outcome(ctx context.Context, sha256, version string) (outcome []byte, err error) {
	sum, err := hex.DecodeString(sha256)
	if err == nil {
		err = c.tier.db.QueryRow(
			ctx, `SELECT outcome FROM fleet_scans WHERE sha256 = $1 AND version = $2 AND tenant = fleet_tenant()`, sum, version,
		).Scan(&outcome)
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
		_, err = c.tier.db.Exec(
			ctx, `INSERT INTO fleet_scans (sha256, version, outcome) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`,
			sum, version, string(outcome),
		)
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
			SELECT decode(sum, 'hex'), $2, $3, $4 FROM unnest($1::text[]) AS sum ON CONFLICT DO NOTHING`,
			sha256, f.Server, f.QueueID, f.MessageID)
		return err
	})
}

// findings are writes that wait.
type findings struct {
	waiting chan func(context.Context) error
	ended   chan struct{} // closed when all are written, or lost
	stop    context.CancelFunc

	mu     sync.Mutex
	closed bool
}

func newFindings() *findings {
	ctx, stop := context.WithCancel(context.Background())
	q := &findings{waiting: make(chan func(context.Context) error, maxFindings), ended: make(chan struct{}), stop: stop}
	go q.run(ctx)
	return q
}

func (q *findings) add(write func(context.Context) error) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return false
	}
	select {
	case q.waiting <- write:
		return true
	default:
		return false
	}
}

// run writes each, again until it is written.
func (q *findings) run(ctx context.Context) {
	defer close(q.ended)
	for write := range q.waiting {
		for q.try(ctx, write) != nil {
			if driver.Pause(ctx, pollTime) != nil {
				return
			}
		}
	}
}

func (q *findings) try(ctx context.Context, write func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, queryTime)
	defer cancel()
	return write(ctx)
}

func (q *findings) close() {
	q.mu.Lock()
	q.closed = true
	q.mu.Unlock()
	defer q.stop()
	close(q.waiting)
	select {
	case <-q.ended:
	case <-time.After(queryTime):
		q.stop()
		<-q.ended
	}
}

// Who returns the findings of a body, the oldest first. It needs the role fleet_reader or
// fleet_worker.
func (t *Tier) Who(ctx context.Context, sum []byte) ([]Finding, error) {
	all, err := collect(ctx, t.db, pgx.RowToStructByPos[Finding], `SELECT found, server, queue_id, message_id FROM fleet_findings
		WHERE sha256 = $1 AND tenant = coalesce($2, fleet_tenant()) ORDER BY found, server, queue_id`, sum, t.tenant)
	return all, unanswered(ctx, err)
}

// A Selection is for [Tier.Forget].
type Selection struct {
	URLs     []string // that were asked for, or to which these redirected
	Bodies   [][]byte // by SHA-256
	Messages []string // by Message-ID, as Find was given it
}

// A Forgotten counts the things that Forget removed.
type Forgotten struct {
	Answers  int64 `json:"answers"`
	Jobs     int64 `json:"jobs"`
	Bodies   int64 `json:"bodies"`
	Findings int64 `json:"findings"`
}

// Forget removes the stored answers, jobs and bodies of the URLs and SHA-256, the scans and
// findings of the bodies, and the findings of the messages. It waits for requests for the URLs
// that are under way. A body that other URLs led to stays, unless it is selected itself. It
// needs the role fleet_worker.
//
// A Forget that fails may be called again. Bodies of answers that it had removed before are
// removed by a worker after an hour.
func (t *Tier) Forget(ctx context.Context, s *Selection) (*Forgotten, error) {
	n, err := t.forget(ctx, s)
	return n, unanswered(ctx, err)
}

func (t *Tier) forget(ctx context.Context, s *Selection) (*Forgotten, error) {
	var texts []string
	for _, text := range s.URLs {
		if text == "" {
			continue
		}
		texts = append(texts, text)
		if u, err := url.Parse(text); err == nil {
			texts = append(texts, link.WithoutFragment(u).String())
		}
	}
	urls, err := t.names(ctx, texts)
	if err != nil {
		return nil, err
	}
	var objects []string
	for _, sum := range s.Bodies {
		name, err := t.name(ctx, sum)
		if err != nil {
			return nil, err
		}
		objects = append(objects, hex.EncodeToString(name))
	}
	n := new(Forgotten)
	for {
		gone, err := collect(ctx, t.db, pgx.RowTo[string], `DELETE FROM fleet_jobs `+
			`WHERE state <> 'running' AND tenant = coalesce($3, fleet_tenant()) AND (request->>'url' = ANY($1)
			OR result->'answer'->>'url' = ANY($1) OR result->'answer'->'hops' ?| $1 OR object = ANY($2) `+
			`OR decode(result->'answer'->>'sha256', 'base64') = ANY($4)) RETURNING coalesce(object, '')`,
			texts, objects, t.tenant, s.Bodies)
		if err != nil {
			return nil, err
		}
		n.Jobs += int64(len(gone))
		objects = append(objects, gone...)
		var running bool
		err = t.db.QueryRow(ctx, `SELECT EXISTS (SELECT FROM fleet_jobs WHERE state = 'running' `+
			`AND tenant = coalesce($2, fleet_tenant()) AND request->>'url' = ANY($1))`, texts, t.tenant).Scan(&running)
		if err != nil {
			return nil, err
		}
		if !running {
			break
		}
		if err := driver.Pause(ctx, passTime); err != nil {
			return nil, err
		}
	}
	return n, pgx.BeginFunc(ctx, t.db, func(tx pgx.Tx) error {
		rows, _ := tx.Query(ctx, `DELETE FROM fleet_entries WHERE tenant = coalesce($3, fleet_tenant()) `+
			`AND (urls && $1 OR sha256 = ANY($2)) RETURNING object, sha256`, urls, s.Bodies, t.tenant)
		sums := slices.Clone(s.Bodies)
		var object string
		var sum []byte
		tag, err := pgx.ForEachRow(rows, []any{&object, &sum}, func() error {
			objects = append(objects, object)
			sums = append(sums, slices.Clone(sum))
			return nil
		})
		if err != nil {
			return err
		}
		n.Answers = tag.RowsAffected()
		tag, err = tx.Exec(ctx, `DELETE FROM fleet_findings WHERE tenant = coalesce($3, fleet_tenant())
			AND (sha256 = ANY($1) OR message_id = ANY($2) AND message_id <> '')`, s.Bodies, s.Messages, t.tenant)
		if err != nil {
			return err
		}
		n.Findings = tag.RowsAffected()
		if _, err := tx.Exec(ctx, `DELETE FROM fleet_scans s WHERE tenant = coalesce($2, fleet_tenant()) AND sha256 = ANY($1)
			AND NOT EXISTS (SELECT FROM fleet_entries WHERE sha256 = s.sha256 AND tenant = s.tenant)`, sums, t.tenant); err != nil {
			return err
		}
		for more := int64(1); more > 0; n.Bodies += more {
			more, err = t.clean(ctx, tx, `name = ANY($1)`, objects)
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// clean removes objects that fit and that no answer and no job needs, at most 1000. It
// returns how many.
func (t *Tier) clean(ctx context.Context, tx pgx.Tx, where string, args ...any) (int64, error) {
	names, err := collect(ctx, tx, pgx.RowTo[string], `SELECT name FROM fleet_objects o WHERE `+where+
		` AND NOT EXISTS (SELECT FROM fleet_entries WHERE object = o.name)
		AND NOT EXISTS (SELECT FROM fleet_jobs WHERE object = o.name) LIMIT 1000 FOR UPDATE SKIP LOCKED`, args...)
	if err != nil {
		return 0, err
	}
	for _, name := range names {
		if err := t.objects.Delete(ctx, name); err != nil {
			return 0, err
		}
	}
	_, err = tx.Exec(ctx, `DELETE FROM fleet_objects WHERE name = ANY($1)`, names)
	return int64(len(names)), err
}

// names returns the names of texts.
func (t *Tier) names(ctx context.Context, texts []string) (names [][]byte, err error) {
	for _, text := range texts {
		name, err := t.name(ctx, []byte("url "+text))
		if err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	return names, nil
}
