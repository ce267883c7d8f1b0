// Package mailfetch asks mail servers for data, for mailto: URLs (RFC 6068) and
// with them for the access type mail-server (RFC 2046 section 5.2.3.5). It
// builds the request, hands it to a sender that the caller supplies, and
// answers [fetch.Pending]: the data comes later, in a message of its own. It
// opens no connection. Package safefetch does not include it, because with it
// the author of a message makes its reader send another one.
//
// # The URL
//
// The URL names one recipient, and may have a subject and a body, once each;
// they become the Subject and the text of the request, uninterpreted. Anything
// else is Malformed: several recipients, other header fields, an address or a
// subject with control characters or octets above 127, a body with a NUL, with
// a CR that is not before a LF, or that is not UTF-8. A recipient whose local
// part starts with "-" is Malformed too, because programs that send mail would
// take it for an option. One whose domain has one label is Blocked.
//
// # The request
//
// The request is plain text, in us-ascii or utf-8, with all line ends CRLF. Its body
// is copied from the URL, octet for octet but for a LF without CR, in quoted-printable
// if it has other than ASCII characters or a line of more than 998. A Comments field
// states that it was generated automatically in an attempt to resolve a MIME
// external-body reference (RFC 2046 section 5.2.3.6), and which Content-ID that has,
// and an Auto-Submitted field states that no person wrote it (RFC 3834 section 5). Its
// Date is in UTC.
//
// # How often
//
// A Fetcher sends at most 10 requests, and at most 3 to one address, which is compared
// without regard to case. More are Blocked. One that it has sent before, with
// the same recipient, subject and body, is not sent again: it is still Pending.
// The caller makes a Fetcher for as much mail as shall share these limits.
package mailfetch

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
)

// New returns a Fetcher for the scheme mailto. nil means the zero Options, with which nothing can be
// sent. Several goroutines may use it at once.
//
// Fetch sends the request that the URL describes, unless it was sent before. It
// never returns a Response. When the request is on its way, the error has the
// Kind Pending, and its cause is a [*Sent].
//
// An error of [Options].Send keeps its Kind if it has one, and is Local
// otherwise. The same request may then be made again; the failed one counts.
//
// Check returns the refusals that are made before anything is sent, including the limits on requests.
func New(opts *Options) driver.Inspector {
	f := &fetcher{now: time.Now}
	f.opts = *cmp.Or(opts, new(Options))
	from, _ := parseAddress(f.opts.From)
	f.messageID = func() string { return "<" + rand.Text() + "@" + from.domain + ">" }
	f.ledger.address = make(map[string]int)
	f.ledger.entries = make(map[[sha256.Size]byte]*entry)
	return f
}

type fetcher struct {
	driver.Layer // without Next
	opts         Options
	ledger       ledger

	now       func() time.Time
	messageID func() string // returns a new one, with angle brackets
}

// Check implements [driver.Inspector].
func (f *fetcher) Check(req *fetch.Request) error {
	r, err := f.request(req)
	if err != nil {
		return err
	}
	f.ledger.mu.Lock()
	defer f.ledger.mu.Unlock()
	_, err = f.ledger.find(r)
	return err
}

// Fetch implements [fetch.Fetcher].
func (f *fetcher) Fetch(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
	r, err := f.request(req)
	if err != nil {
		return nil, err
	}
	for {
		e, first, err := f.ledger.enter(r)
		if err != nil {
			return nil, err
		}
		if first {
			e.id = f.messageID()
			f.ledger.leave(r, e, f.send(ctx, req, r, e.id))
		}
		select {
		case <-e.done:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
		switch {
		case e.err == nil:
			sent := &Sent{To: r.to.String(), MessageID: e.id, ContentID: req.ContentID}
			return nil, &fetch.Error{Kind: fetch.Pending, Err: sent}
		case first || fetch.KindOfFetch(e.err) != fetch.Canceled:
			return nil, e.err
		}
		// The sender of the same request gave up. It is ours now.
	}
}

// request checks all that can be checked without sending.
func (f *fetcher) request(req *fetch.Request) (*request, error) {
	from, err := parseAddress(f.opts.From)
	switch {
	case f.opts.Send == nil:
		return nil, &fetch.Error{Kind: fetch.Unsupported, Err: errNoSender}
	case f.opts.From == "":
		return nil, &fetch.Error{Kind: fetch.Unsupported, Err: errNoFrom}
	case err != nil:
		return nil, &fetch.Error{Kind: fetch.Local, Err: errFrom}
	}
	r, err := parseMailto(req.RawURL())
	if err != nil {
		return nil, err
	}
	r.from = from
	r.contentID = req.ContentID
	return r, nil
}

func (f *fetcher) send(ctx context.Context, req *fetch.Request, r *request, id string) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err := driver.Contact(ctx, req, req.URL); err != nil {
		return err
	}
	driver.Report(req, fetch.Event{Phase: fetch.Sending, Total: -1})
	msg := r.message(id, f.now())
	return sendError(f.opts.Send(ctx, r.from.String(), r.to.String(), msg))
}

// Options adjust a Fetcher. The zero value is safe, and sends nothing.
type Options struct {
	// From is the address of the user, as local@domain: the From field and the
	// reverse path of each request. The mail server answers to it, and learns
	// it. Anything but an address makes every request Local.
	From string

	// Send hands a request over for sending, for example to a submission
	// server. msg is a whole message with CRLF line ends, whose last line may
	// lack one; its lines are not dot-stuffed. nil as the result means that the
	// request is on its way. Send is called by the goroutine that fetches, by
	// several at once if several do. nil makes every request Unsupported.
	Send func(ctx context.Context, from, to string, msg []byte) error
}

// Limits on the requests of a Fetcher, and so on its memory.
const (
	maxPerAddress = 3
	maxRequests   = 10
)

// A ledger remembers the requests and their servers. It grows only with the requests
// that it lets through.
type ledger struct {
	mu       sync.Mutex
	requests int
	address  map[string]int
	entries  map[[sha256.Size]byte]*entry
}

// An entry is a request that is being sent or was sent.
type entry struct {
	id   string        // its Message-ID
	done chan struct{} // closed when err is set
	err  error
}

// key identifies a request. None of the three texts has a NUL.
func (r *request) key() [sha256.Size]byte {
	return sha256.Sum256([]byte(r.to.String() + "\x00" + r.subject + "\x00" + r.body))
}

// find returns the entry of r, or nil, with an error if a new request exceeds the limits. The
// caller has the lock.
func (l *ledger) find(r *request) (*entry, error) {
	e := l.entries[r.key()]
	if e == nil && (l.requests >= maxRequests || l.address[fold(r.to)] >= maxPerAddress) {
		return nil, &fetch.Error{Kind: fetch.Blocked, Err: errOften}
	}
	return e, nil
}

func fold(a address) string { return strings.ToLower(a.String()) }

// enter returns the entry of r, and whether it is new: then the caller sends the
// request, and calls leave.
func (l *ledger) enter(r *request) (e *entry, first bool, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	e, err = l.find(r)
	if e != nil || err != nil {
		return e, false, err
	}
	e = &entry{done: make(chan struct{})}
	l.entries[r.key()] = e
	l.requests++
	l.address[fold(r.to)]++
	return e, true, nil
}

// leave records the outcome of sending. A request that was not sent is forgotten, but
// counts, because a part of it may have been sent.
func (l *ledger) leave(r *request, e *entry, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err != nil {
		delete(l.entries, r.key())
	}
	e.err = err
	close(e.done)
}

// Sent is the cause of an error of Kind Pending, with the data to recognise
// the answer. A MIME mail server gives its answer the Content-ID of the
// reference (RFC 2046 section 5.2.3.5); others may only refer to the Message-ID
// of the request.
type Sent struct {
	To        string // the address that was asked
	MessageID string // of the request, with angle brackets
	ContentID string // of the reference, with angle brackets; "" if it has none
}

// Error returns a text without the address.
func (s *Sent) Error() string { return "asked for by mail" }

// sendError gives an error of the sender its Kind.
func sendError(err error) error {
	_, hasKind := errors.AsType[fetch.Kind](err)
	switch {
	case err == nil, hasKind, errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	}
	return &fetch.Error{Kind: fetch.Local, Err: err}
}
