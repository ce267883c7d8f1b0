package weburl

import (
	"slices"
	"strings"
)

// Hosts finds the rows of a table that are for a given host. Its fields are for tables that are
// generated; [NewHosts] returns the Hosts of another one. Its methods do not change it.
type Hosts struct {
	// Slots is a table by the hash of a pattern, open, with a length that is a power of two.
	Slots []Slot

	Other []uint16 // the rows for any host
}

// A Slot has a pattern and its rows, in order, or neither.
type Slot struct {
	Pattern string
	Rows    []uint16
}

// NewHosts returns the Hosts of a table of n rows, which are at most 65,535. patterns returns the
// patterns of a row: hosts, and domains with a dot before them, for all hosts below. A row without
// patterns is for any host.
func NewHosts(n int, patterns func(row int) []string) *Hosts {
	h := new(Hosts)
	var all []Slot
	numbers := make(map[string]int)
	for row := range n {
		of := patterns(row)
		if len(of) == 0 {
			h.Other = append(h.Other, uint16(row))
		}
		for _, p := range of {
			i, ok := numbers[p]
			if !ok {
				i = len(all)
				numbers[p] = i
				all = append(all, Slot{Pattern: p})
			}
			if known := all[i].Rows; len(known) == 0 || known[len(known)-1] != uint16(row) {
				all[i].Rows = append(known, uint16(row))
			}
		}
	}
	// Of two patterns for one slot, the first in the alphabet has it: the order of the rows does not matter.
	slices.SortFunc(all, func(a, b Slot) int { return strings.Compare(a.Pattern, b.Pattern) })
	size := 1
	for size < 2*len(all)+1 {
		size *= 2
	}
	h.Slots = make([]Slot, size)
	for _, s := range all {
		hash := uint32(hashStart)
		for j := len(s.Pattern) - 1; j >= 0; j-- {
			hash = addHash(hash, s.Pattern[j])
		}
		slot := h.slot(hash)
		for h.Slots[slot].Pattern != "" {
			slot = (slot + 1) % uint32(size)
		}
		h.Slots[slot] = s
	}
	return h
}

// The hash is FNV-1a of the octets from the last to the first, so that one pass over a host
// has the hashes of all its domains.
const hashStart = 2166136261

func addHash(hash uint32, c byte) uint32 { return (hash ^ uint32(c)) * 16777619 }

func (h *Hosts) slot(hash uint32) uint32 { return (hash ^ hash>>15) & uint32(len(h.Slots)-1) }

func (h *Hosts) rows(pattern string, hash uint32) []uint16 {
	for slot := h.slot(hash); h.Slots[slot].Pattern != ""; slot = (slot + 1) & uint32(len(h.Slots)-1) {
		if s := &h.Slots[slot]; s.Pattern == pattern {
			return s.Rows
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
