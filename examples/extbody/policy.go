package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/safefetch"
)

// A policy is what the user allows: the flags of the commands that resolve.
type policy struct {
	nets     prefixes
	ports    ports
	schemes  []string
	maxBytes byteSize
	timeout  time.Duration
	strict   bool
	digest   choice
}

func (p *policy) flags(f *pflag.FlagSet) {
	p.maxBytes = byteSize(fetch.DefaultMaxBytes)
	p.digest = choice{"sha256", []string{"sha256", "none"}}
	f.Var(&p.nets, "allow-net", "allow addresses that are not public, and local names for them (repeatable)")
	f.Var(&p.ports, "allow-port", "allow a port besides those of the schemes (repeatable)")
	f.StringSliceVar(&p.schemes, "allow-scheme", nil, "allow `SCHEME` besides http, https, ftp, ftps and data (repeatable)")
	f.Var(&p.maxBytes, "max-bytes", "refuse bodies of more than `N` octets; 10MB, 1GiB, none")
	f.DurationVar(&p.timeout, "timeout", time.Hour, "give a reference up after `D`")
	f.Var(&p.digest, "digest", "what to report of the octets saved")
	strictFlag(f, &p.strict)
}

func strictFlag(f *pflag.FlagSet, strict *bool) {
	f.BoolVar(strict, "strict", false, "forgive nothing that violates the standards")
}

// resolver returns the Resolver that keeps to the policy.
func (p *policy) resolver() (*externalbody.Resolver, error) {
	if p.timeout <= 0 {
		return nil, usageError{fmt.Errorf("--timeout %s: want a time such as 90s or 5m", p.timeout)}
	}
	mux := safefetch.New(&safefetch.Options{
		Allow: p.nets,
		Ports: p.ports,
		// Their addresses are judged all the same.
		LocalNames: len(p.nets) > 0,
	})
	known := slices.Collect(mux.Schemes())
	for _, s := range p.schemes {
		if !slices.Contains(known, strings.ToLower(s)) {
			return nil, usageError{fmt.Errorf("--allow-scheme %s: this program knows %s", s, strings.Join(known, ", "))}
		}
	}
	return &externalbody.Resolver{
		Fetcher:  mux,
		MaxBytes: int64(p.maxBytes),
		Timeouts: fetch.Timeouts{Total: p.timeout},
		Strict:   p.strict,
		NoDigest: p.digest.value == "none",
	}, nil
}
