package inspect

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// remembering returns Deferrals that are closed when the test ends.
func remembering(t *testing.T, dir string) *Deferrals {
	t.Helper()
	d, err := NewDeferrals(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

// A message that is tried again for days is deferred for the bounded time, and
// passes then for good.
func TestDeferralsBounded(t *testing.T) {
	for _, test := range []struct {
		name   string
		every  time.Duration
		limits DeferLimits
		want   int // deferrals in all
	}{
		{"Tries", time.Minute, DeferLimits{Tries: 3, Delay: time.Hour}, 3},
		{"Delay", 4 * time.Minute, DeferLimits{Tries: 100, Delay: 10 * time.Minute}, 3},
		{"Defaults", time.Minute, DeferLimits{}, 5},
		{"SlowSender", 4 * time.Hour, DeferLimits{}, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := remembering(t, "")
				got, last := 0, time.Duration(0)
				for begun := time.Now(); time.Since(begun) < 5*24*time.Hour; time.Sleep(test.every) {
					if d.May("key", test.limits, true) {
						got++
						last = time.Since(begun)
					}
				}
				if got != test.want {
					t.Errorf("got %d deferrals, want %d", got, test.want)
				}
				if l := test.limits.or(); last > l.Delay {
					t.Errorf("the last one was after %v, want within %v", last, l.Delay)
				}
			})
		})
	}
}

// Servers that share their deferrals defer a message as often as one does, also if one of them deferred
// it while the others could not be asked.
func TestDeferralsShared(t *testing.T) {
	type history struct {
		first time.Time
		tries int
	}
	known, away := make(map[string]history), false
	count := func(key string, age time.Duration, more int) (time.Duration, int, error) {
		if away {
			return 0, 0, os.ErrDeadlineExceeded
		}
		h, ok := known[key]
		if first := time.Now().Add(-age); !ok || first.Before(h.first) {
			h.first = first
		}
		h.tries += more
		known[key] = h
		return time.Since(h.first), h.tries, nil
	}
	a, b := remembering(t, ""), remembering(t, "")
	a.Share(count)
	b.Share(count)
	limits := DeferLimits{Tries: 3}
	deferred := func(key string, order ...*Deferrals) (n int) {
		for _, d := range order {
			if d.May(key, limits, true) {
				n++
			}
		}
		return n
	}
	if n := deferred("a", a, b, a, b, a, b); n != 3 {
		t.Errorf("got %d deferrals, want 3 in all", n)
	}
	away = true
	alone := deferred("b", a, a)
	away = false
	if n := alone + deferred("b", b, b, a, b, a); n > 4 || alone != 2 {
		t.Errorf("got %d deferrals, %d of them alone, want at most 4", n, alone)
	}
	if a.May("untried", limits, false) && known["untried"].tries != 0 {
		t.Error("a message without a try counts, want it not to")
	}
}

// A message that cannot be remembered is not deferred.
func TestDeferralsFull(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := remembering(t, "")
		d.max = 10
		for i := range 20 {
			if got, want := d.May(fmt.Sprint(i), DeferLimits{}, true), i < 10; got != want {
				t.Errorf("message %d: got %v, want %v", i, got, want)
			}
		}
		limits := DeferLimits{}.or()
		time.Sleep(limits.Delay)
		if d.May("new", DeferLimits{}, true) {
			t.Error("while the others count: got true, want false")
		}
		time.Sleep(keepPassed + sweepEvery)
		if !d.May("new", DeferLimits{}, true) || d.Len() != 1 {
			t.Errorf("after the time of the others: got %d messages, want the new one alone", d.Len())
		}
	})
}

// The file does not grow with the deferrals, only with the messages.
func TestDeferralsFileBounded(t *testing.T) {
	dir := t.TempDir()
	d := remembering(t, dir)
	for range 10 * 1000 {
		if !d.May("key", DeferLimits{Tries: 1 << 30, Delay: time.Hour}, true) {
			t.Fatal("got false, want true")
		}
	}
	info, err := os.Stat(filepath.Join(dir, deferralFile))
	if err != nil || info.Size() > 2*1000*maxDeferralLine {
		t.Errorf("got %d octets, %v, want at most %d", info.Size(), err, 2*1000*maxDeferralLine)
	}
	d.locked.Close()
	again := remembering(t, dir)
	if e := again.known["key"]; e == nil || e.Tries != 10*1000 {
		t.Errorf("got %+v, want 10000 tries", e)
	}
}

// A text that is not a line, is too long, or has a time that is wrong by days, is
// left out. The lines after it are read.
func TestDeferralsDamaged(t *testing.T) {
	dir := t.TempDir()
	line := func(key string, first time.Time) string {
		return fmt.Sprintf("{\"key\":%q,\"first\":%q,\"tries\":1}\n", key, first.UTC().Format(time.RFC3339Nano))
	}
	now := time.Now()
	text := line("a", now) + "\x00\xff\n" + `{"key":"` + strings.Repeat("x", 100_000) + "\"}\n" + line("future", now.Add(365*24*time.Hour)) +
		line("past", now.Add(-365*24*time.Hour)) + line("b", now) + `{"key":"c"`
	if err := os.WriteFile(filepath.Join(dir, deferralFile), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	d := remembering(t, dir)
	if d.Len() != 2 || d.known["a"] == nil || d.known["b"] == nil {
		t.Errorf("got %v, want a and b", d.known)
	}
}

// A program that is killed goes on counting where it was.
func TestDeferralsKept(t *testing.T) {
	dir := t.TempDir()
	limits := DeferLimits{Tries: 4, Delay: time.Hour}
	for run := range 2 {
		d := remembering(t, dir)
		for try := range 2 {
			if !d.May("key", limits, true) {
				t.Errorf("run %d, try %d: got false, want true", run, try)
			}
		}
		d.file.Close() // and nothing else, as when it is killed
		d.locked.Close()
	}
	d := remembering(t, dir)
	if d.May("key", limits, true) || d.Len() != 1 {
		t.Errorf("got another deferral, or %d messages, want none and 1", d.Len())
	}
}

// Deferrals that cannot be kept on the disk count all the same.
func TestDeferralsNoDisk(t *testing.T) {
	d, err := NewDeferrals(filepath.Join(t.TempDir(), "none"))
	if err == nil {
		t.Error("got no error for a folder that is not there")
	}
	limits := DeferLimits{Tries: 1, Delay: time.Hour}
	if first, second := d.May("key", limits, true), d.May("key", limits, true); !first || second {
		t.Errorf("got %v, %v, want true, false", first, second)
	}
}

// A clock that jumps lets a message pass sooner, and never later.
func TestDeferralsClock(t *testing.T) {
	for name, jump := range map[string]time.Duration{
		"Forward": 2 * time.Hour, "FarForward": 20 * 365 * 24 * time.Hour, "Back": -2 * time.Hour, "FarBack": -20 * 365 * 24 * time.Hour,
	} {
		dir := t.TempDir()
		limits := DeferLimits{Tries: 100, Delay: time.Hour}
		d := remembering(t, dir)
		d.May("key", limits, true)
		// As if the clock had jumped since.
		d.known["key"].First = d.known["key"].First.Add(-jump)
		if d.May("key", limits, true) {
			t.Errorf("%s: got another deferral, want none", name)
		}
		d.Close()
	}
}

// A try for which there was no room does not count, but its time does.
func TestUntried(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := remembering(t, "")
		limits := DeferLimits{Tries: 2, Delay: time.Hour}
		for _, step := range []struct{ tried, want bool }{{false, true}, {false, true}, {true, true}, {false, true}, {true, true}, {true, false}} {
			if got := d.May("key", limits, step.tried); got != step.want {
				t.Errorf("tried %t: got %t, want %t", step.tried, got, step.want)
			}
		}
		d.May("other", limits, false)
		time.Sleep(limits.Delay + time.Second)
		if d.May("other", limits, false) {
			t.Error("got a deferral after the time is over, want none")
		}
	})
}

// Two servers with one folder do not write over each other: the second one reports
// that, and keeps its deferrals in memory.
func TestTwoServers(t *testing.T) {
	dir := t.TempDir()
	first := remembering(t, dir)
	second, err := NewDeferrals(dir)
	if err == nil {
		t.Skip("this system has no locks")
	}
	limits := DeferLimits{Tries: 1, Delay: time.Hour}
	if !first.May("one", limits, true) || !second.May("two", limits, true) {
		t.Fatal("got no deferral, want one of each")
	}
	second.Close()
	first.Close()
	third := remembering(t, dir)
	if third.May("one", limits, true) || third.Len() != 1 {
		t.Errorf("got %d messages, want the one of the first server", third.Len())
	}
}
