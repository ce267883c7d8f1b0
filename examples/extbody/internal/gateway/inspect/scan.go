package inspect

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"sync"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/recent"
)

// A Scanning is a program that looks for malware. Several goroutines may call its
// methods at once.
type Scanning interface {
	// Scan reads r to its end and returns the name of the malware in it, or "" if none
	// was found. Anything but a clear answer is an error. An error of the
	// [fetch.Kind] TooLarge means that r has more octets than the program takes, so
	// that scanning r again would fail again.
	Scan(ctx context.Context, r io.Reader) (signature string, err error)

	// Version names the program and its signatures. It changes when they do.
	Version(ctx context.Context) (string, error)
}

// A Shared has outcomes of scans that several programs made, by the SHA-256 of the body in
// hexadecimal and the version of the signatures. Several goroutines may call its methods at once.
type Shared interface {
	// Outcome returns an outcome that SetOutcome was given; nil if there is none.
	Outcome(ctx context.Context, sha256, version string) ([]byte, error)

	// SetOutcome adds an outcome, which is JSON, unless there is one.
	SetOutcome(ctx context.Context, sha256, version string, outcome []byte) error
}

// A Scanner remembers the answers of a Scanning, by the SHA-256 of the body and the
// version of the signatures. A nil Scanner scans nothing.
type Scanner struct {
	// Shared is asked before the Scanning. nil means that outcomes are not shared. An error
	// of it changes no outcome, and after one it is left alone for 10 seconds.
	Shared Shared

	with    Scanning
	timeout time.Duration
	slots   chan struct{}

	mu       sync.Mutex
	first    sync.Once // asks for the version
	current  string    // the version that is known
	asked    time.Time // when it was asked for
	asking   bool
	outcomes recent.Map[scanKey, scanned]
	failed   time.Time // when Shared last had an error
}

// A scanned is the outcome of a scan.
type scanned struct {
	Scan      Scan   `json:"scan,omitempty"`
	Signature string `json:"signature,omitempty"` // the name of the malware

	// Oversize is set if the Scan failed because the body has more octets than the
	// scanner takes.
	Oversize bool `json:"oversize,omitempty"`

	version string // of the signatures
}

type scanKey struct{ sha256, version string }

// lasts reports whether it is known how long the outcome holds.
func (k scanKey) lasts() bool { return k.version != "" && k.sha256 != "" }

// The bounds of a Scanner.
const (
	maxOutcomes  = 50_000
	versionEvery = time.Minute
	maxScans     = 8 // at a time
	sharedTime   = 500 * time.Millisecond
	sharedRest   = 10 * time.Second
	checkTime    = 5 * time.Second
)

// NewScanner returns a Scanner with a time limit for each scan; 0 means 30 seconds.
func NewScanner(with Scanning, timeout time.Duration) *Scanner {
	return &Scanner{
		with: with, timeout: cmp.Or(timeout, 30*time.Second), slots: make(chan struct{}, maxScans),
		outcomes: recent.Map[scanKey, scanned]{Max: maxOutcomes},
	}
}

// version returns the version that is known, without waiting. If that was asked for a
// minute ago or more, it starts to ask again.
func (s *Scanner) version() string {
	if s == nil {
		return ""
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.asking && time.Since(s.asked) >= versionEvery && !s.asked.IsZero() {
		s.asking = true
		go s.ask()
	}
	return s.current
}

// ask asks for the version, and waits for the answer.
func (s *Scanner) ask() {
	ctx, stop := context.WithTimeout(context.Background(), s.timeout)
	defer stop()
	v, err := s.with.Version(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asking = false
	s.asked = time.Now()
	if err == nil {
		s.current = v
	}
}

// Check returns an error if the scanner does not answer.
func (s *Scanner) Check(ctx context.Context) error {
	ctx, stop := context.WithTimeout(ctx, checkTime)
	defer stop()
	_, err := s.with.Version(ctx)
	return err
}

// scan returns the outcome for a body.
func (s *Scanner) scan(ctx context.Context, r io.Reader, sha256 string) scanned {
	if s == nil {
		return scanned{}
	}
	ctx, stop := context.WithTimeout(ctx, s.timeout)
	defer stop()
	select {
	case s.slots <- struct{}{}:
		defer func() { <-s.slots }()
	case <-ctx.Done():
		return scanned{Scan: ScanFailed}
	}
	s.first.Do(s.ask)
	key := scanKey{sha256, s.version()}
	outcome, known := s.known(ctx, key)
	if known {
		return outcome
	}
	outcome = scanned{Scan: ScanClean, version: key.version}
	signature, err := s.with.Scan(ctx, r)
	switch {
	case err != nil && fetch.KindOf(err) == fetch.TooLarge:
		outcome.Scan = ScanFailed
		outcome.Oversize = true
	case err != nil:
		outcome.Scan = ScanFailed
		return outcome
	case signature != "":
		outcome.Scan = Infected
		outcome.Signature = signature
	}
	if text, err := json.Marshal(outcome); err == nil && s.remember(key, outcome) {
		s.share(
			context.WithoutCancel(ctx),
			func(ctx context.Context) error { return s.Shared.SetOutcome(ctx, key.sha256, key.version, text) },
		)
	}
	return outcome
}

// known returns the outcome that is remembered, or that another program shared.
func (s *Scanner) known(ctx context.Context, key scanKey) (outcome scanned, known bool) {
	s.mu.Lock()
	outcome, known = s.outcomes.Get(key)
	s.mu.Unlock()
	if known || !key.lasts() {
		return outcome, known
	}
	s.share(ctx, func(ctx context.Context) error {
		text, err := s.Shared.Outcome(ctx, key.sha256, key.version)
		if err != nil || text == nil {
			return err
		}
		if err := json.Unmarshal(text, &outcome); err != nil {
			return err
		}
		outcome.version = key.version
		known = outcome.Scan == ScanClean && outcome.Signature == "" || outcome.Scan == Infected && outcome.Signature != "" ||
			outcome.Scan == ScanFailed && outcome.Oversize
		return nil
	})
	return outcome, known && s.remember(key, outcome)
}

// share calls f within a time, unless Shared is missing or has just failed.
func (s *Scanner) share(ctx context.Context, f func(context.Context) error) {
	s.mu.Lock()
	rests := time.Since(s.failed) < sharedRest
	s.mu.Unlock()
	if s.Shared == nil || rests {
		return
	}
	ctx, stop := context.WithTimeout(ctx, sharedTime)
	defer stop()
	if f(ctx) != nil {
		s.mu.Lock()
		s.failed = time.Now()
		s.mu.Unlock()
	}
}

// remember keeps an outcome, and reports whether it did.
func (s *Scanner) remember(key scanKey, outcome scanned) bool {
	if !key.lasts() {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.outcomes.Put(key, outcome)
	return true
}

// A Scan is the outcome of a scan for malware.
type Scan string

// The outcomes.
const (
	Unscanned   Scan = ""         // without a scanner, or without a body
	ScanClean   Scan = "clean"    // the scanner said so, literally
	Infected    Scan = "infected" // the scanner found something
	ScanFailed  Scan = "failed"   // the scanner did not answer clearly
	unscannedIn      = "none"     // Unscanned in a policy
)
