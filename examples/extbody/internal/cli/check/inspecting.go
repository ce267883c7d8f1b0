package check

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"time"

	"github.com/spf13/pflag"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/exit"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/flagvalue"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/policy"
	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/clamd"
	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/inspect"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
)

// Inspecting is the flags that check and serve have in common.
type Inspecting struct {
	Policy      policy.Policy
	File        string // of the policy; "" for none
	Fetches     int64
	clamd       string
	scanTimeout time.Duration
	once        bool
	browser     bool
}

// verdictAge bounds how old the stored body may be on which a verdict is based: the sender's
// server must not decide how long a verdict holds.
const verdictAge = 10 * time.Minute

// browser is the header of Firefox 140 (2025) when a person follows a link in a mail. The
// sources are the pages of MDN on User-Agent, on default Accept values, and on Fetch Metadata,
// and RFC 9218 for Priority. Firefox also accepts the codings br and zstd, which Go cannot undo.
var browser = http.Header{
	"User-Agent":                {"Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0"},
	"Accept":                    {"text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"},
	"Accept-Language":           {"en-US,en;q=0.5"},
	"Accept-Encoding":           {"gzip, deflate"},
	"Connection":                {"keep-alive"},
	"Upgrade-Insecure-Requests": {"1"},
	"Sec-Fetch-Dest":            {"document"},
	"Sec-Fetch-Mode":            {"navigate"},
	"Sec-Fetch-Site":            {"none"},
	"Sec-Fetch-User":            {"?1"},
	"Priority":                  {"u=0, i"},
}

// maxBytes is the default of --max-bytes for check and serve.
const maxBytes = "100MiB"

// Flags adds the flags.
func (n *Inspecting) Flags(f *pflag.FlagSet) {
	n.Policy.Flags(f)
	flagvalue.Default(f, "max-bytes", maxBytes)
	flagvalue.Default(f, "timeout", "2m0s")
	f.StringVar(&n.File, "policy", "", "decide about messages by the rules in `FILE`; without it all pass")
	f.StringVar(&n.clamd, "clamd", "", "scan with the daemon of ClamAV at `ADDR`: host:port or the path of its socket")
	n.Policy.Cache.Flags(f)
	f.DurationVar(&n.scanTimeout, "scan-timeout", 30*time.Second, "give a scan up after `D`")
	f.BoolVar(&n.once, "use-up-downloads", false, "fetch also where the host allows few downloads and each fetch uses one up")
	f.BoolVar(&n.browser, "as-browser", false, "fetch each body a second time as a browser does: another body is suspicious")
	f.Int64Var(&n.Fetches, "per-message", 100, "contact servers at most `N` times for one message")
}

// ReadPolicy reads the policy.
func (n *Inspecting) ReadPolicy() (*inspect.Policy, error) {
	if n.File == "" {
		return new(inspect.Policy), nil
	}
	p, err := inspect.ReadPolicy(n.File)
	if err != nil {
		return nil, fmt.Errorf("--policy: %w", err)
	}
	return p, nil
}

// Scans reports whether bodies are scanned.
func (n *Inspecting) Scans() bool { return n.clamd != "" }

// Scanner returns the address of the scanner, or "".
func (n *Inspecting) Scanner() string { return n.clamd }

// Inspector returns the Inspector of the flags. It calls warn for each part that does not
// work and is not needed. closeAll is nil with an error.
func (n *Inspecting) Inspector(
	bounds inspect.PoolOptions, observe func(*externalbody.Reference, *fetch.Exchange), errw io.Writer, warn func(error),
) (_ *inspect.Inspector, _ *policy.Engine, closeAll func(), _ error) {
	if n.browser && n.Policy.Fleet.Given() {
		return nil, nil, nil, exit.Mistake(errors.New("--as-browser cannot be had from a --fleet"))
	}
	if err := n.check(); err != nil {
		return nil, nil, nil, exit.Mistake(err)
	}
	n.tryCache(warn)
	n.Policy.Cache.MaxAge = verdictAge
	o := &opening{observe: observe, errw: errw}
	in, e, err := n.open(o, bounds)
	if err != nil {
		o.close()
		return nil, nil, nil, err
	}
	return in, e, o.close, nil
}

// check returns a mistake in the flags.
func (n *Inspecting) check() error {
	if n.scanTimeout <= 0 {
		return fmt.Errorf("--scan-timeout %s: want a time such as 30s", n.scanTimeout)
	}
	return flagvalue.AtLeastOne([]flagvalue.Limit{{Flag: "per-message", N: n.Fetches}})
}

// tryCache does without a cache that cannot be used: messages can still be looked at.
func (n *Inspecting) tryCache(warn func(error)) {
	_, closeStore, err := n.Policy.Cache.Open()
	if err == nil {
		closeStore()
		return
	}
	warn(fmt.Errorf("the cache cannot be used, and everything is fetched anew: %w", err))
	n.Policy.Cache = policy.Cache{}
}

// An opening is a call of Inspector.
type opening struct {
	observe func(*externalbody.Reference, *fetch.Exchange)
	errw    io.Writer
	closers []func()
}

// close closes the parts that were opened, the last one first.
func (o *opening) close() {
	for _, f := range slices.Backward(o.closers) {
		f()
	}
}

// engine returns the engine of a policy, which close closes.
func (o *opening) engine(p *policy.Policy) (*policy.Engine, error) {
	e, err := p.Engine(nil, o.errw)
	if err != nil {
		return nil, err
	}
	o.closers = append(o.closers, e.Close)
	e.Observe = o.observe
	return e, nil
}

// open makes the parts of the Inspector. With an error some of them may be open.
func (n *Inspecting) open(o *opening, bounds inspect.PoolOptions) (*inspect.Inspector, *policy.Engine, error) {
	e, err := o.engine(&n.Policy)
	if err != nil {
		return nil, nil, err
	}
	in := &inspect.Inspector{Resolver: e.Resolver, Reading: n.Policy.Reading.Options(), Once: n.once, Fetches: n.Fetches}
	if n.browser {
		second := n.Policy
		second.Cache = policy.Cache{}
		second.Header = browser
		b, err := o.engine(&second)
		if err != nil {
			return nil, nil, err
		}
		in.Browser = b.Resolver
	}
	if n.clamd != "" {
		client, err := clamd.New(n.clamd)
		if err != nil {
			return nil, nil, exit.Mistake(fmt.Errorf("--clamd: %w", err))
		}
		in.Scanner = inspect.NewScanner(client, n.scanTimeout)
		if e.Fleet != nil {
			in.Scanner.Shared = e.Fleet
		}
	}
	// The limit of the Resolver comes first: its error shows whether the host was asked.
	bounds.Timeout = n.Policy.Timeout + n.scanTimeout
	in.Pool = inspect.NewPool(bounds)
	o.closers = append(o.closers, in.Pool.Close)
	return in, e, nil
}
