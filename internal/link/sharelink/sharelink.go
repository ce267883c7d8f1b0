// Package sharelink recognises the share links of file hosts by the shape of the
// URL. It knows about each host how to ask for the file itself instead of the
// page around it, and the side effects of a fetch there.
//
// This knowledge is data, the list in examples/list, of which the tables here are generated.
// examples/list/README.md has how to add a row. Some services can be run by anybody on any host,
// and their URLs do not show which host is one. A caller names such hosts in a [Table].
//
// A share link is a credential: anybody who knows its path, query and fragment
// can get the file. Only its scheme and host may appear in logs; see
// redact.Origin. No URL that this package makes of a link has a fragment.
//
// Nothing here uses the network. Several goroutines may call all functions at
// once.
package sharelink

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"maps"
	"slices"
	"strings"

	"github.com/go-extbody/extbody/internal/link/verbs"
	"github.com/go-extbody/extbody/internal/link/weburl"
)

// Match reads text as a share link. text is an absolute http or https URL without
// a wrapper; see package unwrap. Match reports false for every other text. Hosts are
// compared in their canonical form. A URL with user information is not a share link. A URL
// with a port other than the default of its scheme is one only of a service that can be at
// any host, such as FileSender.
func Match(text string) (*Link, bool) { return (*Table)(nil).Match(text) }

// MatchShape is Match, and also reports whether text has the shape of a share link. The link is
// nil if only the token of text is too short, or a word, or if the link is Guessed. Such a URL
// may be a share link or a part of one, and is treated as a secret.
func MatchShape(text string) (link *Link, shaped bool) { return (*Table)(nil).MatchShape(text) }

// Fingerprint returns a text that changes with the list.
func Fingerprint() string {
	h := sha256.New()
	for _, d := range digests {
		h.Write(binary.BigEndian.AppendUint64(nil, d))
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// A Table recognises the share links of the hosts of the list and of hosts that a
// caller names. A nil Table has only the former.
type Table struct {
	own   []rule
	hosts *weburl.Hosts // of own
}

// Match is the function [Match] with the hosts of the Table added.
func (t *Table) Match(text string) (*Link, bool) {
	l, _ := t.read(text, new(found))
	return l, l != nil
}

// MatchShape is the function [MatchShape] with the hosts of the Table added.
func (t *Table) MatchShape(text string) (link *Link, shaped bool) {
	u, ok := weburl.Parse(text)
	if !ok {
		return nil, false
	}
	link, shaped = t.find(u, new(found))
	if !shaped {
		_, shaped = guess(u)
	}
	return link, shaped
}

// FindDirect returns the URL that gives the octets of the share link text. It reads it
// from answer, the first octets that Link.Ask gives, or the warning that arrived instead of
// the octets. It returns "" if there is no such URL in it. The URL is one of https.
func (t *Table) FindDirect(text string, answer []byte) string {
	f := new(found)
	l, _ := t.read(text, f)
	if l == nil {
		return ""
	}
	f.env.Answer = answer
	direct, _ := f.env.Value(f.form.find)
	if u, ok := weburl.Parse(direct); ok && u.Scheme == "https" {
		u.HasFragment = false
		return u.String()
	}
	return ""
}

// Hints is the function [Hints] with the hosts of the Table added.
func (t *Table) Hints() []string {
	var hints []string
	for _, rules := range [][]rule{t.ownRules(), rules, guesses} {
		for i := range rules {
			hints = append(hints, rules[i].hints()...)
		}
	}
	slices.Sort(hints)
	return slices.Compact(hints)
}

// hints returns the mark of the rule, or its hosts, or a host named after the program. The
// search for them is slow if one is shorter than eight octets and has no period, or ends
// with a period.
func (r *rule) hints() []string {
	if r.mark != "" || len(r.hosts) == 0 {
		return []string{cmp.Or(r.mark, "//"+r.provider)}
	}
	hints := make([]string, len(r.hosts))
	for i, h := range r.hosts {
		hints[i] = strings.ToLower(strings.TrimPrefix(h, "."))
	}
	return hints
}

func (t *Table) ownRules() []rule {
	if t == nil {
		return nil
	}
	return t.own
}

// read returns the Link that text is, or nil, and puts the findings into f. shaped is
// true if text has the shape of a row, whatever its ID.
func (t *Table) read(text string, f *found) (l *Link, shaped bool) {
	u, ok := weburl.Parse(text)
	if !ok {
		return nil, false
	}
	return t.find(u, f)
}

// find is read for a parsed URL.
func (t *Table) find(u weburl.URL, f *found) (l *Link, shaped bool) {
	var buf [32]int
	own := false
	if t != nil {
		l, own = first(t.own, t.hosts.AppendRows(buf[:0], u.Host), u, f)
		if l != nil {
			return l, true
		}
	}
	l, shaped = first(rules, rulesByHost.AppendRows(buf[:0], u.Host), u, f)
	return l, shaped || own
}

// first returns the Link by the first of the rules with these numbers that recognises a URL.
func first(rules []rule, rows []int, u weburl.URL, f *found) (l *Link, shaped bool) {
	if len(rows) == 0 {
		return nil, false
	}
	p := page{u: u, segments: verbs.Split(u.Path)}
	for _, i := range rows {
		l, is := rules[i].read(&p, f)
		if l != nil {
			return l, true
		}
		shaped = shaped || is
	}
	return nil, shaped
}

// Guess is Match, and also returns Links that are Guessed.
func (t *Table) Guess(text string) (*Link, bool) {
	u, ok := weburl.Parse(text)
	if !ok {
		return nil, false
	}
	if l, _ := t.find(u, new(found)); l != nil {
		return l, true
	}
	return guess(u)
}

// guess returns the Link of a URL at a host that is not known. Any other link at a known
// host is something else.
func guess(u weburl.URL) (*Link, bool) {
	if (*Table)(nil).Knows(u.Host) {
		return nil, false
	}
	var buf [16]int
	l, _ := first(guesses, guessesByHost.AppendRows(buf[:0], u.Host), u, new(found))
	if l != nil {
		l.Guessed = true
	}
	return l, l != nil
}

// A Row is a row of the table of known hosts, for people.
type Row struct {
	Provider string   `json:"provider"`
	Kind     Kind     `json:"kind"`
	Hosts    []string `json:"hosts,omitempty"` // one that starts with a dot stands for all hosts below it; none means any host
	Paths    []string `json:"paths"`           // patterns; {id}, {name} and the like stand for one segment each

	// Needs is why links are not fetched: a [Need], "key" if the octets are encrypted, or
	// "" if they are fetched or no more is known.
	Needs string `json:"needs,omitempty"`
}

// All returns the rows of the Table, the caller's first, in their order.
func (t *Table) All() []Row {
	var rows []Row
	for _, r := range slices.Concat(t.ownRules(), rules) {
		for _, c := range r.cases {
			row := Row{r.provider, c.kind, r.hosts, r.paths, string(c.needs)}
			if c.kind == "" {
				row.Kind = Page
			}
			if c.endToEnd {
				row.Needs = "key"
			}
			rows = append(rows, row)
		}
	}
	return rows
}

// An Access is how the files of a provider can be had.
type Access string

// The Accesses, the best first.
const (
	Fetched   Access = "fetched" // those of some links at least
	WithLogin Access = "login"   // with an account at the host
	ByBrowser Access = "browser" // no program other than a browser, or one of the host's own, gets them
)

// A Provider is how the files of a provider can be had.
type Provider struct {
	Name   string `json:"provider"`
	Access Access `json:"access"`
}

// Providers returns the providers of the Table by name, each with the best Access of its links.
func (t *Table) Providers() []Provider {
	rank := []Access{ByBrowser, WithLogin, Fetched}
	best := make(map[string]int)
	for _, r := range slices.Concat(t.ownRules(), rules) {
		for _, c := range r.cases {
			best[r.provider] = max(best[r.provider], slices.Index(rank, c.access()))
		}
	}
	var list []Provider
	for _, name := range slices.Sorted(maps.Keys(best)) {
		list = append(list, Provider{name, rank[best[name]]})
	}
	return list
}

// access returns how the octets of a link of the form can be had.
func (c *form) access() Access {
	switch {
	case c.endToEnd, c.kind == Folder:
		return ByBrowser
	case len(c.ask)+len(c.find) > 0:
		return Fetched
	case c.needs == NeedsAccount:
		return WithLogin
	case c.needs == NeedsProgram, len(c.direct) == 0:
		return ByBrowser
	}
	return Fetched
}

// Knows reports whether the Table has rows for a host, which is in its canonical form.
func (t *Table) Knows(host string) bool {
	return rulesByHost.Has(host) || t != nil && t.hosts.Has(host)
}

// contents are domains where providers keep files. Their links redirect there, but
// no link names a host of these domains.
//
// googleusercontent.com is not one of them, because anybody's server in Google's
// cloud has a name under it.
var contents = []string{"1drv.com", "boxcloud.com", "live.com", "live.net", "sharefile.io", "zohopublic.com"}

// foreign are providers whose customers have sites of their own under the provider's
// domains.
var foreign = []string{"salesforce", "narod", "free", "synology"}

// HasDomain reports whether all hosts at domain or under it belong to one provider
// in the table. Then a limit that one of them asks for holds for the others too.
// domain must be one that can be registered. HasDomain may report false for a
// longer one that belongs to a provider too.
func HasDomain(domain string) bool {
	isOf := func(host string) bool { return host == domain || strings.HasSuffix(host, "."+domain) }
	return slices.Contains(contents, domain) || slices.ContainsFunc(rules, func(r rule) bool {
		return !slices.Contains(foreign, r.provider) && slices.ContainsFunc(r.hosts, isOf)
	})
}
