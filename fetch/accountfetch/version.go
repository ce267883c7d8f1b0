package accountfetch

import (
	"slices"
	"time"

	"github.com/go-extbody/extbody/fetch"
)

// A choice is the version of an item that is delivered.
type choice struct {
	version
	until   time.Time // when the next version was made; zero for the present one
	history string    // see record.Object
}

// maxPages bounds the pages of a history that are read.
const maxPages = 20

// choose returns the version of it that was in force at a time, which may be zero, or the present one with the
// reason. The host may list versions in any order.
func choose(p provider, a asker, it *item, at time.Time) (choice, error) {
	present := func(history string) (choice, error) { return choice{version: it.current, history: history}, nil }
	switch {
	case at.IsZero():
		return present("")
	case it.rendition:
		return present("rendition")
	case !it.current.modified.After(at):
		return present("")
	case it.created.After(at):
		return present("younger")
	}
	best := choice{until: it.current.modified}
	found := false
	page := ""
	for range maxPages {
		list, next, err := p.versions(a, it, page)
		if slices.Contains([]fetch.Kind{fetch.Forbidden, fetch.NotFound, fetch.Unsupported}, fetch.KindOf(err)) {
			return present("hidden")
		}
		if err != nil {
			return choice{}, err
		}
		for _, v := range list {
			switch {
			case v.id == "" && isOtherClock(v.modified, it.current.modified):
				return present("clock")
			case v.modified.After(at):
				if v.modified.Before(best.until) {
					best.until = v.modified
				}
			case !found || v.modified.After(best.modified):
				best.version = v
				found = true
			}
		}
		page = next
		if page == "" {
			break
		}
	}
	switch {
	case page != "":
		return present("long")
	case !found:
		return present("cut")
	case best.id == "": // the description of the file is younger than its octets
		return present("")
	}
	return best, nil
}

// isOtherClock reports whether two times of one version are apart by a difference between zones.
func isOtherClock(a, b time.Time) bool {
	d := a.Sub(b).Abs()
	return d > 0 && d <= 14*time.Hour && d%(15*time.Minute) == 0
}
