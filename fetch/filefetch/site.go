package filefetch

import (
	"path"
	"strings"
)

// maxName is the longest domain name, with a root dot.
const maxName = 254

// siteChars has the characters of domain names, in lower case, and of patterns.
const siteChars = "abcdefghijklmnopqrstuvwxyz0123456789.-_*"

// matchSite reports whether a host is among those that site stands for: each "*" in it is
// one or more characters, of which dots are some (RFC 2046 section 5.2.3.4). The case of
// letters and a root dot do not matter.
func matchSite(site, host string) bool {
	if len(site) > maxName || len(host) > maxName {
		return false
	}
	site, host = strings.ToLower(strings.TrimSuffix(site, ".")), strings.ToLower(strings.TrimSuffix(host, "."))
	if strings.Trim(site, siteChars) != "" || strings.Trim(host, siteChars) != "" {
		return false
	}
	is, err := path.Match(strings.ReplaceAll(site, "*", "?*"), host)
	return is && err == nil
}
