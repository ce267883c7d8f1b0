package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/filefetch"
	"github.com/go-extbody/extbody/fetch/netguard"
	"github.com/go-extbody/extbody/fetch/safefetch"
	"github.com/go-extbody/extbody/fetch/tftpfetch"
	"github.com/go-extbody/extbody/fetch/throttle"
)

// A policy is what the user allows: the flags of the commands that resolve.
type policy struct {
	nets     prefixes
	ports    ports
	schemes  []string
	maxBytes byteSize
	timeout  time.Duration
	reading
	clear   bool // a password may go to a server without TLS
	digest  choice
	profile choice
	root    string // the folder for local files, "" for none
	polite  throttle.Options
}

func (p *policy) flags(f *pflag.FlagSet) {
	p.maxBytes = byteSize(fetch.DefaultMaxBytes)
	p.digest = choice{"sha256", []string{"sha256", "none"}}
	p.profile = choice{"mail", []string{"mail", "sip"}}
	f.Var(&p.nets, "allow-net", "allow addresses that are not public, and local names for them (repeatable)")
	f.Var(&p.ports, "allow-port", "allow a port besides those of the schemes (repeatable)")
	f.StringSliceVar(&p.schemes, "allow-scheme", nil, "allow `SCHEME` besides http, https, ftp, ftps and data: tftp (repeatable)")
	f.StringVar(&p.root, "local-root", "", "allow local files, those below `DIR`")
	f.BoolVar(&p.clear, "allow-plaintext", false, "allow to send a password to a server that has no TLS")
	f.Var(&p.maxBytes, "max-bytes", "refuse bodies of more than `N` octets; 10MB, 1GiB, none")
	f.DurationVar(&p.timeout, "timeout", time.Hour, "give a reference up after `D`")
	f.Var(&p.digest, "digest", "what to report of the octets saved")
	f.Var(&p.profile, "profile", "the standard to follow where those of mail and of sip differ")
	p.reading.flags(f)
}

// resolver returns the Resolver that keeps to the policy, and asks for what the
// policy does not cover, if there is somebody to ask. close ends its use.
func (p *policy) resolver(ask *asker) (r *externalbody.Resolver, closeRoot func(), err error) {
	if p.timeout <= 0 {
		return nil, nil, usageError{fmt.Errorf("--timeout %s: want a time such as 90s or 5m", p.timeout)}
	}
	// The addresses of local names are judged all the same.
	guard := &netguard.Guard{Allow: p.nets, Ports: p.ports, LocalNames: len(p.nets) > 0}
	polite := &p.polite
	polite.State = new(throttle.State)
	mux := safefetch.New(&safefetch.Options{
		Guard:          guard,
		Throttle:       polite,
		AllowPlaintext: p.clear,
		ShareHosts:     p.hosts,
	})
	schemes := slices.Collect(mux.Schemes())
	for _, s := range p.schemes {
		if s = strings.ToLower(s); s != "tftp" && !slices.Contains(schemes, s) {
			return nil, nil, usageError{fmt.Errorf("--allow-scheme %s: this program knows %s, tftp", s, strings.Join(schemes, ", "))}
		}
	}
	r = &externalbody.Resolver{
		Fetcher:  mux,
		MaxBytes: int64(p.maxBytes),
		Timeouts: fetch.Timeouts{Total: p.timeout},
		Strict:   p.strict,
		NoDigest: p.digest.value == "none",
		// An address that is allowed may stand where a name belongs.
		AnySite: len(p.nets) > 0,
	}
	if !p.strict {
		r.SameType = externalbody.CommonTypes
	}
	if p.profile.value == "sip" {
		r.Profile = externalbody.ProfileSIP
	}
	tftp := slices.ContainsFunc(p.schemes, func(s string) bool { return strings.EqualFold(s, "tftp") })
	if tftp || ask != nil {
		mux.Handle("tftp", throttle.New(tftpfetch.New(&tftpfetch.Options{Guard: guard}), polite))
	}
	if ask != nil {
		r.Approve = ask.approve(map[string]bool{"tftp": !tftp})
		r.Credentials = ask.credentials
	}
	if p.root == "" {
		return r, func() {}, nil
	}
	root, err := os.OpenRoot(p.root)
	if err != nil {
		return nil, nil, usageError{fmt.Errorf("--local-root: %w", err)}
	}
	mux.Handle("file", filefetch.New(&filefetch.Options{Root: root, Host: thisHost()}))
	return r, func() { root.Close() }, nil
}

// thisHost returns the fully qualified name of this machine, "" if it does not
// know it.
func thisHost() string {
	name, err := os.Hostname()
	if err != nil || !strings.Contains(name, ".") {
		return ""
	}
	return name
}
