package main

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/go-extbody/extbody/fetch/throttle"
	"github.com/go-extbody/extbody/internal/show"
)

// A standing is how far a run is, for people. Its methods may be called from several
// goroutines.
type standing struct {
	hosts func() []throttle.Host

	mu       sync.Mutex
	found    int   // references, so far
	all      bool  // there are no more
	received int64 // octets of bodies
	tally    tally
}

// found counts references that were found.
func (s *standing) find(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.found += n
}

// last says that there are no more references.
func (s *standing) last() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all = true
}

func (s *standing) receive(n int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.received += n
}

// done takes the counts of what is done.
func (s *standing) done(t tally) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tally = t
}

// maxHosts is how many hosts a status names.
const maxHosts = 3

// String says it in a line.
func (s *standing) String() string {
	waiting := s.waiting()
	s.mu.Lock()
	defer s.mu.Unlock()
	text := fmt.Sprintf("%d of %s", s.tally.references, show.Count(s.found, "reference"))
	if !s.all {
		text += " found so far"
	}
	text += fmt.Sprintf(", %d ok, %d failed, %s", s.tally.saved+s.tally.before, s.tally.failed+s.tally.lost+s.tally.undone, show.Octets(s.received))
	if waiting != "" {
		text += "; waiting for " + waiting
	}
	return text
}

// waiting names the hosts for which something waits.
func (s *standing) waiting() string {
	var words []string
	others := 0
	for _, h := range s.hosts() {
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

// everyMinute writes a line about a run each minute until stop is called.
func everyMinute(w io.Writer, s fmt.Stringer) (stop func()) {
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

// A lockedWriter may be used by several goroutines; each Write is one piece.
type lockedWriter struct {
	mu sync.Mutex
	w  io.Writer
}

func (l *lockedWriter) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(p)
}
