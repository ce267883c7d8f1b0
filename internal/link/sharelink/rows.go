package sharelink

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/go-extbody/extbody/internal/link/verbs"
	"github.com/go-extbody/extbody/internal/link/weburl"
)

// maxRows limits the rows of ReadHosts.
const maxRows = 1000

// ReadHosts reads rows for [NewTable]. Each line is a row of four columns with tabs
// between them:
//
//   - a host as in the keys of NewTable;
//   - a pattern of the path, with {token} for one segment of letters, digits and
//     "-_.!~:", and perhaps {name} for the segment that is the name of the file;
//   - "file" or "folder";
//   - a template with {token}, and perhaps {name}, of the URL that gives the octets of the
//     file. It is an absolute http or https URL with a host as it is, or a path at the
//     host of the link. "-" means that no such URL is known, as for every folder. A link
//     of https has no URL of http.
//
// "#" starts a comment. An error has the number of its line.
func ReadHosts(r io.Reader) (map[string]string, error) {
	hosts := make(map[string]string)
	lines := bufio.NewScanner(r)
	number := 0
	rows := 0
	for ; lines.Scan(); number++ {
		line, _, _ := strings.Cut(lines.Text(), "#")
		line = strings.TrimRight(line, " \t\r")
		if line == "" {
			continue
		}
		host, row, _ := strings.Cut(line, "\t")
		_, err := NewTable(map[string]string{host: row})
		if rows++; err == nil && rows > maxRows {
			err = fmt.Errorf("share: more than %d rows", maxRows)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number+1, err)
		}
		hosts[host] = Join(hosts[host], row)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("line %d: %w", number+1, err)
	}
	return hosts, nil
}

// Join returns a value for [NewTable] that has the kinds and rows of two values. The first
// may be "".
func Join(a, b string) string { return strings.TrimPrefix(a+"\n"+b, "\n") }

// vanities are the providers of the list that organisations can have at a host of their own, which a link does not
// show.
var vanities = []string{"sharepoint"}

// Kinds returns the kinds of hosts that [NewTable] knows: services that anybody can
// run, and those that organisations can have at a host of their own.
func Kinds() []string {
	kinds := slices.Clone(vanities)
	for i := range software {
		kinds = append(kinds, software[i].kinds...)
	}
	slices.Sort(kinds)
	return slices.Compact(kinds)
}

// rulesOf returns the rules of a kind of host, or nil if it is not known.
func rulesOf(kind string) (list []rule) {
	if slices.Contains(vanities, kind) {
		for i := range rules {
			if rules[i].provider == kind {
				list = append(list, rules[i])
			}
		}
		return list
	}
	for i := range software {
		if slices.Contains(software[i].kinds, kind) {
			return slices.Clone(software[i].rules)
		}
	}
	return nil
}

// parse returns the rules of one line of a value for NewTable, at a host and port.
func parse(line string, at weburl.URL) ([]rule, error) {
	if rules := rulesOf(line); rules != nil {
		for i := range rules {
			rules[i].provider = line
		}
		return rules, nil
	}
	columns := strings.Split(line, "\t")
	if len(columns) == 1 {
		return nil, fmt.Errorf("share: %.40q is no kind of host (there are %s)", line, strings.Join(Kinds(), ", "))
	}
	if len(columns) != 3 {
		return nil, errors.New(`share: a row wants four columns with tabs between: host, path, "file" or "folder", URL or "-"`)
	}
	path := columns[0]
	kind := Kind(columns[1])
	template := columns[2]
	if !isPattern(path) {
		return nil, fmt.Errorf("share: %.80q is no path with one segment {token} and at most one {name}", path)
	}
	r := rule{provider: at.Host, paths: []string{strings.Replace(path, "{token}", "{id}", 1)}, cases: []form{{kind: kind}}}
	switch {
	case kind != File && kind != Folder:
		return nil, fmt.Errorf(`share: %.40q is neither "file" nor "folder"`, string(kind))
	case template == "-":
		return []rule{r}, nil
	case kind == Folder:
		return nil, errors.New(`share: the URL of a folder is "-"`)
	}
	whole := template
	if strings.HasPrefix(template, "/") {
		whole = weburl.URL{Scheme: "https", Host: at.Host, Port: at.Port, Path: template}.String()
	}
	filled := strings.NewReplacer("{token}", "t", "{name}", "n").Replace(whole)
	authority := func(s string) string { return strings.Join(strings.SplitN(s, "/", 4)[:3], "/") }
	u, ok := weburl.Parse(filled)
	isURL := ok && !u.HasFragment && authority(whole) == authority(filled)
	hasToken := strings.Contains(template, "{token}") && !strings.ContainsAny(filled, "{}")
	hasName := strings.Contains(path, "{name}") || !strings.Contains(template, "{name}")
	if !isURL || !hasToken || !hasName {
		return nil, fmt.Errorf("share: %.80q is no URL or path with {token}, nothing else in braces, and a host as it is", template)
	}
	parts := partsOf(template)
	if whole != template {
		parts = append([]verbs.Part{{Piece: verbs.Origin, Form: verbs.AsIs}}, parts...)
	}
	to := verbs.Pipe{{Op: verbs.To, Parts: parts}}
	if whole == template && u.Scheme == "http" {
		to = append(verbs.Pipe{{Piece: verbs.Link}, {Op: verbs.Match, Pattern: notHTTPS}}, to...)
	}
	r.cases[0].direct = verbs.Any{to}
	return []rule{r}, nil
}

// notHTTPS matches the links for which a template of http is used.
var notHTTPS = &verbs.Pattern{Text: "http:.*"}

func partsOf(template string) (parts []verbs.Part) {
	for template != "" {
		i := strings.IndexByte(template, '{')
		if i < 0 {
			return append(parts, verbs.Part{Text: template})
		}
		if i > 0 {
			parts = append(parts, verbs.Part{Text: template[:i]})
		}
		var name string
		name, template, _ = strings.Cut(template[i:], "}")
		if name == "{token" {
			parts = append(parts, verbs.Part{Piece: verbs.ID})
		} else {
			parts = append(parts, verbs.Part{Piece: verbs.Name, Form: verbs.Escaped})
		}
	}
	return parts
}

// isPattern reports whether path is a pattern of a row.
func isPattern(path string) bool {
	if strings.Count(path, "{token}") != 1 || strings.Count(path, "{name}") > 1 {
		return false
	}
	u, ok := weburl.Parse("https://a.invalid" + path)
	isNormal := ok && u.Path == path && weburl.Unescape(path) == path
	return isNormal && matches(segments, path)
}

// segments matches a path of texts and variables that are whole segments.
var segments = &verbs.Pattern{Text: `(?:/(?:[^/{}*]+|\{token\}|\{name\}))+`}

func matches(p *verbs.Pattern, text string) bool {
	_, ok := p.Match(text)
	return ok
}

// NewTable returns a Table with hosts that the caller names. The keys are hosts, and
// the values are kinds, each one of [Kinds], or rows without their hosts, as [ReadHosts]
// returns them; [Join] adds one to another. A host may be followed by a port and by a
// path that all its links start with, as in "files.example:8443/cloud". It is an error
// if a kind is not known, a row has a fault, or a key is not a host. Without hosts the
// Table is nil.
func NewTable(hosts map[string]string) (*Table, error) {
	if len(hosts) == 0 {
		return nil, nil
	}
	t := new(Table)
	for _, name := range slices.Sorted(maps.Keys(hosts)) {
		u, ok := weburl.Parse("https://" + name)
		isBare := !u.HasQuery && !u.HasFragment && !strings.Contains(name, "//")
		if !ok || !isBare {
			return nil, fmt.Errorf("share: %.80q is no host", name)
		}
		base := strings.TrimSuffix(u.Path, "/")
		for line := range strings.SplitSeq(hosts[name], "\n") {
			rules, err := parse(line, u)
			if err != nil {
				return nil, err
			}
			for _, r := range rules {
				r.hosts = []string{u.Host}
				r.port = u.Port
				r.paths = slices.Clone(r.paths)
				for i, p := range r.paths {
					r.paths[i] = base + p
				}
				t.own = append(t.own, r)
			}
		}
	}
	t.hosts = weburl.NewHosts(len(t.own), func(i int) []string { return t.own[i].hosts })
	return t, nil
}
