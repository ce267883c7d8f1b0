package interstitial

import (
	"bytes"
	"iter"
	"slices"
	"strings"

	"github.com/go-extbody/extbody/internal/mime/param"
)

// A family is a set of formats that begin with the same octets.
type family struct {
	beginnings []string
	extensions string
	types      string
}

var (
	pdf   = &family{[]string{"%PDF-"}, "pdf", "application/pdf application/x-pdf"}
	zip   = &family{zipBeginnings, "zip jar apk epub odt ods odp odg kmz 3mf war ipa", "application/zip application/x-zip-compressed application/java-archive application/epub+zip"}
	ooxml = &family{append([]string{oleBeginning}, zipBeginnings...), "docx docm dotx xlsx xlsm xlsb pptx pptm ppsx vsdx", ""} // or encrypted, in a compound file
	ole   = &family{append([]string{oleBeginning, "{\\rtf"}, zipBeginnings...), "doc dot xls xlt ppt pps msg vsd", "application/msword application/vnd.ms-excel application/vnd.ms-powerpoint application/vnd.ms-outlook"}

	families = []*family{
		pdf, zip, ooxml, ole,
		{[]string{"\x89PNG\r\n\x1a\n"}, "png", "image/png"},
		{[]string{"\xff\xd8\xff"}, "jpg jpeg jpe", "image/jpeg image/jpg image/pjpeg"},
		{[]string{"GIF87a", "GIF89a"}, "gif", "image/gif"},
		{[]string{"7z\xbc\xaf\x27\x1c"}, "7z", "application/x-7z-compressed"},
		{[]string{gzBeginning}, "gz tgz", "application/gzip application/x-gzip"},
		{[]string{"{\\rtf"}, "rtf", "application/rtf text/rtf"},
	}
)

const (
	oleBeginning = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
	gzBeginning  = "\x1f\x8b"
)

var zipBeginnings = []string{"PK\x03\x04", "PK\x05\x06", "PK\x07\x08"}

// familyOf maps extensions and media types to their family.
var familyOf = wordsOf(func(yield func(*family, string) bool) {
	for _, f := range families {
		if !yield(f, f.extensions) || !yield(f, f.types) {
			return
		}
	}
})

// wordsOf returns the value of each word in the texts of list.
func wordsOf[V any](list iter.Seq2[V, string]) map[string]V {
	values := make(map[string]V)
	for v, words := range list {
		for word := range strings.FieldsSeq(words) {
			values[word] = v
		}
	}
	return values
}

// announcedFamily returns the family of the announced file, or nil. As in announced, the
// name counts before the media type.
func announcedFamily(want Expect) *family {
	ext := extension(want.Name)
	if f := familyOf[ext]; f != nil || extensions[ext] != unknown {
		return f
	}
	t := param.Parse(want.MediaType).Type
	switch {
	case strings.HasPrefix(t, "application/vnd.openxmlformats-officedocument."):
		return ooxml
	case strings.HasPrefix(t, "application/vnd.oasis.opendocument."):
		return zip
	}
	return familyOf[t]
}

// entryBytes is how many octets isArchive needs.
const entryBytes = 30 + 64

// officeEntries are the beginnings of the names in an Office document (ECMA-376 part 2).
var officeEntries = []string{"[content_types].xml", "_rels/", "docprops/", "docmetadata/", "customxml/", "word/", "xl/", "ppt/", "visio/", "media/", "theme/", "[trash]/", "mimetype", "meta-inf/"}

// isArchive reports whether head begins a zip file that is not an Office document: its
// first entry (APPNOTE section 4.3.7) is a folder, or a file that such a document does not
// have.
func isArchive(head []byte) bool {
	const nameAt = 30
	if !bytes.HasPrefix(head, []byte(zipBeginnings[0])) || len(head) < nameAt {
		return false
	}
	n := min(int(head[26])|int(head[27])<<8, entryBytes-nameAt)
	name := strings.ToLower(string(head[nameAt:min(len(head), nameAt+n)]))
	return name != "" && len(head) >= nameAt+n && !slices.ContainsFunc(officeEntries, func(entry string) bool { return strings.HasPrefix(name, entry) })
}

// maxBeforePDF is how many octets PDF readers search for the header of a file.
const maxBeforePDF = 1024

// begins reports whether head is the beginning of a file of the family.
func (f *family) begins(head []byte) bool {
	if f == pdf {
		return bytes.Contains(head[:min(len(head), maxBeforePDF)], []byte(f.beginnings[0])) && !sniff(head)
	}
	return slices.ContainsFunc(f.beginnings, func(b string) bool { return bytes.HasPrefix(head, []byte(b)) })
}

// KnowsBeginning reports whether it is known how a file announced as want begins. If so,
// call Judge even if the server gives the file its type.
func KnowsBeginning(want Expect) bool { return announcedFamily(want) != nil }

// Begins reports whether it is known how a file announced as want begins, and whether
// head, its first octets, begin so.
func Begins(want Expect, head []byte) (known, begins bool) {
	f := announcedFamily(want)
	return f != nil, f != nil && f.begins(head)
}
