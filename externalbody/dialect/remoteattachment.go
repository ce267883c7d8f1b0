package dialect

import (
	"strings"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/internal/codec/charset"
)

// remoteAttachment reads two fields of the header of a message. There is one for each
// file:
//
//	Remote-Attachment-Url: URL; name=FILE
//	Image-Archive-Url: URL
//
// The forms are those that a public program reads. It gets mail of one sender by IMAP,
// and the files with it. No sender and no message is public. The program takes the
// text between the first "=" and the next ";" as the name, whatever the parameter is called,
// and so do we. It takes an archive of pictures for a ZIP file, although the field
// does not have a type.
func remoteAttachment() externalbody.Dialect {
	fields := []string{"Remote-Attachment-Url", "Image-Archive-Url"}
	return externalbody.Dialect{Name: "remote-attachment", Fields: fields, Read: readFields(fields, readRemoteAttachment)}
}

func readRemoteAttachment(_ *externalbody.Entity, field, value string) *externalbody.Reference {
	url, rest, _ := strings.Cut(value, ";")
	url = strings.Trim(strings.TrimSpace(url), "<>")
	if url == "" {
		return nil
	}
	r := newLink(url, field, "https", "http")
	if _, name, ok := strings.Cut(rest, "="); ok && r.AccessType != "" {
		name, _, _ = strings.Cut(name, ";")
		setName(r, charset.Words(strings.Trim(strings.TrimSpace(name), `"`)))
	}
	return r
}
