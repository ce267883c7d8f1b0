package inspect

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"
)

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
				d, err := NewDeferrals("")
				if err != nil {
					t.Fatal(err)
				}
				got, last := 0, time.Duration(0)
				for begun := time.Now(); time.Since(begun) < 5*24*time.Hour; time.Sleep(test.every) {
					if d.May("key", test.limits) {
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

// What cannot be remembered is not deferred.
func TestDeferralsFull(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, err := NewDeferrals("")
		if err != nil {
			t.Fatal(err)
		}
		d.max = 10
		for i := range 20 {
			if got, want := d.May(fmt.Sprint(i), DeferLimits{}), i < 10; got != want {
				t.Errorf("message %d: got %v, want %v", i, got, want)
			}
		}
		time.Sleep(keepDeferral + time.Second)
		if !d.May("new", DeferLimits{}) {
			t.Error("after the others are too old: got false, want true")
		}
	})
}

// A program that is killed goes on counting where it was.
func TestDeferralsKept(t *testing.T) {
	dir := t.TempDir()
	limits := DeferLimits{Tries: 4, Delay: time.Hour}
	for run := range 2 {
		d, err := NewDeferrals(dir)
		if err != nil {
			t.Fatal(err)
		}
		for try := range 2 {
			if !d.May("key", limits) {
				t.Errorf("run %d, try %d: got false, want true", run, try)
			}
		}
		d.file.Close() // and nothing else, as when it is killed
	}
	// The end of a line that was cut is left out.
	f, err := os.OpenFile(filepath.Join(dir, deferralFile), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	f.WriteString(`{"key":"other","fir`)
	f.Close()
	d, err := NewDeferrals(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if d.May("key", limits) || d.Len() != 1 {
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
	if first, second := d.May("key", limits), d.May("key", limits); !first || second {
		t.Errorf("got %v, %v, want true, false", first, second)
	}
}
