package httpfetch

import (
	"net/http"
	"strconv"

	"github.com/go-extbody/extbody/fetch"
)

// A Status is the status code of an answer that is not the object (RFC 9110
// section 15). It is the cause in the error of the fetch:
//
//	status, ok := errors.AsType[httpfetch.Status](err)
type Status int

// Error returns "status" and the code, followed by what the code means by its
// registration. The reason phrase of the server is not quoted.
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
}

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
