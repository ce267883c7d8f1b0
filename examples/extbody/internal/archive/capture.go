package archive

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/textproto"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive/exchange"
	"github.com/go-extbody/extbody/examples/extbody/internal/archive/ledger"
	"github.com/go-extbody/extbody/examples/extbody/internal/archive/warc"
	"github.com/go-extbody/extbody/examples/extbody/internal/store"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
)

// attempt resolves an ask and writes the outcome. It returns over if the budget ended. Its
// errors are failures of this machine, not of a host.
func (s *syncer) attempt(t *task) (over bool, err error) {
	if s.ctx.Err() != nil {
		return false, nil
	}
	if err := s.space(); err != nil {
		s.count(&s.res.Left, 1)
		return false, err
	}
	msg, err := s.messages.get(t.ref.Message, s.o.Open)
	switch {
	case err == nil:
	case errors.Is(err, fs.ErrNotExist) && s.a.index.flags(t.ref.Message)&flagForgotten != 0:
		return false, s.except(t, nil, &fetch.Error{Op: "read", Kind: fetch.Gone, Err: errForgottenMessage}, nil)
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, store.ErrDigest):
		// One lost message must not stop the references of all others.
		return false, s.except(t, nil, &fetch.Error{Op: "read", Kind: fetch.Local, Err: errLostMessage}, nil)
	default:
		return false, err
	}
	defer s.messages.put(msg)
	t.messageID = msg.id
	for _, ref := range msg.refs[t.ref.Ref] {
		if s.leads(ref, t.ref) {
			return s.try(t, ref)
		}
	}
	return false, s.except(t, nil, &fetch.Error{Op: "read", Kind: fetch.Malformed, Err: errNoRef}, nil)
}

// captureBefore returns the latest capture of a key; nil if it was not captured.
func (a *Archive) captureBefore(key string) (*Capture, error) {
	latest := a.index.captured(key).latest
	if latest == 0 {
		return nil, nil
	}
	c := new(Capture)
	return c, a.line(latest, c)
}

// leads reports whether a reference leads to the URL in its line. A newer version of the
// program may read another URL from the same part. That is a reference of its own, and its
// body is no evidence for this one.
func (s *syncer) leads(ref *externalbody.Reference, told *ReferenceRecord) bool {
	r := s.describe(told.Message, ref)
	return r.Host == "" || told.Host == "" || r.URL == told.URL
}

// try resolves a reference.
func (s *syncer) try(t *task, ref *externalbody.Reference) (over bool, err error) {
	d, err := s.a.objects.Draft()
	if err != nil {
		return false, err
	}
	defer d.Discard()
	var mu sync.Mutex
	var list []*fetch.Exchange
	r := *s.o.Resolver
	r.Budget = s.o.Budget
	r.MessageBudget = func(*externalbody.Message) *fetch.Budget { return nil }
	if !s.o.AcceptSize {
		r.Judge = externalbody.RefuseSize(r.Judge)
	}
	r.Observe = func(_ *externalbody.Reference, e *fetch.Exchange) {
		mu.Lock()
		defer mu.Unlock()
		list = append(list, e)
	}
	r.Progress = func(_ *externalbody.Reference, e fetch.Event) {
		if e.Phase == fetch.Waiting {
			t.waits()
		}
	}
	before, err := s.before(t)
	if err != nil {
		return false, err
	}
	r.AsOf = func(*externalbody.Reference) time.Time { return t.ref.VersionAt }
	k := &asker{Layer: driver.Layer{Next: r.Fetcher}, objects: s.a.objects, encoding: encoding(ref), at: t.ref.VersionAt}
	switch {
	case t.ref.Account != "":
		k.object, err = s.covering(t)
		if err != nil {
			return false, err
		}
		if k.object != nil {
			r.Fetcher = k
			before = k.object
		}
	case before != nil:
		same := before.Expect == t.ref.Expect
		k.ask = same || t.state.outcome == askCaptured
		if k.ask {
			k.conditions = conditions(before)
		}
		if !same {
			k.object = before // it is compared with the promises of this reference
		}
		r.Fetcher = k
	}
	ctx, v := s.room.visit(s.ctx, r.Fetcher, ref.Size)
	r.Fetcher = v
	report, err := r.Save(ctx, []*externalbody.Reference{ref}, sink{d, s.room})
	stopped := v.end()
	mu.Lock()
	defer mu.Unlock()
	return s.conclude(&trial{
		task: t, draft: d, before: before, report: report, list: list, unmodified: k.unmodified, stopped: stopped,
	}, err)
}

// A trial is the end of an attempt for which a host may have been asked.
type trial struct {
	task   *task
	draft  *store.Draft // of the body
	before *Capture     // with which the body is compared; nil if there is none
	report *externalbody.Report
	list   []*fetch.Exchange

	unmodified bool // the server answered 304
	stopped    bool // the run stopped before the body began
}

// conclude writes the outcome of a trial, or counts the reference as left. err is the error of the Resolver. The
// results are as for attempt.
func (s *syncer) conclude(x *trial, err error) (over bool, _ error) {
	switch kind := fetch.KindOf(err); {
	case errors.Is(err, ErrAway), errors.Is(err, errCrowded):
		return false, err
	case errors.Is(err, ErrNoSpace):
		s.count(&s.res.Left, 1)
		return false, err
	case x.stopped && (kind == fetch.Canceled || errors.Is(err, errStopped)):
		s.count(&s.res.Left, 1)
		return false, nil
	case errors.Is(err, errTooWide):
		return false, s.except(x.task, nil, &fetch.Error{Op: "read", Kind: fetch.Local, Err: errTooWide}, nil)
	case err == nil:
		return false, s.capture(x.task, x.report, x.list, x.draft, x.before, x.unmodified)
	case errors.Is(err, errNotModified):
		return false, s.unmodified(x.task, x.report, x.list, x.before)
	case s.ctx.Err() != nil && kind == fetch.Canceled:
		return false, nil
	case s.ofBudget(err):
		s.count(&s.res.Left, 1)
		return s.over(), nil
	case kind == fetch.Deferred && !slices.ContainsFunc(x.list, asked): // it is no attempt
		s.count(&s.res.Deferred, 1)
		return false, nil
	case errors.Is(err, fetch.ErrDamaged): // a stored copy, which is fetched anew in the next run
		s.count(&s.res.Left, 1)
		return false, nil
	case kind == fetch.Local:
		return false, err
	}
	return false, s.except(x.task, x.report, err, x.list)
}

// before returns the latest capture of the key. It returns nil if the key was not captured,
// if its object is missing, or if it is damaged. Only a retry, and a comparison with another
// expectation, read the object to see that.
func (s *syncer) before(t *task) (*Capture, error) {
	if t.ref.URL == "" {
		return nil, nil
	}
	c, err := s.a.captureBefore(t.ref.Key)
	if c == nil || err != nil {
		return nil, err
	}
	_, err = s.a.objects.Stat(store.Name(c.SHA256))
	if err == nil && (s.asked || c.Expect != t.ref.Expect) {
		err = s.a.objects.Check(c.SHA256)
	}
	switch {
	case err == nil:
		return c, nil
	case errors.Is(err, ErrAway):
		return nil, err
	}
	return nil, nil // the body is then fetched whole, which replaces a damaged object
}

// covering returns a capture that has the version of the time of a reference; nil if there is none whose object is here,
// or if the reference is asked for again.
func (s *syncer) covering(t *task) (*Capture, error) {
	if s.asked || t.state.outcome == askCaptured {
		return nil, nil
	}
	c, err := s.a.covering(t.ref.Key, t.ref.VersionAt)
	if c == nil || err != nil {
		return nil, err
	}
	switch err := s.a.objects.Check(c.SHA256); {
	case errors.Is(err, ErrAway):
		return nil, err
	case err != nil:
		return nil, nil
	}
	return c, nil
}

func (s *syncer) facts(t *task, r *externalbody.Report) Facts {
	f := Facts{
		Key:       t.ref.Key,
		Expect:    t.ref.Expect,
		Message:   t.ref.Message,
		Ref:       t.ref.Ref,
		URL:       t.ref.URL,
		Login:     t.ref.Login,
		Host:      t.ref.Host,
		MessageID: t.messageID,
	}
	if u, err := url.Parse(t.ref.URL); r != nil && err == nil && t.ref.URL != "" {
		f.Login = s.o.Login(u) // another user may log in now
	}
	f.add(r, s.a.now().UTC())
	return f
}

// add adds the facts of a Report, which may be nil. Without times of its own the attempt was made now.
func (f *Facts) add(r *externalbody.Report, now time.Time) {
	f.Started = now
	f.Ended = now
	if r == nil {
		return
	}
	if f.URL != "" { // otherwise the body is in the message
		f.FinalURL = r.FinalURL
	}
	f.Hops = r.Hops
	f.TLS = r.TLS
	f.Status = r.Status
	f.Header = r.Header
	f.ServedType = r.ServedType
	if r.RemoteAddr.IsValid() {
		f.Address = r.RemoteAddr.String()
	}
	if !r.Started.IsZero() {
		f.Started = r.Started
		f.Ended = cmp.Or(r.Ended, now)
	}
}

// capture writes the line of a body that was fetched. unmodified means that the server
// answered 304: the body of the capture before was compared with the promises of the
// reference.
func (s *syncer) capture(t *task, r *externalbody.Report, list []*fetch.Exchange, d *store.Draft, before *Capture, unmodified bool) error {
	size := d.Size()
	sum, sync, err := d.Publish()
	if err != nil {
		return err
	}
	c := newCapture(s.facts(t, r), r)
	c.addObject(r.Object, t.ref)
	c.SHA256 = sum
	c.Size = size
	c.Again = before != nil
	c.NotModified = unmodified
	c.Compared = before != nil && len(list) == 0
	sent := sum
	if unmodified {
		sent = "" // no answer has this body
	}
	changed := changedFrom(before, c)
	if err := s.record(kindCapture, c, &c.Facts, list, sent, sync, changed...); err != nil {
		return err
	}
	s.count(&s.res.Captures, 1)
	s.count(&s.res.Changed, int64(len(changed)))
	return nil
}

func newCapture(f Facts, r *externalbody.Report) *Capture {
	return &Capture{
		Facts: f, Name: r.FileName(), ContentType: r.MediaType,
		Label: cmp.Or(string(r.Capture()), "unknown"), Version: version(r), Checks: r.Checks,
	}
}

// changedFrom returns the line of a capture that has another body than the one before, which
// may be nil. The version of another time is no change.
func changedFrom(before, c *Capture) []ledger.Entry {
	isOtherTime := before != nil && before.Expect != c.Expect && !c.VersionAt.IsZero()
	if before == nil || before.SHA256 == c.SHA256 || isOtherTime {
		return nil
	}
	return []ledger.Entry{{Kind: kindChanged, Body: &Changed{Key: c.Key, URL: c.URL, From: before.SHA256, To: c.SHA256}}}
}

// unmodified writes the line of a capture whose body has not changed, after the server
// answered 304.
func (s *syncer) unmodified(t *task, r *externalbody.Report, list []*fetch.Exchange, before *Capture) error {
	c := *before
	c.Facts = s.facts(t, r)
	c.Again = true
	c.NotModified = true
	c.Compared = false
	c.ServedType = before.ServedType
	c.Header = refreshed(before.Header, saidOf(list))
	return s.record(kindCapture, &c, &c.Facts, list, "", nil)
}

// refreshed returns the fields of a stored answer with the fields of a 304 answer (RFC 9111
// section 3.2). Either may lack validators.
func refreshed(stored, said textproto.MIMEHeader) textproto.MIMEHeader {
	fields := maps.Clone(stored)
	for name, values := range said {
		if fields == nil {
			fields = make(textproto.MIMEHeader)
		}
		if name != "Content-Length" {
			fields[name] = values
		}
	}
	return fields
}

// except writes the line of an attempt that gave no body.
func (s *syncer) except(t *task, r *externalbody.Report, err error, list []*fetch.Exchange) error {
	kind := fetch.KindOf(err)
	now := s.a.now().UTC()
	e := &Exception{Facts: s.facts(t, r), Kind: kind.Error(), Error: err.Error(), Words: exchange.Words(list)}
	if err := s.a.addAttempt(e, &t.state, now); err != nil {
		return err
	}
	if e.Header == nil {
		e.Header = saidOf(list)
	}
	e.Reason = reason(kind, e.Status)
	if t.state.outcome != askCaptured && !final(kind) { // a captured reference stays captured
		e.Due = due(s.began, now, fetch.AfterOf(err), e.Attempts)
		if s.res.Clock == 0 && time.Duration(e.Spread)*time.Second+e.Due.Sub(now) > cmp.Or(s.o.GiveUp, DefaultGiveUp) {
			e.Due = time.Time{}
			e.GivenUp = true
		}
	}
	if err := s.record(kindException, e, &e.Facts, list, "", nil); err != nil {
		return err
	}
	s.mu.Lock()
	s.res.Exceptions++
	s.res.failed(e, r, err)
	s.mu.Unlock()
	if t.state.outcome == askOpen {
		s.count(&s.res.New, 1)
	}
	if e.GivenUp {
		s.count(&s.res.GivenUp, 1)
	}
	return nil
}

func (s *syncer) count(n *int64, by int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	*n += by
}

// asked reports whether x is more than the wait for a turn.
func asked(x *fetch.Exchange) bool { return x.Kind != fetch.Deferred }

// addAttempt sets the number of attempts in e, with the one of e, and over how long a time they
// were made. state is the state of the reference before.
func (a *Archive) addAttempt(e *Exception, state *askState, now time.Time) error {
	e.Attempts = int(state.attempts) + 1
	e.First = now.Truncate(time.Second)
	if state.outcome != askExcepted || state.last == 0 {
		return nil
	}
	l, err := a.places.At(state.last.place())
	var before Exception
	if err == nil {
		err = l.Body(&before)
	}
	if err != nil {
		return err
	}
	spread := time.Duration(before.Spread) * time.Second
	if before.Spread == 0 && !before.First.IsZero() { // as versions before did not count it
		spread = min(max(l.Time.Sub(before.First), 0), time.Duration(before.Attempts)*maxGap)
	}
	if !before.First.IsZero() {
		e.First = before.First
	}
	gap := max(now.Sub(l.Time), 0)
	if gap > maxGap { // the clock was wrong, or there was no run for long
		gap = 24 * time.Hour
	}
	e.Spread = int64((spread + gap) / time.Second)
	return nil
}

// maxSaid bounds the header of an answer in the line of an exception, in octets. The
// exchanges have all of it.
const maxSaid = 64 << 10

// saidOf returns the header of the last answer that has one; nil if none has.
func saidOf(list []*fetch.Exchange) textproto.MIMEHeader {
	for _, x := range slices.Backward(list) {
		if _, h := answer(x.ResponseHead); len(x.ResponseHead) <= maxSaid && len(h) > 0 {
			return h
		}
	}
	return nil
}

// answer returns the status code and the header of an answer of HTTP; nil if it cannot be read.
func answer(head []byte) (status string, h textproto.MIMEHeader) {
	line, rest, _ := bytes.Cut(head, []byte("\r\n"))
	if f := strings.Fields(string(line[:min(len(line), 64)])); len(f) > 1 {
		status = f[1]
	}
	h, err := textproto.NewReader(bufio.NewReader(bytes.NewReader(rest))).ReadMIMEHeader()
	if err != nil {
		return status, nil
	}
	return status, h
}

// record writes the records of an attempt, and sets their span in f. After sync, if it is
// set, and when the records are on the disk, it writes the line of the attempt, and more.
func (s *syncer) record(
	kind string, body any, f *Facts, list []*fetch.Exchange, object string, sync func() error, more ...ledger.Entry,
) error {
	var recs []*warc.Record
	if len(list) > 0 { // otherwise nothing was said on the wire
		var err error
		recs, err = exchange.Records(list, kind, body, object)
		if err != nil {
			return err
		}
	}
	return s.commit(kind, body, f, recs, sync, more...)
}

// commit is record with the records, if there are any.
func (s *syncer) commit(kind string, body any, f *Facts, recs []*warc.Record, sync func() error, more ...ledger.Entry) error {
	if len(recs) > 0 {
		span, err := s.a.exchanges.Write(recs)
		if err != nil {
			return err
		}
		f.Exchanges = span
	}
	if sync != nil {
		if err := sync(); err != nil {
			return err
		}
	}
	if err := s.a.exchanges.Sync(); err != nil {
		return err
	}
	return s.a.append(append([]ledger.Entry{{Kind: kind, Body: body}}, more...)...)
}

// version returns the field of the answer that identifies the version of the body, or "".
func version(r *externalbody.Report) string {
	for _, name := range []string{"ETag", "X-Amz-Version-Id", "X-Goog-Generation", "Last-Modified"} {
		if v := r.Header.Get(name); v != "" {
			return fmt.Sprintf("%s: %s", name, v)
		}
	}
	return ""
}

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
	case fetch.Unsupported, fetch.TooLarge, fetch.TypeMismatch, fetch.DigestMismatch, fetch.SizeMismatch:
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
		fetch.TooLarge, fetch.TypeMismatch, fetch.DigestMismatch, fetch.SizeMismatch:
		return true
	}
	return false
}

// DefaultGiveUp is over how long a time attempts are made before a reference is given up.
const DefaultGiveUp = 30 * 24 * time.Hour

// due returns when an attempt that failed is repeated. started is when the run started, after is
// the time that the server asked for, if any, and attempts is the number of attempts so far.
//
// A twentieth of the wait that the server asked for is left out, and some minutes of another one. So a nightly run that starts a little
// earlier than the one before skips no night.
func due(began, now, after time.Time, attempts int) time.Time {
	if !after.IsZero() {
		early := max(after.Sub(now), 0) / 20
		return after.Add(-early).UTC().Truncate(time.Second)
	}
	waits := []time.Duration{time.Hour, 6 * time.Hour, 24 * time.Hour, 3 * 24 * time.Hour, 7 * 24 * time.Hour}
	wait := waits[min(max(attempts, 1), len(waits))-1]
	return began.Add(wait - 5*time.Minute).UTC().Truncate(time.Minute)
}

// describe returns the record of a reference. message is the digest of its message.
func (s *syncer) describe(message string, ref *externalbody.Reference) *ReferenceRecord {
	return describe(s.o.Resolver, s.o.Login, message, ref)
}

// describe returns the record of a reference as a Resolver asks for it. login returns the user who logs in
// at the host of a URL.
func describe(resolver *externalbody.Resolver, login func(*url.URL) string, message string, ref *externalbody.Reference) *ReferenceRecord {
	r := &ReferenceRecord{
		Message:     message,
		Ref:         ref.ID,
		Dialect:     ref.Dialect,
		AccessType:  ref.AccessType,
		Provider:    ref.Provider,
		Name:        ref.Name,
		Size:        ref.Size,
		ContentType: ref.MediaType,
		ContentID:   ref.ContentID,
		Expiration:  ref.Expiration,
		Quoted:      ref.Quoted,
	}
	plan := resolver.Plan(ref)
	req, err := resolver.Request(ref)
	if err != nil || plan.Local() {
		r.Key = digest("message " + message + "\n" + ref.ID)
		if v, ok := ref.Param("url"); ok && !plan.Local() {
			r.URL = v
		}
		return r
	}
	r.URL = req.RawURL()
	r.Host = req.URL.Hostname()
	r.Login = login(req.URL)
	r.Key = r.key(encoding(ref))
	r.Expect = expectation(plan, ref)
	if plan.Account != nil {
		r.Account = plan.Account.Name
	}
	return r
}
