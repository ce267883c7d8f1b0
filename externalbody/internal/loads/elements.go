package loads

import (
	"strings"

	"github.com/go-extbody/extbody/externalbody"
)

// A form is how the value of an attribute names URLs.
type form uint8

const (
	inURL    form = iota // it is one
	inSet                // a srcset
	inWords              // words, each a URL
	inList               // a list with semicolons
	inStyle              // CSS
	inSource             // a document
	inDelay              // the content of a refresh
)

// A rule describes the load of an attribute.
type rule struct {
	kind Kind
	form form

	// local is true if a fragment alone is an element of the text, and an empty value is not: with a base
	// Chromium loads that.
	local bool
}

// byElement has the rules for attributes of one element, by both names.
var byElement = map[[2]string]rule{
	{"img", "src"}: {kind: Picture, form: inURL}, {"img", "srcset"}: {kind: Picture, form: inSet},
	{"image", "src"}: {kind: Picture, form: inURL}, {"image", "srcset"}: {kind: Picture, form: inSet}, // which is read as img (HTML section 13.2.6.4.7)
	{"source", "srcset"}: {kind: Picture, form: inSet}, {"video", "poster"}: {kind: Picture, form: inURL},
	{"v:imagedata", "src"}: {kind: Picture, form: inURL}, {"v:fill", "src"}: {kind: Picture, form: inURL}, {"v:image", "src"}: {kind: Picture, form: inURL}, // VML, which Outlook draws
	{"v:stroke", "src"}: {kind: Picture, form: inURL}, {"v:imagedata", "o:href"}: {kind: Other, form: inURL}, {"v:fill", "o:href"}: {kind: Other, form: inURL},
	{"v:stroke", "o:href"}: {kind: Other, form: inURL},

	{"source", "src"}: {kind: Media, form: inURL}, {"video", "src"}: {kind: Media, form: inURL}, {"audio", "src"}: {kind: Media, form: inURL},
	{"track", "src"}: {kind: Media, form: inURL}, {"bgsound", "src"}: {kind: Media, form: inURL},

	{"iframe", "src"}: {kind: Frame, form: inURL}, {"iframe", "srcdoc"}: {kind: Frame, form: inSource}, {"frame", "src"}: {kind: Frame, form: inURL},
	{"embed", "src"}: {kind: Frame, form: inURL}, {"embed", "code"}: {kind: Frame, form: inURL}, {"object", "data"}: {kind: Frame, form: inURL},
	{"applet", "code"}: {kind: Frame, form: inURL}, {"applet", "archive"}: {kind: Frame, form: inURL}, {"object", "archive"}: {kind: Frame, form: inURL},
	{"portal", "src"}: {kind: Frame, form: inURL}, {"fencedframe", "src"}: {kind: Frame, form: inURL},

	{"html", "manifest"}: {kind: Hint, form: inURL}, {"link", "imagesrcset"}: {kind: Hint, form: inSet},
	{"a", "ping"}: {kind: Ping, form: inWords}, {"area", "ping"}: {kind: Ping, form: inWords},
}

// inDrawing has the rules that count where an element may be in svg.
var inDrawing = map[[2]string]rule{
	{"image", "href"}: {kind: Picture, form: inURL}, {"feimage", "href"}: {kind: Picture, form: inURL, local: true},
	{"use", "href"}: {kind: Other, form: inURL, local: true}, {"lineargradient", "href"}: {kind: Other, form: inURL, local: true}, {"radialgradient", "href"}: {kind: Other, form: inURL, local: true},
	{"pattern", "href"}: {kind: Other, form: inURL, local: true}, {"filter", "href"}: {kind: Other, form: inURL, local: true}, {"mpath", "href"}: {kind: Other, form: inURL, local: true},
	{"textpath", "href"}: {kind: Other, form: inURL, local: true}, {"tref", "href"}: {kind: Other, form: inURL, local: true}, {"font-face-uri", "href"}: {kind: Other, form: inURL, local: true},
	{"cursor", "href"}: {kind: Other, form: inURL, local: true}, {"altglyph", "href"}: {kind: Other, form: inURL, local: true}, {"animation", "href"}: {kind: Other, form: inURL, local: true},
}

// presentation has the attributes of SVG that are properties of CSS with URLs (SVG 2 section 6.6).
// Browsers load a mask and a cursor as pictures.
var presentation = map[string]Kind{
	"mask": Picture, "cursor": Picture, "fill": Other, "stroke": Other, "filter": Other, "clip-path": Other,
	"marker": Other, "marker-start": Other, "marker-mid": Other, "marker-end": Other,
}

// backgrounds are the elements of which a background is drawn (HTML section 15.3).
var backgrounds = map[string]bool{
	"body": true, "table": true, "thead": true, "tbody": true, "tfoot": true, "tr": true, "td": true, "th": true, "col": true, "colgroup": true,
}

// hints and styles are the words of a rel with which a link is loaded.
var hints = map[string]bool{
	"icon": true, "apple-touch-icon": true, "apple-touch-icon-precomposed": true, "apple-touch-startup-image": true, "mask-icon": true,
	"fluid-icon": true, "preload": true, "modulepreload": true, "prefetch": true, "dns-prefetch": true, "preconnect": true,
	"prerender": true, "subresource": true, "manifest": true, "import": true, "compression-dictionary": true, "dictionary": true,
}

// animations are the elements of SVG that change an attribute of another one.
var animations = map[string]bool{"set": true, "animate": true, "animatecolor": true, "animatetransform": true, "animatemotion": true}

// A tag is a start tag with the facts that decide the loads of its attributes.
type tag struct {
	*externalbody.Token
	rel, kind, equiv, name, target string // rel, type, http-equiv, name and attributeName, in lower case
	typed                          bool   // it has a type
	shadow                         bool   // it has a shadowrootmode
}

// newTag reads the facts in one pass over the attributes, which may be many.
func newTag(t *externalbody.Token) *tag {
	g := &tag{Token: t}
	for _, a := range t.Attrs {
		value := func() string { return strings.ToLower(strings.TrimSpace(a.Value)) }
		switch a.Name {
		case "rel":
			g.rel = value()
		case "type":
			g.kind = value()
			g.typed = true
		case "http-equiv":
			g.equiv = value()
		case "name":
			g.name = value()
		case "attributename":
			g.target = value()
		case "shadowrootmode":
			g.shadow = true
		}
	}
	return g
}

// rule returns the rule for an attribute. It reports false if the attribute loads nothing.
func (g *tag) rule(attr string) (rule, bool) {
	if r, ok := byElement[[2]string{g.Name, attr}]; ok {
		return r, true
	}
	bare := strings.TrimPrefix(attr, "xlink:")
	switch {
	case attr == "style":
		return rule{kind: Picture, form: inStyle}, true
	case attr == "background":
		return rule{kind: Picture, form: inURL}, backgrounds[g.Name]
	case attr == "attributionsrc":
		return rule{kind: Ping, form: inWords}, true
	case g.Name == "input" && attr == "src":
		return rule{kind: Picture, form: inURL}, g.kind == "image"
	case g.Name == "link" && attr == "href":
		return g.link()
	case g.Name == "meta" && attr == "content":
		return rule{kind: Refresh, form: inDelay}, g.equiv == "refresh"
	case g.Name == "script" && (attr == "src" || bare == "href"):
		return rule{kind: Script, form: inURL}, g.runs()
	case g.Name == "param" && attr == "value":
		switch g.name {
		case "src", "movie", "data", "code", "url", "filename", "archive":
			return rule{kind: Frame, form: inURL}, true
		}
	case !g.Foreign:
	case animations[g.Name]:
		switch attr {
		case "to", "from", "by", "values":
			if g.target == "href" || g.target == "xlink:href" {
				return rule{kind: Other, form: inList}, true
			}
			return rule{kind: Other, form: inStyle}, true
		}
	default:
		if kind, ok := presentation[attr]; ok {
			return rule{kind: kind, form: inStyle}, true
		}
		r, ok := inDrawing[[2]string{g.Name, bare}]
		return r, ok
	}
	return rule{}, false
}

// link returns the rule for the href of a link element.
func (g *tag) link() (rule, bool) {
	found := rule{}
	ok := false
	for word := range strings.FieldsSeq(g.rel) {
		if word == "stylesheet" {
			return rule{kind: Style, form: inURL}, true
		}
		if hints[word] {
			found = rule{kind: Hint, form: inURL}
			ok = true
		}
	}
	return found, ok
}

// runs reports whether the script runs, where scripts do (HTML section 4.12.1.1).
func (g *tag) runs() bool {
	switch {
	case !g.typed, g.kind == "":
		return true
	case g.kind == "module", g.kind == "importmap", g.kind == "speculationrules", g.kind == "webbundle":
		return true
	}
	for _, language := range []string{"javascript", "ecmascript", "jscript", "livescript", "vbscript"} {
		if strings.Contains(g.kind, language) {
			return true
		}
	}
	return false
}
