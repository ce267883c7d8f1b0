package policy

import (
	"cmp"
	"errors"
	"fmt"
	"net/netip"
	"strconv"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/netguard"
	"github.com/go-extbody/extbody/internal/link/rfc5092"
)

// A refusal is a rule of the policy that forbids to ask for a body.
type refusal struct {
	cause, scheme string
	addr          netip.Addr
	port          uint16
}

// WayOut returns the end of an error line about a reference that names the flag against the error,
// or "" if no flag helps.
func (p *Policy) WayOut(ref *externalbody.Reference, err error) string {
	if way := p.otherWayOut(ref, fetch.KindOf(err), fetch.CauseOf(err).String()); way != "" {
		return way
	}
	r := located(ref, fetch.CauseOf(err).String())
	if e, ok := errors.AsType[*netguard.Error](err); ok {
		isNoHost := e.Host == "" && r.cause == fetch.CauseName.String()
		if e.Denied() || isNoHost {
			return ""
		}
		r.addr = cmp.Or(e.Addr, r.addr)
		r.port = e.Port
	}
	return p.wayOut(r)
}

// PlannedWayOut is WayOut for a refusal that is planned.
func (p *Policy) PlannedWayOut(plan *externalbody.Plan) string {
	if plan.Ref == nil {
		return ""
	}
	if way := p.otherWayOut(plan.Ref, plan.Kind, plan.Cause); way != "" || plan.Kind != fetch.Blocked {
		return way
	}
	return p.wayOut(located(plan.Ref, plan.Cause))
}

// otherWayOut returns the flag against a refusal that is not by a rule about addresses, or "".
func (p *Policy) otherWayOut(ref *externalbody.Reference, kind fetch.Kind, cause string) string {
	isUnknownHost := kind == fetch.Blocked && cause == "" && ref.Dialect != "" && !p.guessed
	switch {
	case isUnknownHost:
		host := "HOST"
		if u, err := ref.Locate(); err == nil {
			host = u.Hostname()
		}
		return fmt.Sprintf("; --guessed-hosts or --share-host %s=%s allows it", cmp.Or(ref.Provider, "KIND"), host)
	case kind == fetch.TooLarge && p.MaxBytes >= 0 && ref.Size > int64(p.MaxBytes):
		return fmt.Sprintf("; --max-bytes %d allows it", ref.Size)
	}
	return ""
}

// located returns the refusal of the URL of a reference itself.
func located(ref *externalbody.Reference, cause string) refusal {
	r := refusal{cause: cause}
	if u, err := ref.Locate(); err == nil {
		r.scheme = u.Scheme
		port, _ := strconv.ParseUint(u.Port(), 10, 16)
		r.port = uint16(port)
		r.addr, _ = netip.ParseAddr(u.Hostname())
	}
	return r
}

func (p *Policy) wayOut(r refusal) string {
	switch r.cause {
	case fetch.CausePort.String():
		if r.port != 0 {
			return fmt.Sprintf("; --allow-port %d allows it", r.port)
		}
	case fetch.CauseAddress.String():
		if r.addr.IsValid() {
			return fmt.Sprintf("; --allow-net %s allows it", r.addr.WithZone(""))
		}
	case fetch.CauseName.String():
		return "; --allow-net with a range that has its address allows it"
	case fetch.CauseScheme.String():
		return p.schemeWayOut(r.scheme)
	}
	return ""
}

// schemeWayOut returns the flag that allows a scheme. With a proxy, a fleet or --offline no flag
// allows those that would go past it.
func (p *Policy) schemeWayOut(scheme string) string {
	direct := p.proxy.URL == nil && !p.Fleet.Given() && !p.Cache.offline
	switch {
	case scheme == "file":
		return "; --local-root DIR allows files below DIR"
	case scheme == "mailto" && !p.Cache.offline:
		return "; --sendmail and --mail-from ask for it by mail"
	case (rfc5092.IsScheme(scheme) || scheme == "tftp") && direct:
		return "; --allow-scheme " + scheme + " allows it"
	}
	return ""
}
