package sharelink

import "cmp"

// A Row is a row of the table of known hosts, for people.
type Row struct {
	Provider string
	Hosts    []string // one that begins with a dot stands for all hosts below it; none means any host
	Paths    []string // patterns; {id}, {name} and the like stand for one segment each
	Kind     Kind
}

// All returns the rows of the table, in its order.
func All() []Row {
	rows := make([]Row, len(rules))
	for i, r := range rules {
		rows[i] = Row{r.provider, r.hosts, r.paths, cmp.Or(r.kind, Page)}
	}
	return rows
}

// Knows reports whether the table has rows for a host, which is in its canonical form.
func Knows(host string) bool {
	return len(rulesByHost.AppendRows(make([]int, 0, 32), host)) > rulesForAll
}
