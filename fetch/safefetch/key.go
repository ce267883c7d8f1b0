package safefetch

import (
	"net/url"
	"strings"

	"golang.org/x/net/publicsuffix"

	"github.com/go-extbody/extbody/fetch/throttle"
	"github.com/go-extbody/extbody/internal/link/sharelink"
)

// Key is the Key of the throttle, see [throttle.Options]: the unit by which a provider of
// share links counts requests. It is the customer at providers where each has a name of its
// own, and otherwise the registrable domain, since they have many names for one service. Any
// other host is for itself, with its port.
func Key(u *url.URL) string {
	host := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	domain, err := publicsuffix.EffectiveTLDPlusOne(host)
	if err != nil || !sharelink.HasDomain(domain) {
		return throttle.HostPort(u)
	}
	if name := customer(u, host, domain); name != "" {
		return name + "." + domain
	}
	return domain
}

// customer returns the name of the customer whose files u is about, "" if the provider
// does not count by customer or u does not name one.
func customer(u *url.URL, host, domain string) string {
	names := strings.Split(strings.TrimSuffix(strings.TrimSuffix(host, domain), "."), ".")
	switch provider, _, _ := strings.Cut(domain, "."); provider {
	case "sharepoint": // with TENANT-my, where the files of persons are
		return strings.TrimSuffix(names[len(names)-1], "-my")
	case "egnyte":
		return names[len(names)-1]
	case "box": // app.box.com, ACME.app.box.com, ACME.box.com
		if name := names[0]; name != "app" && name != "www" {
			return name
		}
	case "slack": // ACME.slack.com, files.slack.com/files-pri/TEAM-FILE/name
		if names[0] != "files" {
			return names[0]
		}
		if rest, ok := strings.CutPrefix(u.Path, "/files-pri/"); ok {
			team, _, _ := strings.Cut(rest, "-")
			return strings.ToLower(team)
		}
	}
	return ""
}
