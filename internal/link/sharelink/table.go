package sharelink

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-extbody/extbody/internal/link/weburl"
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
	t.hosts = hostsOf(t.own)
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
	var buf [32]int
	if t != nil {
		if r, f, l, _ = first(t.own, t.hosts.AppendRows(buf[:0], u.Host), u); l != nil {
			return r, f, l, true
		}
	}
	return first(rules, rulesByHost.AppendRows(buf[:0], u.Host), u)
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

// guessed has the rows of guesses.
var guessed = []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}

// Guess is Match, and also returns Links that are Guessed.
func (t *Table) Guess(text string) (*Link, bool) {
	if l, ok := t.Match(text); ok {
		return l, true
	}
	u, ok := weburl.Parse(text)
	if !ok || u.Port != 0 {
		return nil, false
	}
	if (*Table)(nil).Knows(u.Host) {
		return nil, false // the host is known, and the link is something else there
	}
	_, _, l, _ := first(guesses, guessed, u)
	if l != nil {
		l.Guessed = true
	}
	return l, l != nil
}

// rulesByHost has the rows of rules by host.
var rulesByHost = hostsOf(rules)

func hostsOf(rules []rule) *weburl.Hosts {
	hosts := make([][]string, len(rules))
	for i := range rules {
		hosts[i] = rules[i].hosts
	}
	return weburl.NewHosts(hosts)
}
