package externalbody

import (
	"context"
	"errors"
	"io"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/mime/message"
	"github.com/go-extbody/extbody/internal/mime/param"
	"github.com/go-extbody/extbody/internal/netx/fieldvalue"
	"github.com/go-extbody/extbody/internal/netx/only"
	"github.com/go-extbody/extbody/internal/netx/pausable"
)

// Resolve gets the body that alts stand for, mostly one Reference. The Body must be closed. It returns io.EOF
// only after it has been compared with all promises, and holds back its last octet until
// then.
//
// Every error, including the errors of the Body, is a [fetch.Error]. Package fetch lists its
// Kinds. Besides those of the Fetcher, they are
//
//   - Malformed and Unsupported, as for [Reference.Request],
//   - Denied, if Approve refuses,
//   - Expired, with RefuseExpired,
//   - TypeMismatch, if the server's media type disagrees with the announced one (RFC
//     2017 section 3.1),
//   - DigestMismatch, from the Body, if the octets are not those that the Reference
//     promised,
//   - SizeMismatch, if the body has another size, and Judge or Strict refuses that,
//   - Deferred, if a budget has no room; see [Resolver].Budget and
//     [Resolver].MessageBudget.
//
// If a FileLink leads to the page of a Nextcloud share, Resolve asks for the file below
// that address.
//
// If the announced type is message/external-body, the data is another reference, and
// Resolve follows it. It does so at most five times and never in a circle. Approve is
// asked for each. One limit on octets and time holds for all.
//
// A server that passes the Body on to a browser uses package
// [github.com/go-extbody/extbody/externalbody/webbody]. It aborts the answer of a body that fails, and shows
// no body as a page of the server.
//
// If alts are several References, they stand for one body; see [Message.Alternatives].
// Resolve tries them in the order of [Resolver.Save] until there is a Body, and its Report
// lists the failures before. No other one is tried after the first octet of a Body: a
// failure then is the error of its Read. If all fail, the error is as of Save.
func (r *Resolver) Resolve(ctx context.Context, alts ...*Reference) (*Body, error) {
	if len(alts) == 0 {
		return nil, &fetch.Error{Op: "resolve", Kind: fetch.Malformed, Err: errors.New("no reference")}
	}
	ctx = context.WithValue(ctx, savingKey{}, new(sync.Map))
	var failures []Failure
	for _, ref := range inOrder(alts) {
		b, report, err := r.resolve(ctx, ref)
		if err == nil {
			if len(alts) > 1 {
				b.compare(r.others(alts))
			}
			report.Failures = failures
			return b, nil
		}
		failures = append(failures, Failure{ref, err, report})
		if kind := fetch.KindOf(err); kind == fetch.Local || kind == fetch.Canceled {
			return nil, newSaveError(failures, true)
		}
	}
	return nil, newSaveError(failures, false)
}

// errTotal is the end of the time for a body that a reference in another body leads to.
const errTotal = pausable.Timeout("the time for the references to references is over")

// resolve is Resolve with a Report, which is complete even without a Body.
func (r *Resolver) resolve(ctx context.Context, ref *Reference) (*Body, *Report, error) {
	c := &chain{left: r.maxBytes(), trace: r.newTrace(ref)}
	b, err := r.resolveChain(ctx, ref, c)
	if err != nil {
		return nil, c.trace.failed(ref), err
	}
	b.verify.report.by(ref)
	return b, b.verify.report, nil
}

func (r *Resolver) resolveChain(ctx context.Context, ref *Reference, c *chain) (*Body, error) {
	if ref.MediaType != externalBody {
		return r.resolveOne(ctx, ref, c)
	}
	stop := func() {}
	if total := r.Timeouts.WithDefaults().Total; total > 0 {
		var cancel context.CancelCauseFunc
		ctx, cancel = pausable.WithTimeout(ctx, total, errTotal)
		stop = func() { cancel(nil) }
	}
	open := false
	defer func() {
		if !open {
			stop()
		}
	}()
	b, err := r.resolveNested(ctx, ref, c)
	if err != nil {
		return nil, err
	}
	b.stop = stop
	open = true
	return b, nil
}

// resolveNested follows references until one announces data of its own.
func (r *Resolver) resolveNested(ctx context.Context, outer *Reference, c *chain) (*Body, error) {
	for ref := outer; ; {
		b, err := r.resolveOne(ctx, ref, c)
		if err != nil || ref.MediaType != externalBody {
			return b, err
		}
		ref, err = r.nested(ref, b)
		if err != nil {
			return nil, err
		}
		if c.left < 0 {
			continue
		}
		c.left -= b.verify.report.Bytes
		if c.left <= 0 {
			return nil, &fetch.Error{
				Op: "resolve", Kind: fetch.TooLarge, Err: errors.New("the references to references have all the octets that are allowed"),
			}
		}
	}
}

// resolveOne gets the data of one Reference, whatever it is.
func (r *Resolver) resolveOne(ctx context.Context, ref *Reference, c *chain) (*Body, error) {
	plan, req := r.plan(ref)
	if plan.err != nil {
		return nil, plan.err
	}
	wanted := r.Approve != nil || c.seen != nil
	if wanted || ref.MediaType == externalBody || within(req.URL.Scheme) {
		r.setID(ctx, plan, ref, req) // for a caller to see, or to find a circle
		if plan.err != nil {
			return nil, plan.err
		}
		if err := c.follow(plan); err != nil {
			return nil, err
		}
	}
	if err := r.approve(ctx, plan); err != nil {
		return nil, err
	}
	if other, err := ref.reference(ctx, req.URL); err != nil {
		return nil, err
	} else if other != nil {
		if other.MediaType != ref.MediaType {
			return nil, &fetch.Error{Op: "resolve", URL: plan.URL, Kind: fetch.TypeMismatch, Err: errors.New(
				"the part referred to announces another media type",
			)}
		}
		// The promises of ref hold for the data that it leads to.
		c.promised = append(c.promised, r.promises(ref)...)
		return r.resolveOne(ctx, other, c)
	}
	req.CheckHop = r.checkHop(plan)
	c.trace.watch(req)
	req.Budget = req.Budget.And(r.budget(ref))
	if c.left >= 0 {
		req.MaxBytes = c.left
	}
	fetcher := r.Fetcher
	if within(req.URL.Scheme) {
		fetcher = r.fetchWithin(ref)
	}
	return r.get(ctx, ref, plan, req, fetcher, c)
}

// admit compares the server's statements about the data with the announcement of the
// Reference. It then puts the checks of ref, and of the References that led to ref,
// around the data.
func (r *Resolver) admit(
	ctx context.Context, ref *Reference, plan *Plan, resp *fetch.Response, c *chain,
) (*Body, error) {
	a := &admission{ctx: ctx, r: r, ref: ref, plan: plan, resp: resp, served: param.Parse(resp.MediaType), report: &Report{
		Reference:  ref,
		FinalURL:   resp.URL.String(),
		RemoteAddr: resp.RemoteAddr,
		Status:     resp.Status,
		ServedType: resp.MediaType,
		MediaType:  ref.contentType(),
		Header:     metadata(resp.Header),
		Warnings:   slices.Clone(plan.Diags[len(ref.Diags):]),
	}}
	part := resp.Driver(only.Driver{})
	a.report.Object = part.Object
	if x := part.Exchange; x != nil {
		a.report.TLS = x.TLS
	}
	c.trace.found(a.report)
	if resp.URL.Scheme == "data" {
		a.report.FinalURL = plan.URL
	}
	for _, h := range resp.Hops {
		a.report.Hops = append(a.report.Hops, h.String())
	}
	if _, unknown := fieldvalue.Codings(resp.Header["Content-Encoding"]); unknown {
		a.report.Warnings = append(a.report.Warnings, Diag{Code: diagUnknownCoding})
	}
	a.report.capture = a.capture()
	if err := a.checkType(); err != nil {
		return nil, err
	}
	a.adoptCharset()
	enc, err := a.encoding()
	if err != nil {
		return nil, err
	}
	if err := a.checkPage(enc); err != nil {
		return nil, err
	}
	if err := a.checkAnnouncedSize(enc); err != nil {
		return nil, err
	}
	promises, err := a.promises(c.promised)
	if err != nil {
		return nil, err
	}
	return newBody(a, enc, promises), nil
}

// get fetches req and admits the answer. If that is the page of a share of Nextcloud or
// ownCloud instead of its file, it asks for the file.
func (r *Resolver) get(
	ctx context.Context, ref *Reference, plan *Plan, req *fetch.Request, fetcher fetch.Fetcher, c *chain,
) (*Body, error) {
	b, at, err := r.getOne(ctx, ref, plan, req, fetcher, c)
	if fetch.KindOf(err) != fetch.Interstitial {
		return b, err
	}
	file := ref.sharedFile(req.URL, at)
	if file == nil {
		return nil, err
	}
	again := *req
	again.URL = file
	again.Text = ""
	c.trace.watch(&again)
	b, _, errFile := r.getOne(ctx, ref, plan, &again, fetcher, c)
	if fetch.KindOf(errFile) == fetch.NotFound {
		return nil, err // it is another page
	}
	return b, errFile
}

// getOne fetches req and admits the answer. It also returns where that came from.
func (r *Resolver) getOne(
	ctx context.Context, ref *Reference, plan *Plan, req *fetch.Request, fetcher fetch.Fetcher, c *chain,
) (*Body, *url.URL, error) {
	resp, err := fetch.Do(ctx, fetcher, req)
	if err != nil {
		return nil, nil, ref.conceal(err)
	}
	if ref.secret() {
		resp.Body = bodyOf(&faultReader{resp.Body, ref.conceal}, resp.Body)
	}
	admitted := false
	defer func() {
		if !admitted {
			resp.Body.Close() // also if Judge panics
		}
	}()
	b, err := r.admit(ctx, ref, plan, resp, c)
	if err != nil {
		// The page that the server sent is evidence.
		if resp.Driver(only.Driver{}).Exchange.Driver(only.Driver{}).Full() && errors.Is(err, fetch.TypeMismatch) {
			io.CopyN(io.Discard, resp.Body, fetch.MaxBeginning)
		}
		return nil, resp.URL, err
	}
	admitted = true
	return b, resp.URL, nil
}

// Match returns the body that arrives in answer to a Reference that was Pending. ref is
// of access type mail-server, and m is a message that came. The answer is recognized by
// the Content-ID of m or of one of its parts (RFC 2046 section 5.2.3.5). Its media type
// must agree with the announced one. It is decoded by its own header, and compared with
// the digest that ref promises.
//
// Everyone who saw the reference knows the Content-ID. A [Sender] other than the server is
// a warning, and an error of Kind Denied with Strict.
//
// The error is NotFound if m is not an answer to ref.
func (r *Resolver) Match(ctx context.Context, ref *Reference, m *Message) (*Body, error) {
	plan, req := r.plan(ref)
	if req == nil {
		return nil, plan.err
	}
	if ref.ContentID == "" {
		return nil, ref.fault(fetch.Malformed, "content-id", errMissing)
	}
	found, err := m.source.find(ctx, m.index.Root(), ref.ContentID)
	if err != nil {
		return nil, unread("match", err)
	}
	if len(found) != 1 {
		kind := fetch.NotFound
		if len(found) > 1 {
			kind = fetch.Malformed
		}
		return nil, &fetch.Error{
			Op: "match", URL: plan.URL, Kind: kind, Err: errors.New("not the answer: " + errNotHere.Error()),
		}
	}
	server, _ := ref.Param("server")
	genuine := sameAddress(Sender(m.from...), Sender(server))
	if !genuine && r.Strict {
		return nil, &fetch.Error{
			Op: "match", URL: plan.URL, Kind: fetch.Denied, Err: errors.New("the answer is from somebody else"),
		}
	}
	req.URL = &url.URL{Scheme: "cid", Opaque: segment(message.BareID(ref.ContentID))}
	req.Text = ""
	resp, err := fetch.Do(ctx, fetch.Func(func(_ context.Context, req *fetch.Request) (*fetch.Response, error) {
		return m.source.open(req, found[0])
	}), req)
	if err != nil {
		return nil, err
	}
	admitted := false
	defer func() {
		if !admitted {
			resp.Body.Close()
		}
	}()
	b, err := r.admit(ctx, ref, plan, resp, &chain{trace: r.newTrace(ref)})
	if err != nil {
		return nil, err
	}
	admitted = true
	if !genuine {
		b.verify.report.Warnings = append(b.verify.report.Warnings, Diag{Code: diagOtherSender, Param: "from"})
	}
	return b, nil
}

// nested returns the Reference that the body of ref is. Its Content-Type with all
// parameters is in the phantom header of ref. Its own phantom header is in the data.
func (r *Resolver) nested(ref *Reference, body *Body) (*Reference, error) {
	defer body.Close()
	data, err := io.ReadAll(io.LimitReader(body, defaultHeaderBytes+maxPhantomBody+1))
	if err != nil {
		return nil, err
	}
	if len(data) > defaultHeaderBytes+maxPhantomBody {
		return nil, &fetch.Error{
			Op: "resolve", URL: body.verify.plan.URL, Kind: fetch.TooLarge, Err: errors.New("a reference of that size"),
		}
	}
	var header strings.Builder
	for _, f := range ref.Header {
		header.WriteString(f.Name + ": " + f.Value + "\r\n")
	}
	inner, err := readRaw(header.String(), data, false)
	if err != nil {
		return nil, err
	}
	inner.ID = ref.ID
	inner.Origins = ref.Origins
	inner.part = ref.part
	inner.source = ref.source
	inner.strict = ref.strict
	return inner, nil
}
