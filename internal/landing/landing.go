// Package landing tells whether what came is a page of the host in place of the
// file that was asked for. Hosts of files answer a share link with success in
// any case: with the file, or with a page that wants a login, warns, or says
// that the file is gone.
//
// The judgement is made of what was announced, what the server said, and the
// first octets. It is about HTML alone, since that is what such pages are. It
// prefers to call a file a page over the opposite where a type was announced
// that no page can have, and to believe the server where nothing was.
//
// All functions may be called by several goroutines at once.
package landing

import (
	"path"
	"strings"

	"github.com/go-extbody/extbody/internal/mimeparam"
)

// HeadBytes is how many octets of the beginning Judge looks at. Fewer are
// enough for the judgement; the rest is for its reason.
const HeadBytes = 4096

// Expect is what was announced.
type Expect struct {
	Name      string // the file name, "" if none was
	MediaType string // with or without parameters, "" if none was
	Size      int64  // the number of octets, 0 or less if none was
}

// Got is what came.
type Got struct {
	MediaType   string // as the server said, with or without parameters; "" if it did not
	Disposition string // the value of Content-Disposition, "" if there was none
	Size        int64  // the number of octets, less than 0 if it is not known
	Head        []byte // the first octets, up to HeadBytes, all if there are fewer
}

// A Verdict is a judgement. The zero Verdict is: a file.
type Verdict struct {
	// Page says that it is a page and not the file.
	Page bool

	// Reason says what the page is about, as far as its first octets tell. It
	// is for people: no Reason changes Page. It is "" where Page is false.
	Reason Reason
}

// Judge judges got. It calls got a page if it is HTML, by its type or its first
// octets, and
//
//   - a type was announced, by name or else by media type, that is not text, or
//   - a type was announced that is another kind of text, or none that is known,
//     and the server says that it is HTML and not that it is an attachment, or
//     says nothing of either.
//
// It is not a page if HTML was announced, or a message, which can begin as HTML
// does; if the announced size is the size that came; or if the server says HTML
// of octets that no text has. Where both sizes are known and differ, what is
// HTML by its first octets and no attachment is a page, whatever type the server
// gives it.
func Judge(want Expect, got Got) Verdict {
	head := got.Head[:min(len(got.Head), HeadBytes)]
	saysHTML := isHTML(got.MediaType)
	looksHTML := sniff(head)
	sized := want.Size > 0 && got.Size >= 0
	form := announced(want)
	switch {
	case !saysHTML && !looksHTML, form == markup:
		return Verdict{}
	case sized && want.Size == got.Size:
		return Verdict{}
	case !looksHTML && isBinary(head):
		return Verdict{}
	case form == binary:
		return Verdict{Page: true, Reason: reason(head)}
	case mimeparam.IsType(got.Disposition, "attachment"):
		return Verdict{}
	case saysHTML, looksHTML && sized, got.MediaType == "" && form == unknown:
		return Verdict{Page: true, Reason: reason(head)}
	}
	return Verdict{}
}

// Settled reports whether Judge calls what came a file, with any octets behind
// head, because neither mediaType, which is what the server said, nor the
// beginning is HTML. Otherwise Judge is to be asked with HeadBytes octets, or
// all that there are.
func Settled(mediaType string, head []byte) bool {
	return len(head) >= HeadBytes || !isHTML(mediaType) && !canBeHTML(head)
}

// A form is what can be told of a type for this purpose.
type form uint8

const (
	unknown form = iota
	markup       // HTML, or what can hold it as it is
	text         // other text, which can begin with a tag
	binary       // everything else
)

// announced returns the form of what was announced. The name goes first: the
// media type is often that of something beside the file.
func announced(want Expect) form {
	extension := strings.ToLower(strings.TrimPrefix(path.Ext(strings.TrimRight(want.Name, " .")), "."))
	if f := extensions[extension]; f != unknown {
		return f
	}
	switch t := mimeparam.Parse(want.MediaType).Type; {
	case isHTML(t), t == "message/rfc822", t == "message/global", t == "multipart/related":
		return markup
	case strings.HasPrefix(t, "text/"), strings.HasSuffix(t, "+xml"), strings.HasSuffix(t, "+json"),
		t == "application/xml", t == "application/json", t == "application/javascript":
		return text
	case t == "application/octet-stream", t == "application/x-download", t == "application/force-download", !strings.Contains(t, "/"):
		return unknown
	}
	return binary
}

func isHTML(mediaType string) bool {
	return mimeparam.IsType(mediaType, "text/html") || mimeparam.IsType(mediaType, "application/xhtml+xml")
}
