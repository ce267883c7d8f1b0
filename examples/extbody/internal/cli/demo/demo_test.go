package demo

import (
	"io"
	"testing"

	"github.com/go-extbody/extbody/fetch"
)

// The demo notices what does not go as it should.
func TestDemoNotices(t *testing.T) {
	// Neither server has anything.
	servers, err := startServers(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer servers.stop()
	parts := demoParts(servers)
	text, err := demoMessage(parts)
	if err != nil {
		t.Fatal(err)
	}
	s, resolver := &tour{w: io.Discard}, servers.resolver()
	refs, err := s.message(text, parts)
	if err != nil {
		t.Fatal(err)
	}
	// The data: URL and the trap are as they should be.
	if got := s.resolve(t.Context(), resolver, refs, parts); got != 5 {
		t.Errorf("got %d references that went wrong, want 5", got)
	}
	parts[2].want = fetch.Blocked
	if got := s.resolve(t.Context(), resolver, refs, parts); got != 6 {
		t.Errorf("got %d references that went wrong, want 6", got)
	}
}
