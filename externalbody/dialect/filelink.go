package dialect

import (
	"strconv"
	"strings"
	"time"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/internal/codec/charset"
	"github.com/go-extbody/extbody/internal/link/unwrap"
	"github.com/go-extbody/extbody/internal/link/weburl"
	"github.com/go-extbody/extbody/internal/mime/param"
)

// cloudPart is the header field of a part that stands for a file in a cloud.
const cloudPart = "X-Mozilla-Cloud-Part"

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
	r, _ := readCloud(e, field, value, "cloudFile")
	return r
}

// readCloud reads a field that starts with word. It returns nil if the field has no URL.
func readCloud(e *externalbody.Entity, field, value, word string) (*externalbody.Reference, *param.Value) {
	p := cutPairs(value, word)
	url := firstOf(p, "url")
	if len(p.Params) == maxPairs && url == "" {
		e.Unread(externalbody.DiagCutShort, "32 values of a field were read")
	}
	if url == "" {
		return nil, nil
	}
	r := newLink(url, field, "https", "http")
	setName(r, charset.Words(firstOf(p, "name")), placeholderName(e))
	if p.Conflict("url") {
		diag(r, externalbody.DiagConflict, "url")
	}
	return r, p
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

// filelinkText reads the blocks of class cloudAttachmentItem. They have these forms in
// the sources of the programs that write them:
//
//	<li class="cloudAttachmentItem" data-content-location="URL" ...>  Thunderbird since 2021: the links in it have
//	    the class cloudfile-name, and cloudfile-link or cloudfile-password-protected-link
//	<div class="cloudAttachmentItem">                                 Thunderbird 60 to 90: the link has the class downloadUrl
//	<div class="cloudAttachmentItem">                                 Thunderbird 13 to 60: three links without a class
//	<div class="cloudAttachmentItem">                                 BlueMind and its plugin for Roundcube: a link without a class
//	<p class="cloudAttachmentItem" data-content-location="URL" ...>   Thunderbird, a text message: no link
//
// Webmail drops the data attributes when it quotes. The links therefore count as well. List
// servers drop the classes too; see [plainItem].
// Size and expiration are texts for people, in their language, and are not read.
func filelinkText(e *externalbody.Entity, found finder) func(*externalbody.Token) {
	if e.MediaType == "text/plain" {
		return readLines((&listReader{found: found}).line)
	}
	blocks := readClasses(func(b *block, found finder) {
		if r := filelinkReference(b); r != nil {
			found(r, b.place()...)
		}
	}, "cloudAttachmentItem")(e, found)
	item := plainItem{found: found}
	item.anchors.done = item.anchor
	return func(t *externalbody.Token) {
		blocks(t)
		item.read(t)
	}
}

// A plainItem reads an item without classes, in the order in which Thunderbird writes it: a
// link whose text is the name, a size, other facts, and a link to the same place whose text is
// its URL. No other link is between them. The size is in parentheses, or has a label.
type plainItem struct {
	found    finder
	anchors  anchorReader
	name     *anchor // nil outside of an item
	labelled bool    // the label of a size precedes
	sized    bool
	n        int // texts after the name
}

func (i *plainItem) read(t *externalbody.Token) {
	if class, _ := t.Attr("class"); hasWord(class, "cloudAttachmentItem") {
		i.name = nil
	}
	if t.Kind == externalbody.TextToken && i.name != nil && !i.anchors.open {
		shown := strings.Trim(t.Text, " \t\r\n\u00a0")
		text := strings.Trim(shown, " \t\r\n\u00a0()")
		if label, value, ok := cutField(text); ok {
			i.labelled = isSizeLabel(label)
			text = value
		}
		mayBeSize := i.labelled || strings.HasSuffix(shown, ")")
		i.sized = i.sized || mayBeSize && isShownSize(text)
		if text != "" {
			i.n++
			i.labelled = false
		}
	}
	i.anchors.read(t)
}

func (i *plainItem) anchor(a *anchor) {
	url, ok := a.url()
	name := i.name
	i.name = nil
	hasSize := i.sized && i.n <= 4*maxItem
	switch {
	case !ok || a.marked("cloudfile-name"):
	case name != nil && hasSize && showsURL(a, url):
		if first, _ := name.url(); first == url {
			name.last = a.last
			r := name.reference(url, &name.element)
			r.Name = name.text
			i.found(r, name.place()...)
		}
	case a.text != "" && !showsURL(a, url):
		first := *a
		i.name = &first
		i.labelled = false
		i.sized = false
		i.n = 0
	}
}

func filelinkReference(b *block) *externalbody.Reference {
	link := filelinkAnchor(b.anchors)
	url, declared := weburl.InPage(b.attr("data-content-location"))
	if link == nil {
		if !declared {
			return nil
		}
		return b.reference(url)
	}
	href, _ := link.url()
	if !declared {
		url = href
	}
	r := link.reference(url, &b.element)
	if name := filelinkName(link, b.anchors); name != "" {
		r.Name = name
	}
	if unwrap.URL(url).URL != unwrap.URL(href).URL {
		diag(r, externalbody.DiagConflict, "url")
	}
	for i := range b.anchors {
		a := &b.anchors[i]
		if (a.marked("cloudfile-link") || a.marked("cloudfile-password-protected-link")) && a.misleads(url) {
			diag(r, externalbody.DiagLinkText, "href")
			break
		}
	}
	return r
}

// filelinkAnchor returns the link to the file. It returns nil if there is none, or if
// it cannot be distinguished from others.
func filelinkAnchor(anchors []anchor) *anchor {
	for _, class := range []string{"cloudfile-name", "downloadUrl", "cloudfile-link", "cloudfile-password-protected-link"} {
		for i := range anchors {
			if _, ok := anchors[i].url(); ok && anchors[i].marked(class) {
				return &anchors[i]
			}
		}
	}
	return filelinkUnmarked(anchors)
}

// filelinkUnmarked is filelinkAnchor for links without a class. A link to the maker of
// the block is not a link to the file. If the others lead to several places, the file
// is the place that two of them lead to, one of which shows the URL. Thunderbird first
// wrote the name, the provider, and the URL below them.
func filelinkUnmarked(anchors []anchor) *anchor {
	var only, shared *anchor
	one := true
	several := false
	for i := range anchors {
		a := &anchors[i]
		url, ok := a.url()
		if !ok || a.marked("providerLink") {
			continue // the maker of the block
		}
		if strings.HasSuffix(weburlHost(url), "blue-mind.net") && a.fileName() == "" {
			continue // the maker of the block
		}
		if only == nil {
			only = a
		} else if first, _ := only.url(); first != url {
			one = false
		}
		if first := sameTarget(anchors[:i], url); first != nil && showsURL(a, url) && first != shared {
			several = several || shared != nil
			shared = first
		}
	}
	switch {
	case one:
		return only
	case several:
		return nil
	}
	return shared
}

// sameTarget returns the first of anchors that leads to url, or nil if none does.
func sameTarget(anchors []anchor, url string) *anchor {
	for i := range anchors {
		if u, ok := anchors[i].url(); ok && u == url {
			return &anchors[i]
		}
	}
	return nil
}

// filelinkName returns the name of the file that link leads to. It is the text of link
// if that can be a name, or the text of another link to the same place. If one of these
// shows the URL, as Thunderbird wrote it, the text of the other is the name whatever it
// is.
func filelinkName(link *anchor, anchors []anchor) string {
	if link.marked("cloudfile-name") {
		return link.text
	}
	if name := link.fileName(); name != "" {
		return name
	}
	url, _ := link.url()
	name := ""
	shown := false
	for i := range anchors {
		a := &anchors[i]
		if u, ok := a.url(); !ok || u != url {
			continue
		}
		if f := a.fileName(); f != "" {
			return f
		}
		if showsURL(a, url) {
			shown = true
		} else if name == "" && !strings.Contains(a.text, "://") {
			name = a.text
		}
	}
	if !shown {
		return ""
	}
	return name
}

// bluemind reads the header field of BlueMind, which comes together with the field of
// filelink. These forms are in the sources of its web clients, its server and its
// plugin for Roundcube:
//
//	filehosting;url=URL;name=N;size=OCTETS;mime=TYPE;expirationDate=MILLISECONDS
//	filehosting; url=URL; name=N; size=OCTETS; mime=TYPE
//	filehosting;url=URL;name=N;                                   X-BlueMind-Disposition
//
// One without a URL is of a draft whose file is being uploaded.
func bluemind() externalbody.Dialect {
	fields := []string{"X-BM-Disposition", "X-BlueMind-Disposition"}
	return externalbody.Dialect{Name: "bluemind", Fields: fields, Read: readFile(fields, readBluemind)}
}

func readBluemind(e *externalbody.Entity, field, value string) *externalbody.Reference {
	r, p := readCloud(e, field, value, "filehosting")
	if r == nil {
		return nil
	}
	setSize(r, firstOf(p, "size"))
	setType(r, firstOf(p, "mime"))
	if v := firstOf(p, "expirationdate"); v != "" {
		ms, _ := strconv.ParseInt(v, 10, 64)
		setExpiration(r, time.UnixMilli(ms))
	}
	cloud := firstOf(cutPairs(e.Header.Get(cloudPart), "cloudFile"), "url") // should be the same
	if cloud != "" && cloud != firstOf(p, "url") && !p.Conflict("url") {
		diag(r, externalbody.DiagConflict, "url")
	}
	return r
}
