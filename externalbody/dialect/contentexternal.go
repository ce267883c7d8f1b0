package dialect

import (
	"encoding/base64"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/internal/codec/charset"
	"github.com/go-extbody/extbody/internal/mime/param"
)

// contentExternal reads Content-External, of draft-melnikov-email-big-files-00 section
// 3. It has the syntax of Content-Type, with RFC 2231, and there is one field for each
// file:
//
//	Content-External: application/pdf; url="https://h.example/a.pdf"; size=42
//
// Its media type belongs to the file, and counts more than the type in an answer.
//
// The names of its parameters could not be read: only the beginning of the draft is
// public in many places. Parameters are read if they can mean only one thing: the URL
// as url, uri or href, the name as name or filename, size, and digests by the name of
// their algorithm, in hexadecimal or base64. A program that writes the field would need
// the whole text.
func contentExternal() externalbody.Dialect {
	fields := []string{"Content-External"}
	return externalbody.Dialect{Name: "content-external", Fields: fields, Read: readFields(fields, readContentExternal)}
}

func readContentExternal(_ *externalbody.Entity, field, value string) *externalbody.Reference {
	v := param.Parse(value)
	isURL := func(name string) bool { return name == "url" || name == "uri" || name == "href" }
	// White space in a URL comes from folding, as in RFC 2017 section 3.
	url := strings.Join(strings.Fields(firstOf(v, "url", "uri", "href")), "")
	if url == "" {
		return nil
	}
	r := newLink(url, field, "https", "http", "ftp", "ftps")
	setName(r, charset.Words(firstOf(v, "filename", "name")))
	setType(r, v.Type)
	if r.MediaType != "" {
		r.Promises = append(r.Promises, "type")
	}
	setSize(r, strings.TrimSpace(firstOf(v, "size")))
	if r.Size >= 0 {
		r.Promises = append(r.Promises, "size")
	}
	conflict := false
	for _, p := range v.Params {
		addDigest(r, p.Name, p.Value)
		conflict = conflict || isURL(p.Name) && strings.Join(strings.Fields(p.Value), "") != url
	}
	if conflict {
		diag(r, externalbody.DiagConflict, "url")
	}
	return r
}

// firstOf returns the first value that exists, by names in order.
func firstOf(v *param.Value, names ...string) string {
	for _, name := range names {
		if s, ok := v.Get(name); ok && s != "" {
			return s
		}
	}
	return ""
}

// digestNames has the names of the algorithms as in [externalbody.Digest], and as they
// are written.
var digestNames = []struct {
	algorithm string
	length    int
	names     []string
}{
	{"md5", 16, []string{"md5", "content-md5"}},
	{"sha-1", 20, []string{"sha-1", "sha1"}},
	{"sha-256", 32, []string{"sha-256", "sha256"}},
	{"sha-384", 48, []string{"sha-384", "sha384"}},
	{"sha-512", 64, []string{"sha-512", "sha512"}},
}

// addDigest adds a digest in hexadecimal or base64. Their lengths differ, so that they
// cannot be confused. Other texts are not digests. Other parameters are ignored.
func addDigest(r *externalbody.Reference, name, text string) {
	for _, d := range digestNames {
		if !slices.Contains(d.names, name) {
			continue
		}
		text = strings.Join(strings.Fields(text), "")
		sum, err := hex.DecodeString(text)
		if err != nil || len(sum) != d.length {
			sum, err = base64.RawStdEncoding.DecodeString(strings.TrimRight(text, "="))
		}
		if err != nil || len(sum) != d.length {
			diag(r, externalbody.DiagBadDigest, name)
			return
		}
		r.Digests = append(r.Digests, externalbody.Digest{Algorithm: d.algorithm, Sum: sum})
	}
}
