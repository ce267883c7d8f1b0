package httpfetch

import (
	"encoding/base64"
	"regexp"
	"strings"
)

// maxMembers bounds the members of a digest field. The registry of RFC 9530 has
// eight algorithms, six of them deprecated.
const maxMembers = 32

// digestMember is a key with a Byte Sequence (RFC 9651 sections 3.3.5 and 4.2.3.3).
var digestMember = regexp.MustCompile(`^([a-z*][a-z0-9_.*-]*)=:([A-Za-z0-9+/]*)(={0,2}):$`)

// parseDigestField parses the lines of a field that is a Dictionary whose
// values are Byte Sequences (RFC 9651 section 4.2.2). Of a key that occurs
// twice, the last value counts. It reports whether there is a field that can be parsed. A
// value of another type, or one with parameters, is not one that RFC 9530 defines.
//
// Missing padding and pad bits that are not zero are accepted, as RFC 9651 section 4.2.7
// recommends.
func parseDigestField(lines []string) (map[string][]byte, bool) {
	list := strings.SplitN(strings.Join(lines, ","), ",", maxMembers+1)
	members := make(map[string][]byte)
	for _, text := range list {
		m := digestMember.FindStringSubmatch(strings.Trim(text, " \t"))
		if m == nil || m[3] != "" && len(m[2]+m[3])%4 != 0 {
			return nil, false
		}
		sum, err := base64.RawStdEncoding.DecodeString(m[2])
		if err != nil {
			return nil, false
		}
		members[m[1]] = sum
	}
	return members, len(list) <= maxMembers
}
