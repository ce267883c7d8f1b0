package dialect

import (
	"strings"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/internal/codec/charset"
	"github.com/go-extbody/extbody/internal/mime/param"
)

// icewarp reads X-IceWarp-SmartAttach. An IceWarp server puts one into the header of a
// message for each file:
//
//	url="=?UTF-8?B?...?="; zipid="=?UTF-8?B?...?="; size="N"; hash="..."; algorithm="MD5"
//
// This form is the one that its web client passes to the server. No received sample is
// public. The makers of eM Client describe the names url, name, size and all in it, and
// that encoded-words are used. A field without url is an order to the server. The hash
// is over the URL and a secret, and nothing is compared with it.
func icewarp() externalbody.Dialect {
	const field = "X-IceWarp-SmartAttach"
	return externalbody.Dialect{
		Name:   "icewarp",
		Fields: []string{field},
		Hints:  []string{"icewarp_smartattach"},
		Near:   links,
		Text:   icewarpText,
		Read: func(e *externalbody.Entity) []*externalbody.Reference {
			var refs []*externalbody.Reference
			for _, f := range e.Header {
				if strings.EqualFold(f.Name, field) {
					refs = append(refs, readIcewarp(field, f.Value)...)
				}
			}
			return refs
		},
	}
}

func readIcewarp(field, value string) []*externalbody.Reference {
	// The parser needs a type before the parameters.
	v := param.Parse("x; " + value)
	if _, ok := v.Get("url"); !ok {
		v = param.Parse("x; " + charset.Words(value))
	}
	get := func(name string) string { s, _ := v.Get(name); return strings.TrimSpace(charset.Words(s)) }
	url := get("url")
	if url == "" {
		return nil
	}
	r := newLink(url, field, "https", "http")
	if name := get("name"); name != "" {
		r.Name = name
	}
	setSize(r, get("size"))
	if v.Conflict("url") {
		diag(r, externalbody.DiagConflict, "url")
	}
	return []*externalbody.Reference{r}
}
