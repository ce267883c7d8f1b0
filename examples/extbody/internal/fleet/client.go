package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/cache"
	"github.com/go-extbody/extbody/fetch/safefetch"
)

// A Client has the requests of this process made by the tier. Its methods may be called by
// several goroutines at once.
type Client struct {
	tier  *Tier
	done  *listener
	found findings
}

// NewClient returns a Client. It must be closed before the Tier.
func NewClient(t *Tier) *Client { return &Client{tier: t, done: listen(t.db, "fleet_done")} }

// Close ends the Client. Findings that wait are written within two seconds, or lost.
func (c *Client) Close() {
	c.found.close()
	c.done.close()
}

// Store returns the store of the tier, for reading.
func (c *Client) Store() cache.Store { return &store{tier: c.tier} }

// Remote returns a Fetcher that has the tier make the requests for which f would contact a
// host. f answers Check and Audit, which contact none. It is for
// [safefetch.Options].Remote.
//
// Conditions are not passed on: the answer is always whole. A request that requires
// credentials fails with the Kind Credentials, since logins are not given to the tier. If
// the tier is away the Kind is Deferred.
func (c *Client) Remote(f fetch.Fetcher) fetch.Fetcher { return &remote{fetch.Layer{Next: f}, c} }

type remote struct {
	fetch.Layer
	client *Client
}

// Fetch implements fetch.Fetcher.
func (r *remote) Fetch(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
	if req.Login == fetch.LoginRequired {
		return nil, &fetch.Error{Op: "fetch", Kind: fetch.Credentials, Err: errors.New("logins are not given to the fleet")}
	}
	if err := r.Check(req); err != nil {
		return nil, err
	}
	if err := req.Contact(ctx, req.URL); err != nil {
		return nil, err
	}
	return r.client.fetch(ctx, req)
}

func (c *Client) fetch(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
	j := encode(newJob(ctx, req))
	name, err := c.tier.name(ctx, j)
	if err != nil {
		return nil, c.fault(ctx, err)
	}
	host := safefetch.Key(req.URL)
	for {
		id, err := c.put(ctx, name, host, j)
		if err != nil {
			return nil, c.fault(ctx, err)
		}
		res, object, err := c.wait(ctx, id, name)
		if errors.Is(err, errTaken) {
			continue
		}
		if err != nil {
			return nil, c.fault(ctx, err)
		}
		if req.Observe != nil {
			for _, x := range res.Exchanges {
				req.Observe(x)
			}
		}
		if res.Failure != nil {
			return nil, res.Failure.error()
		}
		resp, err := res.Answer.response()
		if err != nil {
			return nil, err
		}
		resp.Body = c.tier.open(ctx, object, res.Answer.Size, res.Answer.SHA256)
		return resp, nil
	}
}

// fault returns the error of a request for an error of the database.
func (c *Client) fault(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return away("database", err)
}

// put returns the id of the open job with the name, or of one that used up a download and whose
// answer no client took: a client that was cut off comes back for it. It makes a new one otherwise.
func (c *Client) put(ctx context.Context, name []byte, host string, j []byte) (id int64, err error) {
	for {
		err = c.tier.db.QueryRow(ctx, `WITH old AS (
				SELECT id FROM fleet_jobs WHERE key = $1 AND claimed AND object IS NOT NULL AND NOT taken LIMIT 1
			), new AS (
				INSERT INTO fleet_jobs (key, host, request) SELECT $1::bytea, $2::text, $3::jsonb WHERE NOT EXISTS (SELECT FROM old)
				ON CONFLICT (key) WHERE state <> 'done' DO NOTHING RETURNING id
			), told AS (SELECT pg_notify('fleet_job', '') FROM new)
			SELECT id FROM old UNION ALL SELECT id FROM new, told UNION ALL SELECT id FROM fleet_jobs WHERE key = $1 AND state <> 'done' LIMIT 1`, name, host, string(j)).Scan(&id)
		if !errors.Is(err, pgx.ErrNoRows) { // another client's job, which has just ended
			return id, err
		}
	}
}

var errTaken = errors.New("the answer was for another client")

// pollTime is how long a notification may be lost before the result is seen.
const pollTime = time.Second

// wait waits for the result of a job. An answer that may not be shared is taken by one
// client; the others get errTaken. A standby that was promoted may lack the last jobs and give
// their ids to others, so that the name is compared too.
func (c *Client) wait(ctx context.Context, id int64, name []byte) (*result, string, error) {
	told := c.done.await(strconv.FormatInt(id, 10))
	defer c.done.forget(strconv.FormatInt(id, 10), told)
	poll := time.NewTicker(pollTime)
	defer poll.Stop()
	for {
		var done, shared bool
		var text []byte
		var object *string
		err := c.tier.db.QueryRow(ctx, `SELECT state = 'done', shared, result, object FROM fleet_jobs WHERE id = $1 AND key = $2`, id, name).Scan(&done, &shared, &text, &object)
		if err != nil {
			return nil, "", err
		}
		if done {
			res := new(result)
			if err := json.Unmarshal(text, res); err != nil || res.Failure == nil && (res.Answer == nil || object == nil) {
				return nil, "", fmt.Errorf("job %d has a result that cannot be read", id)
			}
			if shared {
				return res, deref(object), nil
			}
			tag, err := c.tier.db.Exec(ctx, `UPDATE fleet_jobs SET taken = true WHERE id = $1 AND NOT taken`, id)
			if err == nil && tag.RowsAffected() == 0 {
				err = errTaken
			}
			return res, deref(object), err
		}
		select {
		case <-told:
		case <-poll.C:
		case <-ctx.Done():
			return nil, "", context.Cause(ctx)
		}
	}
}

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
