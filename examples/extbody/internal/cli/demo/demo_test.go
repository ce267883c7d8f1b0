package demo

import (
	"io"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/dialect"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/netguard"
	"github.com/go-extbody/extbody/fetch/safefetch"
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
	r := strings.NewReader(text)
	msg, err := externalbody.Open(r, r.Size(), &externalbody.OpenOptions{Dialects: dialect.All()})
	if err != nil {
		t.Fatal(err)
	}
	resolver := &externalbody.Resolver{Fetcher: safefetch.New(&safefetch.Options{
		Guard: &netguard.Guard{
			Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")},
			Ports: []uint16{uint16(servers.http.Port), uint16(servers.ftp.Port)},
		},
	})}
	refs := slices.Collect(msg.References())
	s := &tour{w: io.Discard}
	// The data: URL and the trap are as they should be.
	if got := s.resolve(t.Context(), resolver, refs, parts); got != 5 {
		t.Errorf("got %d references that went wrong, want 5", got)
	}
	parts[2].want = fetch.Blocked
	if got := s.resolve(t.Context(), resolver, refs, parts); got != 6 {
		t.Errorf("got %d references that went wrong, want 6", got)
	}
}
