package inspect

import "time"

// An Answer is the answer of the front ends for a message, in JSON.
type Answer struct {
	*Report
	Decision

	// Header is the value of the header field called Field for the message, in one
	// line, or "" if the message gets none.
	Header string `json:"header,omitempty"`

	// Message is the message with bodies in it, or with references taken out; nil if Action
	// is not Inline, Notice or Strip.
	Message []byte `json:"message,omitempty"`

	// RetryAfter is the number of seconds after which more may be known; 0 if there is
	// no such time.
	RetryAfter int `json:"retry_after,omitempty"`
}

// Answer returns the Answer for a Report and a Decision by this Policy.
func (p *Policy) Answer(rep *Report, d Decision) *Answer {
	a := &Answer{Report: rep, Decision: d}
	switch wait := time.Until(rep.RetryAfter); {
	case rep.Verdict == Pending:
		a.RetryAfter = seconds(p.Defer.or().Retry)
	case !rep.RetryAfter.IsZero() && wait > 0:
		a.RetryAfter = seconds(wait)
	}
	return a
}

// seconds returns a time of more than 0, rounded up to whole seconds.
func seconds(d time.Duration) int { return int((d-1)/time.Second) + 1 }
