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

// DefaultGiveUp is over how long a time attempts are made before a reference is given up.
const DefaultGiveUp = 30 * 24 * time.Hour

const (
	maxGap  = 8 * 24 * time.Hour // between two attempts, a day more than the longest wait; more counts as one day
	maxJump = 7 * 24 * time.Hour // between the last line and the clock, above which nothing is given up
)

// due returns when an attempt that failed is repeated. began is when the run began, after is
// the time that the server asked for, if any, and attempts is the number of attempts so far.
//
// Without such a time it is some minutes early. So a nightly run that begins a little
// earlier than the one before skips no night.
func due(began, after time.Time, attempts int) time.Time {
	if !after.IsZero() {
		return after.UTC().Truncate(time.Second)
	}
	waits := []time.Duration{time.Hour, 6 * time.Hour, 24 * time.Hour, 3 * 24 * time.Hour, 7 * 24 * time.Hour}
	wait := waits[min(max(attempts, 1), len(waits))-1]
	return began.Add(wait - 5*time.Minute).UTC().Truncate(time.Minute)
}
