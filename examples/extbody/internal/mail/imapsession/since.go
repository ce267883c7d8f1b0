package imapsession

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// Since returns those among uids that the mailbox received on the given day in UTC, or
// later. uids must be in order. It uses SEARCH SINCE (RFC 3501 section 6.4.4), which
// compares days of INTERNALDATE in the time zone of the server, for some UIDs at a
// time. If the server refuses or does not answer, Since returns all of them.
func (s *Session) Since(ctx context.Context, uids []uint32, day time.Time) ([]uint32, error) {
	var since []uint32
	for part := range slices.Chunk(uids, listWindow) {
		found, err := s.sinceOf(ctx, part, day)
		if err != nil {
			return nil, err
		}
		since = append(since, found...)
		s.budget.progress()
	}
	return since, nil
}

// sinceOf is Since for a few UIDs.
func (s *Session) sinceOf(ctx context.Context, uids []uint32, day time.Time) ([]uint32, error) {
	for {
		var found []uint32
		known := false
		refused, err := s.run(ctx, func(line []byte) error {
			list, ok, err := searched(line)
			for _, uid := range list {
				if _, asked := slices.BinarySearch(uids, uid); asked && len(found) < 2*len(uids) {
					found = append(found, uid)
				}
			}
			known = known || ok
			return err
		}, fmt.Sprintf("UID SEARCH SINCE %s UID %d:%d", day.UTC().Format("2-Jan-2006"), uids[0], uids[len(uids)-1]))
		if _, ok := err.(*lost); ok && s.barren < maxBarren/4 {
			continue
		}
		if err != nil {
			return nil, err
		}
		if refused != nil || !known {
			return uids, nil
		}
		slices.Sort(found)
		return slices.Compact(found), nil
	}
}
