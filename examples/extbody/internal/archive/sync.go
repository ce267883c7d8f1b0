package archive

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/url"
	"sync"
	"time"

	"crypto/sha256"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive/ledger"
	"github.com/go-extbody/extbody/examples/extbody/internal/mail/mailbox"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
)

// SyncOptions are for [Archive.Sync] and [Archive.Retry].
type SyncOptions struct {
	// Sources are where Sync looks for messages. Retry ignores them.
	Sources []Source

	// Resolver asks for bodies. Its Fetcher should have a throttle without a MaxWait,
	// so that references wait for their turns at a host. A reference whose host wants
	// to be asked later is not tried, and stays due. Each attempt uses a copy of the Resolver, with the
	// Budget, MessageBudget, RefuseSize, Observe and Now of the run.
	Resolver *externalbody.Resolver

	// Open has the options for reading messages.
	Open *externalbody.OpenOptions

	// Resolve reports whether references to a host are resolved. nil means that none
	// are. References that name no host, such as those whose bodies are in the
	// message, are always resolved. Retry keeps to this too.
	Resolve func(host string) bool

	// Login returns the user who logs in at the host of a URL, or "". nil means that no user
	// logs in anywhere.
	Login func(u *url.URL) string

	// AcceptSize captures a body whose size is not the SIZE of its reference (RFC
	// 2046 section 5.2.3.1). By default that is an exception, because the archive
	// would claim to have the promised body.
	AcceptSize bool

	// All stores every message. By default only those with references are stored.
	All bool

	// Budget bounds the run; nil means no limit. The Result counts octets
	// and requests only if it is set.
	Budget *fetch.Budget

	// MinFree is how many octets of the disk have to be free. They are counted before
	// each message is stored and each body is fetched, and the run ends with
	// ErrNoSpace if there are fewer. A body that is on its way is not stopped. 0
	// means no limit.
	MinFree int64

	// GiveUp is over how long a time attempts are made, and after which a reference
	// is given up; 0 means DefaultGiveUp. More than eight days between two attempts
	// count as one day, so that a clock that is wrong gives up nothing.
	GiveUp time.Duration

	// Recapture is the age at which a capture is due again; 0 means never.
	Recapture time.Duration

	// Jobs is how many references are worked on at the same time, apart from those
	// that wait for their hosts; 0 means 48. The throttle of the Resolver bounds the
	// bodies that are fetched at the same time, from one host and in all.
	Jobs int

	// Stamp, if set, returns a time stamp for the digest of the head. It is called
	// when the run has ended.
	Stamp func(ctx context.Context, digest []byte) ([]byte, error)

	// Progress, if set, is called after each attempt, from one goroutine at a time.
	// total is the number of attempts that are due.
	Progress func(done, total int64)
}

// ErrNoSpace is the error of a run that ended because less than MinFree is free.
var ErrNoSpace = errors.New("too little of the disk is free")

// A Result has the numbers of a run.
type Result struct {
	Counts
	Sources []SourceRecord

	// Spent is set if references are left because the budget or the run ended.
	Spent bool

	// Contacts are the hosts of the references that are Unasked, with the number of
	// references of each. Resolving these references would contact the hosts.
	Contacts map[string]int64

	// Clock is how far the clock is from the time of the last line before the run, if
	// that is more than a week; otherwise 0. Nothing is given up in such a run.
	Clock time.Duration
}

// A syncer is one run.
type syncer struct {
	a   *Archive
	o   *SyncOptions
	ctx context.Context
	res Result

	mu    sync.Mutex // guards res, while bodies are fetched
	asked bool       // the run is a retry
	batch batch
	fixed map[string]bool // by file: it had an exception, and all of it can be read now

	began    time.Time
	messages messages

	rules    string       // by which messages are read
	outdated bool         // messages of the source have been read by other rules
	missed   bool         // a message of the source that may have been known cannot be read
	readTo   ledger.Place // up to which objects have been read by rules
	found    map[ask]bool // in objects, and new to the ledger
}

// A batch has lines that are written together, after their objects are on the disk.
type batch struct {
	items    []ledger.Entry
	syncs    []func() error
	messages map[string]bool
	octets   int64
}

const (
	maxBatch       = 500
	maxBatchOctets = 64 << 20
)

// Sync brings the archive up to its sources, and then resolves the due references. The Result is
// never nil. If there is an error, some of the work was not done, and the Result may count
// messages and references that are not in the ledger because the error came before their
// lines.
func (a *Archive) Sync(ctx context.Context, o *SyncOptions) (*Result, error) {
	return a.run(ctx, "sync", o, func(s *syncer) error {
		for _, src := range o.Sources {
			if err := s.source(src); err != nil {
				return err
			}
		}
		if err := s.resolve(s.scheduled); err != nil {
			return err
		}
		if err := s.reread(); err != nil || s.res.Spent || len(s.found) == 0 {
			return err
		}
		return s.resolve(func(k ask, state askState) bool { return state.outcome == askOpen && s.found[k] })
	})
}

// Retry asks again for the references that sel selects, also if they are captured, final
// or forgotten. A body whose object is damaged is fetched whole.
//
// The error is ErrNothing, and no run begins, if a name in sel seems to be misspelt:
//
//   - no reference fits the terms other than kind=, and there are such terms;
//   - or there is a term object=, and nothing is selected.
func (a *Archive) Retry(ctx context.Context, sel *Selector, o *SyncOptions) (*Result, error) {
	wanted := make(map[ask]bool)
	some := len(sel.terms) == 0 || len(sel.terms) == 1 && sel.terms["kind"] != ""
	err := a.References(func(r *Row) error {
		fits, err := a.fits(sel, r)
		if fits {
			wanted[r.ask] = true
		}
		some = some || fits || sel.terms["object"] == "" && sel.reference(r.Reference, r.Message.MessageID)
		return err
	})
	if err == nil && !some {
		err = ErrNothing
	}
	if err != nil {
		return &Result{}, err
	}
	return a.run(ctx, "retry", o, func(s *syncer) error {
		s.asked = true
		return s.resolve(func(k ask, _ askState) bool { return wanted[k] })
	})
}

func (a *Archive) run(ctx context.Context, command string, o *SyncOptions, do func(*syncer) error) (*Result, error) {
	s := &syncer{a: a, o: o, ctx: ctx, began: a.now(), res: Result{Contacts: make(map[string]int64)}}
	if command == "sync" {
		s.rules = rules(a.agent, o.Open)
	}
	if gap := s.began.Sub(a.index.last); !a.index.last.IsZero() && gap.Abs() > maxJump {
		s.res.Clock = gap
	}
	if err := a.begin(command, s.rules); err != nil {
		return &s.res, err
	}
	err := do(s)
	s.res.Octets, s.res.Requests = o.Budget.Used()
	if err != nil && ctx.Err() == nil {
		// The disk failed. Records and objects without a line are handled now or, if
		// that fails as well, by the next Open.
		return &s.res, errors.Join(err, a.exchanges.close(), a.recover())
	}
	if err == nil {
		err = context.Cause(ctx)
	}
	why := ""
	switch {
	case err != nil:
		why = err.Error()
	case s.res.Spent:
		why = "the budget ended"
	}
	end := &Run{Command: command, Counts: &s.res.Counts, Why: why}
	if s.readTo.File != "" {
		end.Rules, end.ReadTo = s.rules, s.readTo.String()
	}
	if eerr := a.endWith(end); eerr != nil {
		return &s.res, errors.Join(err, eerr)
	}
	if o.Stamp != nil {
		if serr := a.stamp(context.WithoutCancel(ctx), o.Stamp); serr != nil {
			return &s.res, errors.Join(err, serr)
		}
	}
	return &s.res, err
}

// source brings the archive up to one source.
func (s *syncer) source(src Source) error {
	rec := SourceRecord{Source: src.Name()}
	s.batch.messages = make(map[string]bool)
	s.fixed = make(map[string]bool)
	s.outdated, s.missed = string(s.a.index.get(sourceKey(rec.Source))) != s.rules, false
	var whole error
	for it, err := range src.Messages(s.ctx, s.known) {
		if s.ctx.Err() != nil {
			it.Close()
			return errors.Join(s.flush(), context.Cause(s.ctx))
		}
		if err != nil && it.File == "" && it.UID == 0 {
			whole = err
			it.Close()
			break
		}
		rec.Exists++
		if err == nil && it.Older {
			rec.Older++
			it.Close()
			continue
		}
		if err == nil {
			err = s.item(it, &rec)
			if l, ok := errors.AsType[*localError](err); ok {
				it.Close()
				return errors.Join(l.error, s.flush())
			}
		}
		if err != nil {
			rec.Excepted++
			s.unread(it, err)
		} else {
			rec.Seen++
		}
		it.Close()
		if len(s.batch.items) >= maxBatch || s.batch.octets >= maxBatchOctets {
			if err := s.flush(); err != nil {
				return err
			}
		}
	}
	for file, ok := range s.fixed {
		if ok {
			s.add(kindException, &Exception{Source: rec.Source, File: file, Resolved: true})
		}
	}
	announced, validity := src.Exists()
	rec.UIDValidity = validity
	if announced >= 0 {
		rec.Exists = announced
	}
	if whole != nil {
		rec.Error = whole.Error()
		s.unread(&Item{Sighting: Sighting{Source: rec.Source}}, whole)
	}
	// Where nothing is, a disk may not be mounted.
	if whole == nil && !s.missed && rec.Seen > 0 {
		rec.Rules = s.rules
	}
	s.res.Unaccounted += max(0, rec.Unaccounted())
	s.add(kindSource, &rec)
	s.res.Sources = append(s.res.Sources, rec)
	return s.flush()
}

// known implements the function of [Source].Messages. With All, a message that is not an
// object counts as not seen.
func (s *syncer) known(at *Sighting) Known {
	m := s.a.index.get(sightingKey(at))
	switch {
	case m == nil:
		return Unseen
	case s.sawStored(m):
		return Seen
	case s.o.All:
		return Unseen
	case s.outdated:
		return Outdated
	}
	return Seen
}

func (s *syncer) add(kind string, body any) {
	s.batch.items = append(s.batch.items, ledger.Entry{Kind: kind, Body: body})
}

// flush syncs the objects of the batch to the disk, and writes its lines.
func (s *syncer) flush() error {
	b := s.batch
	s.batch = batch{messages: make(map[string]bool)}
	if err := together(b.syncs); err != nil {
		return err
	}
	return s.a.append(b.items...)
}

// together calls functions, at most 16 at a time, and returns their errors.
func together(fs []func() error) error {
	var wg sync.WaitGroup
	var mu sync.Mutex
	var first error
	slots := make(chan struct{}, 16)
	for _, f := range fs {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			if err := f(); err != nil {
				mu.Lock()
				defer mu.Unlock()
				first = errors.Join(first, err)
			}
		})
	}
	wg.Wait()
	return first
}

// unread counts a file or message that cannot be read, and writes an exception if it has
// none yet.
func (s *syncer) unread(it *Item, err error) {
	kind := fetch.KindOf(err)
	if errors.Is(err, mailbox.ErrNotMail) || errors.Is(err, mailbox.ErrInflated) {
		kind = fetch.Unsupported
	}
	e := &Exception{Source: it.Source, File: it.File, UID: it.UID, Reason: reason(kind, 0), Kind: kind.Error(), Error: err.Error(), Attempts: 1, First: s.a.now().UTC().Truncate(time.Second)}
	s.fixed[it.File] = false
	s.res.Exceptions++
	if _, known := s.a.index.ask(fileAsk(e)); known {
		return
	}
	s.res.New++
	s.missed = true
	s.add(kindException, e)
}

// item takes a message. A *localError ends the run. Another error concerns the message
// alone.
func (s *syncer) item(it *Item, rec *SourceRecord) error {
	if _, noted := s.fixed[it.File]; !noted && it.File != "" {
		if _, had := s.a.index.ask(fileAsk(&Exception{Source: it.Source, File: it.File, UID: it.UID})); had {
			s.fixed[it.File] = true
		}
	}
	if it.Content == nil {
		switch s.known(&it.Sighting) {
		case Outdated:
			s.res.Reread++
			return nil
		case Unseen:
			s.add(kindSighting, &it.Sighting)
			s.res.Sightings++
			return nil
		}
		if s.sawStored(s.a.index.get(sightingKey(&it.Sighting))) {
			rec.Stored++
		}
		return nil
	}
	r, err := it.Content()
	if err != nil {
		return err
	}
	h := sha256.New()
	if _, err := io.Copy(h, r); err != nil {
		return err
	}
	it.Message, it.Size = hex.EncodeToString(h.Sum(nil)), r.Size()
	stored := s.stored(it.Message)
	sighted := string(s.a.index.get(sightingKey(&it.Sighting))) == shortSum(it.Message) || s.a.index.get(fileKey(&it.Sighting)) != nil
	// At another place, or in a file that could not be read for a while, the message may
	// have been read by other rules than the source.
	if !stored && (s.o.All || s.outdated || !sighted || s.fixed[it.File]) {
		if stored, err = s.message(it.Message, r); err != nil {
			return err
		}
	}
	if stored {
		rec.Stored++
	}
	if !sighted {
		s.add(kindSighting, &it.Sighting)
		s.res.Sightings++
	}
	return nil
}

// stored reports whether the octets of a message are an object, or were one that was
// forgotten. A message that was forgotten is not stored again because it is seen again.
func (s *syncer) stored(sum string) bool {
	return s.a.index.flags(sum)&flagStored != 0 || s.batch.messages[sum]
}

// sawStored reports whether the message of a sighting in the index was stored.
func (s *syncer) sawStored(sighting []byte) bool {
	return parseObject(s.a.index.get("o"+string(sighting))).flags&flagStored != 0
}

// message stores a message that is not an object, if it has references or all are wanted,
// and writes its lines.
func (s *syncer) message(sum string, r *io.SectionReader) (stored bool, err error) {
	m := describeMessage(sum, r)
	msg, err := externalbody.Open(r, r.Size(), s.o.Open)
	if err != nil {
		return false, err
	}
	if err := msg.Incomplete(); err != nil {
		m.Limit = err.Error()
	}
	var refs []*ReferenceRecord
	for ref := range msg.References() {
		refs = append(refs, s.describe(sum, ref))
	}
	m.References = len(refs)
	m.Stored = s.o.All || len(refs) > 0
	known := s.a.index.get(messageKey(sum)) != nil
	if m.Stored {
		if err := s.store(sum, r); err != nil {
			return false, err
		}
	}
	if _, told := s.batch.messages[sum]; told {
		return m.Stored, nil // the same message is in this batch already
	}
	if known { // it has a line, and had no references then, or it would have been stored
		if s.outdated {
			s.res.Reread++
		}
		if !m.Stored {
			return false, nil
		}
	} else {
		s.res.Messages++
	}
	s.batch.messages[sum] = m.Stored
	s.add(kindMessage, m)
	for _, ref := range refs {
		s.add(kindReference, ref)
	}
	s.res.References += int64(len(refs))
	return m.Stored, nil
}

// store makes an object of a message.
func (s *syncer) store(sum string, r *io.SectionReader) error {
	if err := s.space(); err != nil {
		return &localError{err}
	}
	if _, err := r.Seek(0, io.SeekStart); err != nil {
		return err
	}
	sync, err := s.a.objects.put(r, sum)
	if err != nil {
		return err
	}
	s.batch.syncs = append(s.batch.syncs, sync)
	s.batch.octets += r.Size()
	return nil
}

// space returns ErrNoSpace if less than MinFree is free.
func (s *syncer) space() error {
	if s.o.MinFree <= 0 {
		return nil
	}
	for _, dir := range []string{s.a.dir, s.a.objects.dir} { // they may be on different file systems
		if n := FreeSpace(dir); n >= 0 && n < s.o.MinFree {
			return fmt.Errorf("%w: %d octets, %d have to stay free", ErrNoSpace, n, s.o.MinFree)
		}
	}
	return nil
}

// scheduled reports whether an ask is due.
func (s *syncer) scheduled(_ ask, state askState) bool {
	now := s.a.now()
	if state.outcome != askCaptured || s.o.Recapture <= 0 {
		return state.isDue(now)
	}
	var c Capture
	if err := s.a.line(state.last, &c); err != nil {
		return true // the attempt reports the error
	}
	if s.a.index.flags(c.Key)&flagForgotten != 0 {
		return false // the octets are gone on purpose
	}
	return c.Ended.Before(now.Add(-s.o.Recapture))
}
