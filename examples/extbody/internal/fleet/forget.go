package fleet

import (
	"context"
	"encoding/hex"
	"net/url"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/go-extbody/extbody/fetch"
)

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
	return n, public(err)
}

func (t *Tier) forget(ctx context.Context, s *Selection) (*Forgotten, error) {
	var texts []string
	for _, text := range s.URLs {
		if text == "" {
			continue
		}
		texts = append(texts, text)
		if u, err := url.Parse(text); err == nil {
			u.Fragment, u.RawFragment = "", ""
			texts = append(texts, u.String())
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
		rows, _ := t.db.Query(ctx, `DELETE FROM fleet_jobs WHERE state <> 'running' AND (request->>'url' = ANY($1)
			OR result->'answer'->>'url' = ANY($1) OR result->'answer'->'hops' ?| $1 OR object = ANY($2)) RETURNING coalesce(object, '')`, texts, objects)
		gone, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			return nil, err
		}
		n.Jobs += int64(len(gone))
		objects = append(objects, gone...)
		var running bool
		if err := t.db.QueryRow(ctx, `SELECT EXISTS (SELECT FROM fleet_jobs WHERE state = 'running' AND request->>'url' = ANY($1))`, texts).Scan(&running); err != nil {
			return nil, err
		}
		if !running {
			break
		}
		if err := fetch.Pause(ctx, passTime); err != nil {
			return nil, err
		}
	}
	return n, pgx.BeginFunc(ctx, t.db, func(tx pgx.Tx) error {
		rows, _ := tx.Query(ctx, `DELETE FROM fleet_entries WHERE urls && $1 OR sha256 = ANY($2) RETURNING object, sha256`, urls, s.Bodies)
		sums := slices.Clone(s.Bodies)
		var object string
		var sum []byte
		tag, err := pgx.ForEachRow(rows, []any{&object, &sum}, func() error {
			objects, sums = append(objects, object), append(sums, slices.Clone(sum))
			return nil
		})
		if err != nil {
			return err
		}
		n.Answers = tag.RowsAffected()
		tag, err = tx.Exec(ctx, `DELETE FROM fleet_findings WHERE sha256 = ANY($1) OR message_id = ANY($2) AND message_id <> ''`, s.Bodies, s.Messages)
		if err != nil {
			return err
		}
		n.Findings = tag.RowsAffected()
		if _, err := tx.Exec(ctx, `DELETE FROM fleet_scans s WHERE sha256 = ANY($1) AND NOT EXISTS (SELECT FROM fleet_entries WHERE sha256 = s.sha256)`, sums); err != nil {
			return err
		}
		for more := int64(1); more > 0; n.Bodies += more {
			if more, err = t.clean(ctx, tx, `name = ANY($1)`, objects); err != nil {
				return err
			}
		}
		return nil
	})
}

// clean removes objects that fit and that no answer and no job needs, at most 1000. It
// returns how many.
func (t *Tier) clean(ctx context.Context, tx pgx.Tx, where string, args ...any) (int64, error) {
	rows, _ := tx.Query(ctx, `SELECT name FROM fleet_objects o WHERE `+where+` AND NOT EXISTS (SELECT FROM fleet_entries WHERE object = o.name)
		AND NOT EXISTS (SELECT FROM fleet_jobs WHERE object = o.name) LIMIT 1000 FOR UPDATE SKIP LOCKED`, args...)
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
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
