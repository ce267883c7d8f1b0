package mailtext

// A foreign tells whether the next tag may be in an svg, math or select element, in which other elements
// are read in another way. The tree is not built: after an element that may hold HTML or end the other
// one, and where a text has several readings, it may be so up to the end.
type foreign struct {
	root  string // the element, "" outside of one
	depth int    // how many of that name are open
	mixed bool   // it may be so up to the end
}

// inside reports whether the next tag may be in such an element.
func (f *foreign) inside() bool { return f.depth > 0 || f.mixed }

// drawn are the elements in svg that hold no HTML and do not end it (HTML section 13.2.6.5).
var drawn = [...]string{
	"a", "animate", "animatemotion", "animatetransform", "circle", "clippath", "defs", "ellipse", "feblend", "fecolormatrix",
	"fecomposite", "feflood", "fegaussianblur", "feimage", "femerge", "femergenode", "feoffset", "filter", "g", "image", "line",
	"lineargradient", "marker", "mask", "metadata", "mpath", "path", "pattern", "polygon", "polyline", "radialgradient", "rect", "set",
	"stop", "style", "svg", "switch", "symbol", "text", "textpath", "tspan", "use", "view",
}

// start reads a start tag. several is true if the text has several readings there.
func (f *foreign) start(name []byte, several bool) {
	if f.mixed {
		return
	}
	for _, root := range [...]string{"svg", "math", "select"} {
		if f.depth == 0 && isName(name, root) {
			f.root = root
			f.depth = 1
			f.mixed = several
			return
		}
	}
	switch {
	case f.depth == 0:
	case several, !f.keeps(name):
		f.mixed = true
	case isName(name, f.root):
		f.depth++
	}
}

// keeps reports whether an element in the root holds no HTML and does not end the root.
func (f *foreign) keeps(name []byte) bool {
	switch f.root {
	case "svg":
		for _, element := range drawn {
			if isName(name, element) {
				return true
			}
		}
	case "select":
		return isName(name, "option") || isName(name, "optgroup")
	}
	return false
}

// end reads an end tag.
func (f *foreign) end(name []byte, several bool) {
	if f.depth > 0 && !several && isName(name, f.root) {
		f.depth--
	}
}
