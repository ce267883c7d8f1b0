package open

import (
	"archive/zip"
	"cmp"
	"encoding/xml"
	"errors"
	"io"
	"net/url"
	"path"
	"slices"
	"strings"
)

const (
	// maxMarkup bounds the octets of XML that are read of a document.
	maxMarkup = 64 << 20

	// maxElement bounds the octets of a tag or a text in it: a tag takes some 20 times as much memory.
	maxElement = 4 << 20
)

var errMarkup = errors.New("more XML than is read")

// A document is a document of an office program in a zip file: one of OOXML (ECMA-376 part 2) or of OpenDocument.
// It is read by its content types, its relationships and its elements, whatever its files are called.
type document struct {
	zip     *zip.Reader
	types   map[string]string // media types of OOXML by the names of parts, and by extensions with a dot
	left    int64             // octets of XML that may be read
	objects bool              // it has macros, or other objects that can run
	linked  []string          // the hosts of files that are loaded when it is shown
}

// readDocument reads a document. The error is of a document that cannot be looked into.
func readDocument(r io.ReaderAt, size int64) (*document, error) {
	z, err := zip.NewReader(r, size)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return nil, err
	}
	d := &document{zip: z, types: make(map[string]string), left: maxMarkup}
	types := d.file("[content_types].xml")
	if types == nil {
		return d, d.openDocument()
	}
	if err := d.elements(types, d.contentType); err != nil {
		return nil, err
	}
	for _, f := range z.File {
		if err := d.part(f); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// lowerName returns the name of a file in lower case, with slashes, since parts of OOXML are compared so.
func lowerName(f *zip.File) string { return strings.ToLower(strings.ReplaceAll(f.Name, `\`, "/")) }

// file returns the file with a name in lower case, or nil.
func (d *document) file(name string) *zip.File {
	i := slices.IndexFunc(d.zip.File, func(f *zip.File) bool { return strings.TrimPrefix(lowerName(f), "/") == name })
	if i < 0 {
		return nil
	}
	return d.zip.File[i]
}

// elements calls f with each element of a file in XML. XML in another charset than UTF-8 is an error.
func (d *document) elements(f *zip.File, each func(*xml.StartElement)) error {
	r, err := f.Open()
	if err != nil {
		return err
	}
	defer r.Close()
	text := &markup{r: r, d: d}
	decoder := xml.NewDecoder(text)
	for {
		text.element = 0
		t, err := decoder.RawToken()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if e, ok := t.(xml.StartElement); ok {
			each(&e)
		}
	}
}

// A markup reads XML within the bounds of a document.
type markup struct {
	r       io.Reader
	d       *document
	element int64 // octets of the tag or text that is being read
}

func (m *markup) Read(p []byte) (int, error) {
	if m.d.left <= 0 || m.element > maxElement {
		return 0, errMarkup
	}
	n, err := m.r.Read(p[:min(int64(len(p)), m.d.left)])
	m.d.left -= int64(n)
	m.element += int64(n)
	return n, err
}

// attr returns the value of an attribute, whatever its prefix is.
func attr(e *xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// objectTypes are in the media types of parts that run, or that hold something that does.
var objectTypes = []string{"macroenabled", "vbaproject", "vbadata", "macrosheet", "activex", "oleobject"}

// contentType reads an element of the content types (ECMA-376 part 2 section 10.1.2.2).
func (d *document) contentType(e *xml.StartElement) {
	mediaType := strings.ToLower(attr(e, "ContentType"))
	switch e.Name.Local {
	case "Override":
		name := strings.ToLower(attr(e, "PartName"))
		if plain, err := url.PathUnescape(name); err == nil {
			name = plain
		}
		d.types[strings.TrimPrefix(name, "/")] = mediaType
	case "Default":
		d.types["."+strings.ToLower(attr(e, "Extension"))] = mediaType
	}
}

// typeOf returns the media type of a part, whose name is in lower case.
func (d *document) typeOf(name string) string {
	return cmp.Or(d.types[strings.TrimPrefix(name, "/")], d.types[path.Ext(name)])
}

// part reads a part of OOXML.
func (d *document) part(f *zip.File) error {
	name := lowerName(f)
	mediaType := d.typeOf(name)
	d.objects = d.objects || slices.ContainsFunc(objectTypes, func(t string) bool { return strings.Contains(mediaType, t) })
	switch {
	case strings.HasSuffix(name, ".rels"):
		return d.elements(f, func(e *xml.StartElement) { d.relationship(name, e) })
	case strings.Contains(mediaType, "externallink"):
		return d.elements(f, d.externalLink)
	}
	return nil
}

// objectRelationships are the last words of relationships to parts that run, or that a program opens by themselves.
var objectRelationships = []string{
	"vbaproject", "wordvbadata", "xlmacrosheet", "xlintlmacrosheet", "control", "activexcontrolbinary", "extensibility", "oleobject", "afchunk",
}

// remoteRelationships are those to documents that a program loads from elsewhere and that can have macros.
var remoteRelationships = []string{"frame", "subdocument", "oleobject", "package"}

// linkedRelationships are those to files from elsewhere that a program shows.
var linkedRelationships = []string{"image", "video", "audio", "media"}

// relationship reads an element of the relationships of a part (ECMA-376 part 2 section 9.3). name is the name of the file.
func (d *document) relationship(name string, e *xml.StartElement) {
	if e.Name.Local != "Relationship" {
		return
	}
	kind := strings.ToLower(path.Base(attr(e, "Type")))
	target := strings.TrimSpace(attr(e, "Target"))
	isExternal := strings.EqualFold(strings.TrimSpace(attr(e, "TargetMode")), "External")
	of := path.Join(path.Dir(path.Dir(name)), strings.TrimSuffix(path.Base(name), ".rels")) // the part
	isChart := strings.Contains(d.typeOf(of), "chart")                                      // its data are a workbook, which is not shown
	switch {
	case slices.Contains(objectRelationships, kind), isExternal && slices.Contains(remoteRelationships, kind):
		d.objects = true
	case kind == "package" && !isChart:
		d.objects = true
	case kind == "attachedtemplate" && !isLocal(target):
		d.objects = true
	case isExternal && slices.Contains(linkedRelationships, kind):
		d.link(target)
	}
}

// isLocal reports whether a template is a file on a disk of the reader, to which no sender can write. Word names the template
// of each document so.
func isLocal(target string) bool {
	text := strings.ReplaceAll(target, `\`, "/")
	if len(text) >= 5 && strings.EqualFold(text[:5], "file:") {
		text = strings.TrimPrefix(text[5:], "///")
	}
	isDrive := len(text) > 2 && text[1] == ':' && text[2] == '/'
	isName := !strings.ContainsAny(text, "/:%")
	return isDrive || isName
}

// link notes a file from elsewhere that is loaded when the document is shown.
func (d *document) link(target string) {
	host := "elsewhere"
	text := strings.ReplaceAll(target, `\`, "/")
	if rest, ok := strings.CutPrefix(strings.ToLower(text), "file:///"); ok {
		text = rest // a share has two slashes more
	}
	u, err := url.Parse(text)
	switch {
	case isLocal(target), err == nil && u.Scheme == "data":
		return
	case err == nil && u.Host != "":
		host = u.Hostname()
	}
	if !slices.Contains(d.linked, host) {
		d.linked = append(d.linked, host)
	}
}

// externalLink reads an element of a link of a workbook to another one (ECMA-376 part 1 section 18.14): those by DDE and
// OLE start programs.
func (d *document) externalLink(e *xml.StartElement) {
	switch e.Name.Local {
	case "ddeLink", "oleLink":
		d.objects = true
	}
}

// openDocument reads a document of OpenDocument. Without its list of files it is neither that nor OOXML.
func (d *document) openDocument() error {
	if d.file("meta-inf/manifest.xml") == nil && d.file("content.xml") == nil {
		return errors.New("the document has no content types")
	}
	for _, f := range d.zip.File {
		switch path.Base(lowerName(f)) {
		case "content.xml", "styles.xml":
			if err := d.elements(f, d.openElement); err != nil {
				return err
			}
		}
	}
	return nil
}

// openActions are the actions of presentations (OpenDocument 1.3 part 3 section 19.424) that start something.
var openActions = []string{"execute", "verb"}

// openElement reads an element of OpenDocument.
func (d *document) openElement(e *xml.StartElement) {
	href := attr(e, "href")
	switch e.Name.Local {
	case "event-listener":
		// A presentation has listeners without scripts, which lead to another slide.
		isPlain := attr(e, "language") == "" && attr(e, "macro-name") == "" && e.Name.Space == "presentation"
		d.objects = d.objects || !isPlain || slices.Contains(openActions, attr(e, "action"))
	case "script":
		d.objects = d.objects || e.Name.Space != "text" || href != ""
	case "object-ole", "applet", "floating-frame", "dde-source", "dde-connection-decl":
		d.objects = true
	case "plugin": // LibreOffice shows sounds and films so
		d.objects = d.objects || attr(e, "mime-type") != "application/vnd.sun.star.media"
		if isElsewhere(href) {
			d.link(href)
		}
	case "section-source":
		d.objects = d.objects || href != "" && !strings.HasPrefix(href, "#")
	case "object":
		d.objects = d.objects || isElsewhere(href)
	case "image", "fill-image":
		if isElsewhere(href) {
			d.link(href)
		}
	}
}

// isElsewhere reports whether a reference leads out of a document.
func isElsewhere(href string) bool {
	if strings.Contains(href, ":") {
		return true
	}
	return strings.HasPrefix(href, "/") || strings.HasPrefix(href, `\`) || strings.HasPrefix(href, "../")
}
