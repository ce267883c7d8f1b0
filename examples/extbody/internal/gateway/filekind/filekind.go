// Package filekind shows by the octets of a file what it is, and whether that agrees with its
// media type and its name.
//
// Several goroutines may call all functions at once.
package filekind

import (
	"bytes"
	"net/http"
	"path"
	"slices"
	"strings"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/internal/link/interstitial"
	"github.com/go-extbody/extbody/internal/mime/mediatype"
)

// SniffBytes is how many octets are looked at. http.DetectContentType looks at 512, and
// a PDF may begin at octet 1024.
const SniffBytes = 1100

type beginning struct{ begins, mediaType string }

// programs are the beginnings of files that systems run.
var programs = []beginning{
	{"MZ", "application/x-dosexec"},
	{"\x7fELF", "application/x-elf"},
	{"\xfe\xed\xfa\xce", "application/x-mach-binary"},
	{"\xfe\xed\xfa\xcf", "application/x-mach-binary"},
	{"\xce\xfa\xed\xfe", "application/x-mach-binary"},
	{"\xcf\xfa\xed\xfe", "application/x-mach-binary"},
	{"#!", "text/x-script"},
	{"L\x00\x00\x00\x01\x14\x02\x00", "application/x-ms-shortcut"},
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
	if t := Essence(http.DetectContentType(head)); t != anyType {
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

// containers are the beginnings of files that hold other files, or scripts. Their names
// and types vary.
var containers = []beginning{
	{"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", compoundFile}, // old office documents, and installers
	{"7z\xbc\xaf\x27\x1c", "application/x-7z-compressed"},
	{"MSCF", "application/vnd.ms-cab-compressed"},
	{"ITSF", "application/vnd.ms-htmlhelp"},
	{"conectix", "application/x-vhd"},
	{"vhdxfile", "application/x-vhdx"},
	{"\xe4\x52\x5c\x7b\x8c\xd8\xa7\x4d\xae\xb1\x53\x78\xd0\x29\x96\xd3", "application/onenote"},
}

const compoundFile = "application/x-ole-storage"

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
		return said != "" && !slices.Contains(runnableTypes, said) || name != "" && !IsProgramName(extension(name))
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
			if family(expected) != "image" || family(sniffed) != "image" {
				return true
			}
		case expected == "", expected == anyType, sniffed == "", sniffed == compoundFile && !textual(expected):
		case textual(sniffed):
			if family(expected) == "image" && !textual(expected) || expected == "video/mp4" || expected == "video/webm" {
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
	return strings.HasPrefix(t, "text/") || strings.HasSuffix(t, "xml") || strings.HasSuffix(t, "json") ||
		t == "application/javascript" || t == "application/postscript" || t == "application/rtf" || t == "application/x-sh" ||
		strings.HasPrefix(t, "message/")
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
