package inline

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/spf13/pflag"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/exit"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/flagvalue"
	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/inspect"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
)

// hosts are the flags about the hosts that bodies are got from. Without any that is every host,
// except for a watch.
type hosts struct {
	yes       flagvalue.Hosts
	rulesFile string
	rules     *inspect.Policy // nil: none
}

func (h *hosts) add(f *pflag.FlagSet) {
	f.Var(&h.yes, "yes", "get bodies from `HOST` alone, exactly that one, or https://HOST for encrypted ways alone (repeatable)")
	f.StringVar(
		&h.rulesFile, "policy", "",
		"get the bodies alone that a rule in `FILE` allows with the action none or inline, and those of --yes",
	)
}

func (h *hosts) read() (err error) {
	if h.rulesFile == "" {
		return nil
	}
	h.rules, err = inspect.ReadPolicy(h.rulesFile)
	if err != nil {
		return exit.Mistake(fmt.Errorf("--policy: %w", err))
	}
	return nil
}

// given reports whether there are such flags.
func (h *hosts) given() bool { return len(h.yes) > 0 || h.rules != nil }

var errNotNamed = errors.New("no --yes and no rule of --policy names this host")

// limited returns a Resolver that contacts the hosts alone that were agreed to, also after a redirect, and the
// hosts that have the files of a share link at a host of --yes. It returns a function that reports whether a
// reference is at one of them.
func (h *hosts) limited(r *externalbody.Resolver, msg *externalbody.Message) (*externalbody.Resolver, func(*externalbody.Reference) bool) {
	limited := *r
	refs := make(map[string]*externalbody.Reference)
	for ref := range msg.References() {
		refs[ref.ID] = ref
	}
	var files namedHosts
	limited.Approve = func(ctx context.Context, p *externalbody.Plan) error {
		if _, named := h.yes.Agrees(p.Scheme, p.Host); named {
			files.add(p)
		}
		if !h.agrees(msg, refs[p.Ref.ID], p) && !files.has(p) {
			return &fetch.Error{Op: "inline", URL: p.URL, Kind: fetch.Denied, Err: errNotNamed}
		}
		return nil
	}
	return &limited, func(ref *externalbody.Reference) bool { return h.agrees(msg, ref, limited.Plan(ref)) }
}

// namedHosts are, by the ID of a Reference, the hosts that have the files of share links at a host that was
// agreed to. Several goroutines may call its methods at once.
type namedHosts struct {
	mu sync.Mutex
	of map[string]string
}

// add adds the host that a Plan which was agreed to names besides its own.
func (n *namedHosts) add(p *externalbody.Plan) {
	if p.Direct == "" {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.of == nil {
		n.of = make(map[string]string)
	}
	n.of[p.Ref.ID] = p.Direct
}

// has reports whether a Plan is about the host that was named for its Reference, encrypted.
func (n *namedHosts) has(p *externalbody.Plan) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return p.Scheme == "https" && p.Host != "" && n.of[p.Ref.ID] == p.Host
}

// agrees reports whether a Plan contacts nobody, a host of --yes, or one that a rule of the
// policy allows.
func (h *hosts) agrees(msg *externalbody.Message, ref *externalbody.Reference, p *externalbody.Plan) bool {
	if _, named := h.yes.Agrees(p.Scheme, p.Host); named || p.Local() {
		return true
	}
	if h.rules == nil || ref == nil {
		return false
	}
	d := h.rules.DecideAnnounced(&inspect.Single{Message: msg, Reference: ref, Plan: p})
	return d.Rule != "" && (d.Action == inspect.None || d.Action == inspect.Inline)
}
