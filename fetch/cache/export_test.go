package cache

import "time"

// SetNow sets the clock of c.
func SetNow(c *Cache, now func() time.Time) *Cache {
	c.now = now
	return c
}

// SetFresh sets minFresh and missingFresh of c.
func SetFresh(c *Cache, least, missing time.Duration) *Cache {
	c.policy.MinHeuristic, c.missing = least, missing
	return c
}
