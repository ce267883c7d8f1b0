package policy

import (
	"errors"
	"net/url"
	"testing"

	"github.com/spf13/pflag"

	"github.com/go-extbody/extbody/fetch/netguard"
)

// TestDenyNet holds: the prefix of a NAT64 that is not the well-known one (RFC 6052 section 2.2) leads to private addresses
// only until --deny-net names it, or the private addresses in it. --deny-net wins over --allow-net.
func TestDenyNet(t *testing.T) {
	for _, tt := range []struct {
		flags []string
		url   string
		want  bool // whether the address is denied
	}{
		{nil, "http://[2a00:1098:2b::a00:1]/", false}, // it looks like any other address
		{[]string{"--deny-net", "2a00:1098:2b::/96"}, "http://[2a00:1098:2b::a00:1]/", true},
		{[]string{"--deny-net", "2a00:1098:2b::/96"}, "http://[2a00:1098:2b::5db8:d822]/", true},
		{[]string{"--deny-net", "2a00:1098:2b::/96"}, "http://[2a00:1098:2b:1::1]/", false},
		{[]string{"--deny-net", "2a00:1098:2b::a00:0/104"}, "http://[2a00:1098:2b::a00:1]/", true},
		{[]string{"--deny-net", "2a00:1098:2b::a00:0/104"}, "http://[2a00:1098:2b::5db8:d822]/", false},
		{[]string{"--deny-net", "2001:67c:27e4:64::/64"}, "http://[2001:67c:27e4:64:a:0:100:0]/", true}, // 10.0.0.1
		{[]string{"--deny-net", "93.184.216.0/24"}, "http://[64:ff9b::93.184.216.34]/", true},
		{[]string{"--allow-net", "10.0.0.0/8", "--deny-net", "10.1.0.0/16"}, "http://10.1.0.1/", true},
		{[]string{"--allow-net", "10.0.0.0/8", "--deny-net", "10.1.0.0/16"}, "http://10.2.0.1/", false},
	} {
		p := new(Policy)
		f := pflag.NewFlagSet("", pflag.ContinueOnError)
		p.Contacts(f)
		if err := f.Parse(tt.flags); err != nil {
			t.Fatal(tt.flags, err)
		}
		u, err := url.Parse(tt.url)
		if err != nil {
			t.Fatal(err)
		}
		err = p.Guard().WithPorts(80).CheckURL(u)
		refusal, isRefused := errors.AsType[*netguard.Error](err)
		if isRefused != tt.want || isRefused && !refusal.Denied() {
			t.Errorf("%s with %q: got %v, want denied %v", tt.url, tt.flags, err, tt.want)
		}
	}
}
