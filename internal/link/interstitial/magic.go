package interstitial

import (
	"bytes"
	"slices"
	"strings"

	"github.com/go-extbody/extbody/internal/mime/param"
)

// A family is a set of formats that begin with the same octets.
type family uint8

const (
	noFamily family = iota
	pdf
	zip
	ooxml // zip, or an encrypted document in a compound file
	ole   // a compound file, or another that programs wrote under the same names
	png
	jpeg
	gif
	sevenZip
	gz
	rtf
)

// beginnings has the octets with which files of a family begin.
var beginnings = map[family][]string{
	pdf:      {"%PDF-"},
	zip:      zipBeginnings,
	ooxml:    append([]string{oleBeginning}, zipBeginnings...),
	ole:      append([]string{oleBeginning, "{\\rtf"}, zipBeginnings...),
	png:      {"\x89PNG\r\n\x1a\n"},
	jpeg:     {"\xff\xd8\xff"},
	gif:      {"GIF87a", "GIF89a"},
	sevenZip: {"7z\xbc\xaf\x27\x1c"},
	gz:       {gzBeginning},
	rtf:      {"{\\rtf"},
}

const (
	oleBeginning = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
	gzBeginning  = "\x1f\x8b"
)

var zipBeginnings = []string{"PK\x03\x04", "PK\x05\x06", "PK\x07\x08"}

// familyExtensions and familyTypes map extensions and media types to their family.
var (
	familyExtensions = familiesOf(map[family]string{
		pdf:      "pdf",
		zip:      "zip jar apk epub odt ods odp odg kmz 3mf war ipa",
		ooxml:    "docx docm dotx xlsx xlsm xlsb pptx pptm ppsx vsdx",
		ole:      "doc dot xls xlt ppt pps msg vsd",
		png:      "png",
		jpeg:     "jpg jpeg jpe",
		gif:      "gif",
		sevenZip: "7z",
		gz:       "gz tgz",
		rtf:      "rtf",
	})
	familyTypes = familiesOf(map[family]string{
		pdf:      "application/pdf application/x-pdf",
		zip:      "application/zip application/x-zip-compressed application/java-archive application/epub+zip",
		ole:      "application/msword application/vnd.ms-excel application/vnd.ms-powerpoint application/vnd.ms-outlook",
		png:      "image/png",
		jpeg:     "image/jpeg image/jpg image/pjpeg",
		gif:      "image/gif",
		sevenZip: "application/x-7z-compressed",
		gz:       "application/gzip application/x-gzip",
		rtf:      "application/rtf text/rtf",
	})
)

func familiesOf(names map[family]string) map[string]family {
	families := make(map[string]family)
	for f, list := range names {
		for _, name := range strings.Fields(list) {
			families[name] = f
		}
	}
	return families
}

// announcedFamily returns the family of the announced file. As in announced, the name
// counts before the media type.
func announcedFamily(want Expect) family {
	ext := extension(want.Name)
	if f := familyExtensions[ext]; f != noFamily {
		return f
	}
	if extensions[ext] != unknown {
		return noFamily
	}
	t := param.Parse(want.MediaType).Type
	switch {
	case strings.HasPrefix(t, "application/vnd.openxmlformats-officedocument."):
		return ooxml
	case strings.HasPrefix(t, "application/vnd.oasis.opendocument."):
		return zip
	}
	return familyTypes[t]
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
func (f family) begins(head []byte) bool {
	if f == pdf {
		return bytes.Contains(head[:min(len(head), maxBeforePDF)], []byte(beginnings[pdf][0])) && !sniff(head)
	}
	for _, b := range beginnings[f] {
		if bytes.HasPrefix(head, []byte(b)) {
			return true
		}
	}
	return false
}

// KnowsBeginning reports whether it is known how a file announced as want begins. If so,
// call Judge even if the server gives the file its type.
func KnowsBeginning(want Expect) bool { return announcedFamily(want) != noFamily }

// Begins reports whether it is known how a file announced as want begins, and whether
// head, its first octets, begin so.
func Begins(want Expect, head []byte) (known, begins bool) {
	f := announcedFamily(want)
	return f != noFamily, f != noFamily && f.begins(head)
}
