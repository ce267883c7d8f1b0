package date

import (
	"strings"
	"time"
)

// minName is the length of the names in RFC 5322. Shorter abbreviations are not
// accepted.
const minName = 3

// weekday returns the day of the week that word names or abbreviates.
func weekday(word string) (time.Weekday, bool) {
	for d := time.Sunday; d <= time.Saturday; d++ {
		if abbreviates(word, d.String()) {
			return d, true
		}
	}
	return 0, false
}

// month returns the month that word names or abbreviates.
func month(word string) (time.Month, bool) {
	for m := time.January; m <= time.December; m++ {
		if abbreviates(word, m.String()) {
			return m, true
		}
	}
	return 0, false
}

// abbreviates reports whether word is a beginning of name, regardless of case.
func abbreviates(word, name string) bool {
	return len(word) >= minName && len(word) <= len(name) && strings.EqualFold(word, name[:len(word)])
}

// isUniversal reports whether a zone name means Universal Time.
func isUniversal(zone string) bool {
	return strings.EqualFold(zone, "UT") || strings.EqualFold(zone, "GMT") || strings.EqualFold(zone, "UTC")
}

// american returns the location of a zone of North America (RFC 5322 section
// 4.3), or nil for any other name.
func american(zone string) *time.Location {
	if len(zone) != 3 {
		return nil
	}
	zone = strings.ToUpper(zone)
	hours := strings.IndexByte("PMCE", zone[0]) - 8
	switch {
	case hours < -8:
		return nil
	case zone[1:] == "DT":
		hours++
	case zone[1:] != "ST":
		return nil
	}
	return time.FixedZone(zone, hours*60*60)
}
