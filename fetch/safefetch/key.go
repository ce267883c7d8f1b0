package safefetch

import (
	"net/url"
	"strings"

	"golang.org/x/net/publicsuffix"

	"github.com/go-extbody/extbody/fetch/throttle"
	"github.com/go-extbody/extbody/internal/link/sharelink"
)

// key is the Key of the throttle: a host of a provider of share links by its
// registrable domain, since they have many names for one service, and any other
// by its name and port.
func key(u *url.URL) string {
	host := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	domain, err := publicsuffix.EffectiveTLDPlusOne(host)
	if err != nil || !sharelink.HasDomain(domain) {
		return throttle.HostPort(u)
	}
	return domain
}
