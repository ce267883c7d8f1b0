package sharelink

import (
	"encoding/base64"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-extbody/extbody/internal/link/weburl"
)

// oneDriveType sets the Kind by the letter that OneDrive and SharePoint write for
// the type. "o" is a notebook, which is a folder of files. A letter that is not known
// means a Page. It reports false for anything but a small letter.
func oneDriveType(letter string, l *Link) bool {
	switch letter {
	case "f", "o":
		l.Kind = Folder
	case "b", "i", "p", "t", "u", "v", "w", "x":
		l.Kind = File
	default:
		l.Kind = Page
	}
	return len(letter) == 1 && 'a' <= letter[0] && letter[0] <= 'z'
}

// oneDriveRedeem is for addresses with the parameter redeem, which is the short link in
// base64.
func oneDriveRedeem(f *found, l *Link) bool {
	text, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(decoded(f.id), "="))
	u, ok := weburl.Parse(string(text))
	if segments := split(u.Path); err == nil && ok && u.Host == "1drv.ms" && len(segments) == 4 && segments[1] == "c" && oneDriveType(segments[0], l) {
		f.owner, f.id = segments[2], segments[3]
		l.ID = f.id
		return isToken(f.owner) && isToken(f.id)
	}
	return oneDriveLong(f, l)
}

// oneDriveShared is for the address to which a short link that names the owner redirects.
func oneDriveShared(f *found, l *Link) bool {
	if len(f.rest) != 3 || f.owner != "g" || f.rest[0] != "personal" || !sharePoint(f, l) {
		return false
	}
	f.owner = f.rest[1]
	return isToken(f.owner)
}

// oneDriveNew is for 1drv.ms links that name the owner.
func oneDriveNew(f *found, l *Link) bool { return oneDriveType(f.typ, l) }

// oneDriveLong is for addresses of onedrive.live.com. The parameter ithint has the
// type and the suffix of the file, with a comma between. An ID is either the path of
// the file or has the number of the owner and a "!" in it. "root" is the list of all
// files. A link with the parameter redeem may have any other ID.
func oneDriveLong(f *found, l *Link) bool {
	switch id := decoded(f.id); {
	case strings.HasPrefix(id, "/"):
		return sharePointPath(f, l)
	case id == "root", !strings.Contains(id, "!") && f.value("redeem") == "":
		return false
	}
	hint, _ := f.u.Param("ithint")
	kind, _, _ := strings.Cut(decoded(hint), ",")
	if known := map[string]Kind{"folder": Folder, "file": File, "photo": File, "video": File, "audio": File}[kind]; known != "" {
		l.Kind = known
	}
	return true
}

// value returns the value of a parameter, decoded as in forms, or "".
func (f *found) value(name string) string {
	value, _ := f.u.Param(name)
	return decoded(strings.ReplaceAll(value, "+", " "))
}

// sharePoint is for paths with ":t:", where t is the letter of the type. If the next
// segment is "r", the path of the file follows; otherwise a token does. Type "fl" is
// a file of Loop. The types "l" and "li" are lists and their items, and names that end
// with ".aspx" are pages. None of these is a file.
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
	if f.owner == "r" {
		l.Name = f.last()
		return !isPage(l.Name)
	}
	f.id = f.rest[len(f.rest)-1]
	l.ID = f.id
	return isToken(f.id)
}

// sharePointFile is for the address of an editor. The address has the ID of the
// document and its name, or its path instead.
func sharePointFile(f *found, l *Link) bool {
	if strings.HasPrefix(decoded(f.id), "/") {
		return sharePointPath(f, l)
	}
	return named("file")(f, l)
}

// sharePointView reads the address of a page that shows a library or one document of it:
// any page with the path of the document on its server as the parameter id.
func sharePointView(f *found, l *Link) bool {
	return len(f.rest) > 1 && strings.EqualFold(extension(f.rest[len(f.rest)-1]), "aspx") && sharePointPath(f, l)
}

// sharePointOpened reads the address of an editor below ":x:/r/".
func sharePointOpened(f *found, l *Link) bool {
	return strings.HasPrefix(f.typ, ":") && strings.EqualFold(extension(f.last()), "aspx") && sharePointFile(f, l)
}

// sharePointPath reads an ID that is the path of a file or folder on its server. A
// name without an extension means a folder.
func sharePointPath(f *found, l *Link) bool {
	path := serverPath(f.id)
	if path == "" {
		return false
	}
	l.ID = ""
	l.nameEnd(path)
	return !isPage(l.Name)
}

// nameEnd sets the Kind and the Name by the last segment of a path: a name without an
// extension means a folder. It reports whether it is a file.
func (l *Link) nameEnd(path string) bool {
	l.Kind, l.Name = File, path[strings.LastIndexByte(path, '/')+1:]
	if !isFileName(l.Name) {
		l.Kind, l.Name = Folder, ""
	}
	return l.Kind == File
}

// last returns the last segment for "*", decoded, or "".
func (f *found) last() string {
	if len(f.rest) == 0 {
		return ""
	}
	return decoded(f.rest[len(f.rest)-1])
}

// serverPath returns the path in the value of a parameter. A "+" stands for a space,
// as in forms. It returns "" for a path that cannot be asked for.
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

// sharePointDocument reads the address of a document in a library of a site. Pages,
// lists, and the files that a site itself consists of, are refused.
func sharePointDocument(f *found, l *Link) bool {
	path := serverPath(strings.ReplaceAll(f.u.Path, "+", "%2B"))
	if path == "" || len(f.rest) < 2 {
		return false
	}
	for _, segment := range f.rest[:len(f.rest)-1] {
		if strings.EqualFold(segment, "siteassets") && strings.EqualFold(extension(path), "one") {
			continue // SharePoint keeps the notebook of a site there
		}
		switch strings.ToLower(segment) {
		case "_layouts", "_api", "_vti_bin", "_catalogs", "sitepages", "pages", "lists", "forms", "siteassets", "style%20library", "publishingimages", "sitecollectionimages":
			return false
		}
	}
	return l.nameEnd(path) && !isPage(l.Name)
}

// isPage reports whether a file with this name is a page of a site.
func isPage(name string) bool {
	return slices.Contains([]string{"aspx", "asp", "ashx", "html", "htm"}, strings.ToLower(extension(name)))
}

// isFileName reports whether a name has an extension that a file may have: at most
// 8 letters and digits, and not digits alone.
func isFileName(name string) bool {
	ext := extension(name)
	return ext != "" && len(ext) <= 8 && isKey(strings.ToLower(ext)) && !isDecimal(ext)
}

func extension(name string) string {
	if i := strings.LastIndexByte(name, '.'); i > 0 {
		return name[i+1:]
	}
	return ""
}

// previewed reads a link to a folder that shows one file of it. The host sends the whole
// folder for such a link.
func previewed(f *found, l *Link) bool {
	if l.Name = f.value("preview"); l.Name == "" {
		return false
	}
	l.Kind, l.ID = File, ""
	return true
}

// inFolder reads the name after the token of a Dropbox folder. A name with an
// extension is a file in that folder.
func inFolder(f *found, l *Link) bool {
	if l.nameEnd(f.last()) {
		l.ID = "" // it is the ID of the folder
	}
	return true
}

// publicFile accepts a file in the public folder of a person, who has a number.
func publicFile(f *found, l *Link) bool { return isDecimal(f.owner) && l.nameEnd(f.last()) }

// opaque is for links whose ID is useless without the rest of the URL.
func opaque(_ *found, l *Link) bool {
	l.ID = ""
	return true
}

// rendition is for a link that is already an export, in the format that its query or
// path names.
func rendition(_ *found, l *Link) bool {
	l.Rendition = true
	return true
}

// named reads the name of the file from a parameter, where a "+" stands for a space.
func named(param string) func(*found, *Link) bool {
	return func(f *found, l *Link) bool {
		name, _ := f.u.Param(param)
		l.Name = decoded(strings.ReplaceAll(name, "+", " "))
		return true
	}
}

// netEase accepts links without a mark, and links with one of the two marks that
// Coremail writes for large attachments.
func netEase(f *found, l *Link) bool {
	switch mark, _ := f.u.Param("p"); mark {
	case "", "X-NETEASE-HUGE-ATTACHMENT", "X-NTES-HUGE-ATTACHMENT":
		return named("title")(f, l)
	}
	return false
}

// qqFile returns the address at which QQ Mail sends the file. It is the address of
// the page with func=4 instead of func=3.
func qqFile(f *found, _ *Link) string {
	code, ok := f.u.Param("code")
	if !ok || !isToken(code) || !isToken(f.id) {
		return ""
	}
	return "https://wx.mail.qq.com/ftn/download?func=4&key=" + f.id + "&code=" + code
}

// tianyi reads the expiration, in milliseconds.
func tianyi(f *found, l *Link) bool {
	l.expire(f.value("expired"), time.Millisecond)
	return true
}

// expire sets the Expiration to a number of units since 1970. A text that is not such a number
// sets nothing.
func (l *Link) expire(text string, unit time.Duration) {
	per := int64(time.Second / unit)
	if n, err := strconv.ParseInt(text, 10, 64); err == nil && 0 < n && n < maxEpoch*per {
		l.Expiration = time.Unix(n/per, n%per*int64(unit)).UTC()
	}
}

// maxEpoch is the end of the year 9999, in seconds since 1970. Larger numbers are not
// taken for a date.
const maxEpoch = 253402300799

// megaOld reads old links of mega.nz. Their fragment has the ID between two "!".
func megaOld(f *found, l *Link) bool {
	parts := strings.Split(f.u.Fragment, "!")
	if len(parts) < 3 || parts[0] != "" && parts[0] != "F" {
		return false
	}
	f.id = parts[1]
	if l.Kind, l.ID = File, f.id; parts[0] == "F" {
		l.Kind = Folder
	}
	l.setCut(parts[2])
	return isToken(l.ID) && parts[2] != ""
}

// megaKey reads links of mega.nz. Their fragment is the key, perhaps with a path after it.
func megaKey(f *found, l *Link) bool {
	l.setCut(f.u.Fragment)
	return true
}

// setCut sets Cut. In base64 the keys of mega.nz have 43 digits for a file, and 22 for a folder.
func (l *Link) setCut(key string) {
	key, _, _ = strings.Cut(key, "/")
	l.Cut = len(key) != map[Kind]int{File: 43, Folder: 22}[l.Kind]
}

// namedByFragment is for links whose fragment is a name, not a key.
func namedByFragment(f *found, l *Link) bool {
	l.Name = decoded(f.u.Fragment)
	return true
}

// mailDrop reads a link of Apple's Mail Drop. Its parameters are
//
//   - u: the address of the file, in which "${f}" stands for the name, "${uk}" for the
//     key, and e is the time at which the address ends,
//   - f: the name,
//   - uk: the key,
//   - sz: the size in octets.
func mailDrop(f *found, l *Link) bool {
	target, ok := weburl.Decode(f.id)
	inner, ok2 := weburl.Parse(target)
	isContent := func(domain string) bool { return strings.HasSuffix(inner.Host, domain) }
	if !ok || !ok2 || !slices.ContainsFunc(iCloudContents, isContent) || inner.Scheme != "https" || inner.Port != 0 {
		return false
	}
	l.ID = ""
	named("f")(f, l)
	if size, ok := f.u.Param("sz"); ok {
		if n, err := strconv.ParseInt(size, 10, 64); err == nil && n > 0 {
			l.Size = n
		}
	}
	iCloudContent(&found{u: inner, text: target}, l)
	return true
}

// iCloudContent reads the expiration and the identifier from the address of a file in
// Apple's store.
func iCloudContent(f *found, l *Link) bool {
	if l.Name == nameVariable {
		l.Name = ""
	}
	l.ID, _ = f.u.Param("r")
	l.expire(f.value("e"), time.Second)
	return true
}

// mailDropFile returns the address in a Mail Drop link with its two variables
// replaced. It returns "" if the link has no value for a variable that occurs.
func mailDropFile(f *found, l *Link) string {
	target, _ := weburl.Decode(f.id)
	key, _ := f.u.Param("uk")
	key = decoded(key)
	if l.Name == "" && strings.Contains(target, nameVariable) || key == "" && strings.Contains(target, keyVariable) {
		return ""
	}
	u, _ := weburl.Parse(strings.NewReplacer(nameVariable, escaped(l.Name), keyVariable, escaped(key)).Replace(target))
	u.HasFragment = false
	return u.String()
}

const (
	nameVariable = "${f}"
	keyVariable  = "${uk}"
)

// iCloudFile is for the address of a file in Apple's store. It returns "" if a
// variable is left in the address.
func iCloudFile(f *found, l *Link) string {
	text := itself(f, l)
	if plain := decoded(text); plain == "" || strings.Contains(plain, nameVariable) || strings.Contains(plain, keyVariable) {
		return ""
	}
	return text
}

// published accepts the kinds of documents that can be published in Google Docs. The
// token in such a link is not the ID of the document.
func published(f *found, l *Link) bool {
	l.ID, l.Rendition = "", true
	return f.typ == "document" || f.typ == "spreadsheets" || f.typ == "presentation"
}

// boxDownload accepts the address at which Box sends one file of a share.
func boxDownload(f *found, l *Link) bool {
	rm, _ := f.u.Param("rm")
	l.ID = strings.TrimPrefix(l.ID, "f_")
	return rm == "box_download_shared_file"
}

// salesforceShare accepts a share that has a token in its path or its fragment.
func salesforceShare(f *found, _ *Link) bool { return len(f.rest) > 0 || f.u.Fragment != "" }

// fileSender accepts a download whose host or path contains "filesender".
func fileSender(f *found, l *Link) bool {
	return fileSenderToken(f, l) && (strings.Contains(f.u.Host, "filesender") || strings.Contains(f.u.Path, "filesender"))
}

// fileBin accepts a file in a bin.
func fileBin(_ *found, l *Link) bool { return isFileName(l.Name) }

// mediaFireKeys accepts a list of keys of files and folders, with commas between, and a
// single key as the query without a name.
func mediaFireKeys(f *found, _ *Link) bool {
	keys := f.u.Query
	if segments := split(f.u.Path); len(segments) == 2 {
		if keys = segments[1]; !strings.Contains(keys, ",") {
			return false // a row of its own
		}
	}
	for key := range strings.SplitSeq(keys, ",") {
		if len(key) < 11 || len(key) > 15 || !strings.ContainsAny(key, "0123456789") || !isKey(key) {
			return false
		}
	}
	return true
}

// isKey reports whether s has only digits and small letters.
func isKey(s string) bool { return strings.Trim(s, "0123456789abcdefghijklmnopqrstuvwxyz") == "" }

// syncHost accepts the hosts of sync.com that keep files.
func syncHost(f *found, _ *Link) bool {
	return strings.HasPrefix(f.u.Host, "ln") || strings.HasPrefix(f.u.Host, "cp.")
}

// atOwner accepts an owner that begins with "@".
func atOwner(f *found, l *Link) bool {
	l.Name = ""
	n, ok := strings.CutPrefix(f.name, "@")
	return ok && isDecimal(n)
}

// namedByID is for links whose ID is the name of a file.
func namedByID(f *found, l *Link) bool {
	l.Name = f.id
	return isFileName(f.id)
}

// bareQuery reads the ID from a query that has no name.
func bareQuery(f *found, l *Link) bool {
	f.id, _, _ = strings.Cut(f.u.Query, "&")
	l.ID = f.id
	return f.id != ""
}

// paper accepts the title of a document with the token after it.
func paper(f *found, _ *Link) bool {
	f.id = strings.Join(f.rest, "/")
	return len(f.rest) == 1
}

// storj reads a file in a bucket. A path that ends with a slash is a folder.
func storj(f *found, l *Link) bool {
	if len(f.rest) == 0 || strings.HasSuffix(f.u.Path, "/") {
		l.Kind = Folder
		return true
	}
	l.Kind, l.Name = File, f.last()
	return true
}

// boxShare refuses the hosts of Box that give help, news and the like.
func boxShare(f *found, _ *Link) bool {
	label, _, _ := strings.Cut(f.u.Host, ".")
	return !slices.Contains([]string{"account", "blog", "community", "developer", "status", "support", "training"}, label)
}
