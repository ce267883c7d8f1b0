package sharelink

import "fmt"

// RowOf returns the row that recognises text.
func RowOf(text string) string {
	r, _, _, _ := (*Table)(nil).read(text)
	if r == nil {
		return ""
	}
	return r.describe()
}

// Rows returns all rows.
func Rows() []string {
	var rows []string
	for i := range rules {
		rows = append(rows, rules[i].describe())
	}
	return rows
}

func (r *rule) describe() string {
	return fmt.Sprintf("%s %q %q %q", r.provider, r.hosts, r.paths, r.param)
}

// NeedsText returns what the link needs, as in the vectors.
func NeedsText(l *Link) string {
	switch {
	case l.EndToEnd:
		return "key"
	case l.Needs == NeedsNothing && l.Ask != "":
		return "ask"
	}
	return string(l.Needs)
}
