package inspect

import (
	"fmt"
	"slices"
	"strings"
)

// nearest returns the word that is written most like s, or "" if none is.
func nearest(s string, words []string) string {
	s = strings.ToLower(s)
	best := ""
	least := max(len(s)/3, 1) + 1
	for _, w := range words {
		if n := distance(s, w); n < least {
			best = w
			least = n
		}
	}
	if best != "" {
		return best
	}
	i := slices.IndexFunc(words, func(w string) bool {
		return min(len(s), len(w)) > 2 && (strings.Contains(w, s) || strings.Contains(s, w))
	})
	if i < 0 {
		return ""
	}
	return words[i]
}

// distance returns how many characters to add, to remove and to replace make b of a.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0]
		row[0] = i + 1
		for j := range len(b) {
			n := before
			if a[i] != b[j] {
				n = 1 + min(before, row[j], row[j+1])
			}
			before = row[j+1]
			row[j+1] = n
		}
	}
	return row[len(b)]
}

// otherWords are fields of rules by words that other programs have for them.
var otherWords = map[string]string{
	"subject": "header", "url": "host", "domain": "host", "sender": "envelope_from", "from": "header_from", "rcpt": "recipient", "hash": "sha256",
	"virus": "signature", "ip": "client", "mime": "type", "count": "min_count", "redirects": "min_redirects", "size": "min_size",
}

// noField returns the mistake of a field that is not there. It names the one that is meant, or all.
func noField(key string, fields []string) error {
	meant := otherWords[key]
	if !slices.Contains(fields, meant) {
		meant = nearest(key, fields)
	}
	if meant == "" {
		return fmt.Errorf("there is no such field: want one of %s", strings.Join(fields, ", "))
	}
	return fmt.Errorf("there is no such field: the nearest one is %s", meant)
}

// noSet returns the mistake of a set that is not there.
func noSet(name string, sets []string) error {
	if word := nearest(name, sets); word != "" {
		return fmt.Errorf("there is no set %s: the nearest one is %s", name, word)
	}
	return fmt.Errorf("there is no set %s: want one of %v", name, sets)
}
