package dialect

import (
	"github.com/go-extbody/extbody/externalbody"
)

// netease reads the links that the mail services of NetEase put into mail for large
// attachments. The form comes from messages that mailing lists received:
//
//	<a href="https://mail.163.com/large-attachment-download/index.html?p=X-NETEASE-HUGE-ATTACHMENT&file=...&title=..."
//	    download="(the same)" preview="..." fileid="..." filename="NAME" filesize="OCTETS"
//	    expiretime="MILLISECONDS">NAME</a>
//
// A link counts if it has filename, filesize and expiretime, which are not attributes
// of HTML. The links around it without these lead to the same place, and are recognized
// by the shape of their URL.
func netease() externalbody.Dialect {
	return externalbody.Dialect{
		Name:  "netease",
		Hints: []string{"expiretime"},
		Near:  links,
		Text:  neteaseText,
	}
}

func neteaseText(_ *externalbody.Entity, found func(*externalbody.Reference)) func(*externalbody.Token) {
	anchors := &anchorReader{done: func(a *anchor) {
		name, size := a.attr("filename"), digits(a.attr("filesize"))
		if name == "" || size < 0 || a.attr("expiretime") == "" {
			return
		}
		url, ok := a.url()
		if !ok {
			if url, ok = webURL(a.attr("download")); !ok {
				return
			}
		}
		r := a.reference(url, a.start, a.end)
		r.Name, r.Size = name, size
		if n := digits(a.attr("expiretime")); n > 0 {
			setExpiration(r, epoch(n))
		}
		found(r)
	}}
	return anchors.read
}
