package sharelink

import (
	"cmp"
	"slices"
)

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
