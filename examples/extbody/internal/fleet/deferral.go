package fleet

import (
	"context"
	"sync/atomic"
	"time"
)

// deferralTime bounds the time that a message waits for the count of its deferrals.
const deferralTime = time.Second / 2

// A pause is the time after a failure of the database, for which deferrals are not counted together.
type pause struct{ until atomic.Int64 }

func (p *pause) holds() bool { return time.Now().UnixNano() < p.until.Load() }

// Defer counts the deferrals of a message together with the other servers of the tenant. The
// caller knows of a first one that was so long ago, and of some more that are to be counted. Defer returns
// how long ago the first one of all was, and their number. It waits for deferralTime at most. After an error
// it fails for retryTime.
func (c *Client) Defer(key string, age time.Duration, more int) (_ time.Duration, tries int, err error) {
	if c.uncounted.holds() {
		return 0, 0, errUncounted
	}
	ctx, cancel := context.WithTimeout(context.Background(), deferralTime)
	defer cancel()
	name, err := c.tier.name(ctx, []byte("deferral "+key))
	var seconds float64
	if err == nil {
		err = c.tier.db.QueryRow(ctx, `INSERT INTO fleet_deferrals AS d (key, first, tries) VALUES ($1, now() - $2::interval, $3)
			ON CONFLICT (tenant, key) DO UPDATE SET first = least(d.first, excluded.first), tries = d.tries + $3
			RETURNING extract(epoch FROM now() - first)::float8, tries`, name, age, more).Scan(&seconds, &tries)
	}
	if err != nil {
		c.uncounted.until.Store(time.Now().Add(retryTime).UnixNano())
		return 0, 0, public(err)
	}
	return time.Duration(seconds * float64(time.Second)), tries, nil
}
