package dialect

import (
	"strings"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/internal/unwrap"
)

// filelinkHints are the Hints of filelinkText.
var filelinkHints = []string{"cloudattachmentitem"}

// filelinkText reads the blocks of class cloudAttachmentItem, which have these
// forms in the sources of those who write them:
//
//	<li class="cloudAttachmentItem" data-content-location="URL" ...>  Thunderbird since 2021: the links in it have
//	    the class cloudfile-name, and cloudfile-link or cloudfile-password-protected-link
//	<div class="cloudAttachmentItem">                                 Thunderbird before: the link has the class downloadUrl
//	<div class="cloudAttachmentItem">                                 BlueMind and its plugin for Roundcube: a link without a class
//	<p class="cloudAttachmentItem" data-content-location="URL" ...>   Thunderbird, a text message: no link
//
// Webmail drops the data attributes when it quotes, and so the links count as well.
// Size and expiration are texts for people, in their language, and not taken.
func filelinkText(_ *externalbody.Entity, found func(*externalbody.Reference)) func(*externalbody.Token) {
	return readBlocks(func(t *externalbody.Token) bool {
		return marked(t, "class", "cloudAttachmentItem")
	}, func(b *block) {
		if r := filelinkReference(b); r != nil {
			found(r)
		}
	})
}

func filelinkReference(b *block) *externalbody.Reference {
	link := filelinkAnchor(b.anchors)
	url, declared := webURL(b.attr("data-content-location"))
	if link == nil {
		if !declared {
			return nil
		}
		return (&anchor{quoted: b.quoted}).reference(url, b.start, b.end)
	}
	href, _ := link.url()
	if !declared {
		url = href
	}
	r := link.reference(url, b.start, b.end)
	r.Quoted = b.quoted
	if link.marked("cloudfile-name") || link.fileName() != "" {
		setName(r, link.text)
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

// filelinkAnchor returns the link to the file, nil if there is none or it cannot
// be told from others.
func filelinkAnchor(anchors []anchor) *anchor {
	for _, class := range []string{"cloudfile-name", "downloadUrl", "cloudfile-link", "cloudfile-password-protected-link"} {
		for i := range anchors {
			if _, ok := anchors[i].url(); ok && anchors[i].marked(class) {
				return &anchors[i]
			}
		}
	}
	var only *anchor
	for i := range anchors {
		a := &anchors[i]
		url, ok := a.url()
		if !ok || a.marked("providerLink") || strings.HasSuffix(weburlHost(url), "blue-mind.net") && a.fileName() == "" {
			continue // who made the block
		}
		if only != nil {
			if first, _ := only.url(); first != url {
				return nil
			}
			continue
		}
		only = a
	}
	return only
}
