package policy

import (
	"errors"

	"github.com/spf13/pflag"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/flagvalue"
)

// An egress is the way of requests out: the flags for a proxy.
type egress struct {
	proxy      flagvalue.Proxy
	trustProxy bool
}

func (e *egress) flags(f *pflag.FlagSet) {
	f.Var(&e.proxy, "proxy", "send requests for http and https through the proxy at `URL` (http, https or socks5), and none for other schemes")
	f.BoolVar(&e.trustProxy, "trust-proxy", false, "let the proxy resolve names and judge addresses")
}

func (e *egress) check() error {
	if e.trustProxy && e.proxy.URL == nil {
		return errors.New("--trust-proxy needs --proxy")
	}
	return nil
}
