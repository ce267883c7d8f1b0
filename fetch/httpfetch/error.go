package httpfetch

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/go-extbody/extbody/fetch"
)

// A Status is the status code of an answer that is not the object (RFC 9110
// section 15). It is the cause in the error of the fetch:
//
//	status, ok := errors.AsType[httpfetch.Status](err)
type Status int

// Error returns "status" and the code, followed by its registered meaning. The reason phrase
// of the server is not quoted.
func (s Status) Error() string {
	text := "status " + strconv.Itoa(int(s))
	if name := http.StatusText(int(s)); name != "" {
		text += " " + name
	}
	return text
}

// Busy reports whether the status asks for fewer requests: 429 (RFC 6585 section
// 4) and 503. Package throttle asks it.
func (s Status) Busy() bool {
	return s == http.StatusTooManyRequests || s == http.StatusServiceUnavailable
}

// An answered is an answer that is not the object. Its tree has the Status.
type answered struct {
	status Status
	header http.Header

	content []byte // the beginning, of an answer to a call by the origin of the call
}

// Content returns the beginning of an answer to a driver.Request.Call, and nil for an answer of another origin.
func (r *answered) Content() []byte { return r.content }

func (r *answered) Error() string { return r.status.Error() }

func (r *answered) Unwrap() error { return r.status }

// Answer returns the status code and the header, by which package cache knows
// how long the answer holds.
func (r *answered) Answer() (status int, header map[string][]string) {
	return int(r.status), r.header
}

// redirects reports whether the status asks to follow Location. 300 leaves a
// choice and 304 answers a question that was not asked.
func (s Status) redirects() bool {
	switch s {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther,
		http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return true
	}
	return false
}

// kind returns the Kind of a status that ends a fetch.
func (s Status) kind() fetch.Kind {
	switch s {
	case http.StatusUnauthorized, http.StatusProxyAuthRequired:
		return fetch.Credentials
	case http.StatusPaymentRequired, http.StatusForbidden, http.StatusUnavailableForLegalReasons:
		return fetch.Forbidden
	case http.StatusNotFound:
		return fetch.NotFound
	case http.StatusNotAcceptable:
		return fetch.TypeMismatch
	case http.StatusGone:
		return fetch.Gone
	case http.StatusRequestTimeout, http.StatusTooEarly, http.StatusTooManyRequests:
		return fetch.Unavailable
	}
	if s >= 500 && s <= 599 {
		return fetch.Unavailable
	}
	return fetch.Protocol
}

// maxRetryAfter bounds a Retry-After. A server that asks for more, by mistake or not, is
// asked again the next day.
const maxRetryAfter = 24 * time.Hour

// unwilling returns the error of an answer that is not the object. For 429 and 503 it has the
// server's Retry-After (RFC 9110 section 10.2.3, RFC 6585 section 4).
func unwilling(status Status, h http.Header) error {
	err := &fetch.Error{Kind: status.kind(), Err: &answered{status: status, header: h}}
	if status.Busy() {
		now := time.Now()
		if d, ok := retryAfter(h.Values("Retry-After"), clockOf(h, now)); ok {
			err.After = now.Add(min(d, maxRetryAfter))
		}
	}
	return err
}

// clockOf returns the time by the clock of the server, which may differ from ours. A Date that differs
// by more than maxRetryAfter is not believed.
func clockOf(h http.Header, now time.Time) time.Time {
	date, err := http.ParseTime(h.Get("Date"))
	if err != nil || now.Sub(date).Abs() > maxRetryAfter {
		return now
	}
	return date
}

// retryAfter returns the time from now that the values of Retry-After fields stand for:
// each a number of seconds, or a date. There should be one. If there are several, also
// joined to a list by a proxy, the longest that can be read counts. A number too large
// for its type is the longest.
func retryAfter(values []string, now time.Time) (wait time.Duration, ok bool) {
	for _, value := range values {
		if t, err := http.ParseTime(value); err == nil {
			wait = max(wait, t.Sub(now))
			ok = true
			continue
		}
		for number := range strings.SplitSeq(value, ",") {
			n, err := strconv.ParseUint(strings.TrimSpace(number), 10, 31)
			if err == nil || errors.Is(err, strconv.ErrRange) {
				wait = max(wait, time.Duration(n)*time.Second)
				ok = true
			}
		}
	}
	return wait, ok
}

var (
	errClosed = &fetch.Error{
		Kind: fetch.Unavailable, Err: errors.New("the server closed the connection before it answered"),
	}
	errStale   = &fetch.Error{Kind: fetch.Unavailable, Err: errors.New("the server had closed the connection")}
	errNotHTTP = &fetch.Error{
		Kind: fetch.Protocol, Err: errors.New("the answer is not HTTP/1.1, or its header section is too large"),
	}
)

func protocol(format string, args ...any) error {
	return &fetch.Error{Kind: fetch.Protocol, Err: fmt.Errorf(format, args...)}
}

func blocked(format string, args ...any) error {
	return &fetch.Error{Kind: fetch.Blocked, Err: fmt.Errorf(format, args...)}
}

// typed returns err with the Kind Unavailable if it has no type, such as one of the
// caller's resolver. Otherwise it would be taken for an error of net/http's parser.
func typed(err error) error {
	if hasKind(err) || errors.Is(err, context.Canceled) {
		return err
	}
	return &fetch.Error{Kind: fetch.Unavailable, Err: err}
}

// hasKind reports whether the Kind of err is known: it is an error of fetch or of package net.
func hasKind(err error) bool {
	return isA[*fetch.Error](err) || isA[fetch.Kind](err) || isA[net.Error](err)
}

func isA[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}
