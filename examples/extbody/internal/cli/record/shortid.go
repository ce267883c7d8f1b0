package record

import (
	"strings"

	"github.com/go-extbody/extbody/externalbody"
)

// The IDs of references of dialects begin with linkID and have a digest, of which at least
// leastDigest characters are shown.
const (
	linkID      = "link-"
	leastDigest = 5
)

// IsShort reports whether an ID may stand for the one that starts with it.
func IsShort(id string) bool {
	return strings.HasPrefix(id, linkID) && len(id) >= len(linkID)+leastDigest
}

// ShortIDs returns the starts of the IDs of the references of a message that are enough
// to tell them apart. An ID without a digest stays whole.
func ShortIDs(refs []*externalbody.Reference) map[*externalbody.Reference]string {
	short := make(map[*externalbody.Reference]string)
	for n := len(linkID) + leastDigest; ; n++ {
		seen := make(map[string]bool)
		whole := true
		for _, ref := range refs {
			id := ref.ID
			if strings.HasPrefix(id, linkID) && len(id) > n {
				id = id[:n]
				whole = false
			}
			short[ref] = id
			seen[id] = true
		}
		if whole || len(seen) == len(refs) {
			return short
		}
	}
}
