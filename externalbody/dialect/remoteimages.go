package dialect

import (
	"slices"
	"strings"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/internal/loads"
)

// RemoteImages is the name of the form of pictures that are loaded when a mail is shown.
// [All] does not have it: to get such a picture tells the sender that, when and from where
// the mail is read. See [Options].
//
// Package rewrite can put the pictures into the mail, so that nothing is loaded when it is
// shown.
const RemoteImages = "remote-images"

// remoteImages reads the http and https URLs of pictures in HTML, as package loads finds them:
//
//   - src of img, of image, which browsers read as img, of an input of type image, and of imagedata,
//     fill and image of VML, which Outlook draws,
//   - srcset of img and of source, and poster of video,
//   - background of body and of tables, their rows and cells,
//   - href of image and feImage in SVG, and mask and cursor as attributes,
//   - url() and the strings of image-set() in a style attribute or a style element, with escapes
//     undone, except for fonts and for style sheets.
//
// A URL without a scheme ("//host/path") is one of https, and a base element makes relative ones
// whole. A picture that nothing shows, as in a template or a textarea, is none, and neither is one in a
// srcdoc. A picture of 1 by 1 pixel, or hidden by its own attributes, has DiagTrackingPixel.
//
// Each Origin is the URL alone and has Picture, unless its place in the text is not known;
// it is then the attribute, the content of the style element or the tag.
func remoteImages() externalbody.Dialect {
	return externalbody.Dialect{
		Name:  RemoteImages,
		Hints: loads.Hints,
		Text: func(e *externalbody.Entity, found finder) func(*externalbody.Token) {
			r := &imageReader{found: found}
			reader := loads.NewReader(e, r.read)
			return func(t *externalbody.Token) {
				r.judged = false
				reader.Read(t)
			}
		},
	}
}

// An imageReader passes on the pictures of a text.
type imageReader struct {
	found  finder
	judged bool // pixel is about the tag that is being read
	pixel  bool
}

// read reads the next thing that is loaded.
func (r *imageReader) read(l *loads.Load) {
	if l.Kind != loads.Picture || l.Within || l.Relative {
		return
	}
	if !strings.HasPrefix(strings.ToLower(l.URL), "http") {
		return
	}
	ref := externalbody.NewReference(l.URL)
	ref.Quoted = l.Tag.Quoted
	place := l.Place
	if l.Exact {
		if url, _ := ref.Param("url"); url == l.URL && strings.Contains(l.Value, "#") {
			if first, ok := l.First(strings.IndexByte(l.Value, '#')); ok {
				place = first
			}
		}
		ref.Origins[0].Picture = true
	}
	if r.isPixel(l.Tag) {
		diag(ref, externalbody.DiagTrackingPixel, l.Element)
	}
	r.found(ref, place)
}

// isPixel reports whether t, the tag that is being read, shows nothing that can be seen. A tag is
// judged once, however many pictures it names.
func (r *imageReader) isPixel(t *externalbody.Token) bool {
	if !r.judged {
		r.judged = true
		r.pixel = isTrackingPixel(t)
	}
	return r.pixel
}

// pixels are the elements whose src may be the URL of a tracking pixel.
var pixels = []string{"img", "v:imagedata", "v:fill", "v:image"}

// isTrackingPixel reports whether an element shows nothing that can be seen.
func isTrackingPixel(t *externalbody.Token) bool {
	if !slices.Contains(pixels, t.Name) {
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
	if _, hidden := facts["hidden"]; hidden || facts["opacity"] == "0" {
		return true
	}
	if facts["display"] == "none" || facts["visibility"] == "hidden" {
		return true
	}
	return tiny("width") && tiny("height")
}
