// Package interstitial distinguishes a file from a page or a message that a host sends
// instead. File hosts report success for a share link in any
// case. The octets may be the file, a page that wants a login, a warning, a page about a
// file that is gone, or an error in JSON, XML or text.
//
// The judgement depends on the announced name, type and size, the header of the answer,
// and the first octets. If it is known how the announced file starts, these octets decide. Otherwise a
// judgement can be wrong. If a type was announced that no page can have, a file may be
// taken for a page. If no type was announced, a page may be taken for a file.
//
// The texts of pages, and the starts and extensions of formats, are data, the list in
// examples/list, of which the tables here are generated.
//
// Several goroutines may call all functions at once.
package interstitial

import (
	"bytes"
	"slices"
	"strings"

	"github.com/go-extbody/extbody/internal/mime/param"
)

// A Got is an answer.
type Got struct {
	MediaType   string // as the server gave it, with or without parameters; "" if it gave none
	Disposition string // the value of Content-Disposition; "" if there was none
	Size        int64  // the number of octets; negative if it is not known
	Head        []byte // the first HeadBytes octets, or all octets if there are fewer
}

// A Verdict is a judgement. The zero Verdict means a file.
type Verdict struct {
	// Page is true if a page arrived instead of the file.
	Page bool

	// Reason is the subject of the page, as far as its first octets show. It is for
	// people. It is "" if Page is false.
	Reason Reason
}

// Judge judges an answer. The first of these rules that fits decides:
//
//   - If the announced size is the size that came, it is a file.
//
//   - If a format with a known beginning was announced, such as PDF, zip or PNG, it is
//     a file if it starts that way, whatever the server calls it. Otherwise it is a
//     page if the octets are HTML, XML or a JSON object. It is also a page if the octets
//     can be text and the server calls them a page or a message (HTML, JSON, XML, text).
//     QUIRK: programs write tables and letters in HTML, XML or text under the names of
//     old office documents (.xls, .doc). These are files if the server gives them the
//     type of such a document and calls them an attachment. An archive instead of an
//     Office document or an OpenDocument, which is an archive too, is known by the name of its first entry.
//
//   - If another format that is not text was announced, it is a page if the octets are
//     HTML, or if they can be text and the server calls them a page or a message.
//
//   - If HTML was announced, or a message, which can start as HTML does, it is a file,
//     unless the octets are HTML, the server calls it HTML and not an attachment, and the
//     page wants a login or agreement first, warns, or is about too many downloads.
//
//   - If other text was announced, it is a file if the server calls it an attachment.
//     Otherwise HTML is a page if the server calls it HTML, or if both sizes are known
//     and differ. A JSON object is a page if the server calls it JSON and something
//     else was announced.
//
//   - If nothing was announced, or nothing that is known, it is a file if the server
//     calls it an attachment. Otherwise it is a page if the server calls it HTML and the
//     octets are HTML or can be text. HTML is also a page if the server gives no type, or
//     if both sizes are known and differ.
//
// An answer that matches no rule is a file. Judge sees through UTF-16, a byte order mark, up to 16
// zero octets, and gzip without a Content-Encoding.
func Judge(want Expect, got Got) Verdict {
	head := plain(got.Head[:min(len(got.Head), HeadBytes)])
	sized := want.Size > 0 && got.Size >= 0
	if sized && want.Size == got.Size {
		return Verdict{}
	}
	got.MediaType = param.Parse(got.MediaType).Type
	j := judgement{
		got:      got,
		head:     head,
		html:     sniff(head),
		saysHTML: isHTML(got.MediaType),
		attached: param.Parse(got.Disposition).Type == "attachment",
		differs:  sized,
	}
	if f := announcedFamily(want); f != nil {
		isDocument := f == &families[ooxml] || f == &families[odf]
		if isDocument && isArchive(got.Head) {
			return Verdict{Page: true, Reason: Archive}
		}
		return j.verdict(j.notOf(f))
	}
	switch announced(want) {
	case markup:
		return j.verdict(j.notMarkup())
	case binary:
		return j.verdict(j.html || says(got.MediaType) && !isBinary(head))
	case text:
		return j.verdict(j.notText(want))
	}
	return j.verdict(j.notAnything())
}

// A judgement has the facts about an answer.
type judgement struct {
	got      Got
	head     []byte // the first octets, as text
	html     bool   // the octets are HTML
	saysHTML bool   // the server calls it HTML
	attached bool   // the server calls it an attachment
	differs  bool   // its size is known and differs from the announced one
}

func (j *judgement) verdict(page bool) Verdict {
	if !page {
		return Verdict{}
	}
	return Verdict{Page: true, Reason: reason(j.head)}
}

// notOf reports whether a page arrived instead of a file of the family.
func (j *judgement) notOf(f *family) bool {
	if f.begins(j.got.Head) || f.begins(j.head) {
		return false
	}
	if f == &families[ole] && j.attached && familyOfType(j.got.MediaType) == f {
		return false
	}
	if j.html || says(j.got.MediaType) && !isBinary(j.head) {
		return true
	}
	return isObject(j.head) || bytes.HasPrefix(begin(j.head), []byte("<?xml"))
}

// notMarkup reports whether a page arrived instead of HTML. A page about something that is
// gone does not count: it could be the file itself.
func (j *judgement) notMarkup() bool {
	if !j.html || !j.saysHTML || j.attached {
		return false
	}
	return slices.Contains([]Reason{Scan, Quota, Login, Consent}, reason(j.head))
}

func (j *judgement) notText(want Expect) bool {
	switch {
	case j.attached:
		return false
	case j.html:
		return j.saysHTML || j.differs
	}
	if !isObject(j.head) || !isJSON(j.got.MediaType) {
		return false
	}
	ext := extension(want.Name)
	wantsJSON := strings.HasPrefix(ext, "json") || ext == "ipynb" || isJSON(param.Parse(want.MediaType).Type)
	return !wantsJSON
}

// notAnything is for a file about which nothing is known.
func (j *judgement) notAnything() bool {
	switch {
	case j.attached, !j.html && isBinary(j.head):
		return false
	case j.saysHTML:
		return true
	}
	return j.html && (j.differs || j.got.MediaType == "")
}

// says reports whether t is a media type of pages or messages. It must be parsed, as for
// isJSON and isHTML.
func says(t string) bool {
	isXML := t == "application/xml" || strings.HasSuffix(t, "+xml")
	isText := strings.HasPrefix(t, "text/") && t != "text/rtf"
	return isXML || isText || isHTML(t) || isJSON(t)
}

func isJSON(t string) bool { return t == "application/json" || strings.HasSuffix(t, "+json") }

// isObject reports whether head starts as a JSON object does (RFC 8259 section 4).
func isObject(head []byte) bool {
	rest, ok := bytes.CutPrefix(begin(head), []byte("{"))
	rest = begin(rest)
	if !ok || len(rest) == 0 {
		return false
	}
	return rest[0] == '"' || rest[0] == '}'
}

// Settled reports whether Judge needs no octets after head. That is so if head has
// HeadBytes octets, or if Judge calls the answer a file whatever follows head. want is
// the announcement, and mediaType is the type in the answer. If Settled reports false,
// call Judge with HeadBytes octets, or with all octets if there are fewer.
func Settled(want Expect, mediaType string, head []byte) bool {
	switch {
	case len(head) >= HeadBytes:
		return true
	case len(head) == 0:
		return false
	}
	if f := announcedFamily(want); f != nil {
		mayBeArchive := f == &families[ooxml] || f == &families[odf]
		isWhole := !mayBeArchive || len(head) >= entryBytes && !isArchive(head)
		return isWhole && f.begins(head)
	}
	return !says(param.Parse(mediaType).Type) && !canBeHTML(bytes.ReplaceAll(head, []byte{0}, nil)) && !canHide(head)
}

// canHide reports whether plain may change head, or head with more octets after it.
func canHide(head []byte) bool {
	switch head[0] {
	case gzBeginning[0], 0xff, 0xfe:
		return true
	}
	return bytes.IndexByte(head[:min(len(head), 4)], 0) >= 0
}

// announced returns the form of the announced file. The name counts before the media
// type, which often belongs to something else than the file.
func announced(want Expect) form {
	if f := formOf(extension(want.Name)); f != unknown {
		return f
	}
	switch t := param.Parse(want.MediaType).Type; {
	case isHTML(t), t == "message/rfc822", t == "message/global", t == "multipart/related":
		return markup
	case strings.HasPrefix(t, "text/"), strings.HasSuffix(t, "+xml"), strings.HasSuffix(t, "+json"),
		t == "application/xml", t == "application/json", t == "application/javascript":
		return text
	case t == "application/octet-stream", t == "application/x-download", t == "application/force-download",
		!strings.Contains(t, "/"):
		return unknown
	}
	return binary
}

func isHTML(t string) bool { return t == "text/html" || t == "application/xhtml+xml" }

// reason returns the Reason of the page that starts with head.
func reason(head []byte) Reason {
	head = bytes.ToLower(head)
	_, title, _ := bytes.Cut(head, []byte("<title"))
	title, _, _ = bytes.Cut(title, []byte("</title"))
	for _, m := range marks {
		in := head
		if m.title {
			in = title
		}
		if bytes.Contains(in, m.text) {
			return m.reason
		}
	}
	return Unknown
}
