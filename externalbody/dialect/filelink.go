package dialect

import (
	"strings"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/internal/codec/charset"
)

// cloudPart is the header field of a part that stands for a file in a cloud.
const cloudPart = "X-Mozilla-Cloud-Part"

// cloudNames are the names of the values in a field of FileLink or BlueMind.
var cloudNames = []string{"url", "provider", "file", "name", "data", "size", "mime", "expirationdate"}

// filelink reads X-Mozilla-Cloud-Part. It has these forms in the sources of the
// programs that write it. No received message with it is public.
//
//	cloudFile; url=URL                                            Thunderbird, Roundcube, as sent
//	cloudFile; url=URL; provider=KEY; data="..."                  Thunderbird, in drafts
//	cloudFile; url=URL; provider=KEY; file=file:///...; name=N    Thunderbird to about 60
//	cloudFile;url=URL;name=N                                      BlueMind
//	cloudFile; url=URL; name=N                                    BlueMind's plugin for Roundcube
//
// QUIRK: the URL is not quoted and can have ";" and "=" in it. Three values are not
// read: provider is the key of an account in a profile. data and file are the sender's
// own, and file names a file of the sender's machine.
func filelink() externalbody.Dialect {
	return externalbody.Dialect{
		Name:   "filelink",
		Fields: []string{cloudPart},
		Read:   readFile([]string{cloudPart}, readFilelink),
		Hints:  append(listHints(), "cloudattachmentitem"),
		Near:   []string{"a", "li"},
		Text:   filelinkText,
	}
}

func readFilelink(e *externalbody.Entity, field, value string) *externalbody.Reference {
	p := cutPairs(value, "cloudFile", cloudNames)
	url := p.get("url")
	if url == "" {
		return nil
	}
	r := newLink(url, field, "https", "http")
	setName(r, charset.Words(p.get("name")), placeholderName(e))
	if p.conflict("url") {
		diag(r, externalbody.DiagConflict, "url")
	}
	return r
}

// setName sets the first of names that is not empty.
func setName(r *externalbody.Reference, names ...string) {
	for _, name := range names {
		if name != "" {
			r.Name = name
			return
		}
	}
}

// placeholderName returns the name of the file that a part stands for, from the name of
// the part. QUIRK: a part that holds a page with the link is named like the file with
// ".html" added.
func placeholderName(e *externalbody.Entity) string {
	name := fileName(e.Header)
	if e.MediaType != "text/html" {
		return name
	}
	if stem, ok := strings.CutSuffix(name, ".html"); ok && strings.Contains(stem, ".") {
		return stem
	}
	return name
}
