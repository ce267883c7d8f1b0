package httpfetch

import (
	"crypto/md5"
	"encoding/base64"
	"net/http"
	"strings"

	"github.com/go-extbody/extbody/fetch"
)

// digests returns the digests in the fields of a 200 answer, which are about the octets of
// its body. Content-Digest covers the content and Repr-Digest the whole selected
// representation, which are the same here: both with content codings, without
// transfer codings (RFC 9530 sections 2 and 3).
//
// Of their algorithms, those that the registry calls active are returned. A
// field that cannot be parsed is ignored, as RFC 9651 section 4.2 asks.
func digests(h http.Header) []fetch.Digest {
	var list []fetch.Digest
	for _, field := range [...]string{"Repr-Digest", "Content-Digest"} {
		members, ok := parseDigestField(h[field])
		if !ok {
			continue
		}
		for _, algorithm := range [...]string{"sha-256", "sha-512"} {
			if sum, ok := members[algorithm]; ok {
				list = append(list, fetch.Digest{Field: strings.ToLower(field), Algorithm: algorithm, Sum: sum})
			}
		}
	}
	if sum, ok := parseContentMD5(h["Content-Md5"]); ok {
		list = append(list, fetch.Digest{Field: "content-md5", Algorithm: "md5", Sum: sum})
	}
	return list
}

// parseContentMD5 reads the obsolete field of RFC 2616 section 14.15.
func parseContentMD5(lines []string) ([]byte, bool) {
	if len(lines) != 1 || strings.ContainsAny(lines[0], "\r\n") {
		return nil, false
	}
	sum, err := base64.StdEncoding.DecodeString(strings.Trim(lines[0], " \t"))
	return sum, err == nil && len(sum) == md5.Size
}
