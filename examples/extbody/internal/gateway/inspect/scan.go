package inspect

import (
	"context"
	"io"
	"sync"
	"time"

	"github.com/go-extbody/extbody/fetch"
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

// A Scanner remembers the answers of a Scanning, by the SHA-256 of the body and the
// version of the signatures. A nil Scanner scans nothing.
type Scanner struct {
	with    Scanning
	timeout time.Duration
	slots   chan struct{}

	mu       sync.Mutex
	current  string    // the version that is known
	asked    time.Time // when it was asked for
	asking   bool
	outcomes map[scanKey]scanned
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

// The bounds of a Scanner.
const (
	maxOutcomes  = 50_000
	versionEvery = time.Minute
	maxScans     = 8 // at a time
)

// NewScanner returns a Scanner with a time limit for each scan; 0 means 30 seconds.
func NewScanner(with Scanning, timeout time.Duration) *Scanner {
	if timeout == 0 {
		timeout = 30 * time.Second
	}
	return &Scanner{with: with, timeout: timeout, slots: make(chan struct{}, maxScans), outcomes: make(map[scanKey]scanned)}
}

// version returns the version that is known, without waiting. If that was asked for a
// minute ago or more, it begins to ask again.
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
	s.mu.Lock()
	first := s.asked.IsZero()
	s.mu.Unlock()
	if first {
		s.ask()
	}
	key := scanKey{sha256, s.version()}
	s.mu.Lock()
	outcome, known := s.outcomes[key]
	s.mu.Unlock()
	if known {
		return outcome
	}
	outcome = scanned{Scan: ScanClean, version: key.version}
	signature, err := s.with.Scan(ctx, r)
	switch {
	case err != nil && fetch.KindOf(err) == fetch.TooLarge:
		outcome.Scan, outcome.Oversize = ScanFailed, true
	case err != nil:
		outcome.Scan = ScanFailed
		return outcome
	case signature != "":
		outcome.Scan, outcome.Signature = Infected, signature
	}
	s.remember(key, outcome)
	return outcome
}

// remember keeps an outcome. Without a version it does not, since it is not known how
// long the outcome holds.
func (s *Scanner) remember(key scanKey, outcome scanned) {
	if key.version == "" || key.sha256 == "" {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.outcomes) >= maxOutcomes {
		clear(s.outcomes)
	}
	s.outcomes[key] = outcome
}
