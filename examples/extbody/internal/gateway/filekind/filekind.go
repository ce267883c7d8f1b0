// Package filekind finds the type of a file by its octets, and whether that agrees with its
// media type and its name.
//
// Several goroutines may call all functions at once.
package filekind

import (
	"bytes"
	"cmp"
	"io"
	"net/http"
	"path"
	"slices"
	"strings"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/internal/link/interstitial"
	"github.com/go-extbody/extbody/internal/mime/mediatype"
	"github.com/go-extbody/extbody/internal/mime/picture"
)

// SniffBytes is how many octets are looked at. http.DetectContentType looks at 512, and
// a PDF may start at octet 1024.
const SniffBytes = 1100

// A beginning is how files of a type begin, and the extension that programs give them.
type beginning struct{ begins, mediaType, extension string }

// programs are the starts of files that systems run.
var programs = []beginning{
	{"MZ", "application/x-dosexec", "exe"},
	{"\x7fELF", "application/x-elf", "elf"},
	{"\xfe\xed\xfa\xce", "application/x-mach-binary", "dylib"},
	{"\xfe\xed\xfa\xcf", "application/x-mach-binary", "dylib"},
	{"\xce\xfa\xed\xfe", "application/x-mach-binary", "dylib"},
	{"\xcf\xfa\xed\xfe", "application/x-mach-binary", "dylib"},
	{"#!", "text/x-script", "sh"},
	{"L\x00\x00\x00\x01\x14\x02\x00", "application/x-ms-shortcut", "lnk"},
}

// Sniff returns the media type that the first octets of a body show, or "" if they show
// none.
func Sniff(head []byte) string {
	if len(head) == 0 {
		return ""
	}
	for _, b := range slices.Concat(programs, containers) {
		if bytes.HasPrefix(head, []byte(b.begins)) && (b.begins != "MZ" || len(head) >= 64) {
			return b.mediaType
		}
	}
	switch t := Essence(http.DetectContentType(head)); {
	case isTar(head):
		return tarFile
	case textual(t) && picture.IsSVG(head):
		return picture.SVG
	case t != anyType:
		return t
	}
	return ""
}

const anyType = "application/octet-stream"

// runnable are the extensions and the media types of programs.
var (
	runnable = []string{
		"exe", "dll", "com", "scr", "sys", "msi", "efi", "cpl", "ocx", "so", "o", "elf", "bin", "run", "dylib", "lnk", "appimage", "",
	}
	runnableTypes = []string{
		"application/x-msdownload", "application/x-msdos-program", "application/vnd.microsoft.portable-executable",
		"application/x-executable", "application/x-sharedlib", "application/x-dosexec", "application/x-elf",
		"application/x-mach-binary",
	}
)

// containers are the starts of files that hold other files, or scripts. Their names
// and types vary.
var containers = []beginning{
	{"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", compoundFile, ""}, // old office documents, and installers; see isInstaller
	{"7z\xbc\xaf\x27\x1c", "application/x-7z-compressed", "7z"},
	{"BZh", "application/x-bzip2", "bz2"},
	{"\xfd7zXZ\x00", "application/x-xz", "xz"},
	{"\x28\xb5\x2f\xfd", "application/zstd", "zst"},
	{"MSCF", "application/vnd.ms-cab-compressed", "cab"},
	{"ITSF", "application/vnd.ms-htmlhelp", "chm"},
	{"conectix", "application/x-vhd", "vhd"},
	{"vhdxfile", "application/x-vhdx", "vhdx"},
	{"\xe4\x52\x5c\x7b\x8c\xd8\xa7\x4d\xae\xb1\x53\x78\xd0\x29\x96\xd3", "application/onenote", "one"},
}

const (
	zipFile      = "application/zip"
	tarFile      = "application/x-tar"
	gzipFile     = "application/x-gzip"
	diskImage    = "application/x-iso9660-image"
	compoundFile = "application/x-ole-storage"
	installer    = "application/x-msi"
)

// actives are the extensions of media types whose files systems run, whatever their names.
var actives = map[string]string{
	"application/hta": "hta", "application/x-hta": "hta", "application/javascript": "js", "application/x-javascript": "js", "text/javascript": "js",
	"application/ecmascript": "js", "text/ecmascript": "js", "application/x-msdownload": "exe", "application/x-msdos-program": "exe",
	"application/x-dosexec": "exe", "application/vnd.microsoft.portable-executable": "exe", "application/x-msi": "msi", "application/x-ms-installer": "msi",
	"application/x-executable": "elf", "application/x-elf": "elf", "application/x-sharedlib": "so", "application/x-sh": "sh", "application/x-shellscript": "sh",
	"text/x-shellscript": "sh", "application/x-bat": "bat", "application/bat": "bat", "text/vbscript": "vbs", "application/x-powershell": "ps1",
	"application/java-archive": "jar", "application/x-java-archive": "jar", "application/x-ms-shortcut": "lnk", "application/vnd.ms-htmlhelp": "chm",
	"application/x-iso9660-image": "iso", "application/vnd.android.package-archive": "apk", "application/x-mach-binary": "dylib",
}

// sniffedExtensions are the extensions of types that http.DetectContentType finds and for which
// mediatype has none.
var sniffedExtensions = map[string]string{
	diskImage: "iso", "application/x-rar-compressed": "rar", "application/x-gzip": "gz", "image/x-icon": "ico", "image/bmp": "bmp", "audio/wave": "wav", "audio/aiff": "aiff",
	"audio/midi": "mid", "video/avi": "avi", "application/ogg": "ogg", "application/vnd.ms-fontobject": "eot", "font/ttf": "ttf", "font/otf": "otf",
	"font/collection": "ttc", "font/woff": "woff", "font/woff2": "woff2", "application/wasm": "wasm",
}

// Active returns the extension of a media type whose files systems run, whatever their names are;
// "" for any other type.
func Active(mediaType string) string { return actives[mediaType] }

// octetExtension returns the extension that programs give a file with octets of the sniffed type;
// "" for text and XML, whose formats the first octets do not show.
func octetExtension(sniffed string) string {
	for _, b := range slices.Concat(programs, containers) {
		if b.mediaType == sniffed {
			return b.extension
		}
	}
	switch sniffed {
	case "text/plain", "text/xml", "":
		return ""
	case installer:
		return "msi"
	}
	return cmp.Or(sniffedExtensions[sniffed], strings.TrimPrefix(mediatype.Extension(sniffed), "."))
}

// Implied returns the extensions that the octets and the types of a file stand for, whatever its
// names are. If the octets start as a name of the file demands, such as the zip file of a .docx,
// they add nothing.
func Implied(head []byte, sniffed string, names []string, types ...string) (list []string) {
	for _, t := range types {
		if ext := actives[Essence(t)]; ext != "" && !slices.Contains(list, ext) {
			list = append(list, ext)
		}
	}
	ext := octetExtension(sniffed)
	fits := func(name string) bool {
		if sniffed == installer {
			return false // not by its start
		}
		_, begins := interstitial.Begins(interstitial.Expect{Name: externalbody.FileName(name)}, head)
		return begins
	}
	if ext == "" || slices.Contains(list, ext) || slices.ContainsFunc(names, fits) {
		return list
	}
	return append(list, ext)
}

// Compare returns the media type that a file shows, or "" if it shows none, and whether that
// contradicts the announced media type or name. head has the first SniffBytes octets of r.
func Compare(head []byte, r io.ReaderAt, size int64, said, name string) (sniffed string, contradicts bool) {
	sniffed = Sniff(head)
	contradicts = Contradicts(head, said, name)
	if sniffed == "" && isDiskImage(r) {
		return diskImage, contradicts
	}
	if sniffed == compoundFile && isInstaller(r, size) {
		return installer, contradicts || !slices.Contains([]string{"msi", "msp", "mst", ""}, extension(externalbody.FileName(name)))
	}
	return sniffed, contradicts
}

// Contradicts reports whether the first octets of a body contradict its media type or its
// name. It reports false if the octets show nothing.
func Contradicts(head []byte, said, name string) bool {
	if len(head) == 0 {
		return false
	}
	sniffed := Sniff(head)
	// A part without a type is text/plain (RFC 2045 section 5.2).
	if said == anyType || said == "text/plain" {
		said = ""
	}
	name = externalbody.FileName(name)
	if IsProgram(sniffed) {
		otherType := said != "" && !slices.Contains(runnableTypes, said)
		otherName := name != "" && !IsProgramName(extension(name))
		return otherType || otherName
	}
	for _, want := range []interstitial.Expect{{MediaType: said}, {Name: name}} {
		expected := want.MediaType
		if want.Name != "" {
			expected = mediatype.MediaType(name)
		}
		known, begins := interstitial.Begins(want, head)
		switch {
		case begins:
		case known:
			// Pictures of a camera are called .jpg whatever their format.
			if family(expected) != "image" || family(sniffed) != "image" || textual(sniffed) != textual(expected) {
				return true
			}
		case textual(sniffed) && want.Name != "" && packed(expected, name):
			return true
		case expected == "", expected == anyType, sniffed == "", sniffed == compoundFile && !textual(expected):
		case textual(sniffed):
			image := family(expected) == "image" && !textual(expected)
			video := expected == "video/mp4" || expected == "video/webm"
			if image || video || packed(expected, name) {
				return true
			}
		case textual(expected):
			return true
		case family(sniffed) != family(expected):
			if ext := mediatype.Extension(expected); ext != "" && !mediatype.Agrees(sniffed, "x"+ext) {
				return true
			}
		}
	}
	return false
}

// IsProgramName reports whether programs have the extension, in lower case without its dot. They
// may have none.
func IsProgramName(ext string) bool { return slices.Contains(runnable, ext) }

// IsProgram reports whether a media type of Sniff is one of programs that a system runs.
func IsProgram(t string) bool {
	return slices.ContainsFunc(programs, func(p beginning) bool { return t == p.mediaType }) && !strings.HasPrefix(t, "text/")
}

// packed reports whether a file of a type, or else with a name, is an archive, which no text is.
func packed(expected, name string) bool {
	switch expected {
	case "application/vnd.rar", "application/x-rar", "application/x-rar-compressed", "application/x-7z-compressed",
		"application/gzip", "application/x-gzip", "application/x-bzip2", "application/x-xz", "application/zstd",
		"application/vnd.ms-cab-compressed", "application/x-iso9660-image":
		return true
	case "":
		return slices.Contains([]string{
			"rar", "7z", "gz", "tgz", "bz2", "xz", "zst", "cab", "iso", "img", "ace", "arj", "lzh", "vhd", "vhdx",
		}, extension(name))
	}
	return false
}

// family returns a name for the formats of the same kind of content. Pictures of
// a camera are called .jpg whatever their format.
func family(t string) string {
	switch major, _, _ := strings.Cut(t, "/"); major {
	case "audio", "video":
		return "media"
	case "image", "font":
		return major
	}
	return t
}

// textual reports whether data of a type is text.
func textual(t string) bool {
	switch t {
	case "application/javascript", "application/postscript", "application/rtf", "application/x-sh":
		return true
	}
	if strings.HasPrefix(t, "text/") || strings.HasPrefix(t, "message/") {
		return true
	}
	return strings.HasSuffix(t, "xml") || strings.HasSuffix(t, "json")
}

// Essence returns a media type in lower case without parameters.
func Essence(mediaType string) string {
	t, _, _ := strings.Cut(mediaType, ";")
	return strings.ToLower(strings.TrimSpace(t))
}

// extension returns the text after the last dot of a safe name, in lower case.
func extension(name string) string {
	return strings.ToLower(strings.TrimPrefix(path.Ext(name), "."))
}
