package interstitial

import (
	"path"
	"strings"
)

// HeadBytes is how many octets of the start Judge looks at. The judgement often
// needs fewer; see [Settled]. Its Reason is better with all of them.
const HeadBytes = 4096

// An Expect has the announced facts about a file.
type Expect struct {
	Name      string // the file name; "" if none was announced
	MediaType string // with or without parameters; "" if none was announced
	Size      int64  // the number of octets; 0 or less if none was announced
}

// extension returns the extension of a file name in lower case.
func extension(name string) string {
	return strings.ToLower(strings.TrimPrefix(path.Ext(strings.TrimRight(name, " .")), "."))
}
