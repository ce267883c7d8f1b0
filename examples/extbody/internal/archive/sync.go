package archive

import (
	"bytes"
	"context"
	"crypto"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path/filepath"
	"sync"
	"time"

	"github.com/digitorus/timestamp"
	"github.com/go-extbody/extbody/examples/extbody/internal/archive/ledger"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
)

// SyncOptions are for [Archive.Sync] and [Archive.Retry].
type SyncOptions struct {
	// Sources are where Sync looks for messages. Retry ignores them.
	Sources []Source

	// Gone are the names of sources that have gone. Sync writes that, and such a source that cannot be read is
	// no error. The error is ErrNoSource, and no run starts, if the archive knows no source of that name.
	Gone []string

	// Resolver asks for bodies. Its Fetcher should have a throttle without a MaxWait,
	// so that references wait for their turns at a host. A reference whose host wants
	// to be asked later is not tried, and stays due. Each attempt uses a copy of the Resolver, with the
	// Budget, MessageBudget, Judge and Observe of the run.
	Resolver *externalbody.Resolver

	// Open has the options for reading messages.
	Open *externalbody.OpenOptions

	// Resolve reports whether references to a host are resolved. nil means that none
	// are. References that name no host, such as those whose bodies are in the
	// message, are always resolved. Retry keeps to this too.
	Resolve func(host string) bool

	// Login returns the user who logs in at the host of a URL, or "".
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

	// MinFree is how many octets of the disk have to stay free. They are counted before
	// each message is stored and each body is asked for, with the announced sizes of the
	// bodies on their way, or 1 MiB for one without, and the run ends with
	// ErrNoSpace if there are fewer. A body that is on its way is not stopped. 0
	// means 64 MiB, for the ledger and the index, or a sixteenth of a disk of less than 1 GiB.
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
}

// ErrNoSource is the error of a name that no source of the archive has.
var ErrNoSource = errors.New("the archive has no such source")

// A Result has the numbers of a run.
type Result struct {
	Counts
	Sources []SourceRecord

	// Spent is set if references are left because the budget or the run ended.
	Spent bool

	// Contacts are the hosts of the references that are Unasked, with the number of
	// references of each. Resolving these references would contact the hosts.
	Contacts map[string]int64

	// Unread counts the parts, of messages that were read, that could not be looked into,
	// by their Reason. For DiagCutShort it counts messages.
	Unread map[externalbody.DiagCode]int

	// NotRead are the files and folders of sources that may hold mail and were not read, with the reason of each.
	NotRead []string

	// NewlyEmptied is set if a source has no messages that had some in the run before.
	NewlyEmptied bool

	// Lost are the names of objects that the run looked for and that are not there.
	Lost []string

	// Damaged are the entries in the folder incoming that are damaged, and were kept aside, or that cannot be
	// read, with the reason.
	Damaged []string

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
	room  *room              // while references are resolved
	fixed map[ask]*Exception // the ends of exceptions of the source; nil for what cannot be read

	began    time.Time
	messages messages

	rules    string       // by which messages are read
	outdated bool         // messages of the source have been read by other rules
	missed   bool         // a message of the source that may have been known cannot be read
	readTo   ledger.Place // up to which objects have been read by rules
	found    map[ask]bool // in objects, and new to the ledger
}

func (s *syncer) add(kind string, body any) {
	s.batch.items = append(s.batch.items, ledger.Entry{Kind: kind, Body: body})
}

// flush syncs the objects of the batch to the disk, and writes its lines.
func (s *syncer) flush() error {
	b := s.batch
	s.batch = batch{messages: make(map[string]bool), began: s.a.now()}
	if err := together(b.syncs); err != nil {
		return err
	}
	return s.a.append(b.items...)
}

// space returns ErrNoSpace if fewer octets are free than have to stay free.
func (s *syncer) space() error {
	if n, known := s.freeSpace(); known && n < 0 {
		return noSpace(-n)
	}
	return nil
}

// freeSpace returns how many octets of the disk are free beyond those that have to stay free. The
// objects may be on another disk than the ledger.
func (s *syncer) freeSpace() (octets int64, known bool) {
	for _, dir := range []string{s.a.dir, s.a.objects.Dir()} {
		if dir == "" { // a bucket
			continue
		}
		n := FreeSpace(dir)
		if n < 0 {
			continue
		}
		keep := s.o.MinFree
		if keep <= 0 {
			keep = reserve(dir)
		}
		n -= keep
		if !known || n < octets {
			octets = n
		}
		known = true
	}
	return octets, known
}

// scheduled reports whether an ask is due. So is a capture by a clock that was wrong.
func (s *syncer) scheduled(_ ask, state askState) bool {
	now := s.a.now()
	if state.outcome != askCaptured || s.o.Recapture <= 0 {
		return state.isDue(now)
	}
	var c Capture
	if err := s.a.line(state.last, &c); err != nil {
		return true // the attempt reports the error
	}
	return c.Ended.Before(now.Add(-s.o.Recapture)) || c.Ended.After(now.Add(maxAhead))
}

// A batch has lines that are written together, after their objects are on the disk.
type batch struct {
	items    []ledger.Entry
	syncs    []func() error
	messages map[string]bool
	octets   int64
	began    time.Time // when the batch before was written
}

const (
	maxBatch       = 500
	maxBatchOctets = 64 << 20
	maxBatchTime   = 5 * time.Second // so that little is read again after a run that is killed
)

// Sync brings the archive up to its sources, and then resolves the due references. Before that it
// looks for an object of the archive, and ends with ErrGone if the objects are gone. The Result is
// never nil. If there is an error, some of the work was not done, and the Result may count
// messages and references that are not in the ledger because the error came before their
// lines.
func (a *Archive) Sync(ctx context.Context, o *SyncOptions) (*Result, error) {
	for _, name := range o.Gone {
		if a.index.get(lineKey(name)) == nil {
			return new(Result), fmt.Errorf("%w: %s", ErrNoSource, name)
		}
	}
	return a.run(ctx, "sync", o, func(s *syncer) error {
		if err := s.probe(); err != nil {
			return err
		}
		for _, name := range o.Gone {
			s.gone(name)
		}
		if err := s.flush(); err != nil {
			return err
		}
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
// The error is ErrNothing, and no run starts, if a name in sel seems to be misspelt:
//
//   - no reference would fit with another outcome, and there are terms about more than that;
//   - or there is a term object=, and nothing is selected.
func (a *Archive) Retry(ctx context.Context, sel *Selector, o *SyncOptions) (*Result, error) {
	wanted := make(map[ask]bool)
	err := a.matches(sel, func(r *Row) error {
		wanted[r.ask] = true
		return nil
	})
	if err == nil {
		err = a.Whole()
	}
	some := len(wanted) > 0 || sel.ofOutcomes()
	if err == nil && !some && !sel.names("object") {
		some, err = a.couldFit(sel)
	}
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
	s := &syncer{a: a, o: o, ctx: ctx, began: a.now(), res: Result{Contacts: make(map[string]int64), Unread: make(map[externalbody.DiagCode]int)}}
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
	if err != nil && ctx.Err() == nil && !errors.Is(err, ErrGone) {
		// The disk failed. Records and objects without a line are handled now or, if
		// that fails as well, by the next Open.
		return &s.res, errors.Join(err, a.exchanges.close(), a.recover())
	}
	if err == nil {
		err = context.Cause(ctx)
	}
	end := &Run{Command: command, Counts: &s.res.Counts}
	switch {
	case err != nil:
		end.Why = err.Error()
	case s.res.Spent:
		end.Why = "the budget ended"
	}
	if s.readTo.File != "" {
		end.Rules = s.rules
		end.ReadTo = s.readTo.String()
	}
	eerr := a.end(end)
	if eerr == nil && o.Stamp != nil {
		eerr = a.stamp(context.WithoutCancel(ctx), command, o.Stamp)
	}
	return &s.res, errors.Join(err, eerr)
}

// together calls functions, at most 16 at a time, and returns their errors.
func together(fs []func() error) error {
	var wg sync.WaitGroup
	errs := make([]error, len(fs))
	slots := make(chan struct{}, 16)
	for i, f := range fs {
		slots <- struct{}{}
		wg.Go(func() {
			errs[i] = f()
			<-slots
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}

// maxStamp bounds the answer of an authority, in octets.
const maxStamp = 1 << 20

// Stamper returns a function for SyncOptions.Stamp that asks the time-stamp authority at
// a URL (RFC 3161 section 3.4). The user names the authority, so no guard judges its
// address. The function waits at most a minute, follows no redirect, and ignores proxies in
// the environment.
func Stamper(url string) func(context.Context, []byte) ([]byte, error) {
	client := &http.Client{
		Timeout:       time.Minute,
		Transport:     &http.Transport{DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return func(ctx context.Context, digest []byte) ([]byte, error) {
		query := timestamp.Request{HashAlgorithm: crypto.SHA256, HashedMessage: digest, Certificates: true}
		der, err := query.Marshal()
		if err != nil {
			return nil, err
		}
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(der))
		if err != nil {
			return nil, errors.New("the URL of the time-stamp authority cannot be read")
		}
		req.Header.Set("Content-Type", "application/timestamp-query")
		resp, err := client.Do(req)
		if err != nil {
			return nil, errors.New("the time-stamp authority does not answer")
		}
		defer resp.Body.Close()
		if resp.StatusCode != http.StatusOK {
			return nil, fmt.Errorf("the time-stamp authority answers %d", resp.StatusCode)
		}
		return io.ReadAll(io.LimitReader(resp.Body, maxStamp))
	}
}

// stamp gets a time stamp for the head, checks that it is for this digest, and keeps it. A line
// names it.
func (a *Archive) stamp(ctx context.Context, command string, f func(context.Context, []byte) ([]byte, error)) error {
	head := a.Head()
	der, err := f(ctx, head.Digest[:])
	if err == nil {
		err = stamps(der, head.Digest[:])
	}
	if err != nil {
		return fmt.Errorf("stamp: %w", err)
	}
	name := fmt.Sprintf("%d-%x.tsr", head.Seq, head.Digest)
	if err := writeFile(filepath.Join(a.stampsDir(), name), der); err != nil {
		return err
	}
	r := &Run{Format: Format, Event: "stamp", Command: command, Stamp: &Stamp{File: name, SHA256: digest(string(der))}}
	if err := a.append(ledger.Entry{Kind: kindRun, Body: r}); err != nil {
		return err
	}
	return a.writeHead()
}

var errStamp = errors.New("it stamps another digest")

// stamps returns an error if a response is not a time stamp for the digest. It does not
// check whether the authority is to be trusted. openssl ts can do that.
func stamps(der, digest []byte) error {
	t, err := timestamp.ParseResponse(der)
	if err != nil {
		return fmt.Errorf("the answer is not a time stamp: %w", err)
	}
	if t.HashAlgorithm != crypto.SHA256 || !bytes.Equal(t.HashedMessage, digest) {
		return errStamp
	}
	return nil
}

// stampHead returns the head in the name of the file of a stamp. It returns an error if
// the stamp is for another digest.
func stampHead(path string) (ledger.Head, error) {
	h, err := stampName(filepath.Base(path))
	if err != nil {
		return h, err
	}
	der, err := readSmall(path)
	if err == nil {
		err = stamps(der, h.Digest[:])
	}
	return h, err
}

const (
	maxGap  = 8 * 24 * time.Hour // between two attempts, a day more than the longest wait; more counts as one day
	maxJump = 7 * 24 * time.Hour // between the last line and the clock, above which nothing is given up
)
