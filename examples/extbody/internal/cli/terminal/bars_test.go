package terminal

import (
	"bytes"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
)

// A lockedBuffer may be written by the goroutine that draws.
type lockedBuffer struct {
	mu sync.Mutex
	bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.Buffer.Write(p)
}

func TestBars(t *testing.T) {
	var screen lockedBuffer
	b := &Bars{to: &screen, running: make(map[*externalbody.Reference]*bar)}
	out := &overBars{b, &screen}
	quick := &externalbody.Reference{ID: "1", Name: "quick"}
	slow := &externalbody.Reference{ID: "2", Name: "slow\x1b[2J"}
	unknown := &externalbody.Reference{ID: "3"}
	for _, ref := range []*externalbody.Reference{slow, unknown} {
		b.running[ref] = &bar{begun: time.Now().Add(-2 * barDelay)}
	}
	io.WriteString(out, "before\n")
	b.Progress(quick, fetch.Event{Phase: fetch.Receiving, Octets: 1, Total: 2})
	b.Progress(slow, fetch.Event{Phase: fetch.Receiving, Octets: 1000, Total: 2000})
	b.Progress(slow, fetch.Event{Phase: fetch.Receiving, Octets: 1500, Total: 2000})
	b.Progress(unknown, fetch.Event{Phase: fetch.Receiving, Octets: 77, Total: -1})
	io.WriteString(out, "between\n")
	for _, ref := range []*externalbody.Reference{quick, slow, unknown} {
		b.Done(ref)
	}
	b.Stop()
	io.WriteString(out, "behind\n")

	text := screen.String()
	for _, want := range []string{"before\n", "between\n", "behind\n"} {
		if strings.Count(text, want) != 1 {
			t.Errorf("no %q in %q", want, text)
		}
	}
	if strings.Contains(text, "quick") || strings.Contains(text, "slow\x1b") {
		t.Errorf("got %q, want neither what was quick nor the escape of a name", text)
	}
	if !strings.Contains(text, "\r\x1b[Jbetween\n") {
		t.Errorf("got %q, want a line that begins in the first column, whatever the terminal wrote before it", text)
	}
	if len(b.running) != 0 {
		t.Errorf("got %d bars left, want 0", len(b.running))
	}
}

// Where there is no terminal there are no bars, and nothing is in the way.
func TestNoBars(t *testing.T) {
	var out bytes.Buffer
	b := NewBars(&out)
	if b != nil {
		t.Fatal("bars")
	}
	b.Done(&externalbody.Reference{})
	b.Stop()
	if b.Over(&out) != io.Writer(&out) {
		t.Error("another writer")
	}
}
