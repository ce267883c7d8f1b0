package imapsession

import (
	"context"
	"crypto/sha256"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// Messages are read whole by one goroutine while another goes on with the Sweep, and
// each gets the sections that it asked for.
func TestFetchDuringSweep(t *testing.T) {
	const n = 3000 // of more than one window
	f := new(fake)
	for uid := uint32(1); uid <= n; uid++ {
		f.messages = append(f.messages, mixedMessage(uid))
	}
	s := f.open(t)
	swept := make(chan *Message, n)
	go func() {
		defer close(swept)
		for m, err := range s.Sweep(context.Background(), wantSecond) {
			if err != nil {
				t.Errorf("got %v, want no error", err)
				return
			}
			swept <- m
		}
	}()
	got := 0
	for m := range swept {
		got++
		if m.Octets() == 0 || m.Whole {
			t.Errorf("UID %d: got %d octets of sections, want some", m.UID, m.Octets())
		}
		if got%100 != 0 {
			continue
		}
		var text strings.Builder
		if _, err := s.Fetch(t.Context(), m.UID, &text); err != nil || text.String() != mixedMessage(m.UID).text {
			t.Errorf("UID %d: got %q, %v, want %q", m.UID, text.String(), err, mixedMessage(m.UID).text)
		}
	}
	if got != n {
		t.Errorf("got %d messages, want %d", got, n)
	}
}

// Sections of messages that are read later, by several goroutines, while the Sweep goes
// on, have the octets of the server, at any number of processors, with others that compute.
func TestOctetsOfSections(t *testing.T) {
	const n = 1200 // of more than one window
	f := new(fake)
	body := func(uid uint32) string {
		return strings.Repeat(fmt.Sprintf("%d of the body\r\n", uid), 1+int(uid)%97)
	}
	for uid := uint32(1); uid <= n; uid++ {
		m := mixedMessage(uid)
		m.sections["[2]"] = body(uid)
		f.messages = append(f.messages, m)
	}
	for _, procs := range []int{1, 2, 4} {
		t.Run(fmt.Sprint(procs), func(t *testing.T) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
			var load, readers sync.WaitGroup
			var stop atomic.Bool
			defer load.Wait()
			defer stop.Store(true)
			for range procs {
				load.Go(func() {
					for !stop.Load() {
						sha256.Sum256(make([]byte, 64<<10))
					}
				})
			}
			swept := make(chan *Message, 100)
			for range 4 {
				readers.Go(func() {
					for m := range swept {
						sections := wantSecond(m.Structure, 0).Sections
						header, got := string(m.Section(sections[0])), string(m.Section(sections[1]))
						if want := f.messages[m.UID-1].sections["[2.MIME]"]; header != want || got != body(m.UID) {
							t.Errorf("UID %d: got %q and %d octets, want %q and %d", m.UID, header, len(got), want, len(body(m.UID)))
						}
					}
				})
			}
			got := 0
			for m, err := range f.open(t).Sweep(t.Context(), wantSecond) {
				if err != nil {
					t.Error(err)
					break
				}
				swept <- m
				got++
			}
			close(swept)
			if readers.Wait(); got != n {
				t.Errorf("got %d messages, want %d", got, n)
			}
		})
	}
}
