package terminal

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/show"
	"github.com/go-extbody/extbody/fetch/throttle"
)

// Progress is a status line: how far a run is. Several goroutines may call its methods at
// once.
type Progress struct {
	Hosts    func() []throttle.Host // the hosts that are asked
	Found    atomic.Int64           // references, so far
	All      atomic.Bool            // Found is final
	Received atomic.Int64           // octets of bodies

	mu               sync.Mutex
	done, ok, failed int // references
}

// Set sets how many references are done, and how many of them succeeded and failed.
func (s *Progress) Set(done, ok, failed int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.done, s.ok, s.failed = done, ok, failed
}

// maxHosts is how many hosts a status line names.
const maxHosts = 3

// String returns the status as a line.
func (s *Progress) String() string {
	waiting := s.waiting()
	s.mu.Lock()
	defer s.mu.Unlock()
	text := fmt.Sprintf("%d of %s", s.done, show.Count(int(s.Found.Load()), "reference"))
	if !s.All.Load() {
		text += " found so far"
	}
	text += fmt.Sprintf(", %d ok, %d failed, %s", s.ok, s.failed, show.Octets(s.Received.Load()))
	if waiting != "" {
		text += "; waiting for " + waiting
	}
	return text
}

// fit returns the status as a line of at most the given columns if there is one: first
// it leaves out the hosts, then most words.
func (s *Progress) fit(width int) string {
	text := s.String()
	if len(text) <= width {
		return text
	}
	if short, _, _ := strings.Cut(text, "; "); len(short) <= width {
		return short
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return fmt.Sprintf("%d/%d, %d failed, %s", s.done, s.Found.Load(), s.failed, show.Octets(s.Received.Load()))
}

// waiting names the hosts for which references wait.
func (s *Progress) waiting() string {
	var words []string
	others := 0
	for _, h := range s.Hosts() {
		if h.Waiting+h.InFlight == 0 {
			continue
		}
		if len(words) == maxHosts {
			others++
			continue
		}
		words = append(words, fmt.Sprintf("%s (%d)", show.Line(h.Name), h.Waiting+h.InFlight))
	}
	if others > 0 {
		words = append(words, show.Count(others, "other host"))
	}
	return strings.Join(words, ", ")
}

// EveryMinute writes a line about a run each minute until stop is called.
func EveryMinute(w io.Writer, s fmt.Stringer) (stop func()) {
	end, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(time.Minute)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				fmt.Fprintf(w, "extbody: %s\n", s)
			case <-end:
				return
			}
		}
	}()
	return func() {
		close(end)
		<-ended
	}
}

// NewLockedWriter returns a Writer that several goroutines may use. Each Write is one
// Write to w.
func NewLockedWriter(w io.Writer) io.Writer { return &lockedWriter{w: w} }

type lockedWriter struct {
	mu sync.Mutex
	w  io.Writer
}

func (l *lockedWriter) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(p)
}
