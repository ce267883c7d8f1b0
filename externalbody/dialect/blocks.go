package dialect

import (
	"strings"
	"time"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/internal/codec/charset"
	"github.com/go-extbody/extbody/internal/link/sharelink"
	"github.com/go-extbody/extbody/internal/link/unwrap"
	"github.com/go-extbody/extbody/internal/link/weburl"
	"github.com/go-extbody/extbody/internal/mime/param"
)

// maxTables bounds the nesting of the tables in which a block is looked for.
const maxTables = 64

// owa reads the blocks that Outlook on the web puts into mail for files in OneDrive and
// SharePoint. The form comes from messages that mailing lists received:
//
//	<div id="OwaReferenceAttachments">... <a href="URL"><table>...
//	    <div id="OwaReferenceAttachmentFileName2"><a href="URL">NAME</a></div>
//	...</table></a> ...<div id="OwaReferenceAttachmentsEnd"></div>
//
// There is one such table for each file, with a running number or none. The comments
// around it look like those that Outlook hides, but hide nothing.
func owa() externalbody.Dialect {
	return externalbody.Dialect{
		Name:  "owa",
		Hints: []string{"owareferenceattachmentfilename"},
		Near:  []string{"a", "table"},
		Text: func(_ *externalbody.Entity, found finder) func(*externalbody.Token) {
			o := &owaReader{found: found}
			o.blocks = readBlocks(isOwaFile, o.block)
			return o.read
		},
	}
}

// isOwaFile reports whether t starts the element with the name of a file.
func isOwaFile(t *externalbody.Token) bool {
	id, _ := t.Attr("id")
	return strings.HasSuffix(strings.TrimRight(id, "0123456789"), "OwaReferenceAttachmentFileName")
}

// An owaReader extends the element with the name of a file to the table around it, and
// to the link around that.
type owaReader struct {
	found  finder
	blocks func(*externalbody.Token)

	tables []owaTable         // the open ones, the innermost last
	deeper int                // open tables that are not in tables
	link   externalbody.Token // the start tag of the link that is directly before this place
	linked bool               // there is one

	pending *externalbody.Reference
	around  element // the place of pending
	depth   int     // of the table around pending; 0 without a table
	closed  bool    // that table has ended
	within  bool    // there is a link around it
}

// An owaTable is where a table starts.
type owaTable struct {
	first  externalbody.Token
	linked bool // with the link around it
}

func (o *owaReader) read(t *externalbody.Token) {
	o.blocks(t)
	blank := t.Kind == externalbody.TextToken && strings.TrimSpace(t.Text) == ""
	if blank {
		return
	}
	if o.pending != nil && (o.closed || o.depth == 0) {
		if o.within && t.Kind == externalbody.EndTagToken && t.Name == "a" {
			o.around.last = *t
		}
		o.flush()
	}
	linked := o.linked
	link := o.link
	o.linked = t.Kind == externalbody.StartTagToken && t.Name == "a"
	if o.linked {
		o.link = *t
	}
	switch {
	case t.Kind == externalbody.EndToken:
		o.flush()
	case t.Name != "table":
	case t.Kind == externalbody.StartTagToken:
		if len(o.tables) == maxTables {
			o.deeper++
			return
		}
		first := *t
		if linked {
			first = link
		}
		o.tables = append(o.tables, owaTable{first, linked})
	case o.deeper > 0:
		o.deeper--
	case len(o.tables) > 0:
		if o.pending != nil && o.depth == len(o.tables) {
			top := o.tables[len(o.tables)-1]
			o.around.first = top.first
			o.around.last = *t
			o.closed = true
			o.within = top.linked
		}
		o.tables = o.tables[:len(o.tables)-1]
	}
}

// block reads the element with the name of a file.
func (o *owaReader) block(b *block) {
	o.flush()
	a, r := b.first()
	if a == nil {
		return
	}
	o.pending = r
	o.around = b.element
	setName(r, a.text)
	o.depth = 0
	o.closed = false
	o.within = false
	if o.deeper == 0 {
		o.depth = len(o.tables)
	}
}

// flush passes on the Reference that is pending.
func (o *owaReader) flush() {
	if r := o.pending; r != nil {
		o.pending = nil
		o.found(r, o.around.place()...)
	}
}

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
		Text: readClasses(func(b *block, found finder) {
			a, r := b.first()
			if a == nil {
				return
			}
			setName(r, strings.TrimSpace(a.attr("aria-label")), a.text)
			for _, src := range b.images {
				setType(r, iconType(src))
			}
			found(r, b.place()...)
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

// maildrop reads the elements that Apple Mail puts into mail for attachments that it
// has stored with Mail Drop. They are of class x-apple-maildrop or
// x-apple-maildropbanner. They have the attributes data-url, data-size (0 if not
// known), data-filename and data-expiration, and a link inside.
//
// The attributes are known from the program that reads them in Apple's own mail. No
// message with them is public. The form of data-expiration is not known: it counts if
// it is a number of seconds or milliseconds, or as in RFC 3339. The webmail of iCloud
// puts rules for these classes into the style of ordinary mail. These are text and not
// elements.
func maildrop() externalbody.Dialect {
	return externalbody.Dialect{
		Name:  "maildrop",
		Hints: []string{"x-apple-maildrop"},
		Near:  links,
		Text:  readClasses(maildropBlock, "x-apple-maildrop", "x-apple-maildropbanner"),
	}
}

func maildropBlock(b *block, found finder) {
	link := maildropAnchor(b)
	url, ok := link.url()
	if !ok {
		return
	}
	r := link.reference(url, &b.element)
	setName(r, b.attr("data-filename"))
	if n := digits(b.attr("data-size")); n > 0 {
		r.Size = n
	}
	if text := b.attr("data-expiration"); text != "" {
		if n := digits(text); n > 0 {
			setExpiration(r, epoch(n))
		} else if t, err := time.Parse(time.RFC3339, text); err == nil {
			setExpiration(r, t)
		} else {
			diag(r, externalbody.DiagBadExpiration, "data-expiration")
		}
	}
	found(r, b.place()...)
}

// maildropAnchor returns the link that people see if it is one of Mail Drop, since
// other places name the same. Otherwise it returns data-url as a link.
func maildropAnchor(b *block) *anchor {
	for i := range b.anchors {
		if url, ok := b.anchors[i].url(); ok {
			if l, ok := sharelink.Match(unwrap.URL(url).URL); ok && l.Provider == "icloud" {
				return &b.anchors[i]
			}
		}
	}
	return &anchor{element: element{attrs: []externalbody.Field{{Name: "href", Value: b.attr("data-url")}}}}
}

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

func neteaseText(_ *externalbody.Entity, found finder) func(*externalbody.Token) {
	anchors := &anchorReader{done: func(a *anchor) {
		name := a.attr("filename")
		size := digits(a.attr("filesize"))
		if name == "" || size < 0 || a.attr("expiretime") == "" {
			return
		}
		url, ok := a.url()
		if !ok {
			url, ok = weburl.InPage(a.attr("download"))
			if !ok {
				return
			}
		}
		r := a.reference(url, &a.element)
		r.Name = name
		r.Size = size
		if n := digits(a.attr("expiretime")); n > 0 {
			setExpiration(r, epoch(n))
		}
		found(r, a.place()...)
	}}
	return anchors.read
}

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
func icewarpBlock(b *block, found finder) {
	only := filelinkAnchor(b.anchors)
	for i := range b.anchors {
		a := &b.anchors[i]
		url, ok := a.url()
		name := a.fileName()
		if !ok || name == "" && a != only {
			continue
		}
		r := a.reference(url, &a.element)
		r.Quoted = b.element.first.Quoted
		setName(r, name)
		found(r, a.place()...)
	}
}
