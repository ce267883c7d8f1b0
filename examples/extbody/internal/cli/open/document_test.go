package open

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// packed returns a zip file. Each name is followed by the octets of that file.
func packed(files ...string) string {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for f := range slices.Chunk(files, 2) {
		w, err := z.Create(f[0])
		if err == nil {
			_, err = io.WriteString(w, f[1])
		}
		if err != nil {
			panic(err) // of a bytes.Buffer
		}
	}
	z.Close()
	return b.String()
}

const (
	mainType  = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
	relPrefix = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
)

// types returns the list of the types of parts. Each name is followed by the type of that part, or, without a slash
// before it, of that extension.
func types(list ...string) string {
	var b strings.Builder
	b.WriteString(`<?xml version="1.0" encoding="UTF-8"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/>`)
	for t := range slices.Chunk(list, 2) {
		if strings.HasPrefix(t[0], "/") {
			fmt.Fprintf(&b, `<Override PartName="%s" ContentType="%s"/>`, t[0], t[1])
		} else {
			fmt.Fprintf(&b, `<Default Extension="%s" ContentType="%s"/>`, t[0], t[1])
		}
	}
	return b.String() + "</Types>"
}

// related returns the relationships of a part, of which there is one.
func related(kind, target, mode string) string {
	return fmt.Sprintf(`<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="%s" Target="%s" TargetMode="%s"/></Relationships>`,
		relPrefix+kind, target, mode)
}

// word returns a document of Word with more files in it.
func word(files ...string) string {
	return packed(append([]string{"[Content_Types].xml", types("/word/document.xml", mainType), "word/document.xml", "<w:document/>"}, files...)...)
}

// openText returns a document of OpenDocument with some content.
func openText(content string) string {
	return packed("mimetype", "application/vnd.oasis.opendocument.text", "content.xml", content, "META-INF/manifest.xml", "<x/>")
}

// TestDocuments wants no document to be shown that runs something or starts a program, however its files are called.
func TestDocuments(t *testing.T) {
	const rels = "word/_rels/document.xml.rels"
	const slide = "ppt/charts/_rels/chart1.xml.rels"
	chart := types("/ppt/charts/chart1.xml", "application/vnd.openxmlformats-officedocument.drawingml.chart+xml")
	link := func(element string) string {
		return packed("[Content_Types].xml", types("/xl/x.xml", "application/vnd.openxmlformats-officedocument.spreadsheetml.externalLink+xml"), "xl/x.xml", "<externalLink>"+element+"</externalLink>")
	}
	for _, tt := range []struct{ name, file, octets, want string }{
		{"Plain", "a.docx", word(), ""},
		{"Hyperlink", "a.docx", word(rels, related("hyperlink", "https://a.example/", "External")), ""},
		{"PictureWithin", "a.docx", word(rels, related("image", "media/image1.png", "Internal")), ""},
		{"PictureLinked", "a.docx", word(rels, related("image", "https://a.example/1.png", "External")), ""},
		{"TemplateLocal", "a.docx", word(rels, related("attachedTemplate", `file:///C:\Users\a\Normal.dotm`, "External")), ""},
		{"TemplateName", "a.docx", word(rels, related("attachedTemplate", "Normal.dotm", "External")), ""},
		{"TemplateRemote", "a.docx", word(rels, related("attachedTemplate", "https://a.example/x.dotm", "External")), hasMacros},
		{"TemplateShare", "a.docx", word(rels, related("attachedTemplate", `file:///\\a.example\x\x.dotm`, "External")), hasMacros},
		{"TemplateShareBare", "a.docx", word(rels, related("attachedTemplate", `\\a.example\x.dotm`, "external")), hasMacros},
		{"TemplateFileHost", "a.docx", word(rels, related("attachedTemplate", "file://a.example/x.dotm", "External")), hasMacros},
		{"Object", "a.docx", word(rels, related("oleObject", "embeddings/oleObject1.bin", "Internal")), hasMacros},
		{"ObjectLinked", "a.docx", word(rels, related("oleObject", "https://a.example/x.hta", "External")), hasMacros},
		{"ObjectOfOtherForm", "a.docx", word(rels, strings.Replace(related("oleObject", "x.bin", "Internal"), relPrefix, "http://purl.oclc.org/ooxml/officeDocument/relationships/", 1)), hasMacros},
		{"ObjectPackage", "a.docx", word(rels, related("package", "embeddings/x.docx", "Internal")), hasMacros},
		{"ObjectType", "a.pptx", packed("[Content_Types].xml", types("bin", "application/vnd.openxmlformats-officedocument.oleObject"), "ppt/x.bin", ""), hasMacros},
		{"ObjectTypeWithoutPart", "a.pptx", packed("[Content_Types].xml", types("bin", "application/vnd.openxmlformats-officedocument.oleObject"), "ppt/x.xml", ""), ""},
		{"ChartData", "a.pptx", packed("[Content_Types].xml", chart, "ppt/charts/chart1.xml", "<c/>", slide, related("package", "../embeddings/x.xlsx", "Internal")), ""},
		{"ChartDataElsewhere", "a.pptx", packed("[Content_Types].xml", chart, "ppt/charts/chart1.xml", "<c/>", slide, related("package", "https://a.example/x.xlsm", "External")), hasMacros},
		{"NamedAsChart", "a.docx", word("word/_rels/chart.xml.rels", related("package", "embeddings/x.docx", "Internal")), hasMacros},
		{"Frame", "a.docx", word("word/_rels/webSettings.xml.rels", related("frame", "https://a.example/", "External")), hasMacros},
		{"SubDocument", "a.docx", word(rels, related("subDocument", "https://a.example/x.docx", "External")), hasMacros},
		{"Control", "a.xlsx", word("xl/worksheets/_rels/sheet1.xml.rels", related("control", "../x/x.xml", "Internal")), hasMacros},
		{"OtherFormat", "a.docx", word(rels, related("aFChunk", "x.rtf", "Internal")), hasMacros},
		{"MacrosRenamed", "a.docx", packed("[Content_Types].xml", types("/word/document.xml", mainType, "/word/x.dat", "application/vnd.ms-office.vbaProject"), "word/x.dat", ""), hasMacros},
		{"MacrosByRelationship", "a.docx", word(rels, strings.Replace(related("vbaProject", "x.dat", ""), relPrefix, "http://schemas.microsoft.com/office/2006/relationships/", 1)), hasMacros},
		{"MacroEnabled", "a.docx", packed("[Content_Types].xml", types("/word/document.xml", "application/vnd.ms-word.document.macroEnabled.main+xml"), "word/document.xml", ""), hasMacros},
		{"MacroEnabledByExtension", "a.docx", packed("[Content_Types].xml", types("xml", "application/vnd.ms-word.document.macroEnabled.main+xml"), "word/document.xml", ""), hasMacros},
		{"MacroEnabledEscaped", "a.docx", packed("[Content_Types].xml", types("/word/%64ocument.xml", "application/vnd.ms-word.document.MACROENABLED.main+xml"), "word/Document.xml", ""), hasMacros},
		{"LinkDDE", "a.xlsx", link(`<x:ddeLink ddeService="cmd" ddeTopic="/c calc"/>`), hasMacros},
		{"LinkOLE", "a.xlsx", link("<oleLink/>"), hasMacros},
		{"LinkBook", "a.xlsx", link("<externalBook/>"), ""},
		{"NoTypes", "a.docx", packed("word/document.xml", ""), isHidden},
		{"BrokenTypes", "a.docx", packed("[Content_Types].xml", "<Types>&x;"), isHidden},
		{"WideTypes", "a.docx", packed("[Content_Types].xml", "\xff\xfe<\x00T\x00/\x00>\x00"), isHidden},
		{"BrokenRelationships", "a.docx", word(rels, "<Relationships><"), isHidden},
		{"TwoNames", "a.docx", strings.Replace(word("word/aaaProject.bin", ""), "word/aaaProject.bin", "word/vbaProject.bin", 1), disagrees},
		{"ZipInCompound", "a.doc", compoundFile + strings.Repeat("\x00", 504) + word(), disagrees},

		{"Open", "a.odt", openText(`<office:document-content><office:scripts/><text:p>event-listener</text:p></office:document-content>`), ""},
		{"OpenSlides", "a.odp", openText(`<a><presentation:event-listener script:event-name="dom:click" presentation:action="next-page"/></a>`), ""},
		{"OpenFilm", "a.odp", openText(`<a><draw:plugin xlink:href="Media/a.mp4" draw:mime-type="application/vnd.sun.star.media"/></a>`), ""},
		{"OpenChart", "a.odt", openText(`<a><draw:object xlink:href="./Object 1"/></a>`), ""},
		{"OpenListener", "a.odt", openText(`<a><script:event-listener script:language="ooo:script" script:event-name="dom:load" xlink:href="vnd.sun.star.script:x"/></a>`), hasMacros},
		{"OpenListenerOtherPrefix", "a.odt", openText(`<a><presentation:event-listener presentation:language="ooo:script" x:event-name="dom:load"/></a>`), hasMacros},
		{"OpenExecute", "a.odp", openText(`<a><presentation:event-listener presentation:action="execute" xlink:href="file:///x"/></a>`), hasMacros},
		{"OpenListenerWithin", "a.odt", packed("content.xml", "<a/>", "Object 1/content.xml", `<a><script:event-listener script:macro-name="x"/></a>`), hasMacros},
		{"OpenListenerInStyles", "a.odt", packed("content.xml", "<a/>", "styles.xml", `<a><script:event-listener script:macro-name="x"/></a>`), hasMacros},
		{"OpenObject", "a.odt", openText(`<a><draw:object-ole xlink:href="./Object 1"/></a>`), hasMacros},
		{"OpenFrame", "a.odt", openText(`<a><draw:floating-frame xlink:href="https://a.example/"/></a>`), hasMacros},
		{"OpenDDE", "a.ods", openText(`<a><office:dde-source office:dde-application="soffice"/></a>`), hasMacros},
		{"OpenSection", "a.odt", openText(`<a><text:section-source xlink:href="https://a.example/x.odt"/></a>`), hasMacros},

		{"CompoundPackage", "a.doc", compoundFile + strings.Repeat("\x00", 600) + utf16("\x01Ole10Native"), hasMacros},
		{"CompoundPackageCase", "a.xls", compoundFile + strings.Repeat("\x00", 600) + utf16("\x01oLE10nATIVE"), hasMacros},
		{"RichTemplate", "a.rtf", `{\rtf1{\*\template https://a.example/x.dotm}}`, hasMacros},
		{"RichTemplateShare", "a.rtf", `{\rtf1{\*\template \\\\a.example\\x.dotm}}`, hasMacros},
		{"RichTemplateEscaped", "a.doc", "{\\rtf1{\\*\n\\template \\u104?ttps://x}}", hasMacros},
		{"RichTemplateLocal", "a.rtf", `{\rtf1{\*\template C:\\Users\\a\\Normal.dotm}}`, ""},
		{"RichTextShort", "a.rtf", `{\rt{\object\objdata 01}}`, disagrees},
		{"Page", "a.doc", "MIME-Version: 1.0\nContent-Type: multipart/related\n\nx", disagrees},

		{"Playlist", "a.mp3", "#EXTM3U\nhttp://a.example/1.mp3\n", disagrees},
		{"PlaylistURL", "a.mp4", "http://a.example/1.mp4\n", disagrees},
		{"PlaylistSMIL", "a.mov", "<smil><body/></smil>", disagrees},
		{"PlaylistOfText", "a.avi", "[playlist]\nFile1=http://a.example/1\n", disagrees},
		{"PlaylistWide", "a.mkv", "\xff\xfe#\x00E\x00X\x00T\x00M\x003\x00U\x00", disagrees},
		{"PlaylistMovie", "a.mov", "\x00\x00\x00\x40moov\x00\x00\x00\x38rmra\x00\x00\x00\x30rmda\x00\x00\x00\x28rdrf", disagrees},
		{"Movie", "a.mov", "\x00\x00\x00\x14ftypqt  \x00\x00\x00\x00qt  ", ""},
	} {
		_, got := judgeFile(tt.file, "", strings.NewReader(tt.octets), int64(len(tt.octets)))
		if got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestLinked wants the hosts of pictures that are loaded when a document is shown.
func TestLinked(t *testing.T) {
	const rels = "word/_rels/document.xml.rels"
	for _, tt := range []struct {
		name, octets string
		want         []string
	}{
		{"a.docx", word(rels, related("image", "https://a.example/1.png", "External")), []string{"a.example"}},
		{"a.docx", word(rels, related("image", `file:///\\b.example\x\1.png`, "External")), []string{"b.example"}},
		{"a.docx", word(rels, related("image", `\\b.example\x\1.png`, "External")), []string{"b.example"}},
		{"a.docx", word(rels, related("image", `file:///C:\1.png`, "External")), nil},
		{"a.docx", word(rels, related("image", "media/1.png", "Internal")), nil},
		{"a.docx", word(rels, related("hyperlink", "https://a.example/", "External")), nil},
		{"a.odt", openText(`<a><draw:image xlink:href="http://a.example/1.png"/><draw:image xlink:href="Pictures/1.png"/></a>`), []string{"a.example"}},
		{"a.zip", word(rels, related("image", "https://a.example/1.png", "External")), nil},
		{"a.doc", "no document", nil},
	} {
		path := filepath.Join(t.TempDir(), tt.name)
		if err := os.WriteFile(path, []byte(tt.octets), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := linkedFrom(path); !slices.Equal(got, tt.want) {
			t.Errorf("%s of %d octets: got %q, want %q", tt.name, len(tt.octets), got, tt.want)
		}
	}
}

// A template on a disk of the reader is one wherever it is in a file, and another one is not.
func TestTemplateAnywhere(t *testing.T) {
	for i := window - 160; i < window+40; i++ {
		begin := `{\rtf1 ` + strings.Repeat("x", i)
		for target, want := range map[string]string{`C:\\Users\\Normal.dotm`: "", "https://a.example/x.dotm": hasMacros} {
			text := begin + `{\*\template ` + target + "}" + strings.Repeat("x", 200) + "}"
			if _, got := judgeFile("a.rtf", "", strings.NewReader(text), int64(len(text))); got != want {
				t.Fatalf("%s at %d: got %q, want %q", target, i, got, want)
			}
		}
	}
}

// TestMarkupBounds holds: a tag of millions of attributes is not held, and much XML ends the reading (OP-62).
func TestMarkupBounds(t *testing.T) {
	many := strings.Repeat(`a="" `, maxElement/4)
	for name, file := range map[string]string{
		"Attributes": word("word/_rels/document.xml.rels", "<x "+many+"/>"),
		"Text":       word("word/_rels/document.xml.rels", "<x>"+many+"</x>"),
		"Elements":   word("word/_rels/document.xml.rels", "<x>"+strings.Repeat("<a>"+strings.Repeat("x", 1<<20)+"</a>", maxMarkup>>20)+"</x>"),
	} {
		if _, got := judgeFile("a.docx", "", strings.NewReader(file), int64(len(file))); got != isHidden {
			t.Errorf("%s: got %q, want %q", name, got, isHidden)
		}
	}
}
