package demo

import (
	"io"
	"testing"

	"github.com/go-extbody/extbody/fetch"
)

// The demo notices a step that goes wrong.
func TestDemoNotices(t *testing.T) {
	// Neither server has anything.
	servers, err := startServers(loopback, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer servers.stop()
	s, resolver := &tour{w: io.Discard}, servers.resolver()
	refs, err := s.message(servers.message())
	if err != nil {
		t.Fatal(err)
	}
	// The data: URL and the trap are as they should be.
	if got := s.resolve(t.Context(), resolver, refs); got != 5 {
		t.Errorf("got %d references that went wrong, want 5", got)
	}
	was := parts[2].want
	defer func() { parts[2].want = was }()
	parts[2].want = fetch.Blocked
	if got := s.resolve(t.Context(), resolver, refs); got != 6 {
		t.Errorf("got %d references that went wrong, want 6", got)
	}
}
