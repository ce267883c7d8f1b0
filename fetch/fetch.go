// Package fetch fetches the object of a reference, within limits, and never takes a part
// of it for the whole.
//
// A [Fetcher] speaks one protocol, or a few. [Do] wraps every Fetcher with the rules for
// all of them: limits on octets and time, no truncated body taken for a whole one,
// content codings undone, the server's digests compared, and errors of one type. A [Mux]
// maps schemes to Fetchers and calls Do. The fetchers themselves are in the packages
// below this one; package safefetch assembles those that are fit for URLs from strangers.
//
// # End of file is the verdict
//
// The Body that Do returns reports [io.EOF] only when it is whole and every
// check has passed. It holds back its last octet until then, so that a reader
// who counts octets and never looks for EOF, such as [io.ReadFull] or
// [io.CopyN] with the announced size, cannot take a bad body for a good one.
//
// # Errors
//
// Every error is an [*Error] with a [Kind], by this table:
//
//	Unsupported     no fetcher implements it: a content coding, a transfer type, a listing without Request.Listing
//	Malformed       the URL lacks a host, holds a control character, or is too long
//	Blocked         package netguard refuses the host, port or address; the Mux has no such scheme;
//	                credentials in an http URL; a redirect to another scheme or from https to http
//	Denied          Request.CheckHop, or a caller's other refusal
//	Credentials     http 401 and 407; ftp 530, 331, 332 and 532 without an answer to them
//	NotFound        http 404; ftp 550
//	Gone            http 410
//	Expired         a share link whose own date has passed, and whose host has nothing any more
//	Interstitial    package sharefetch: a page of the host where the file was expected
//	Forbidden       http 402, 403, 451; ftp 553, 550 with "denied"
//	TypeMismatch    http 406
//	TooLarge        more than MaxBytes, or the whole Budget, announced or sent; a decompression bomb
//	Truncated       fewer octets than announced, a connection lost within the body, no 226 from ftp,
//	                where the rest could not be had (see Do)
//	DigestMismatch  Repr-Digest, Content-Digest or Content-MD5 of the response disagree
//	Unavailable     names that do not resolve, refused and lost connections, time-outs;
//	                http 408, 425, 429, 5xx; ftp 421, 425, 450, 451, 452
//	Untrusted       a certificate or TLS handshake that fails
//	Protocol        any other answer, such as http 204, 206, 300 or 400, or one that breaks the protocol
//	Canceled        the caller's context ended
//	Local           a full disk, a failing sink, no file descriptor left, a damaged stored copy (ErrDamaged)
//	Deferred        not tried: a [Budget] is spent, or package throttle knows that the host has to wait;
//	                so too the rest of a body whose connection was lost
//
// Unavailable for http 429 and 503 with Retry-After, and Deferred, have the time of the
// next try in [Error].After, as far as it is known.
//
// Error texts have no credentials, query values, fragments or payload in them.
package fetch

import (
	"context"
	"fmt"
)

// A Fetcher gets the object that a Request's URL names.
//
// Implementations keep to these rules, which package fetchtest checks. Callers
// use them through [Do] or a [Mux], which enforce the rest.
//
//   - Without an error there is a Response, and it has a Body, whatever the answer, and a
//     final URL; Size is -1 if not known.
//   - When ctx ends, Fetch returns, and a Read of the Body that waits returns,
//     soon. ctx stays in force until the Body is closed.
//   - Close without reading to the end is allowed, and frees everything.
//   - The Body reports io.EOF only if the protocol said that it is whole, and
//     an error otherwise. It does not verify Size or Digests.
//   - It calls [Request.Contact] before each contact with a server, and
//     makes no contact if that returns an error.
//   - Each Exchange is begun with [Request.Begin] and ended with [Exchange.End]. The
//     Exchange of the Body is [Response].Exchange, which Do ends; Close ends it
//     otherwise.
//   - The Request is not modified. Do has resolved its limits: a negative number
//     sets no limit.
//   - Fetch may be called from several goroutines at once.
//   - An error is an [*Error] or wraps a [Kind] where the table in the package
//     comment asks for one that [KindOf] does not give. Its text holds nothing
//     of the URL but its host.
type Fetcher interface {
	Fetch(ctx context.Context, req *Request) (*Response, error)
}

// A Func is a function that is a Fetcher.
type Func func(ctx context.Context, req *Request) (*Response, error)

// Fetch calls f.
func (f Func) Fetch(ctx context.Context, req *Request) (*Response, error) { return f(ctx, req) }

// Do calls f with the limits of req in force and returns its response with a
// Body that keeps the promises in the package comment. Each error of Do and of
// the Body is an [*Error].
//
// If the connection is lost within a body, Do asks for the rest at the URL that
// the body came from. It does so where the server gave a validator for the
// object ([Response].Resume), and takes the rest only if it is of the same
// object. Limits and digests are for the whole body. Do asks at most 128 times,
// and at most 5 times in a row without an octet. Nothing else is repeated after
// octets were given out.
//
// A Fetcher that returns neither a Response nor an error, or a Response without a Body, is an
// error of Kind Protocol that has the type of the Fetcher in its text.
//
// If a function of the Request or the Fetcher panics, or ends its goroutine, so does Do, or
// the Read of the Body. Do has freed everything then, and the Body has to be closed.
//
// Do may be applied twice, for example to a [Mux]: the second time changes nothing. The
// Body, like most, is for one goroutine; ending ctx interrupts it.
func Do(ctx context.Context, f Fetcher, req *Request) (*Response, error) {
	if m, ok := f.(*Mux); ok {
		return m.Fetch(ctx, req)
	}
	req, err := req.withDefaults()
	if err != nil {
		return nil, err
	}
	req.hold()
	ctx, cancel := watch(ctx, req.Timeouts)
	open := false
	defer func() {
		if !open {
			cancel(nil) // also if a function of the caller panics
		}
	}()
	if ctx.Err() != nil {
		return nil, ended(ctx, "fetch", req)
	}
	paused := newPauses(ctx)
	resp, err := ask(paused, f, req)
	if err != nil {
		return nil, failed(ctx, req, err)
	}
	if b, ok := resp.Body.(*body); ok {
		b.stops = append(b.stops, cancel)
		open = true
		return resp, nil
	}
	b, err := newBody(paused, cancel, f, req, resp)
	if err != nil {
		defer resp.Body.Close()
		resp.Exchange.End(err)
		return nil, err
	}
	open = true
	resp.Body = b
	return resp, nil
}

// ask returns the answer of f, or an error if that has no body. Its URL is by default the one
// of the request.
func ask(ctx context.Context, f Fetcher, req *Request) (*Response, error) {
	resp, err := f.Fetch(ctx, req)
	switch {
	case err != nil:
		return nil, err
	case resp == nil:
		return nil, &Error{Kind: Protocol, Err: fmt.Errorf("%T returned neither a Response nor an error", f)}
	case resp.Body == nil:
		return nil, &Error{Kind: Protocol, Err: fmt.Errorf("%T returned a Response without a Body", f)}
	case resp.URL == nil:
		at := *req.URL
		resp.URL = &at
	}
	return resp, nil
}
