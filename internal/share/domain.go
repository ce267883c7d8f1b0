package share

import "strings"

// contents are domains under which providers keep octets that their links lead
// to by redirects, and that no link names.
var contents = []string{
	"1drv.com", "boxcloud.com", "googleusercontent.com", "live.com", "live.net", "sharefile.io", "zohopublic.com",
}

// HasDomain reports whether a provider in the table has hosts at domain or under
// it. It is for a domain that somebody can register; under a longer one, such as
// that of a host in the table, there may be none.
func HasDomain(domain string) bool {
	for _, d := range contents {
		if d == domain {
			return true
		}
	}
	for i := range rules {
		for _, host := range rules[i].hosts {
			if rest, ok := strings.CutSuffix(host, domain); ok && (rest == "" || strings.HasSuffix(rest, ".")) {
				return true
			}
		}
	}
	return false
}
