package weburl

import "slices"

// Hosts finds the rows of a table that are for a given host. Its fields are for tables that are
// generated; [NewHosts] returns the Hosts of another one. Its methods do not change it.
type Hosts struct {
	// Slots is a table by the hash of a pattern, open, with a length that is a power of two. A
	// slot has the number of the pattern, from 1 on, or 0.
	Slots []uint16

	Patterns []string
	Rows     [][]uint16 // by pattern, in order
	Other    []uint16   // the rows for any host
}

// NewHosts returns the Hosts of a table of n rows, which are at most 65,535. patterns returns those
// of a row: hosts, and domains with a dot before them, for all hosts below. A row without patterns is
// for any host.
func NewHosts(n int, patterns func(row int) []string) *Hosts {
	h := new(Hosts)
	numbers := make(map[string]int)
	for row := range n {
		of := patterns(row)
		if len(of) == 0 {
			h.Other = append(h.Other, uint16(row))
		}
		for _, p := range of {
			i, ok := numbers[p]
			if !ok {
				i = len(h.Patterns)
				numbers[p] = i
				h.Patterns = append(h.Patterns, p)
				h.Rows = append(h.Rows, nil)
			}
			if known := h.Rows[i]; len(known) == 0 || known[len(known)-1] != uint16(row) {
				h.Rows[i] = append(known, uint16(row))
			}
		}
	}
	size := 1
	for size < 2*len(h.Patterns)+1 {
		size *= 2
	}
	h.Slots = make([]uint16, size)
	for i, p := range h.Patterns {
		hash := uint32(hashStart)
		for j := len(p) - 1; j >= 0; j-- {
			hash = addHash(hash, p[j])
		}
		slot := h.slot(hash)
		for h.Slots[slot] != 0 {
			slot = (slot + 1) % uint32(size)
		}
		h.Slots[slot] = uint16(i + 1)
	}
	return h
}

// The hash is FNV-1a of the octets from the last to the first, so that one pass over a host
// has the hashes of all its domains.
const hashStart = 2166136261

func addHash(hash uint32, c byte) uint32 { return (hash ^ uint32(c)) * 16777619 }

func (h *Hosts) slot(hash uint32) uint32 { return (hash ^ hash>>15) & uint32(len(h.Slots)-1) }

// rows returns the rows of a pattern.
func (h *Hosts) rows(pattern string, hash uint32) []uint16 {
	for slot := h.slot(hash); h.Slots[slot] != 0; slot = (slot + 1) & uint32(len(h.Slots)-1) {
		if i := h.Slots[slot] - 1; h.Patterns[i] == pattern {
			return h.Rows[i]
		}
	}
	return nil
}

// Has reports whether a row has a pattern that matches host. Rows without patterns do not
// count.
func (h *Hosts) Has(host string) bool {
	hash := uint32(hashStart)
	for i := len(host) - 1; i >= 0; i-- {
		hash = addHash(hash, host[i])
		if (host[i] == '.' || i == 0) && h.rows(host[i:], hash) != nil {
			return true
		}
	}
	return false
}

// AppendRows appends the numbers of the rows for a host, in their order, to rows, which
// must be empty.
func (h *Hosts) AppendRows(rows []int, host string) []int {
	for _, r := range h.Other {
		rows = append(rows, int(r))
	}
	hash := uint32(hashStart)
	for i := len(host) - 1; i >= 0; i-- {
		hash = addHash(hash, host[i])
		if host[i] != '.' && i > 0 {
			continue
		}
		for _, r := range h.rows(host[i:], hash) {
			rows = append(rows, int(r))
		}
	}
	if !slices.IsSorted(rows) {
		slices.Sort(rows)
	}
	return slices.Compact(rows)
}
