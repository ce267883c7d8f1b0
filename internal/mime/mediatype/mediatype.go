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

// A format is a media type and its extensions.
type format struct {
	mediaType string
	usual     []string // the first is the most usual
	others    []string // agree with the type as well
}

// formats lists the usual type of an extension before its other types.
var formats = []format{
	{"application/gzip", []string{".gz"}, nil},
	{"application/json", []string{".json"}, nil},
	{"application/msword", []string{".doc"}, []string{".docx", ".dot", ".rtf"}},
	{"application/octet-stream", []string{".bin"}, nil},
	{"application/ogg", []string{".ogx"}, nil},
	{"application/pdf", []string{".pdf"}, nil},
	{"application/postscript", []string{".ps"}, []string{".ai", ".eps"}},
	{"application/rtf", []string{".rtf"}, []string{".doc"}},
	{"application/vnd.ms-excel", []string{".xls"}, []string{".csv", ".xlsx", ".xlt"}},
	{"application/vnd.ms-powerpoint", []string{".ppt"}, []string{".pps", ".pptx"}},
	{"application/vnd.oasis.opendocument.presentation", []string{".odp"}, nil},
	{"application/vnd.oasis.opendocument.spreadsheet", []string{".ods"}, nil},
	{"application/vnd.oasis.opendocument.text", []string{".odt"}, nil},
	{"application/vnd.openxmlformats-officedocument.presentationml.presentation", []string{".pptx"}, nil},
	{"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", []string{".xlsx"}, nil},
	{"application/vnd.openxmlformats-officedocument.wordprocessingml.document", []string{".docx"}, nil},
	{"application/x-tar", []string{".tar"}, nil},
	{"application/xml", []string{".xml"}, nil},
	{"application/zip", []string{".zip"}, nil},
	{"audio/basic", []string{".au"}, nil},
	{"audio/mpeg", []string{".mp3"}, []string{".mp2", ".mpga"}},
	{"audio/ogg", []string{".ogg"}, []string{".oga", ".opus"}},
	{"audio/wav", []string{".wav"}, nil},
	{"image/gif", []string{".gif"}, nil},
	{"image/jpeg", []string{".jpg", ".jpeg"}, []string{".jfif", ".jpe"}},
	{"image/png", []string{".png"}, nil},
	{"image/svg+xml", []string{".svg"}, nil},
	{"image/tiff", []string{".tiff", ".tif"}, nil},
	{"image/webp", []string{".webp"}, nil},
	{"message/rfc822", []string{".eml"}, nil},
	{"text/calendar", []string{".ics"}, []string{".ical", ".vcs"}},
	{"text/css", []string{".css"}, nil},
	{"text/csv", []string{".csv"}, []string{".tsv", ".txt"}},
	{"text/html", []string{".html", ".htm"}, nil},
	{"text/plain", []string{".txt"}, nil},
	{"text/rtf", []string{".rtf"}, []string{".doc"}},
	{"text/vcard", []string{".vcf"}, []string{".vcard"}},
	{"text/xml", []string{".xml"}, nil},
	{"video/mp4", []string{".mp4"}, []string{".m4v"}},
	{"video/mpeg", []string{".mpeg", ".mpg"}, nil},
	{"video/quicktime", []string{".mov"}, []string{".qt"}},
	{"video/webm", []string{".webm"}, nil},
}

// Extension returns the extension for a media type, with its dot, or "" if the type
// is not known. mediaType must be in lower case.
func Extension(mediaType string) string {
	if f := find(mediaType); f != nil {
		return f.usual[0]
	}
	return ""
}

func find(mediaType string) *format {
	i := slices.IndexFunc(formats, func(f format) bool { return f.mediaType == mediaType })
	if i < 0 {
		return nil
	}
	return &formats[i]
}

// extension returns the extension of a file name in lower case, with its dot, or "".
func extension(name string) string {
	i := strings.LastIndexByte(name, '.')
	if i < 0 {
		return ""
	}
	return strings.ToLower(name[i:])
}

// MediaType returns the media type of a file by the extension of its name, or "" if
// the extension is not known. The case of the extension does not matter.
func MediaType(name string) string {
	ext := extension(name)
	for _, f := range formats {
		if slices.Contains(f.usual, ext) {
			return f.mediaType
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
	f := find(mediaType)
	if f == nil || mediaType == anyType {
		return true
	}
	ext := extension(name)
	if len(ext) < len(".x") {
		return false
	}
	if slices.Contains(f.usual, ext) || slices.Contains(f.others, ext) {
		return true
	}
	prefixes, general := general[mediaType]
	if _, found := slices.BinarySearch(active, ext); found || !general {
		return false
	}
	other := MediaType(ext)
	return other == "" || slices.ContainsFunc(prefixes, func(prefix string) bool {
		return strings.HasPrefix(other, prefix)
	})
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

// MayHold reports whether a server that knows no better may give the media type to a
// file of the name, in addition to the names that agree:
//
//   - text/plain if the name has no extension, such as Makefile, or if it is a message,
//   - XML if it is an image of SVG,
//   - video/mp4 if it is a film of QuickTime, whose form is the same,
//   - application/zip if the format is a zip archive that systems run, such as .apk,
//   - a format that is a zip archive, such as OpenDocument, if the name is of a zip archive.
func MayHold(mediaType, name string) bool {
	ext := extension(name)
	switch mediaType {
	case "text/plain":
		return name != "" && ext == "" || ext == ".eml"
	case "application/xml", "text/xml":
		return ext == ".svg"
	case "video/mp4":
		return ext == ".mov" || ext == ".qt"
	}
	if ext == ".zip" {
		return mediaType != "application/zip" && Agrees("application/zip", "x"+Extension(mediaType))
	}
	return mediaType == "application/zip" && slices.Contains(zips, ext)
}

// Active reports whether systems run a file of that name when a user opens it, or show it with
// scripts and links of its own, by the extension. Its case does not matter.
func Active(name string) bool {
	_, found := slices.BinarySearch(active, extension(name))
	return found
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
