// Package fetch fetches the object of a reference, within limits, and never takes a part
// of it for the whole.
//
// A [Fetcher] speaks one protocol, or a few. [Do] wraps every Fetcher with the rules for
// all of them: limits on octets and time, no truncated body taken for a whole one,
// content codings undone, the server's digests compared, and errors of one type. A [Mux]
// maps schemes to Fetchers and calls Do. The fetchers themselves are in the packages
// below this one; package safefetch assembles the ones that are fit for URLs from strangers.
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
//	Malformed       the URL lacks a host, holds a control character, is too long, or is a data: URL that
//	                cannot be decoded
//	Blocked         package netguard refuses the host, port or address; the Mux has no such scheme;
//	                credentials in an http URL; a redirect to another scheme or from https to http
//	Denied          Request.CheckHop, or a caller's other refusal
//	Credentials     http 401 and 407; ftp 530, 331, 332 and 532 without an answer to them
//	NotFound        http 404; ftp 550
//	Gone            http 410
//	Expired         a share link whose own date has passed, and whose host has nothing any more; an imap URL
//	                whose EXPIRE is over; package externalbody with Resolver.RefuseExpired
//	Interstitial    package sharefetch: a page of the host where the file was expected
//	Forbidden       http 402, 403, 451; ftp 553, 550 with "denied"
//	TypeMismatch    http 406
//	TooLarge        more than MaxBytes, or the whole Budget, announced or sent; a decompression bomb
//	Truncated       fewer octets than announced, a connection lost within the body, no 226 from ftp,
//	                where the rest could not be had (see Do)
//	DigestMismatch  Repr-Digest, Content-Digest or Content-MD5 of the response disagree
//	SizeMismatch    of package externalbody: the body is not of the size that the reference announced
//	Pending         package mailfetch: a mail server was asked, and sends the body later
//	Unavailable     names that do not resolve, refused and lost connections, time-outs;
//	                http 408, 425, 429, 5xx; ftp 421, 425, 450, 451, 452
//	Untrusted       a certificate or TLS handshake that fails
//	Protocol        any other answer, such as http 204, 206, 300 or 400, or one that breaks the protocol
//	Canceled        the caller's context ended
//	Local           a full disk, a failing sink, no file descriptor left, a damaged stored copy (ErrDamaged)
//	Deferred        not tried: a Budget is spent, or package throttle knows that the host has to wait;
//	                so too the rest of a body whose connection was lost
//
// Unavailable for http 429 and 503 with Retry-After, and Deferred, have the time of the
// next try in [Error].After, as far as it is known.
//
// Error texts have no credentials, query values, fragments or payload in them.
//
// # For Fetchers
//
// Package driver has the types and functions to make a Fetcher, and a Layer around Fetchers. It also has the part of
// [Request], [Response] and [Exchange] that only they use.
package fetch

import (
	"context"

	"github.com/go-extbody/extbody/internal/netx/pausable"
)

// Do calls f with the limits of req in force and returns its response with a
// Body that keeps the promises in the package comment. Each error of Do and of
// the Body is an [*Error].
//
// If the connection is lost within a body, Do asks for the rest at the URL that the body came from. It does so where
// the server gave a validator for the object (driver.Response.Resume), and takes the rest only if it is of the same
// object. Octets that come again before the rest must be the ones that were given out, and are skipped; of a rest
// that starts within the body, they are at most 32 KiB. Limits and digests are for the whole body. Do asks at most
// 128 times, and at most 5 times in a row without an octet. Nothing else is repeated after octets were given out.
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
	for {
		c, ok := f.(chooser)
		if !ok {
			break
		}
		chosen, err := c.fetcher(req)
		if err != nil {
			return nil, err
		}
		f = chosen
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
	paused := pausable.NewClock(ctx)
	resp, err := req.ask(paused, f)
	if err != nil {
		return nil, failed(ctx, req, err)
	}
	if b, ok := resp.Body.(*body); ok {
		b.wire.stops = append(b.wire.stops, cancel)
		open = true
		return resp, nil
	}
	b, err := newBody(paused, cancel, f, req, resp)
	if err != nil {
		defer resp.Body.Close()
		resp.part.Exchange.end(err)
		return nil, err
	}
	open = true
	resp.Body = b
	return resp, nil
}

// A chooser has the Fetcher for a request, as a [Mux] has.
type chooser interface {
	fetcher(req *Request) (Fetcher, error)
}
