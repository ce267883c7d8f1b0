package picture

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"

	"github.com/go-extbody/extbody/internal/codec/bounded"
)

// Bounds on an SVG that is looked at. One beyond them is taken for active.
const (
	maxSVG   = 4 << 20
	maxWords = 10_000 // of a tag: its name and the names of its attributes
)

// Active returns why an SVG does more than to show its own content: it has a script, a handler of events, a page or a
// style sheet from elsewhere, or a reference to anything outside of it, also by CSS, an animation or an entity. It
// returns "" for one that does none of this. An SVG that cannot be read is taken for active, and so is a text of
// more than 4 MiB or a tag with more than 10,000 words, in another charset than UTF-8, or with an escape in its CSS.
func Active(r io.Reader) (reason string) {
	text := &io.LimitedReader{R: r, N: maxSVG + 1}
	d := xml.NewDecoder(bounded.Tags(text, maxWords))
	d.Strict = false
	d.CharsetReader = func(string, io.Reader) (io.Reader, error) { return nil, errors.New("another charset") }
	style := 0              // how deep within style elements
	var css strings.Builder // of a style element: comments and tags may divide its text
	for {
		t, err := d.RawToken()
		switch {
		case text.N == 0:
			return "it is too long to be looked at"
		case err == io.EOF && outside(css.String()):
			return outsideCSS
		case err == io.EOF:
			return ""
		case err != nil:
			return "it cannot be read"
		}
		switch t := t.(type) {
		case xml.StartElement:
			name := local(t.Name.Local)
			if name == "style" {
				style++
			} else if reason := element(name, t.Attr); reason != "" {
				return reason
			}
			if reason := attributes(t.Attr); reason != "" {
				return reason
			}
		case xml.EndElement:
			if local(t.Name.Local) == "style" {
				style = max(style-1, 0)
			}
			if style == 0 && css.Len() > 0 {
				if outside(css.String()) {
					return outsideCSS
				}
				css.Reset()
			}
		case xml.CharData:
			if style > 0 {
				css.Write(t)
			}
		case xml.ProcInst:
			if t.Target != "xml" {
				return "it has a processing instruction"
			}
		case xml.Directive:
			if strings.ContainsAny(string(t), "[%&") {
				return "it has entities"
			}
		}
	}
}

const outsideCSS = "its style leads elsewhere"

// element returns why an element is active.
func element(name string, attrs []xml.Attr) string {
	switch name {
	case "set", "animate", "animatetransform", "animatemotion":
		// They may change any attribute, also one that leads elsewhere.
		for _, a := range attrs {
			if local(a.Name.Local) == "attributename" && leads(local(strings.TrimSpace(a.Value))) {
				return "an animation changes where it leads"
			}
		}
		return ""
	case "a":
		return "" // by its reference
	}
	if !shows(name) {
		return "it has the element " + name
	}
	return ""
}

// leads reports whether an attribute has a URL or a script.
func leads(name string) bool {
	return name == "href" || name == "src" || name == "style" || strings.HasPrefix(name, "on")
}

// attributes returns why attributes are active.
func attributes(attrs []xml.Attr) string {
	for _, a := range attrs {
		name := local(a.Name.Local)
		value := strings.TrimSpace(a.Value)
		switch {
		case a.Name.Space == "xmlns" || name == "xmlns":
		case strings.HasPrefix(name, "on"):
			return "it has a handler of events"
		case name == "base" && a.Name.Space == "xml":
			return "it has another base"
		case isReference(name) && !inside(value):
			return "it leads elsewhere"
		case name == "style" && outside(value),
			name != "style" && strings.Contains(strings.ToLower(value), "url") && outside(value):
			return outsideCSS
		}
	}
	return ""
}

// isReference reports whether the value of an attribute is a URL.
func isReference(name string) bool {
	switch name {
	case "href", "src", "srcset", "data", "action":
		return true
	}
	return false
}

// inside reports whether a reference is to the SVG itself, or to a picture within it that is not SVG.
func inside(value string) bool {
	if value == "" || value[0] == '#' {
		return true
	}
	rest, isData := strings.CutPrefix(strings.ToLower(value), "data:image/")
	return isData && !strings.HasPrefix(rest, "svg")
}

// outside reports whether CSS may load something: by url() of anything but a part of the SVG or a picture within it,
// an import, or an escape, which may hide either.
func outside(css string) bool {
	css = strings.ToLower(css)
	for _, active := range [...]string{`\`, "@import", "image-set", "expression", "behavior", "src(", "@font-face"} {
		if strings.Contains(css, active) {
			return true
		}
	}
	for {
		_, after, found := strings.Cut(css, "url(")
		if !found {
			return false
		}
		value, _, _ := strings.Cut(after, ")")
		if !inside(strings.Trim(value, " \t\r\n\f\"'")) {
			return true
		}
		css = after
	}
}
