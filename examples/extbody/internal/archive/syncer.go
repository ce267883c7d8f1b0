package archive

import (
	"context"
	"errors"
	"net/url"
	"sync"
	"time"

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

	// AccountHosts are the hosts of the links that the Fetcher of the Resolver may ask for with accounts, as the
	// settings have them. They are a part of the rules by which messages are read.
	AccountHosts []string

	// AcceptSize captures a body whose size is not the SIZE of its reference (RFC
	// 2046 section 5.2.3.1). By default that is an exception, because the archive
	// would claim to have the promised body.
	AcceptSize bool

	// VerifySources reads each message of a source that has files. By default one in a Maildir is not opened whose file
	// has the inode, the size and the times that it had when an earlier run read it, and one that was seen at its place
	// is only compared. So one that was away while the rules changed is not read by the new ones.
	VerifySources bool

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

// A Result has the numbers of a run.
type Result struct {
	Counts
	Sources []SourceRecord

	// Unopened counts messages in Maildirs whose files were as they were when an earlier run read them.
	Unopened int64

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

	failures map[string]*Failure // see Frequent
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
	fixed map[ask]*Exception // the ends of exceptions of the source; nil if that cannot be read

	began    time.Time
	messages messages

	rules    string       // by which messages are read
	outdated bool         // messages of the source have been read by other rules
	looks    *looks       // of the source
	missed   bool         // a message of the source that may have been known cannot be read
	back     string       // what the files begin with that other rules may have read, since their folder could not be listed
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

// isFull reports whether the lines of the batch are to be written now.
func (b *batch) isFull(now time.Time) bool {
	return len(b.items) >= maxBatch || b.octets >= maxBatchOctets || now.Sub(b.began).Abs() > maxBatchTime
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

const (
	maxGap  = 8 * 24 * time.Hour // between two attempts, a day more than the longest wait; more counts as one day
	maxJump = 7 * 24 * time.Hour // between the last line and the clock, above which nothing is given up
)

// A task is an ask that is tried.
type task struct {
	state     askState
	ref       *ReferenceRecord
	messageID string
	waits     func() // is called when the task waits for its host
}

// over reports whether nothing is left of the budget.
func (s *syncer) over() bool {
	left := s.o.Budget.Left()
	if left.Fetches == 0 || left.Octets == 0 {
		return true
	}
	return !left.Until.IsZero() && !time.Now().Before(left.Until)
}

// ofBudget reports whether an error is due to the budget, and not to a host.
func (s *syncer) ofBudget(err error) bool {
	if fetch.KindOf(err) != fetch.Deferred {
		return false
	}
	return errors.Is(err, fetch.TooLarge) || fetch.AfterOf(err).IsZero() && s.over()
}
