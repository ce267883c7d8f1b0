package sharelink

import (
	"slices"
	"strings"
)

// contents are domains where providers keep files. Their links redirect there, but
// no link names a host of these domains.
//
// googleusercontent.com is not one of them, because anybody's server in Google's
// cloud has a name under it.
var contents = []string{"1drv.com", "boxcloud.com", "live.com", "live.net", "sharefile.io", "zohopublic.com"}

// foreign are providers whose customers can run programs under the provider's
// domains.
var foreign = []string{"salesforce"}

// HasDomain reports whether all hosts at domain or under it belong to one provider
// in the table. Then a limit that one of them asks for holds for the others too.
// domain must be one that can be registered. HasDomain may report false for a
// longer one that belongs to a provider too.
func HasDomain(domain string) bool {
	if slices.Contains(contents, domain) {
		return true
	}
	for i := range rules {
		if slices.Contains(foreign, rules[i].provider) {
			continue
		}
		for _, host := range rules[i].hosts {
			if rest, ok := strings.CutSuffix(host, domain); ok && (rest == "" || strings.HasSuffix(rest, ".")) {
				return true
			}
		}
	}
	return false
}
