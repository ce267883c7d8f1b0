package inspect

import (
	"bytes"
	"net/http"
	"slices"
	"strings"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/internal/mime/mediatype"
)

// sniffBytes is how many octets sniff looks at.
const sniffBytes = 512

// programs are the beginnings of files that systems run.
var programs = []struct{ begins, mediaType string }{
	{"MZ", "application/x-dosexec"},
	{"\x7fELF", "application/x-elf"},
	{"\xfe\xed\xfa\xce", "application/x-mach-binary"},
	{"\xfe\xed\xfa\xcf", "application/x-mach-binary"},
	{"\xce\xfa\xed\xfe", "application/x-mach-binary"},
	{"\xcf\xfa\xed\xfe", "application/x-mach-binary"},
	{"#!", "text/x-script"},
	{"L\x00\x00\x00\x01\x14\x02\x00", "application/x-ms-shortcut"},
}

// sniff returns the media type that the first octets of a body show, or "" if they show
// none.
func sniff(head []byte) string {
	if len(head) == 0 {
		return ""
	}
	for _, p := range programs {
		if bytes.HasPrefix(head, []byte(p.begins)) && (p.begins != "MZ" || len(head) >= 64) {
			return p.mediaType
		}
	}
	if t := essence(http.DetectContentType(head)); t != anyType {
		return t
	}
	return ""
}

const anyType = "application/octet-stream"

// runnable are the extensions and the media types of programs.
var (
	runnable      = []string{"exe", "dll", "com", "scr", "sys", "msi", "efi", "cpl", "ocx", "so", "o", "elf", "bin", "run", "dylib", "lnk", "appimage", ""}
	runnableTypes = []string{"application/x-msdownload", "application/x-msdos-program", "application/vnd.microsoft.portable-executable", "application/x-executable", "application/x-sharedlib", "application/x-dosexec", "application/x-elf", "application/x-mach-binary"}
)

// begun are the media types whose files have a known beginning. A text is never of
// these types.
var begun = []string{
	"application/pdf", "application/zip", "application/gzip", "application/vnd.openxmlformats-", "application/vnd.oasis.opendocument.",
	"image/png", "image/jpeg", "image/gif", "image/webp", "image/bmp", "video/mp4", "video/webm",
}

// contradicts reports whether the octets of a body show that it is not what its media
// type or its name says. It reports false if the octets show nothing.
func contradicts(sniffed, said, name string) bool {
	if sniffed == "" {
		return false
	}
	// A part without a type is text/plain (RFC 2045 section 5.2).
	if said == anyType || said == "text/plain" {
		said = ""
	}
	name = externalbody.FileName(name)
	byName := mediatype.MediaType(name)
	if isProgram(sniffed) {
		return said != "" && !slices.Contains(runnableTypes, said) || name != "" && !slices.Contains(runnable, extension(name))
	}
	for _, expected := range []string{said, byName} {
		if expected == "" || expected == anyType {
			continue
		}
		if textual(sniffed) {
			if slices.ContainsFunc(begun, func(p string) bool { return strings.HasPrefix(expected, p) }) {
				return true
			}
			continue
		}
		if textual(expected) {
			return true
		}
		if family(sniffed) == family(expected) {
			continue
		}
		if ext := mediatype.Extension(expected); ext != "" && !mediatype.Agrees(sniffed, "x"+ext) {
			return true
		}
	}
	return false
}

func isProgram(t string) bool {
	for _, p := range programs {
		if t == p.mediaType && !strings.HasPrefix(t, "text/") {
			return true
		}
	}
	return false
}

// family returns what formats for the same kind of content have in common. Pictures of
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
	return strings.HasPrefix(t, "text/") || strings.HasSuffix(t, "xml") || strings.HasSuffix(t, "json") ||
		t == "application/javascript" || t == "application/postscript" || t == "application/rtf" || t == "application/x-sh" ||
		strings.HasPrefix(t, "message/")
}
