// Package mailfetch asks mail servers for data, for mailto: URLs (RFC 6068) and
// with them for the access type mail-server (RFC 2046 section 5.2.3.5). It
// builds the request, hands it to a sender that the caller supplies, and
// answers [fetch.Pending]: the data comes later, in a message of its own. It
// opens no connection. Package safefetch does not include it, because with it
// the author of a message makes its reader send another one.
//
// # The request
//
// The URL names one recipient, and may have a subject and a body, once each;
// they become the Subject and the text of the request, uninterpreted. Anything
// else is Malformed: several recipients, other header fields, an address or a
// subject with control characters or octets above 127, a body with a NUL, with
// a CR that is not before a LF, or that is not UTF-8. A recipient whose local
// part begins with "-" is Malformed too, because programs that send mail would
// take it for an option. One whose domain has one label is Blocked.
//
// # The request
//
// The request is plain text, in us-ascii or utf-8, with all line ends CRLF. Its
// body is copied from the URL, octet for octet but for a LF without CR, in
// quoted-printable if it has other than ASCII characters or a line of more than
// 998. A Comments field states that it was generated automatically in an attempt
// to resolve a MIME external-body reference (RFC 2046 section 5.2.3.6), and
// which Content-ID that has, and Auto-Submitted that no person wrote it
// (RFC 3834 section 5). Its Date is in UTC.
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
	"time"

	"github.com/go-extbody/extbody/fetch"
)

// A Fetcher is a [fetch.Fetcher] for the scheme mailto, and a [fetch.Checker].
// Several goroutines may use it at once.
type Fetcher struct {
	opts   Options
	ledger ledger

	now       func() time.Time
	messageID func() string // returns a new one, with angle brackets
}

// New returns a Fetcher. nil means the zero Options, with which nothing can be
// sent.
func New(opts *Options) *Fetcher {
	f := &Fetcher{now: time.Now}
	f.opts = *cmp.Or(opts, new(Options))
	from, _ := parseAddress(f.opts.From)
	f.messageID = func() string { return "<" + rand.Text() + "@" + from.domain + ">" }
	f.ledger.address = make(map[string]int)
	f.ledger.entries = make(map[[sha256.Size]byte]*entry)
	return f
}

// Check implements [fetch.Checker]. It returns the refusals that Fetch makes before it
// sends anything, including the limits on requests.
func (f *Fetcher) Check(req *fetch.Request) error {
	r, err := f.request(req)
	if err != nil {
		return err
	}
	return f.ledger.check(r)
}

// Fetch sends the request that req.URL describes, unless it was sent before. It
// never returns a Response. When the request is on its way, the error has the
// Kind Pending, and its cause is a [*Sent].
//
// An error of [Options].Send keeps its Kind if it has one, and is Local
// otherwise. The same request may then be made again; the failed one counts.
func (f *Fetcher) Fetch(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
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
			f.ledger.leave(e, f.send(ctx, req, r, e.id))
		} else if !e.wait(ctx) {
			return nil, context.Cause(ctx)
		}
		switch {
		case e.err == nil:
			sent := &Sent{To: r.to.String(), MessageID: e.id, ContentID: req.ContentID}
			return nil, &fetch.Error{Kind: fetch.Pending, Err: sent}
		case first || fetch.KindOf(e.err) != fetch.Canceled:
			return nil, e.err
		}
		// The sender of the same request gave up. It is ours now.
	}
}

// request checks all that can be checked without sending.
func (f *Fetcher) request(req *fetch.Request) (*request, error) {
	from, err := parseAddress(f.opts.From)
	switch {
	case f.opts.Send == nil:
		return nil, &fetch.Error{Kind: fetch.Unsupported, Err: errNoSender}
	case err != nil:
		return nil, &fetch.Error{Kind: fetch.Local, Err: errFrom}
	}
	text := req.RawURL()
	r, err := parseMailto(text)
	if err != nil {
		return nil, err
	}
	r.from, r.contentID = from, req.ContentID
	return r, nil
}

func (f *Fetcher) send(ctx context.Context, req *fetch.Request, r *request, id string) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err := req.Contact(ctx, req.URL); err != nil {
		return err
	}
	req.Report(fetch.Event{Phase: fetch.Sending, Total: -1})
	msg := r.message(id, f.now())
	return sendError(f.opts.Send(ctx, r.from.String(), r.to.String(), msg))
}
