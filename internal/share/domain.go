package share

import (
	"slices"
	"strings"
)

// contents are domains under which providers keep octets that their links lead
// to by redirects, and that no link names.
//
// googleusercontent.com is not among them: everybody's servers in Google's cloud
// have names under it.
var contents = []string{"1drv.com", "boxcloud.com", "live.com", "live.net", "sharefile.io", "zohopublic.com"}

// foreign are providers under whose domains their customers' programs answer.
var foreign = []string{"salesforce"}

// HasDomain reports whether all hosts at domain or under it belong to one
// provider in the table, so that what one of them wants holds for the others. It
// is for a domain that somebody can register; under a longer one, such as that of
// a host in the table, there may be none.
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
