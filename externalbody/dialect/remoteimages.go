package dialect

import (
	"strings"

	"github.com/go-extbody/extbody/externalbody"
)

// RemoteImages is the name of the form of pictures that are loaded when a mail is shown.
// [All] does not have it: to get such a picture tells the sender that, when and from where
// the mail is read. See [Options].
//
// Package rewrite can put the pictures into the mail, so that nothing is loaded when it is
// shown.
const RemoteImages = "remote-images"

// imageHints are the Hints of remoteImages: each way to name a picture has one of them.
var imageHints = []string{"src", "href", "poster", "background", "url(", "image-set("}

// remoteImages reads the http and https URLs of pictures in HTML:
//
//   - src of img, of image, which browsers read as img, of an input of type image, and of imagedata,
//     fill and image of VML, which Outlook draws,
//   - srcset of img and of source, and poster of video,
//   - background of any element,
//   - href of image and feImage in SVG,
//   - url() and the strings of image-set() in a style attribute or a style element, with escapes
//     undone, except for fonts and for style sheets.
//
// A URL without a scheme ("//host/path") is one of https, and a base element makes relative
// ones whole. A style element of a text in UTF-16 is not read. A picture of 1 by 1 pixel, or hidden by its own attributes, has
// DiagTrackingPixel.
//
// Each Origin is the URL alone and has Picture, unless its place in the text is not known;
// it is then the tag.
func remoteImages() externalbody.Dialect {
	return externalbody.Dialect{
		Name:  RemoteImages,
		Hints: imageHints,
		Text: func(e *externalbody.Entity, found finder) func(*externalbody.Token) {
			return (&imageReader{entity: e, found: found}).read
		},
	}
}

// An imageReader reads the pictures of a text.
type imageReader struct {
	entity *externalbody.Entity
	found  finder
	base   base
	styled int64 // where the last style element ends in it

	judged bool // pixel is about the tag that is being read
	pixel  bool
}

// maxStyle bounds the octets of a part in which style elements are read.
const maxStyle = 1 << 20

// imageAttributes are the attributes of elements that name a picture.
var imageAttributes = map[string]string{
	"img": "src", "v:imagedata": "src", "v:fill": "src", "v:image": "src",
	"video": "poster", "image": "href", "feimage": "href",
}

// read reads the next token.
func (r *imageReader) read(t *externalbody.Token) {
	r.judged = false
	if t.Kind != externalbody.StartTagToken {
		return
	}
	named := imageAttributes[t.Name]
	switch kind, _ := t.Attr("type"); {
	case t.Name == "base":
		r.base.read(t)
	case t.Name == "input" && strings.EqualFold(kind, "image"):
		named = "src"
	case t.Name == "style" && t.End > r.styled:
		r.readStyle(t)
	}
	for _, a := range t.Attrs {
		x := &imageText{t, a.Value, a.Name, nil}
		switch {
		case a.Name == named, a.Name == "background", a.Name == "src" && t.Name == "image":
			r.add(x, 0, len(a.Value), a.Value)
		case a.Name == "srcset" && (t.Name == "img" || t.Name == "image" || t.Name == "source"):
			r.readSet(x)
		case a.Name == "style":
			r.readCSS(x)
		}
	}
}

// readStyle reads the content of a style element that begins with t.
func (r *imageReader) readStyle(t *externalbody.Token) {
	if style := r.entity.Content(t, maxStyle); style != nil {
		r.styled = style.End
		r.readCSS(&imageText{t, style.Text, "", style})
	}
}

// An imageText is the value of an attribute of a tag, or the content of a style element.
type imageText struct {
	*externalbody.Token
	text  string
	attr  string              // "" for a style element
	style *externalbody.Token // its content; nil for an attribute
}

// piece returns text[from:to] as a token. It reports false if its place is not known.
func (x *imageText) piece(from, to int) (*externalbody.Token, bool) {
	if x.style != nil {
		return x.style.Cut(from, to), true
	}
	return x.Value(x.attr, from, to)
}

// add passes on the Reference of a URL, which x.text[from:to] stands for.
func (r *imageReader) add(x *imageText, from, to int, value string) {
	text, ok := webURL(value)
	if !ok {
		if text, ok = r.base.whole(text); !ok {
			return
		}
	}
	ref := externalbody.NewReference(text)
	ref.Quoted = x.Quoted
	if url, _ := ref.Param("url"); url == text && strings.Contains(value, "#") && value == x.text[from:to] {
		to = from + strings.IndexByte(value, '#')
	}
	place := x.Token
	if piece, ok := x.piece(from, to); ok && !strings.ContainsFunc(value, breaksURL) {
		place, ref.Origins[0].Picture = piece, true
	}
	if r.isPixel(x.Token) {
		diag(ref, externalbody.DiagTrackingPixel, x.Name)
	}
	r.found(ref, place)
}

// breaksURL reports whether programs may disagree about the end of a URL that holds c.
func breaksURL(c rune) bool {
	return c == '<' || c == '>' || c < ' ' && c != '\t' && c != '\r' && c != '\n'
}

// readSet reads a srcset (HTML section 4.8.4.2.1): URLs with a size after each, and commas
// between.
func (r *imageReader) readSet(x *imageText) {
	const blanks = " \t\r\n\f"
	for at := 0; ; {
		rest := strings.TrimLeft(x.text[at:], blanks+",")
		if rest == "" {
			return
		}
		at = len(x.text) - len(rest)
		end := strings.IndexAny(rest, blanks)
		if end < 0 {
			end = len(rest)
		}
		name := strings.TrimRight(rest[:end], ",")
		r.add(x, at, at+len(name), name)
		at += end
		if end == len(name) {
			_, rest, _ = strings.Cut(rest[end:], ",")
			at = len(x.text) - len(rest)
		}
	}
}

// readCSS reads the URLs in declarations or a style sheet. The last URL of a style sheet that is cut
// is not known.
func (r *imageReader) readCSS(x *imageText) {
	css := &cssReader{text: x.text, whole: x.style == nil, found: func(from, to int, value string) { r.add(x, from, to, value) }}
	css.read()
}

// isPixel reports whether t, the tag that is being read, shows nothing that can be seen. A tag is
// judged once, however many pictures it names.
func (r *imageReader) isPixel(t *externalbody.Token) bool {
	if !r.judged {
		r.judged, r.pixel = true, isTrackingPixel(t)
	}
	return r.pixel
}

// isTrackingPixel reports whether an element shows nothing that can be seen.
func isTrackingPixel(t *externalbody.Token) bool {
	if imageAttributes[t.Name] != "src" {
		return false
	}
	facts := make(map[string]string)
	for _, a := range t.Attrs {
		facts[a.Name] = a.Value
	}
	for rule := range strings.SplitSeq(strings.ToLower(facts["style"]), ";") {
		name, value, _ := strings.Cut(rule, ":")
		value, _, _ = strings.Cut(value, "!")
		facts[strings.TrimSpace(name)] = strings.TrimSpace(value)
	}
	tiny := func(name string) bool {
		n := strings.TrimSuffix(strings.TrimSpace(facts[name]), "px")
		return n == "0" || n == "1"
	}
	_, hidden := facts["hidden"]
	return hidden || facts["display"] == "none" || facts["visibility"] == "hidden" || facts["opacity"] == "0" || tiny("width") && tiny("height")
}
