// Package mediatype maps media types to file name extensions and back. It has its own
// table, because the tables of systems differ, and the result for a message must not
// depend on the system.
//
// Several goroutines may call all functions at once.
package mediatype

import (
	"slices"
	"strings"
)

// A pair is a media type and its extension.
type pair struct{ mediaType, ext string }

// pairs lists the usual type of an extension before its other types, and the usual
// extension of a type before its other extensions.
var pairs = []pair{
	{"application/gzip", ".gz"},
	{"application/json", ".json"},
	{"application/msword", ".doc"},
	{"application/octet-stream", ".bin"},
	{"application/ogg", ".ogx"},
	{"application/pdf", ".pdf"},
	{"application/postscript", ".ps"},
	{"application/rtf", ".rtf"},
	{"application/vnd.ms-excel", ".xls"},
	{"application/vnd.ms-powerpoint", ".ppt"},
	{"application/vnd.oasis.opendocument.presentation", ".odp"},
	{"application/vnd.oasis.opendocument.spreadsheet", ".ods"},
	{"application/vnd.oasis.opendocument.text", ".odt"},
	{"application/vnd.openxmlformats-officedocument.presentationml.presentation", ".pptx"},
	{"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", ".xlsx"},
	{"application/vnd.openxmlformats-officedocument.wordprocessingml.document", ".docx"},
	{"application/x-tar", ".tar"},
	{"application/xml", ".xml"},
	{"application/zip", ".zip"},
	{"audio/basic", ".au"},
	{"audio/mpeg", ".mp3"},
	{"audio/ogg", ".ogg"},
	{"audio/wav", ".wav"},
	{"image/gif", ".gif"},
	{"image/jpeg", ".jpg"},
	{"image/jpeg", ".jpeg"},
	{"image/png", ".png"},
	{"image/svg+xml", ".svg"},
	{"image/tiff", ".tiff"},
	{"image/tiff", ".tif"},
	{"image/webp", ".webp"},
	{"message/rfc822", ".eml"},
	{"text/calendar", ".ics"},
	{"text/css", ".css"},
	{"text/csv", ".csv"},
	{"text/html", ".html"},
	{"text/html", ".htm"},
	{"text/plain", ".txt"},
	{"text/rtf", ".rtf"},
	{"text/vcard", ".vcf"},
	{"text/xml", ".xml"},
	{"video/mp4", ".mp4"},
	{"video/mpeg", ".mpeg"},
	{"video/mpeg", ".mpg"},
	{"video/quicktime", ".mov"},
	{"video/webm", ".webm"},
}

// Extension returns the extension for a media type, with its dot, or "" if the type
// is not known. mediaType must be in lower case.
func Extension(mediaType string) string {
	for _, p := range pairs {
		if p.mediaType == mediaType {
			return p.ext
		}
	}
	return ""
}

// MediaType returns the media type of a file by the extension of its name, or "" if
// the extension is not known. The case of the extension does not matter.
func MediaType(name string) string {
	i := strings.LastIndexByte(name, '.')
	if i < 0 {
		return ""
	}
	for _, p := range pairs {
		if strings.EqualFold(p.ext, name[i:]) {
			return p.mediaType
		}
	}
	return ""
}

// Agrees reports whether the extension of a file's name fits a media type, which must
// be in lower case. If it does, a program that goes by the name opens the file as
// that type. Agrees reports true if the type is not in the table, because nothing is
// known about it. For a type in the table it reports whether the extension is
//   - an extension of that type, or
//   - for a type that covers many formats, such as text/plain and application/zip, an
//     extension of one of those formats or an unknown extension. It must not be an
//     extension of files that systems run or show with scripts, such as .desktop or
//     .svg.
//
// A name without an extension agrees with no type in the table.
func Agrees(mediaType, name string) bool {
	if Extension(mediaType) == "" || mediaType == anyType {
		return true
	}
	i := strings.LastIndexByte(name, '.')
	if i < 0 || i == len(name)-1 {
		return false
	}
	ext := strings.ToLower(name[i:])
	if slices.Contains(pairs, pair{mediaType, ext}) || slices.Contains(more, pair{mediaType, ext}) {
		return true
	}
	formats, general := general[mediaType]
	if _, found := slices.BinarySearch(active, ext); found || !general {
		return false
	}
	other := MediaType(ext)
	return other == "" || slices.ContainsFunc(formats, func(prefix string) bool { return strings.HasPrefix(other, prefix) })
}

// anyType is the type of data of any kind (RFC 2046 section 4.5.1).
const anyType = "application/octet-stream"

// textFormats has the prefixes of the types of text formats.
var textFormats = []string{"text/", "application/json", "application/postscript", "application/rtf", "application/xml"}

// general maps the types that cover many formats to the prefixes of the types of
// those formats.
var general = map[string][]string{
	"application/gzip": nil,
	"application/json": textFormats,
	"application/xml":  textFormats,
	"application/zip":  {"application/vnd.oasis.", "application/vnd.openxmlformats-"},
	"text/plain":       textFormats,
	"text/xml":         textFormats,
}

// more has extensions that agree with a type in addition to the pairs.
var more = []pair{
	{"application/msword", ".docx"},
	{"application/msword", ".dot"},
	{"application/msword", ".rtf"},
	{"application/postscript", ".ai"},
	{"application/postscript", ".eps"},
	{"application/rtf", ".doc"},
	{"application/vnd.ms-excel", ".csv"},
	{"application/vnd.ms-excel", ".xlsx"},
	{"application/vnd.ms-excel", ".xlt"},
	{"application/vnd.ms-powerpoint", ".pps"},
	{"application/vnd.ms-powerpoint", ".pptx"},
	{"audio/mpeg", ".mp2"},
	{"audio/mpeg", ".mpga"},
	{"audio/ogg", ".oga"},
	{"audio/ogg", ".opus"},
	{"image/jpeg", ".jfif"},
	{"image/jpeg", ".jpe"},
	{"text/calendar", ".ical"},
	{"text/calendar", ".vcs"},
	{"text/csv", ".tsv"},
	{"text/csv", ".txt"},
	{"text/rtf", ".doc"},
	{"text/vcard", ".vcard"},
	{"video/mp4", ".m4v"},
	{"video/quicktime", ".qt"},
}

// MayHold reports whether a server that knows no better may give the media type to a
// file of the name, in addition to the names that agree: text/plain if the name has no
// extension, such as Makefile, and application/zip if the format is a zip archive that
// systems run, such as .apk.
func MayHold(mediaType, name string) bool {
	i := strings.LastIndexByte(name, '.')
	switch mediaType {
	case "text/plain":
		return name != "" && i < 0
	case "application/zip":
		return i >= 0 && slices.Contains(zips, strings.ToLower(name[i:]))
	}
	return false
}

// zips are the extensions of active that are zip archives.
var zips = []string{".apk", ".appx", ".jar", ".xap", ".xpi"}

// active has, in order, the extensions of files that a system runs when a user opens
// them, or shows with scripts and links of their own.
var active = []string{
	".apk", ".app", ".appimage", ".application", ".appref-ms", ".appx", ".bash", ".bat", ".chm",
	".class", ".cmd", ".com", ".command", ".cpl", ".crx", ".csh", ".deb", ".desktop", ".diagcab",
	".dll", ".dmg", ".exe", ".gadget", ".hta", ".htm", ".html", ".inf", ".ins", ".iso", ".jar",
	".jnlp", ".js", ".jse", ".ksh", ".library-ms", ".lnk", ".mht", ".mhtml", ".msc", ".msh", ".msi",
	".msp", ".mst", ".pif", ".pkg", ".pl", ".ps1", ".psm1", ".py", ".pyc", ".pyw", ".rb", ".reg",
	".rpm", ".run", ".scf", ".scr", ".sct", ".search-ms", ".settingcontent-ms", ".sh", ".svg",
	".svgz", ".swf", ".terminal", ".theme", ".url", ".vb", ".vbe", ".vbs", ".webloc", ".website",
	".workflow", ".wsc", ".wsf", ".wsh", ".xap", ".xht", ".xhtml", ".xpi", ".zsh",
}
