package archive

import (
	"time"

	"github.com/go-extbody/extbody/fetch"
)

// The codes of exceptions. The first seven are from the standard for references in
// e-discovery (RGR). The last three are ours.
const (
	PermissionDenied              = "PermissionDenied"
	ItemDeletedOrOutsideRetention = "ItemDeletedOrOutsideRetention"
	Throttling                    = "Throttling"
	TransientServiceError         = "TransientServiceError"
	UnresolvableLink              = "UnresolvableLink"
	UnsupportedArtifact           = "UnsupportedArtifact"
	Unknown                       = "Unknown"
	Interstitial                  = "interstitial"
	Blocked                       = "blocked"
	Denied                        = "denied"
)

// reason returns the code for a Kind and the status code of HTTP.
func reason(kind fetch.Kind, status int) string {
	switch kind {
	case fetch.Forbidden, fetch.Credentials:
		return PermissionDenied
	case fetch.NotFound, fetch.Gone, fetch.Expired:
		return ItemDeletedOrOutsideRetention
	case fetch.Deferred:
		return Throttling
	case fetch.Unavailable, fetch.Truncated, fetch.Pending:
		if status == 429 {
			return Throttling
		}
		return TransientServiceError
	case fetch.Malformed, fetch.Protocol, fetch.Untrusted:
		return UnresolvableLink
	case fetch.Unsupported, fetch.TooLarge, fetch.TypeMismatch, fetch.DigestMismatch:
		return UnsupportedArtifact
	case fetch.Interstitial:
		return Interstitial
	case fetch.Blocked:
		return Blocked
	case fetch.Denied:
		return Denied
	}
	return Unknown
}

// final reports whether only a retry asks again after an error of this Kind.
func final(kind fetch.Kind) bool {
	switch kind {
	case fetch.Gone, fetch.Blocked, fetch.Denied, fetch.Malformed, fetch.Unsupported, fetch.Expired,
		fetch.TooLarge, fetch.TypeMismatch, fetch.DigestMismatch:
		return true
	}
	return false
}

// DefaultGiveUp is how long after its first attempt a reference may be due again.
const DefaultGiveUp = 30 * 24 * time.Hour

// formatBegan is the beginning of 2026, before which there was no archive, in Unix seconds.
// A clock that is earlier has lost its time, as clocks without power do.
const formatBegan = 1767225600

// due returns when an attempt that failed is repeated; the zero time if it is not. after
// is the time that the server asked for, if any, and attempts is the number of attempts so
// far. An attempt that would be later than giveUp after the first one is not made.
func due(kind fetch.Kind, now, first, after time.Time, attempts int, giveUp time.Duration) time.Time {
	if final(kind) {
		return time.Time{}
	}
	waits := []time.Duration{time.Hour, 6 * time.Hour, 24 * time.Hour, 3 * 24 * time.Hour, 7 * 24 * time.Hour}
	next := now.Add(waits[min(max(attempts, 1), len(waits))-1])
	if !after.IsZero() {
		next = after
	}
	if giveUp == 0 {
		giveUp = DefaultGiveUp
	}
	if next.After(first.Add(giveUp)) {
		return time.Time{}
	}
	return next.UTC().Truncate(time.Second)
}
