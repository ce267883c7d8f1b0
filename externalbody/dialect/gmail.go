package dialect

import (
	"strings"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/internal/link/unwrap"
)

// gmailDrive reads the chips that Gmail puts into mail for files in Google Drive:
//
//	<div class="gmail_chip gmail_drive_chip" style="..."><a href="https://drive.google.com/file/d/ID/view?usp=drive_web"
//	    aria-label="NAME"><img src="ICON">&nbsp;<span dir="ltr">NAME</span></a></div>
//
// The form comes from mail that Gmail sent and showed. ICON shows the type of the file:
// https://drive-thirdparty.googleusercontent.com/16/type/application/pdf, with a proxy
// before it in mail that was shown. Older icons only distinguish a document from a
// picture.
func gmailDrive() externalbody.Dialect {
	return externalbody.Dialect{
		Name:  "gmail-drive",
		Hints: []string{"gmail_drive_chip"},
		Near:  links,
		Text: readClasses(func(b *block, found func(*externalbody.Reference)) {
			a, r := b.first()
			if a == nil {
				return
			}
			setName(r, strings.TrimSpace(a.attr("aria-label")), a.text)
			for _, src := range b.images {
				setType(r, iconType(src))
			}
			found(r)
		}, "gmail_drive_chip"),
	}
}

// iconType returns the media type at the end of the URL of an icon of Google Drive. It
// returns "" if that is not a media type, or if it is one of documents that have no
// octets of their own.
func iconType(src string) string {
	const host = "drive-thirdparty.googleusercontent.com"
	src = unwrap.URL(src).URL
	if weburlHost(src) != host {
		return ""
	}
	_, name, ok := strings.Cut(src, "/type/")
	if !ok || strings.HasPrefix(name, "application/vnd.google-apps") {
		return ""
	}
	name, _, _ = strings.Cut(name, "?")
	return strings.ReplaceAll(strings.ReplaceAll(name, "%2B", "+"), "%2b", "+")
}
