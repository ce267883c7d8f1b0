// Package sharelink recognises the share links of file hosts by the shape of the
// URL. It knows about each host how to ask for the file itself instead of the
// page around it, and the side effects of a fetch there.
//
// This knowledge is data, the table in rules.go. To add a host, add a row, a
// note of where it was seen, and a case to the golden table of the tests. Some
// services can be run by anybody on any host, and their URLs do not show which
// host is one. A caller names such hosts in a [Table].
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
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/go-extbody/extbody/internal/link/weburl"
)

// A Link has the facts in a share link and about its host.
type Link struct {
	// Provider names the host, in lower case, such as "dropbox".
	Provider string

	Kind Kind

	// Shape is the pattern that the path of the link matched; see [Row].
	Shape string

	// ID identifies the file or folder at the provider, as written in the URL.
	// It is "" if no single piece of the URL does so. An ID is a secret: often
	// it is all that is needed to get the file.
	ID string

	// Name is the name of the file, or "" if the URL does not have it. It is decoded
	// and can contain any character. Do not use it as a path.
	Name string

	// MediaType is the media type of the octets at Direct, or "" if the URL does
	// not determine it.
	MediaType string

	// Size is the number of octets of the file, or -1 if it is not in the URL.
	Size int64

	// Expiration is when the link ends, or the zero Time if that is not in the URL.
	Expiration time.Time

	// Direct is the URL that gives the octets, without a fragment. It is the
	// link itself if that gives them, and "" if no such URL is known.
	Direct string

	// Rendition is true if Direct gives an export that the host makes of a
	// document, not the document itself.
	Rendition bool

	// Fallback is the URL of a rendition whose media type is FallbackType. It is
	// for a link whose Direct may turn out to give nothing. It is "" if there is
	// no such URL.
	Fallback, FallbackType string

	// Ask is the URL of a page, or of a text in JSON, from which [Table.FindDirect] can read the
	// URL that gives the octets. Direct is "" then. Ask may be "".
	Ask string

	// Needs is why Direct is "", if that is known.
	Needs Need

	// Once is true if a fetch may use up one of a limited number of downloads.
	Once bool

	// Cookies is true if the host sets a cookie when it redirects, and refuses the
	// next request of the same fetch without it.
	Cookies bool

	// EndToEnd is true if the octets are encrypted. The key is in the fragment,
	// and the host must not see it. Direct is "".
	EndToEnd bool

	// Cut is true if the key in the fragment is missing, or has another length than the keys
	// of the host: the text does not have all of the URL, or has more than it.
	Cut bool

	// Confirmed is true if Direct was found in a warning, after which no other is read. It
	// is for callers of FindDirect.
	Confirmed bool

	// Guessed is true if the host is not known: the URL has a shape that only the shares
	// of some program have. Only [Table.Guess] returns such Links.
	Guessed bool
}

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

// Fingerprint returns a text that changes with the rows of the table in rules.go, as far as
// they are data.
func Fingerprint() string {
	var b strings.Builder
	for i := range rules {
		r := &rules[i]
		fmt.Fprintf(&b, "%q %q %d %q %q %s %q\n", r.provider, r.hosts, r.port, r.paths, r.param, r.kind, r.mark)
	}
	return b.String()
}

// A Kind is the kind of thing that a share link leads to.
type Kind string

const (
	Page   Kind = "page"   // a page of the host, which can lead to a file, a folder or several files
	File   Kind = "file"   // one file
	Folder Kind = "folder" // a folder
	Native Kind = "native" // a document that exists only at the host and has no octets of its own
)

// A Need is a condition of a host for giving the octets of a link.
type Need string

const (
	NeedsNothing Need = ""        // for links with a Direct, and for links about which no more is known
	NeedsAccount Need = "account" // the link gives nothing without a login
	NeedsProgram Need = "program" // only a script in the host's page, or a client of its API, can ask for the octets
)

// A Table recognises the share links of the hosts in rules.go and of hosts that a
// caller names. A nil Table has only the former.
type Table struct {
	own   []rule
	hosts *weburl.Hosts // of own
}

// NewTable returns a Table with hosts that the caller names. The keys are hosts, and
// the values are kinds, each one of [Kinds], or rows without their hosts, as [ReadHosts]
// returns them; [Join] adds one to another. A host may be followed by a port and by a
// path that all its links begin with, as in "files.example:8443/cloud". It is an error
// if a kind is not known, a row has a fault, or a key is not a host. Without hosts the
// Table is nil.
func NewTable(hosts map[string]string) (*Table, error) {
	if len(hosts) == 0 {
		return nil, nil
	}
	t := new(Table)
	for _, name := range slices.Sorted(maps.Keys(hosts)) {
		u, ok := weburl.Parse("https://" + name)
		if !ok || u.HasQuery || u.HasFragment || strings.Contains(name, "//") {
			return nil, fmt.Errorf("share: %.80q is no host", name)
		}
		base := strings.TrimSuffix(u.Path, "/")
		for line := range strings.SplitSeq(hosts[name], "\n") {
			rules, err := parse(line, u)
			if err != nil {
				return nil, err
			}
			for _, r := range rules {
				r.provider, r.hosts, r.port = cmp.Or(r.provider, line), []string{u.Host}, u.Port
				r.paths = slices.Clone(r.paths)
				for i, p := range r.paths {
					r.paths[i] = base + p
				}
				t.own = append(t.own, r)
			}
		}
	}
	t.hosts = weburl.NewHosts(t.own, hostsOf)
	return t, nil
}

// Kinds returns the kinds of hosts that [NewTable] knows: services that anybody can
// run.
func Kinds() []string { return slices.Sorted(maps.Keys(kinds)) }

// Match is the function [Match] with the hosts of the Table added.
func (t *Table) Match(text string) (*Link, bool) {
	_, _, l, _ := t.read(text)
	return l, l != nil
}

// MatchShape is the function [MatchShape] with the hosts of the Table added.
func (t *Table) MatchShape(text string) (link *Link, shaped bool) {
	u, ok := weburl.Parse(text)
	if !ok {
		return nil, false
	}
	if _, _, link, shaped = t.find(u); !shaped {
		_, shaped = guess(u)
	}
	return link, shaped
}

// FindDirect returns the URL that gives the octets of the share link text. It reads it
// from answer, the first octets that Link.Ask gives, or the warning that came instead of
// the octets. It returns "" if there is no such URL in it. The URL is one of https.
func (t *Table) FindDirect(text string, answer []byte) string {
	r, f, l, _ := t.read(text)
	if l == nil || r.find == nil {
		return ""
	}
	if u, ok := weburl.Parse(r.find(f, answer)); ok && u.Scheme == "https" {
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

func (t *Table) ownRules() []rule {
	if t == nil {
		return nil
	}
	return t.own
}

// read returns the row that recognises text, the pieces that its pattern found, and the Link.
// All are nil if no row does. shaped is true if text has the shape of a row, whatever its ID.
func (t *Table) read(text string) (r *rule, f *found, l *Link, shaped bool) {
	u, ok := weburl.Parse(text)
	if !ok {
		return nil, nil, nil, false
	}
	return t.find(u)
}

// find is read for a parsed URL.
func (t *Table) find(u weburl.URL) (r *rule, f *found, l *Link, shaped bool) {
	var buf [32]int
	own := false
	if t != nil {
		if r, f, l, own = first(t.own, t.hosts.AppendRows(buf[:0], u.Host), u); l != nil {
			return r, f, l, true
		}
	}
	r, f, l, shaped = first(rules, rulesByHost.AppendRows(buf[:0], u.Host), u)
	return r, f, l, shaped || own
}

// first returns the first of the rules with these numbers that recognises a URL.
func first(rules []rule, rows []int, u weburl.URL) (r *rule, f *found, l *Link, shaped bool) {
	if len(rows) == 0 {
		return nil, nil, nil, false
	}
	segments, text := split(u.Path), u.String()
	for _, i := range rows {
		f, l, is := rules[i].read(u, segments, text)
		if l != nil {
			return &rules[i], f, l, true
		}
		shaped = shaped || is
	}
	return nil, nil, nil, shaped
}

// Guess is Match, and also returns Links that are Guessed.
func (t *Table) Guess(text string) (*Link, bool) {
	u, ok := weburl.Parse(text)
	if !ok {
		return nil, false
	}
	if _, _, l, _ := t.find(u); l != nil {
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
	_, _, l, _ := first(guesses, guessesByHost.AppendRows(buf[:0], u.Host), u)
	if l != nil {
		l.Guessed = true
	}
	return l, l != nil
}

// rulesByHost has the rows of rules by host, and guessesByHost those of guesses.
var (
	rulesByHost   = weburl.NewHosts(rules, hostsOf)
	guessesByHost = weburl.NewHosts(guesses, hostsOf)
)

func hostsOf(r rule) []string { return r.hosts }

// A Row is a row of the table of known hosts, for people.
type Row struct {
	Provider string   `json:"provider"`
	Kind     Kind     `json:"kind"`
	Hosts    []string `json:"hosts,omitempty"` // one that begins with a dot stands for all hosts below it; none means any host
	Paths    []string `json:"paths"`           // patterns; {id}, {name} and the like stand for one segment each

	// Needs is why links are not fetched: a [Need], "key" if the octets are encrypted, or
	// "" if they are fetched or no more is known.
	Needs string `json:"needs,omitempty"`
}

// All returns the rows of the Table, the caller's first, in their order.
func (t *Table) All() []Row {
	var rows []Row
	for _, r := range slices.Concat(t.ownRules(), rules) {
		row := Row{r.provider, cmp.Or(r.kind, Page), r.hosts, r.paths, string(r.needs)}
		if r.endToEnd {
			row.Needs = "key"
		}
		rows = append(rows, row)
	}
	return rows
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
