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
	fields := []string{"X-IceWarp-SmartAttach"}
	return externalbody.Dialect{
		Name:   "icewarp",
		Fields: fields,
		Hints:  []string{"icewarp_smartattach"},
		Near:   links,
		Text:   readClasses(icewarpBlock, "icewarp_smartattach"),
		Read:   readFields(fields, readIcewarp),
	}
}

func readIcewarp(_ *externalbody.Entity, field, value string) *externalbody.Reference {
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
	setName(r, get("name"))
	setSize(r, get("size"))
	if v.Conflict("url") {
		diag(r, externalbody.DiagConflict, "url")
	}
	return r
}

// icewarpBlock reads the block that an IceWarp server puts into the text of a message
// with such files. It is an element of class icewarp_smartattach. The web client of
// IceWarp hides it, since it shows the files from the header. The class is known from
// that client and from a description by the makers of eM Client. No sample of the
// inside is public. A link counts if its text is the name of a file, or if all links of
// the block lead to the same place.
func icewarpBlock(b *block, found func(*externalbody.Reference)) {
	only := filelinkAnchor(b.anchors)
	for i := range b.anchors {
		a := &b.anchors[i]
		url, ok := a.url()
		name := a.fileName()
		if !ok || name == "" && a != only {
			continue
		}
		r := a.reference(url, a.start, a.end)
		r.Quoted = b.quoted
		setName(r, name)
		found(r)
	}
}
