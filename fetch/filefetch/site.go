package filefetch

import "strings"

// maxName is the longest domain name, with a root dot.
const maxName = 254

// matchSite reports whether a host is among those that site stands for: each
// "*" in it is one or more characters, of which dots are some (RFC 2046 section
// 5.2.3.4). The case of ASCII letters and a root dot do not matter. Its time is
// at most the product of the two lengths.
func matchSite(site, host string) bool {
	if len(site) > maxName || len(host) > maxName {
		return false
	}
	site, host = strings.TrimSuffix(site, "."), strings.TrimSuffix(host, ".")
	// star is where the last "*" stands, and from where the rest of the host
	// begins that the text after it was last compared with.
	s, h, star, from := 0, 0, -1, 0
	for h < len(host) {
		switch {
		case s < len(site) && site[s] == '*':
			star, from = s, h+1
			s, h = s+1, h+1
		case s < len(site) && lower(site[s]) == lower(host[h]):
			s, h = s+1, h+1
		case star >= 0:
			from++
			s, h = star+1, from
		default:
			return false
		}
	}
	return h == len(host) && s == len(site)
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}
