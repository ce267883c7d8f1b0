package host

import (
	"iter"
	"strings"
)

// Below reports whether host is domain, or a name below it. Each may be spelt in any way
// that [Canonical] accepts: case, a root dot and the script of a name make no difference.
// An address is below nothing but itself, and nothing is below an empty domain.
func Below(host, domain string) bool {
	domain = spelt(domain)
	if domain == "" {
		return false
	}
	for d := range Domains(host) {
		if d == domain {
			return true
		}
	}
	return false
}

// Domains yields host and the domains above it, from the longest to the last label, as
// [Canonical] spells them. Of an address it yields that alone, and of "" nothing.
func Domains(host string) iter.Seq[string] {
	return func(yield func(string) bool) {
		name := spelt(host)
		_, whole := Addr(name)
		for more := name != ""; more && yield(name) && !whole; {
			_, name, more = strings.Cut(name, ".")
		}
	}
}

// spelt returns the canonical form of a host, or, of one that has none, something that
// is equal for those that differ in case alone.
func spelt(host string) string {
	if canonical, err := Canonical(host); err == nil {
		return canonical
	}
	return strings.ToLower(strings.TrimSuffix(host, "."))
}
