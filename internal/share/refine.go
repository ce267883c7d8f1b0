package share

import (
	"strconv"
	"strings"
	"time"

	"github.com/go-extbody/extbody/internal/weburl"
)

// oneDriveType reads the letter that OneDrive and SharePoint have for the type:
// "f" is a folder, and these letters are files. A notebook, "o", is a folder
// of files in fact, and others are not known.
func oneDriveType(letter string, l *Link) bool {
	switch letter {
	case "f":
		l.Kind = Folder
	case "b", "i", "p", "t", "u", "v", "w", "x":
		l.Kind = File
	default:
		l.Kind = Page
	}
	return len(letter) == 1 && 'a' <= letter[0] && letter[0] <= 'z'
}

// oneDriveShort is for 1drv.ms links of the old form, whose ID begins with
// "s!".
func oneDriveShort(f *found, l *Link) bool {
	return strings.HasPrefix(f.id, "s!") && oneDriveType(f.typ, l)
}

// oneDriveNew is for 1drv.ms links with the owner in them.
func oneDriveNew(f *found, l *Link) bool { return oneDriveType(f.typ, l) }

// oneDriveLong is for addresses of onedrive.live.com. The type and the suffix
// of the file, with a comma between, are in ithint.
func oneDriveLong(f *found, l *Link) bool {
	hint, _ := f.u.Param("ithint")
	kind, _, _ := strings.Cut(decoded(hint), ",")
	switch kind {
	case "folder":
		l.Kind = Folder
	case "file", "photo", "video", "audio":
		l.Kind = File
	}
	return true
}

// oneDriveDownload keeps the two parameters that name the file and allow it.
func oneDriveDownload(f *found, _ *Link) string {
	text := "https://onedrive.live.com/download?resid=" + f.id
	if key, ok := f.u.Param("authkey"); ok && key != "" {
		text += "&authkey=" + key
	}
	return text
}

// sharePoint reads ":t:", where t is the letter of the type, and what follows
// it: "r" means that the path of the file comes, others that a token does.
func sharePoint(f *found, l *Link) bool {
	letter, ok := strings.CutPrefix(f.typ, ":")
	letter, ok2 := strings.CutSuffix(letter, ":")
	if !ok || !ok2 || len(f.rest) == 0 || !oneDriveType(letter, l) {
		return false
	}
	last := f.rest[len(f.rest)-1]
	if f.owner == "r" {
		l.Name = decoded(last)
		return true
	}
	l.ID = last
	return isToken(last)
}

// sharePointFile reads the name that the address of an editor has.
func sharePointFile(f *found, l *Link) bool {
	name, _ := f.u.Param("file")
	l.Name = decoded(name)
	return true
}

// exports reads a rendition's media type.
func exports(mediaType string) func(*found, *Link) bool {
	return func(_ *found, l *Link) bool {
		l.MediaType = mediaType
		l.Rendition = true
		return true
	}
}

// rendition marks a link that is an export already, in a format that its query
// or path has.
func rendition(_ *found, l *Link) bool {
	l.Rendition = true
	return true
}

// transfer accepts the identifiers that WeTransfer's short links have.
func transfer(f *found, _ *Link) bool { return strings.HasPrefix(f.id, "t-") }

// titled reads the name of the file in the parameter title.
func titled(f *found, l *Link) bool {
	title, _ := f.u.Param("title")
	l.Name = decoded(title)
	return true
}

// netEase accepts the two marks that Coremail has for links to large
// attachments, or none.
func netEase(f *found, l *Link) bool {
	switch mark, _ := f.u.Param("p"); mark {
	case "", "X-NETEASE-HUGE-ATTACHMENT", "X-NTES-HUGE-ATTACHMENT":
		return titled(f, l)
	}
	return false
}

// qqFile returns the address of QQ Mail that sends the file: the one of the
// page with another number of function.
func qqFile(f *found, _ *Link) string {
	code, ok := f.u.Param("code")
	if !ok || !isToken(code) || !isToken(f.id) {
		return ""
	}
	return "https://wx.mail.qq.com/ftn/download?func=4&key=" + f.id + "&code=" + code
}

// netDisk accepts the identifiers that Alibaba's mail has for large
// attachments.
func netDisk(f *found, _ *Link) bool { return strings.HasPrefix(decoded(f.id), "netdiskid:") }

// tianyi reads the expiration, in milliseconds.
func tianyi(f *found, l *Link) bool {
	expired, _ := f.u.Param("expired")
	if ms, err := strconv.ParseInt(expired, 10, 64); err == nil && 0 < ms && ms < maxEpoch*1000 {
		l.Expiration = time.UnixMilli(ms).UTC()
	}
	return true
}

// maxEpoch bounds seconds since 1970 that are taken for a date, the end of the
// year 9999.
const maxEpoch = 253402300799

// megaOld reads the links of mega.nz that have the ID in the fragment, between
// "!" and "!".
func megaOld(f *found, l *Link) bool {
	rest, isFolder := strings.CutPrefix(f.u.Fragment, "F!")
	if !isFolder {
		var ok bool
		if rest, ok = strings.CutPrefix(f.u.Fragment, "!"); !ok {
			return false
		}
		l.Kind = File
	} else {
		l.Kind = Folder
	}
	l.ID, _, _ = strings.Cut(rest, "!")
	return isToken(l.ID)
}

// namedByFragment is for links whose fragment is a name and no key.
func namedByFragment(f *found, l *Link) bool {
	l.Name = decoded(f.u.Fragment)
	return true
}

// mailDrop reads the link of Apple's Mail Drop, which has the address of the
// file in u, with "${f}" for the name in f and "${uk}" for the key in uk, and
// the size in sz. That address says in e when it ends.
func mailDrop(f *found, l *Link) bool {
	target, ok := weburl.Decode(f.id)
	inner, ok2 := weburl.Parse(target)
	if !ok || !ok2 || !inner.HostIs(".icloud-content.com") || inner.Scheme != "https" || inner.Port != 0 {
		return false
	}
	l.ID = ""
	name, _ := f.u.Param("f")
	l.Name = decoded(name)
	if size, ok := f.u.Param("sz"); ok {
		if n, err := strconv.ParseInt(size, 10, 64); err == nil && n > 0 {
			l.Size = n
		}
	}
	iCloudContent(&found{u: inner, text: target}, l)
	return true
}

// iCloudContent reads the expiration and the identifier of a file in Apple's
// store.
func iCloudContent(f *found, l *Link) bool {
	if l.Name == nameVariable {
		l.Name = ""
	}
	l.ID, _ = f.u.Param("r")
	e, _ := f.u.Param("e")
	if s, err := strconv.ParseInt(e, 10, 64); err == nil && 0 < s && s < maxEpoch {
		l.Expiration = time.Unix(s, 0).UTC()
	}
	return true
}

// mailDropFile replaces the two variables of a Mail Drop link. It returns "" if
// the link has no value for one that is there.
func mailDropFile(f *found, l *Link) string {
	target, _ := weburl.Decode(f.id)
	key, _ := f.u.Param("uk")
	key = decoded(key)
	if l.Name == "" && strings.Contains(target, nameVariable) || key == "" && strings.Contains(target, keyVariable) {
		return ""
	}
	target, _, _ = strings.Cut(target, "#")
	return strings.NewReplacer(nameVariable, escaped(l.Name), keyVariable, escaped(key)).Replace(target)
}

const (
	nameVariable = "${f}"
	keyVariable  = "${uk}"
)

// iCloudFile is for the address of a file in Apple's store, "" if a variable is
// left in it.
func iCloudFile(f *found, l *Link) string {
	text := itself(f, l)
	if plain := decoded(text); plain == "" || strings.Contains(plain, nameVariable) || strings.Contains(plain, keyVariable) {
		return ""
	}
	return text
}

// published accepts the kinds of documents that Google Docs publishes. The
// token in the link is not the ID of the document.
func published(f *found, l *Link) bool {
	switch f.typ {
	case "document", "spreadsheets", "presentation", "drawings":
		l.ID = ""
		l.Rendition = true
		return true
	}
	return false
}

// boxDownload accepts the address that Box has for one file of a share.
func boxDownload(f *found, l *Link) bool {
	rm, _ := f.u.Param("rm")
	l.ID = strings.TrimPrefix(l.ID, "f_")
	return rm == "box_download_shared_file"
}
