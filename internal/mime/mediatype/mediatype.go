// Package mediatype maps media types to file name extensions and back. It has its own
// table, because the tables of systems differ, and the result for a message must not
// depend on the system.
//
// Several goroutines may call all functions at once.
package mediatype

import "strings"

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
