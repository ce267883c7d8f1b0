package weburl

import "slices"

// Hosts finds the rows of a table that are for a given host. Its methods do not change
// it.
type Hosts struct {
	rows  map[string][]int // by pattern
	other []int            // the rows for any host
}

// NewHosts returns the Hosts of a table. patterns returns those of a row: hosts, and
// domains with a dot before them, for all hosts below. A row without patterns is for any
// host.
func NewHosts[R any](rows []R, patterns func(R) []string) *Hosts {
	h := &Hosts{rows: make(map[string][]int)}
	for i, row := range rows {
		of := patterns(row)
		if len(of) == 0 {
			h.other = append(h.other, i)
		}
		for _, p := range of {
			if known := h.rows[p]; len(known) == 0 || known[len(known)-1] != i {
				h.rows[p] = append(known, i)
			}
		}
	}
	return h
}

// Has reports whether a row has a pattern that matches host. Rows without patterns do not
// count.
func (h *Hosts) Has(host string) bool {
	if len(h.rows[host]) > 0 {
		return true
	}
	for i := range len(host) {
		if host[i] == '.' && len(h.rows[host[i:]]) > 0 {
			return true
		}
	}
	return false
}

// AppendRows appends the numbers of the rows for a host, in their order, to rows, which
// must be empty.
func (h *Hosts) AppendRows(rows []int, host string) []int {
	rows = append(rows, h.other...)
	rows = append(rows, h.rows[host]...)
	for i := range len(host) {
		if host[i] == '.' {
			rows = append(rows, h.rows[host[i:]]...)
		}
	}
	slices.Sort(rows)
	return slices.Compact(rows)
}
