package sharelink

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-extbody/extbody/internal/link/weburl"
)

// A Table recognises the share links of the hosts in rules.go and of hosts that a
// caller names. A nil Table has only the former.
type Table struct {
	own []rule
}

// NewTable returns a Table with hosts that the caller names. The keys are hosts, and
// the values are kinds, each one of [Kinds]. A host may be followed by a port and by a
// path that all its links begin with, as in "files.example:8443/cloud". It is an error
// if a kind is not known or a key is not a host. Without hosts the Table is nil.
func NewTable(hosts map[string]string) (*Table, error) {
	if len(hosts) == 0 {
		return nil, nil
	}
	t := new(Table)
	for _, name := range slices.Sorted(maps.Keys(hosts)) {
		kind, ok := kinds[hosts[name]]
		if !ok {
			return nil, fmt.Errorf("share: %.40q is no kind of host (there are %s)", hosts[name], strings.Join(Kinds(), ", "))
		}
		u, ok := weburl.Parse("https://" + name)
		if !ok || u.HasQuery || u.HasFragment {
			return nil, fmt.Errorf("share: %.80q is no host", name)
		}
		base := strings.TrimSuffix(u.Path, "/")
		for _, r := range kind {
			r.provider, r.hosts, r.port = hosts[name], []string{u.Host}, u.Port
			r.paths = slices.Clone(r.paths)
			for i, p := range r.paths {
				r.paths[i] = base + p
			}
			t.own = append(t.own, r)
		}
	}
	return t, nil
}

// Kinds returns the kinds of hosts that [NewTable] knows: services that anybody can
// run.
func Kinds() []string { return slices.Sorted(maps.Keys(kinds)) }

// Match is the function [Match] with the hosts of the Table added.
func (t *Table) Match(text string) (*Link, bool) {
	_, _, l := t.read(text)
	return l, l != nil
}

// FindDirect is the function [FindDirect] with the hosts of the Table added.
func (t *Table) FindDirect(text string, page []byte) string {
	r, f, l := t.read(text)
	if l == nil || r.find == nil {
		return ""
	}
	return r.find(f, page)
}

// Hints is the function [Hints] with the hosts of the Table added.
func (t *Table) Hints() []string {
	var hints []string
	for _, rules := range t.rules() {
		for i := range rules {
			hints = append(hints, rules[i].hints()...)
		}
	}
	slices.Sort(hints)
	return slices.Compact(hints)
}

// rules returns the rows in their order. Those of the caller come first.
func (t *Table) rules() [2][]rule {
	if t == nil {
		return [2][]rule{nil, rules}
	}
	return [2][]rule{t.own, rules}
}

// read returns the row that recognises text, what its pattern found, and the Link. All
// are nil if no row does.
func (t *Table) read(text string) (*rule, *found, *Link) {
	u, ok := weburl.Parse(text)
	if !ok {
		return nil, nil, nil
	}
	var buf [32]int
	rows := rulesByHost.AppendRows(buf[:0], u.Host)
	if len(rows) == 0 && (t == nil || len(t.own) == 0) {
		return nil, nil, nil
	}
	segments := split(u.Path)
	text = u.String()
	if t != nil {
		for i := range t.own {
			if f, l := t.own[i].read(u, segments, text); l != nil {
				return &t.own[i], f, l
			}
		}
	}
	for _, i := range rows {
		if f, l := rules[i].read(u, segments, text); l != nil {
			return &rules[i], f, l
		}
	}
	return nil, nil, nil
}

// rulesByHost tells which rows of rules are for a host.
var rulesByHost = hostsOf(rules)

func hostsOf(rules []rule) *weburl.Hosts {
	hosts := make([][]string, len(rules))
	for i := range rules {
		hosts[i] = rules[i].hosts
	}
	return weburl.NewHosts(hosts)
}

// kinds has the shapes of links for each kind of host. They are from the makers'
// documentation and from links in public files. A share of Nextcloud or ownCloud can be
// a folder, which is sent as an archive. A share with a password is answered with a
// page.
var kinds = map[string][]rule{
	"nextcloud": nextcloud,
	"owncloud":  nextcloud,
	"seafile": {
		{paths: []string{"/f/{id}"}, kind: File, direct: set("dl", "1")},
		{paths: []string{"/d/{id}/files"}, param: "p", kind: File, refine: seafilePath, direct: set("dl", "1")},
		{paths: []string{"/d/{id}"}, kind: Folder},
	},
	"zimbra": {
		{paths: []string{"/home/{}/*"}, kind: File, refine: lastName, direct: itself},
	},
	"kiteworks": {
		{paths: []string{"/w/{id}", "/s/{id}", "/f/{id}"}, needs: NeedsProgram},
	},
	"filesender": {
		{paths: []string{"", "/index.php", "/download.php"}, param: "token", refine: fileSenderToken, needs: NeedsProgram},
	},
}

var nextcloud = []rule{
	{paths: []string{"/s/{id}/download", "/index.php/s/{id}/download", "/s/{id}/download/{name}", "/index.php/s/{id}/download/{name}"}, direct: itself},
	{paths: []string{"/s/{id}", "/index.php/s/{id}"}, direct: nextcloudFile},
}

// nextcloudFile returns the address of the whole share. It drops the query, which only
// says which folder and file of the share the page shows.
func nextcloudFile(f *found, _ *Link) string {
	text, _, _ := strings.Cut(f.text, "#")
	text, _, _ = strings.Cut(text, "?")
	return strings.TrimSuffix(text, "/") + "/download"
}

// seafilePath reads the name from the path of a file within a shared folder.
func seafilePath(f *found, l *Link) bool {
	path := decoded(f.id)
	l.ID = ""
	l.Name = path[strings.LastIndexByte(path, '/')+1:]
	return isFileName(l.Name)
}

// lastName reads the name at the end of the path.
func lastName(f *found, l *Link) bool {
	if len(f.rest) < 2 {
		return false
	}
	l.Name = decoded(f.rest[len(f.rest)-1])
	return isFileName(l.Name)
}

// fileSenderToken accepts a download at a host that is known to run FileSender.
func fileSenderToken(f *found, _ *Link) bool {
	s, _ := f.u.Param("s")
	return (s == "download" || strings.HasSuffix(f.u.Path, "/download.php")) && isUUID(f.id)
}
