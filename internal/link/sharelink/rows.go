package sharelink

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

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
// "#" begins a comment. An error has the number of its line.
func ReadHosts(r io.Reader) (map[string]string, error) {
	hosts := make(map[string]string)
	lines := bufio.NewScanner(r)
	number, rows := 0, 0
	for ; lines.Scan(); number++ {
		line, _, _ := strings.Cut(lines.Text(), "#")
		if line = strings.TrimRight(line, " \t\r"); line == "" {
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

// parse returns the rules of one line of a value for NewTable, at a host and port.
func parse(line string, at weburl.URL) ([]rule, error) {
	if kind, ok := kinds[line]; ok {
		return kind, nil
	}
	columns := strings.Split(line, "\t")
	if len(columns) == 1 {
		return nil, fmt.Errorf("share: %.40q is no kind of host (there are %s)", line, strings.Join(Kinds(), ", "))
	}
	if len(columns) != 3 {
		return nil, errors.New(`share: a row wants four columns with tabs between: host, path, "file" or "folder", URL or "-"`)
	}
	path, kind, template := columns[0], Kind(columns[1]), columns[2]
	if !isPattern(path) {
		return nil, fmt.Errorf("share: %.80q is no path with one segment {token} and at most one {name}", path)
	}
	r := rule{provider: at.Host, paths: []string{strings.Replace(path, "{token}", "{id}", 1)}, kind: kind}
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
	if u, ok := weburl.Parse(filled); !ok || u.HasFragment || !strings.Contains(template, "{token}") || strings.ContainsAny(filled, "{}") ||
		!strings.Contains(path, "{name}") && strings.Contains(template, "{name}") || authority(whole) != authority(filled) {
		return nil, fmt.Errorf("share: %.80q is no URL or path with {token}, nothing else in braces, and a host as it is", template)
	}
	r.direct = func(f *found, l *Link) string {
		if f.name != "" && l.Name == "" {
			return "" // the name has an escape that is not valid
		}
		text := strings.NewReplacer("{token}", f.id, "{name}", escaped(l.Name)).Replace(template)
		if whole != template {
			return weburl.URL{Scheme: f.u.Scheme, Host: f.u.Host, Port: f.u.Port, Path: text}.String()
		}
		if u, ok := weburl.Parse(text); !ok || f.u.Scheme == "https" && u.Scheme != "https" {
			return ""
		}
		return text
	}
	return []rule{r}, nil
}

// isPattern reports whether path is a pattern of a row.
func isPattern(path string) bool {
	u, ok := weburl.Parse("https://a.invalid" + path)
	return ok && u.Path == path && weburl.Unescape(path) == path && segments.MatchString(path) &&
		strings.Count(path, "{token}") == 1 && strings.Count(path, "{name}") <= 1
}

// segments matches a path of texts and variables that are whole segments.
var segments = regexp.MustCompile(`^(/([^/{}*]+|\{token\}|\{name\}))+$`)
