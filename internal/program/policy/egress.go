package policy

import (
	"errors"

	"github.com/spf13/pflag"

	"github.com/go-extbody/extbody/internal/flagvalue"
)

// An egress is how requests leave: the flags for a proxy.
type egress struct {
	proxy      flagvalue.Proxy
	trustProxy bool
}

func (e *egress) flags(f *pflag.FlagSet) {
	f.Var(&e.proxy, "proxy", "send requests for http and https through the proxy at `URL`, and none for other schemes; http, https or socks5")
	f.BoolVar(&e.trustProxy, "trust-proxy", false, "let the proxy judge addresses: names are not resolved here")
}

func (e *egress) check() error {
	if e.trustProxy && e.proxy.URL == nil {
		return errors.New("--trust-proxy: there is no --proxy")
	}
	return nil
}
