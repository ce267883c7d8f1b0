package inspect

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
	"net/http"
	"path"
	"slices"
	"strings"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/internal/codec/charset"
	"github.com/go-extbody/extbody/internal/link/interstitial"
	"github.com/go-extbody/extbody/internal/mime/mediatype"
	"github.com/go-extbody/extbody/internal/mime/param"
	"golang.org/x/text/unicode/norm"
)

// announcedNames returns the names that a message gives a body. Which of them a program
// uses depends on the program.
func announcedNames(ref *externalbody.Reference) []string {
	names := []string{ref.Name}
	params := map[string]string{"content-disposition": "filename", "content-type": "name"}
	for _, f := range ref.Header {
		if name := params[strings.ToLower(f.Name)]; name != "" {
			names = append(names, fieldParams(f.Value, name)...)
		}
	}
	for _, p := range ref.Params {
		if strings.EqualFold(p.Name, "name") {
			names = append(names, charset.Words(p.Value))
		}
	}
	if u, err := ref.Locate(); err == nil {
		names = append(names, path.Base(u.Path))
	}
	return names
}

// fieldParams returns the values of a parameter of a field, each of which a program may take
// for the only one.
func fieldParams(value, name string) (list []string) {
	for _, p := range param.Parse(value).Params {
		if p.Name == name {
			list = append(list, charset.Words(p.Value))
		}
	}
	return list
}

// maxExtensions bounds the extensions of one body.
const maxExtensions = 100

// extensionsOf returns the extensions that the names have, in lower case without the
// dot, each as any system may see it. If no name has one, they are those that go with the
// media types: programs add one.
func extensionsOf(names []string, types ...string) (list []string) {
	add := func(ext string) {
		if ext != "" && len(list) < maxExtensions && !slices.Contains(list, ext) {
			list = append(list, strings.Clone(ext))
		}
	}
	seen := make(map[string]bool) // most names are the same, and long ones take time
	for _, name := range names {
		for _, n := range []string{name, norm.NFKC.String(dots.Replace(name))} {
			if seen[n] {
				continue
			}
			seen[n] = true
			add(extension(externalbody.FileName(n)))
			// On Windows a colon begins the name of a stream. To other programs a NUL
			// ends a name.
			if i := strings.IndexAny(n, ":\x00"); i >= 0 {
				add(extension(externalbody.FileName(n[:i])))
			}
		}
	}
	if len(list) == 0 {
		for _, t := range types {
			add(strings.TrimPrefix(mediatype.Extension(t), "."))
			if strings.HasSuffix(t, "/javascript") || strings.HasSuffix(t, "/ecmascript") || strings.HasSuffix(t, "/x-javascript") {
				add("js")
			}
		}
	}
	return list
}

// dots replaces the dots of other scripts that some programs take for a dot, and that
// NFKC keeps.
var dots = strings.NewReplacer("\u3002", ".", "\uff61", ".")

// extension returns the text after the last dot of a safe name, in lower case.
func extension(name string) string {
	return strings.ToLower(strings.TrimPrefix(path.Ext(name), "."))
}

// The parts of a zip file (APPNOTE.TXT sections 4.3.12 and 4.3.16).
const (
	zipEndBytes   = 22
	zipEntryBytes = 46
	maxZipEnd     = zipEndBytes + 65535 // with its comment
	maxZipDir     = 256 << 10           // octets of the directories that are read
)

// memberExtensions returns the extensions of the members of a zip file, as its central
// directory names them. It returns nil for any other file. Of a long directory it reads
// the beginning.
func memberExtensions(r io.ReaderAt, size int64) []string {
	tail := make([]byte, min(size, maxZipEnd))
	if n, err := r.ReadAt(tail, size-int64(len(tail))); err != nil && (err != io.EOF || n < len(tail)) {
		return nil
	}
	var names []string
	left := int64(maxZipDir)
	// Readers differ in the end record that they take if there are several.
	begins := []byte("PK\x05\x06")
	for end := bytes.LastIndex(tail[:max(len(tail)-zipEndBytes+len(begins), 0)], begins); end >= 0; end = bytes.LastIndex(tail[:end], begins) {
		length := int64(binary.LittleEndian.Uint32(tail[end+12:]))
		// The directory ends where the end record begins, whatever its offset says: the
		// file may have something before it. A zip64 file has its sizes elsewhere, so the
		// directory is looked for at its offset.
		at := size - int64(len(tail)-end) - length
		if length == 0xffffffff || at < 0 {
			at = int64(binary.LittleEndian.Uint32(tail[end+16:]))
			length = size - at
		}
		dir := bufio.NewReaderSize(io.NewSectionReader(r, at, min(length, left)), 1<<10)
		for entry := make([]byte, zipEntryBytes); ; {
			if _, err := io.ReadFull(dir, entry); err != nil || string(entry[:4]) != "PK\x01\x02" {
				break
			}
			name := make([]byte, binary.LittleEndian.Uint16(entry[28:]))
			n, _ := io.ReadFull(dir, name)
			names = append(names, string(name[:n]))
			more, _ := dir.Discard(int(binary.LittleEndian.Uint16(entry[30:])) + int(binary.LittleEndian.Uint16(entry[32:])))
			left -= int64(len(entry) + len(name) + more)
		}
	}
	return extensionsOf(names)
}

// sniffBytes is how many octets are looked at. http.DetectContentType looks at 512, and
// a PDF may begin at octet 1024.
const sniffBytes = 1100

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

// sniff returns the media type that the first octets of a body show, or "" if they show
// none.
func sniff(head []byte) string {
	if len(head) == 0 {
		return ""
	}
	for _, b := range slices.Concat(programs, containers) {
		if bytes.HasPrefix(head, []byte(b.begins)) && (b.begins != "MZ" || len(head) >= 64) {
			return b.mediaType
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

// contradicts reports whether the first octets of a body contradict its media type or its
// name. It reports false if the octets show nothing.
func contradicts(head []byte, said, name string) bool {
	if len(head) == 0 {
		return false
	}
	sniffed := sniff(head)
	// A part without a type is text/plain (RFC 2045 section 5.2).
	if said == anyType || said == "text/plain" {
		said = ""
	}
	name = externalbody.FileName(name)
	if isProgram(sniffed) {
		return said != "" && !slices.Contains(runnableTypes, said) || name != "" && !slices.Contains(runnable, extension(name))
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

func isProgram(t string) bool {
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

// essence returns a media type in lower case without parameters.
func essence(mediaType string) string {
	t, _, _ := strings.Cut(mediaType, ";")
	return strings.ToLower(strings.TrimSpace(t))
}
