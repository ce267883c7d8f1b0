package throttle

import (
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/go-extbody/extbody/internal/link/host"
)

// HostPort returns the host of u in lower case and its port, by default the port of the
// scheme.
func HostPort(u *url.URL) string {
	port := u.Port()
	if n := host.Port(strings.ToLower(u.Scheme)); port == "" && n != 0 {
		port = strconv.Itoa(int(n))
	}
	return net.JoinHostPort(strings.TrimSuffix(strings.ToLower(u.Hostname()), "."), port)
}

func endpointID(u *url.URL) string { return strings.ToLower(u.Scheme) + " " + HostPort(u) }

// secure reports whether the scheme of u is over TLS from the start.
func secure(u *url.URL) bool {
	return slices.Contains([]string{"https", "ftps", "imaps"}, strings.ToLower(u.Scheme))
}
