package imapsession

import (
	"context"
	"strings"
	"testing"
)

// Messages are read whole by one goroutine while another goes on with the Sweep, and
// each gets what it asked for.
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
