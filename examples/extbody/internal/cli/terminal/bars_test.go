package terminal

import (
	"bytes"
	"io"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/throttle"
)

func TestBars(t *testing.T) {
	var screen bytes.Buffer
	to := NewLockedWriter(&screen) // the goroutine that draws writes too
	b := &Bars{to: to, running: make(map[*externalbody.Reference]*bar)}
	out := &overBars{b, to}
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

func TestPace(t *testing.T) {
	for _, tt := range []struct {
		octets, total int64
		since         time.Duration
		want          string
	}{
		{45_000_000, 100_000_000, 37 * time.Second, "  45%     1.2 MB/s    45s left"},
		{0, 100, 0, "   0%   0 octets/s      ? left"},
		{100, 100, time.Second, " 100% 100 octets/s     0s left"},
		{200, 100, time.Second, " 100% 200 octets/s     0s left"},
		{1, 1 << 50, time.Hour, "   0%   0 octets/s 99h0m0s left"},
		{2000, -1, time.Second, "     2.0 kB/s"},
	} {
		if got := pace(tt.octets, tt.total, tt.octets, tt.since); got != tt.want {
			t.Errorf("%d of %d in %v: got %q, want %q", tt.octets, tt.total, tt.since, got, tt.want)
		}
	}
}

// TestPaceFromFirst wants the rate and the time left of the octets that come, without the time in
// which the server was waited for, and without the octets that an earlier try brought.
func TestPaceFromFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var screen bytes.Buffer
		to := NewLockedWriter(&screen)
		b := &Bars{to: to, running: make(map[*externalbody.Reference]*bar)}
		ref := &externalbody.Reference{ID: "1", Name: "late"}
		b.Progress(ref, fetch.Event{Phase: fetch.Waiting})
		time.Sleep(time.Minute)
		b.Progress(ref, fetch.Event{Phase: fetch.Receiving, Octets: 4_000_000, Total: 8_000_000})
		time.Sleep(2 * time.Second)
		b.Progress(ref, fetch.Event{Phase: fetch.Receiving, Octets: 6_000_000, Total: 8_000_000})
		time.Sleep(time.Second / 2)
		b.Done(ref)
		b.Stop()
		if text := screen.String(); !regexp.MustCompile(` 75% +[89]\d\d kB/s +2s left`).MatchString(text) {
			t.Errorf("got %q, want 75%%, 1.0 MB/s, which falls while nothing comes, and 2 seconds left", text)
		}
	})
}

// Without a terminal there are no bars and no questions, and the output is as it was
// written.
func TestNoTerminal(t *testing.T) {
	var out bytes.Buffer
	b := NewBars(&out)
	b.Done(&externalbody.Reference{})
	b.Stop()
	if a := NewAsker(strings.NewReader("y\n"), &out, nil); a != nil || b != nil || b.Over(&out) != io.Writer(&out) {
		t.Errorf("got %v, %v, want neither, and the writer itself", a, b)
	}
}

func TestProgress(t *testing.T) {
	var hosts []throttle.Host
	s := &Progress{Hosts: func() []throttle.Host { return hosts }}
	s.Found.Add(5)
	s.Set(2, 1, 1)
	s.Received.Add(1234)
	if got, want := s.String(), "2 of 5 references found so far, 1 ok, 1 failed, 1,234 octets"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	s.All.Store(true)
	hosts = []throttle.Host{{Name: "a.example:443", InFlight: 2, Waiting: 3}, {Name: "down.example:80", Down: time.Now()}, {Name: "b\x1b:80", Waiting: 1}, {Name: "c:80", Waiting: 1}, {Name: "d:80", Waiting: 1}}
	if got, want := s.String(), `2 of 5 references, 1 ok, 1 failed, 1,234 octets; waiting for a.example:443 (5), b\x1b:80 (1), c:80 (1), 1 other host`; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Without a terminal there is a line a minute, and none in a run of less.
func TestEveryMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		w := &lockedWriter{w: &out}
		s := &Progress{Hosts: func() []throttle.Host { return nil }}
		stop := EveryMinute(w, s)
		time.Sleep(59 * time.Second)
		synctest.Wait()
		w.mu.Lock()
		if out.Len() > 0 {
			t.Errorf("got %q in less than a minute, want nothing", &out)
		}
		w.mu.Unlock()
		time.Sleep(3*time.Minute + time.Second)
		synctest.Wait()
		stop()
		if got := strings.Count(out.String(), "extbody: 0 of 0 references found so far, 0 ok, 0 failed, 0 octets\n"); got != 4 {
			t.Errorf("got %d lines in 4 minutes, want 4: %q", got, &out)
		}
	})
}

// TestProgressFits has the totals whole on a terminal of 40 columns.
func TestProgressFits(t *testing.T) {
	s := &Progress{Hosts: func() []throttle.Host { return []throttle.Host{{Name: "files.example", Waiting: 3}} }}
	s.Found.Add(12345)
	s.All.Store(true)
	s.Set(1234, 1200, 34)
	s.Received.Add(5000)
	for _, tt := range []struct {
		width int
		want  string
	}{
		{100, s.String()},
		{len(s.String()) - 1, "1234 of 12345 references, 1200 ok, 34 failed, 5,000 octets"},
		{40, "1234/12345, 34 failed, 5,000 octets"},
	} {
		if got := s.fit(tt.width); got != tt.want {
			t.Errorf("%d columns: got %q, want %q", tt.width, got, tt.want)
		}
	}
}
