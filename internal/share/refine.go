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
// of the file, with a comma between, are in ithint. An ID has the owner's number
// and a "!" in it, or is the path of the file; "root" is the list of all files.
func oneDriveLong(f *found, l *Link) bool {
	switch id := decoded(f.id); {
	case strings.HasPrefix(id, "/"):
		return sharePointPath(f, l)
	case id == "root", !strings.Contains(id, "!") && f.missing("redeem"):
		return false
	}
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

// missing reports whether the query does not have the parameter.
func (f *found) missing(name string) bool {
	value, _ := f.u.Param(name)
	return value == ""
}

// sharePoint reads ":t:", where t is the letter of the type, and what follows
// it: "r" means that the path of the file comes, others that a token does. "l"
// and "li" are lists and their items, and ".aspx" are pages: none of them is a
// file. "fl" is a file of Loop.
func sharePoint(f *found, l *Link) bool {
	letter, ok := strings.CutPrefix(f.typ, ":")
	letter, ok2 := strings.CutSuffix(letter, ":")
	if !ok || !ok2 || len(f.rest) == 0 || letter == "l" {
		return false
	}
	if letter == "fl" {
		l.Kind = File
	} else if !oneDriveType(letter, l) {
		return false
	}
	last := f.rest[len(f.rest)-1]
	if f.owner == "r" {
		l.Name = decoded(last)
		return !isPage(l.Name)
	}
	l.ID = last
	return isToken(last)
}

// sharePointFile reads the name that the address of an editor has. What the
// editor is given is the ID of the document, or its path.
func sharePointFile(f *found, l *Link) bool {
	if strings.HasPrefix(decoded(f.id), "/") {
		return sharePointPath(f, l)
	}
	name, _ := f.u.Param("file")
	l.Name = decoded(name)
	return true
}

// sharePointPath reads the ID that is the path of a file or folder on its
// server. A name without an extension is that of a folder.
func sharePointPath(f *found, l *Link) bool {
	path := serverPath(f.id)
	if path == "" {
		return false
	}
	l.ID = ""
	name := path[strings.LastIndexByte(path, '/')+1:]
	switch {
	case isPage(name):
		return false
	case isFileName(name):
		l.Kind, l.Name = File, name
	default:
		l.Kind = Folder
	}
	return true
}

// serverPath returns the path that a parameter has, in which a "+" is a blank as
// in forms; "" if that path cannot be asked for.
func serverPath(value string) string {
	path := decoded(strings.ReplaceAll(value, "+", " "))
	if !strings.HasPrefix(path, "/") || strings.ContainsFunc(path, func(c rune) bool { return c < ' ' || c == 0x7f || c == '\\' }) {
		return ""
	}
	for segment := range strings.SplitSeq(path[1:], "/") {
		if segment == "" || segment == "." || segment == ".." {
			return ""
		}
	}
	return path
}

// sharePointDocument reads the address of a document in a library of a site.
// Pages, lists and what a site is made of do not count.
func sharePointDocument(f *found, l *Link) bool {
	path := serverPath(strings.ReplaceAll(f.u.Path, "+", "%2B"))
	if path == "" || len(f.rest) < 2 {
		return false
	}
	for _, segment := range f.rest[:len(f.rest)-1] {
		switch strings.ToLower(segment) {
		case "_layouts", "_api", "_vti_bin", "_catalogs", "sitepages", "pages", "lists", "forms", "siteassets", "style%20library":
			return false
		}
	}
	name := path[strings.LastIndexByte(path, '/')+1:]
	if isPage(name) || !isFileName(name) {
		return false
	}
	l.Kind, l.Name = File, name
	return true
}

// isPage reports whether a name is that of a page of a site.
func isPage(name string) bool {
	switch strings.ToLower(extension(name)) {
	case "aspx", "asp", "ashx", "html", "htm":
		return true
	}
	return false
}

// isFileName reports whether a name has an extension that a file may have.
func isFileName(name string) bool {
	ext := extension(name)
	if ext == "" || len(ext) > 8 {
		return false
	}
	letter := false
	for _, c := range []byte(ext) {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z':
			letter = true
		case c < '0' || c > '9':
			return false
		}
	}
	return letter || ext == "7z"
}

func extension(name string) string {
	if i := strings.LastIndexByte(name, '.'); i > 0 {
		return name[i+1:]
	}
	return ""
}

// inFolder reads the name that comes after the token of a folder of Dropbox: that
// of a file if it has an extension.
func inFolder(f *found, l *Link) bool {
	if len(f.rest) == 0 {
		l.Kind = Folder
		return true
	}
	if name := decoded(f.rest[len(f.rest)-1]); isFileName(name) {
		l.Kind, l.Name = File, name
		l.ID = "" // that of the folder
		return true
	}
	l.Kind = Folder
	return true
}

// opaque is for links whose ID is worth nothing without the rest.
func opaque(_ *found, l *Link) bool {
	l.ID = ""
	return true
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
	return named("title")(f, l)
}

// named reads the name of the file in a parameter.
func named(param string) func(*found, *Link) bool {
	return func(f *found, l *Link) bool {
		name, _ := f.u.Param(param)
		l.Name = decoded(name)
		return true
	}
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
	var key string
	l.ID, key, _ = strings.Cut(rest, "!")
	return isToken(l.ID) && key != ""
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
	if !ok || !ok2 || !inner.HostIs(iCloudContents[0]) && !inner.HostIs(iCloudContents[1]) || inner.Scheme != "https" || inner.Port != 0 {
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
	case "document", "spreadsheets", "presentation":
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

// boxFile reads the address that a file has for who is logged in, and the token of
// the share that it may have besides.
func boxFile(f *found, l *Link) bool {
	for _, c := range []byte(f.id) {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}

// shareFileToken accepts the two forms of tokens that ShareFile has.
func shareFileToken(f *found, _ *Link) bool {
	token, ok := strings.CutPrefix(f.id, "d-")
	if !ok {
		token, ok = strings.CutPrefix(f.id, "web-")
	}
	return ok && len(token) >= 8
}

// hexadecimal accepts the tokens that Zoho has for everybody.
func hexadecimal(f *found, _ *Link) bool { return len(f.id) >= 32 && isHex(f.id) }

// long accepts identifiers that no page has for a name.
func long(f *found, _ *Link) bool { return len(f.id) >= 20 }

func isHex(s string) bool {
	for _, c := range []byte(s) {
		if !('0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F') {
			return false
		}
	}
	return s != ""
}

// adobeURN accepts the names that Adobe has for documents.
func adobeURN(f *found, _ *Link) bool {
	return strings.HasPrefix(strings.ToLower(decoded(f.id)), "urn:aaid:")
}

// slackToken accepts the numbers of a team and a file with a key.
func slackToken(f *found, _ *Link) bool {
	parts := strings.Split(f.id, "-")
	return len(parts) == 3 && strings.HasPrefix(parts[0], "T") && strings.HasPrefix(parts[1], "F") && parts[2] != ""
}

// salesforceShare accepts a share with its token, which can be in the fragment.
func salesforceShare(f *found, _ *Link) bool { return len(f.rest) > 0 || f.u.Fragment != "" }

// fileSender accepts a download from a host, or a place on it, that says that it
// runs FileSender.
func fileSender(f *found, l *Link) bool {
	s, _ := f.u.Param("s")
	return s == "download" && isUUID(f.id) && (strings.Contains(f.u.Host, "filesender") || strings.Contains(f.u.Path, "filesender"))
}

// isUUID reports whether s has the form of RFC 9562 section 4.
func isUUID(s string) bool {
	return len(s) == 36 && s[8] == '-' && s[13] == '-' && s[18] == '-' && s[23] == '-' && isHex(strings.ReplaceAll(s, "-", ""))
}

// gigaFile accepts the day and the key that a file has.
func gigaFile(f *found, _ *Link) bool {
	day, key, ok := strings.Cut(f.id, "-")
	return ok && len(day) == 4 && isHex(day) && len(key) >= 16
}

// fileBin accepts a file in a bin.
func fileBin(f *found, l *Link) bool { return len(f.id) >= 8 && isFileName(l.Name) }

// syncHost accepts the hosts that keep files.
func syncHost(f *found, _ *Link) bool {
	return strings.HasPrefix(f.u.Host, "ln") || strings.HasPrefix(f.u.Host, "cp.")
}

// uuid accepts identifiers of the form of RFC 9562 section 4.
func uuid(f *found, _ *Link) bool { return isUUID(f.id) }

// dated accepts a date with a token after it.
func dated(f *found, _ *Link) bool { return len(f.id) > 8 && isDecimal(f.id[:8]) }

// smash accepts a token with two letters after it, which say where the files are. Names
// that senders choose for a transfer could be pages as well.
func smash(f *found, _ *Link) bool {
	token, place, ok := strings.Cut(f.id, "-")
	return ok && len(token) >= 8 && len(place) == 2
}

// mixed accepts tokens, which have digits or capital letters in them.
func mixed(f *found, _ *Link) bool {
	return len(f.id) >= 6 && strings.ContainsAny(f.id, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ")
}

// slackFile accepts the numbers of a member and of a file.
func slackFile(f *found, _ *Link) bool {
	return (strings.HasPrefix(f.owner, "U") || strings.HasPrefix(f.owner, "W")) && strings.HasPrefix(f.id, "F") && len(f.id) >= 6
}

// iWork reads the title of a document of Apple's programs, in which "_" stands for what
// is no letter.
func iWork(f *found, l *Link) bool {
	return strings.HasPrefix(f.id, "0") && len(f.id) >= 20 && namedByFragment(f, l)
}

// boxShare refuses the hosts of Box that are for people who look for help or news.
func boxShare(f *found, _ *Link) bool {
	switch label, _, _ := strings.Cut(f.u.Host, "."); label {
	case "account", "blog", "community", "developer", "status", "support", "training":
		return false
	}
	return true
}
