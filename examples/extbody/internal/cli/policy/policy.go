// Package policy has the flags of the commands that resolve, and a Resolver that keeps to
// them.
package policy

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/spf13/pflag"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/exit"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/flagvalue"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/login"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/source"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/terminal"
	"github.com/go-extbody/extbody/examples/extbody/internal/fleet"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/filefetch"
	"github.com/go-extbody/extbody/fetch/imapfetch"
	"github.com/go-extbody/extbody/fetch/mailfetch"
	"github.com/go-extbody/extbody/fetch/netguard"
	"github.com/go-extbody/extbody/fetch/safefetch"
	"github.com/go-extbody/extbody/fetch/tftpfetch"
	"github.com/go-extbody/extbody/fetch/throttle"
)

// A Policy is the flags of the commands that resolve. Some commands set fields before or
// after the flags are read.
type Policy struct {
	source.Reading
	login.Logins

	MaxBytes       flagvalue.Size      // of a body
	Timeout        time.Duration       // for a reference
	UserAgent      string              // "" is the default
	Header         map[string][]string // instead of the usual one; nil for that
	AllowPlaintext bool                // a password may go to a server without TLS
	Ask            bool                // a person is asked about each host
	Polite         throttle.Options    // except for its State, which Engine makes
	Cache          Cache               // only some commands have its flags
	Fleet          Fleet
	Accounts       login.Accounts // at file hosts; of the commands that a person starts alone
	Worker         *fleet.Worker  // the engine makes the requests of a fleet; nil means its own

	// KeepConnections lets connections serve several requests. It is for a command whose bodies are
	// no evidence (OP-54), and has no effect with a cache that outlives the run.
	KeepConnections bool

	nets    flagvalue.Prefixes
	denied  flagvalue.Prefixes
	ports   flagvalue.Ports
	schemes []string
	types   []string // that are accepted whatever is announced
	guessed bool     // links of the shape of a share are fetched at unknown hosts
	digest  flagvalue.Choice
	profile flagvalue.Choice
	root    string // the folder for local files, "" for none

	sendmail, mailFrom string // a shell command and its sender, for requests to mail servers

	proxy      flagvalue.Proxy
	trustProxy bool

	runBytes flagvalue.Size // of a run
	until    flagvalue.Instant
}

// Contacts adds the flags about which hosts are contacted, and how.
func (p *Policy) Contacts(f *pflag.FlagSet) {
	p.MaxBytes = flagvalue.Size(fetch.DefaultMaxBytes)
	f.Var(&p.nets, "allow-net", "allow addresses of a range that is not public, and local names for them (repeatable)")
	f.Var(
		&p.denied, "deny-net",
		"refuse addresses of a range although they are public, such as the NAT64 prefix of this network (repeatable)",
	)
	f.Var(&p.ports, "allow-port", "allow one more port (repeatable)")
	f.Var(&p.MaxBytes, "max-bytes", "refuse bodies of more than `N` octets; 10MB, 1GiB, none")
	f.StringVar(&p.UserAgent, "user-agent", "", "send `TEXT` as the User-Agent of requests for http and https")
	f.Var(
		&p.proxy, "proxy",
		"send requests for http and https through the proxy at `URL` (http, https or socks5), and none for other schemes",
	)
	f.BoolVar(&p.trustProxy, "trust-proxy", false, "let the proxy resolve names and judge addresses")
	p.Fleet.Flags(f)
}

// Flags adds the flags, without the flags of the Cache.
func (p *Policy) Flags(f *pflag.FlagSet) {
	p.Contacts(f)
	p.digest = flagvalue.OneOf("sha256", "none")
	p.profile = flagvalue.OneOf("mail", "sip")
	f.StringSliceVar(&p.schemes, "allow-scheme", nil, "also allow `SCHEME`: imap or tftp (repeatable)")
	f.StringSliceVar(
		&p.types, "accept-type", nil,
		"accept bodies that their server calls `TYPE`, whatever type is announced; any: all types (repeatable)",
	)
	f.BoolVar(&p.guessed, "guessed-hosts", false, "fetch also at hosts that are not known, if the link has the strict shape of a share")
	f.StringVar(
		&p.sendmail, "sendmail", "",
		"request bodies of access type mail-server by mail, at most 10 in a run: "+
			"the shell command `CMD`, such as \"sendmail -t -i\", reads each request",
	)
	f.StringVar(&p.mailFrom, "mail-from", "", "the `ADDRESS` of these requests, to which the bodies are sent")
	f.StringVar(&p.root, "local-root", "", "allow local files below `DIR`")
	f.BoolVar(&p.AllowPlaintext, "allow-plaintext", false, "allow a password to be sent to a server without TLS")
	f.DurationVar(&p.Timeout, "timeout", time.Hour, "give a reference up after `D`")
	f.Var(&p.digest, "digest", "the digest of the saved octets to report")
	f.Var(&p.profile, "profile", "the standard to follow where mail and sip differ")
	p.Logins.Flags(f)
	p.runBytes = -1
	f.Var(&p.runBytes, "max-run-bytes", "fetch at most `N` octets in all, and leave the rest for later; 10MB, 1GiB, none")
	f.Var(
		&p.until, "until",
		"begin no fetch after `TIME`, and leave the rest for later: a time of day such "+
			"as 06:30, a time such as 2030-01-31T06:30:00Z, or a span from now such as 2h",
	)
	p.Reading.Flags(f)
}

// Guard returns the guard on the addresses that are contacted.
func (p *Policy) Guard() *netguard.Guard {
	// The addresses of local names are judged nevertheless.
	return &netguard.Guard{Allow: p.nets, Deny: p.denied, Ports: p.ports, LocalNames: len(p.nets) > 0}
}

// An Engine resolves references by a policy.
type Engine struct {
	*externalbody.Resolver
	Hosts *throttle.State // the hosts that are asked
	Fleet *fleet.Client   // makes the requests; nil means that the Engine does
	Close func()          // ends its use after all bodies are closed
}

// Engine returns the engine that keeps to the policy. At a terminal it asks about
// hosts and logins that the policy does not cover. Commands that the policy runs write their
// errors to errw.
func (p *Policy) Engine(ask *terminal.Asker, errw io.Writer) (_ *Engine, err error) {
	if err := errors.Join(p.check(), p.Logins.Check()); err != nil {
		return nil, exit.Mistake(err)
	}
	p.Polite.State = cmp.Or(p.Polite.State, new(throttle.State))
	o := &opening{Policy: p, ask: ask, errw: errw}
	o.guard = p.Guard()
	e := &Engine{Hosts: p.Polite.State, Close: o.close}
	defer func() {
		if err != nil {
			o.close()
		}
	}()
	layers, err := o.layers(e)
	if err != nil {
		return nil, err
	}
	mux := safefetch.New(layers)
	o.register(mux)
	if err := o.registerFiles(mux); err != nil {
		return nil, err
	}
	e.Resolver = o.resolver(mux)
	return e, nil
}

// An opening is a call of Engine.
type opening struct {
	*Policy
	ask   *terminal.Asker
	errw  io.Writer
	guard *netguard.Guard

	closers []func()
}

// close closes all that was opened, in the opposite order.
func (o *opening) close() {
	for _, f := range slices.Backward(o.closers) {
		f()
	}
}

func (o *opening) closing(f func()) { o.closers = append(o.closers, f) }

// layers opens the fleet and the cache, and returns the layers of all requests.
func (o *opening) layers(e *Engine) (*safefetch.Options, error) {
	var remote, contacts func(fetch.Fetcher) fetch.Fetcher
	switch {
	case o.Worker != nil:
		contacts = o.Worker.Contacts
		remote = o.Worker.Stored
	case o.Fleet.Given():
		tier, err := o.Fleet.Open(context.Background(), false)
		if err != nil {
			return nil, err
		}
		o.closing(tier.Close)
		e.Fleet = fleet.NewClient(tier)
		o.closing(e.Fleet.Close)
		remote = e.Fleet.Remote
	}
	store, closeStore, err := o.Cache.Open()
	if err != nil {
		return nil, err
	}
	o.closing(closeStore)
	if e.Fleet != nil && (store == nil || o.Cache.Dir == "") {
		store = e.Fleet.Store()
	}
	accounts := o.Accounts.Layer(o.errw)
	if o.Cache.offline {
		accounts = nil // no account is asked
	}
	caching := o.Cache.options()
	caching.Exchanges = o.Cache.Exchanges || remote != nil // they have the name of the fetcher
	return &safefetch.Options{
		KeepConnections: o.KeepConnections && o.Cache.Dir == "" && e.Fleet == nil,

		Guard:          o.guard,
		Throttle:       &o.Polite,
		Cache:          store,
		CacheOptions:   caching,
		AllowPlaintext: o.AllowPlaintext,
		UserAgent:      o.UserAgent,
		Header:         o.Header,
		Proxy:          o.proxy.URL,
		TrustProxy:     o.trustProxy,
		Remote:         remote,
		Contacts:       contacts,
		Bare:           o.Worker != nil,
		Accounts:       accounts,
	}, nil
}

// schemes are the values of --allow-scheme. The first five need no permission.
var schemes = []string{"http", "https", "ftp", "ftps", "data", "imap", "imaps", "tftp"}

func (p *Policy) allows(scheme string) bool {
	return slices.ContainsFunc(p.schemes, func(s string) bool { return strings.EqualFold(s, scheme) })
}

// register adds the schemes that are allowed. With a proxy or a fleet, schemes that would go past
// it are not registered. With --offline, schemes that no cache holds are not registered.
func (o *opening) register(mux *fetch.Mux) {
	direct := o.proxy.URL == nil && !o.Fleet.Given() && !o.Cache.offline
	if (o.allows("imap") || o.allows("imaps")) && direct {
		imap := throttle.New(imapfetch.New(&imapfetch.Options{Guard: o.guard, AllowPlaintext: o.AllowPlaintext}), &o.Polite)
		mux.Handle("imap", imap)
		mux.Handle("imaps", imap)
	}
	if (o.allows("tftp") || o.ask != nil) && direct {
		mux.Handle("tftp", throttle.New(tftpfetch.New(&tftpfetch.Options{Guard: o.guard}), &o.Polite))
	}
	if o.sendmail != "" && !o.Cache.offline {
		mux.Handle("mailto", mailfetch.New(&mailfetch.Options{
			From: o.mailFrom,
			Send: func(ctx context.Context, _, _ string, msg []byte) error {
				_, err := login.Command(ctx, o.sendmail, msg, o.errw)
				return err
			},
		}))
	}
}

// registerFiles adds local files, if --local-root is given.
func (o *opening) registerFiles(mux *fetch.Mux) error {
	if o.root == "" {
		return nil
	}
	root, err := os.OpenRoot(o.root)
	if err != nil {
		return exit.Mistake(fmt.Errorf("--local-root: %w", err))
	}
	o.closing(func() { root.Close() })
	mux.Handle("file", filefetch.New(&filefetch.Options{Root: root, Host: thisHost()}))
	return nil
}

// resolver returns the Resolver with the limits, the checks and the questions of the policy.
func (o *opening) resolver(mux *fetch.Mux) *externalbody.Resolver {
	r := &externalbody.Resolver{
		Fetcher:  mux,
		MaxBytes: int64(o.MaxBytes),
		Timeouts: fetch.Timeouts{Total: o.Timeout},
		Strict:   o.Strict,
		NoDigest: o.digest.Value == "none",

		GuessedHosts: o.guessed,
		// An address that is allowed may be where a name belongs.
		AnySite: len(o.nets) > 0,

		Credentials: o.Logins.Credentials(o.ask, o.errw),
	}
	if o.runBytes >= 0 || !o.until.IsZero() {
		r.Budget = fetch.NewBudget(fetch.BudgetLimits{Octets: int64(o.runBytes), Until: o.until.Time})
	}
	if o.profile.Value == "sip" {
		r.SIP = new(externalbody.SIP)
	}
	if len(o.types) > 0 {
		r.Judge = o.judge
	}
	if o.ask != nil {
		tftp := o.allows("tftp")
		r.Approve = o.ask.Approve(func(plan *externalbody.Plan) bool {
			if plan.Scheme == "tftp" && !tftp {
				return true
			}
			return o.Ask && !plan.Local()
		})
	}
	return r
}

// check returns the mistakes in the flags.
func (p *Policy) check() (err error) {
	mistake := func(is bool, format string, args ...any) {
		if is {
			err = errors.Join(err, fmt.Errorf(format, args...))
		}
	}
	mistake(p.Timeout <= 0, "--timeout %s: want a time such as 90s or 5m", p.Timeout)
	for _, scheme := range p.schemes {
		mistake(
			!slices.Contains(schemes, strings.ToLower(scheme)), "--allow-scheme %s: this program knows %s", scheme,
			strings.Join(schemes, ", "),
		)
	}
	mistake(strings.ContainsFunc(p.UserAgent, unicode.IsControl), "--user-agent %q: want one line of text", p.UserAgent)
	mistake(p.Cache.offline && p.Cache.Dir == "", "--offline needs --cache")
	mistake(p.trustProxy && p.proxy.URL == nil, "--trust-proxy needs --proxy")
	mistake((p.sendmail == "") != (p.mailFrom == ""), "--sendmail and --mail-from need each other")
	mistake((p.Fleet.Database == "") != (p.Fleet.Objects == ""), "--fleet and --objects need each other")
	mistake(p.Fleet.Given() && p.Worker == nil && p.proxy.URL != nil, "--proxy is for the fetchers of a --fleet")
	return err
}

// judge implements [externalbody.Resolver].Judge for --accept-type.
func (p *Policy) judge(_ context.Context, o *externalbody.Objection) error {
	accepts := func(t string) bool { return t == "any" || strings.EqualFold(t, o.Actual) }
	if o.Check == "type" && slices.ContainsFunc(p.types, accepts) {
		return nil
	}
	return o.Err
}

// thisHost returns the fully qualified name of this machine, or "" if it does not know
// that.
func thisHost() string {
	name, err := os.Hostname()
	if err != nil || !strings.Contains(name, ".") {
		return ""
	}
	return name
}

// A Fleet is the flags of the fleet that makes the requests.
type Fleet struct{ Database, Objects string }

// Flags adds the flags.
func (l *Fleet) Flags(f *pflag.FlagSet) {
	f.StringVar(&l.Database, "fleet", "", "let the fleet with the PostgreSQL database at `URL` make the requests (postgres://USER@HOST/DATABASE)")
	f.StringVar(&l.Objects, "objects", "", "the bodies of the fleet are in `URL` (s3://HOST/BUCKET or file:///FOLDER)")
}

// Given reports whether there is a fleet.
func (l *Fleet) Given() bool { return l.Database != "" && l.Objects != "" }

// Named returns an error of the fleet. A fault that no waiting mends is a mistake in the flag of its part.
func (l *Fleet) Named(err error) error {
	part := ""
	if fault, ok := errors.AsType[*fleet.URLError](err); ok {
		part = fault.Of
	}
	if fault, ok := errors.AsType[*fleet.SetupError](err); ok {
		part = fault.Part()
	}
	switch part {
	case "":
		return err
	case fleet.Bucket:
		return exit.Mistake(fmt.Errorf("--objects: %w", err))
	}
	return exit.Mistake(fmt.Errorf("--fleet: %w", err))
}

// Open opens the fleet for a client, or for a worker. A fault that no waiting mends is a mistake.
// Otherwise the fleet need not be there yet.
func (l *Fleet) Open(ctx context.Context, worker bool) (*fleet.Tier, error) {
	tier, err := fleet.Open(ctx, l.Database, l.Objects)
	if err != nil {
		return nil, l.Named(err)
	}
	if err, ok := errors.AsType[*fleet.SetupError](tier.Check(ctx, worker)); ok {
		tier.Close()
		return nil, l.Named(err)
	}
	return tier, nil
}
