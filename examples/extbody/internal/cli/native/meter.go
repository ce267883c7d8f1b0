package native

import (
	"sync"
	"time"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
)

// progressEvery is the least time between two events about the octets of a file.
const progressEvery = 200 * time.Millisecond

// A meter reports the progress of a file: each phase, and the octets now and then. The octets before a
// pause are reported too.
type meter struct {
	out    *writer
	id     int64 // of the get
	number int   // of the file

	mu    sync.Mutex
	phase fetch.Phase
	last  time.Time
	now   fetch.Event
	timer *time.Timer // reports now; nil if that is not necessary
	ended bool
}

// progress is for [externalbody.Resolver].Progress.
func (m *meter) progress(_ *externalbody.Reference, e fetch.Event) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.now = e
	wait := progressEvery - time.Since(m.last)
	switch {
	case e.Phase != m.phase || wait <= 0:
		m.phase = e.Phase
		m.report()
	case m.timer == nil:
		m.timer = time.AfterFunc(wait, func() {
			m.mu.Lock()
			defer m.mu.Unlock()
			m.timer = nil
			m.report()
		})
	}
}

func (m *meter) report() {
	if m.ended {
		return
	}
	m.last = time.Now()
	m.out.write(&Answer{ID: m.id, Event: "progress", Number: m.number, Octets: m.now.Octets, Size: max(m.now.Total, 0)})
}

// end ends the reports: nothing comes after the outcome of the file.
func (m *meter) end() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.ended = true
	if m.timer != nil {
		m.timer.Stop()
	}
}
