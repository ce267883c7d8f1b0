package open

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/filekind"
	"github.com/go-extbody/extbody/internal/codec/lazyregexp"
	"github.com/go-extbody/extbody/internal/mime/mediatype"
)

// shownTypes are the extensions of files that are shown, with the media type for which a
// program is looked up. All others are not, since a list of dangerous types is never whole:
// a system has programs for hundreds of kinds of files, many of which have scripts.
var shownTypes = map[string]string{
	".pdf": "application/pdf", ".djvu": "image/vnd.djvu",

	".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".jpe": "image/jpeg", ".jfif": "image/jpeg", ".gif": "image/gif",
	".webp": "image/webp", ".tif": "image/tiff", ".tiff": "image/tiff", ".bmp": "image/bmp", ".heic": "image/heic", ".heif": "image/heif", ".avif": "image/avif",

	".mp3": "audio/mpeg", ".m4a": "audio/mp4", ".aac": "audio/aac", ".ogg": "audio/ogg", ".oga": "audio/ogg", ".opus": "audio/ogg", ".flac": "audio/flac", ".wav": "audio/wav",
	".mp4": "video/mp4", ".m4v": "video/mp4", ".mov": "video/quicktime", ".webm": "video/webm", ".mkv": "video/x-matroska", ".avi": "video/x-msvideo",
	".mpg": "video/mpeg", ".mpeg": "video/mpeg", ".ogv": "video/ogg", ".3gp": "video/3gpp",

	".txt": "text/plain", ".log": "text/plain", ".md": "text/plain", ".patch": "text/plain", ".diff": "text/plain", ".asc": "text/plain",
	".csv": "text/csv", ".tsv": "text/csv", ".json": "application/json", ".ics": "text/calendar", ".vcf": "text/vcard", ".eml": "message/rfc822",

	".doc": "application/msword", ".xls": "application/vnd.ms-excel", ".ppt": "application/vnd.ms-powerpoint", ".pps": "application/vnd.ms-powerpoint",
	".rtf":  "application/rtf",
	".docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
	".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
	".pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
	".ppsx": "application/vnd.openxmlformats-officedocument.presentationml.slideshow",
	".odt":  "application/vnd.oasis.opendocument.text", ".ods": "application/vnd.oasis.opendocument.spreadsheet",
	".odp": "application/vnd.oasis.opendocument.presentation", ".odg": "application/vnd.oasis.opendocument.graphics",

	".zip": "application/zip", ".tar": "application/x-tar", ".gz": "application/gzip", ".tgz": "application/gzip", ".bz2": "application/x-bzip2",
	".xz": "application/x-xz", ".7z": "application/x-7z-compressed", ".rar": "application/vnd.rar",
}

// office are the extensions of documents that may have macros.
var office = []string{".doc", ".xls", ".ppt", ".pps", ".rtf", ".docx", ".xlsx", ".pptx", ".ppsx", ".odt", ".ods", ".odp", ".odg"}

// macroExtensions are the extensions of documents that declare macros.
var macroExtensions = []string{".docm", ".dotm", ".xlsm", ".xltm", ".xlam", ".xlsb", ".pptm", ".potm", ".ppam", ".ppsm", ".sldm"}

// The reasons why a file is not shown.
const (
	canRun    = "files of this kind can run, or have scripts"
	isUnknown = "it is not known whether files of this kind can run"
	hasMacros = "it has macros, or other objects that can run"
	disagrees = "its octets are not those of a file of this name"
	isHidden  = "it cannot be looked into for macros"
	noFile    = "it cannot be read any more"
)

// judge returns the media type for which to look up the program for a file, or the reason why
// it is not shown. mediaType is the one that was announced and verified.
func judge(path, mediaType string) (as, reason string) {
	f, err := os.Open(path)
	if err != nil {
		return "", noFile
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return "", noFile
	}
	return judgeFile(filepath.Base(path), mediaType, f, info.Size())
}

func judgeFile(name, mediaType string, r io.ReaderAt, size int64) (as, reason string) {
	head := make([]byte, filekind.SniffBytes)
	n, err := r.ReadAt(head, 0)
	if err != nil && err != io.EOF {
		return "", noFile
	}
	head = head[:n]
	ext := strings.ToLower(filepath.Ext(name))
	mediaType = filekind.Essence(mediaType)
	sniffed := filekind.Sniff(head)
	switch {
	case slices.Contains(macroExtensions, ext):
		return "", hasMacros
	case mediatype.Active(name), runs(sniffed), runs(mediaType):
		return "", canRun
	case shownTypes[ext] == "":
		return "", isUnknown
	case beginsAsOther(head), isPlaylist(shownTypes[ext], sniffed, head):
		return "", disagrees
	case filekind.Contradicts(head, mediaType, name), !mediatype.Agrees(mediaType, name), otherFamily(mediaType, shownTypes[ext]):
		return "", disagrees
	case slices.Contains(office, ext):
		if reason := objects(ext, head, r, size); reason != "" {
			return "", reason
		}
	}
	return shownTypes[ext], ""
}

// runs reports whether a media type is one of programs, scripts, or pages that may have
// scripts.
func runs(mediaType string) bool {
	if filekind.IsProgram(mediaType) || strings.HasSuffix(mediaType, "+xml") && !strings.Contains(mediaType, "officedocument") {
		return true
	}
	major, minor, _ := strings.Cut(mediaType, "/")
	minor = strings.TrimPrefix(minor, "x-")
	return (major == "text" || major == "application") && slices.Contains([]string{
		"html", "xml", "script", "sh", "shellscript", "csh", "python", "perl", "ruby", "php", "javascript", "ecmascript", "vbscript", "postscript",
		"java-archive", "java-applet", "executable", "sharedlib", "msdownload", "msdos-program", "dosexec", "ms-shortcut", "desktop",
		"vnd.microsoft.portable-executable", "hta", "bat", "msi", "shockwave-flash", "ms-dos-executable",
	}, minor)
}

// otherBeginnings are the beginnings of texts that programs take for another kind of file,
// whatever its name is: desktops for a picture with scripts or a shortcut, and Excel for a
// sheet of SYLK, in which macros can be.
var otherBeginnings = []string{"<svg", "<!doctype svg", "[desktop entry]", "[internetshortcut]", "id;p"}

func beginsAsOther(head []byte) bool {
	text := bytes.ToLower(bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n\f"))
	return slices.ContainsFunc(otherBeginnings, func(begins string) bool { return bytes.HasPrefix(text, []byte(begins)) })
}

// isPlaylist reports whether the octets of a sound or a film are a list of others, which a player loads: a text, or
// a reference movie of QuickTime.
func isPlaylist(named, sniffed string, head []byte) bool {
	major, _, _ := strings.Cut(named, "/")
	if major != "audio" && major != "video" {
		return false
	}
	isText := strings.HasPrefix(sniffed, "text/") || strings.HasSuffix(sniffed, "xml")
	return isText || bytes.Contains(head, []byte("rmra"))
}

// otherFamily reports whether an announced type is one of pictures, sounds or videos, and the
// one of the name is of another kind.
func otherFamily(announced, named string) bool {
	a, _, _ := strings.Cut(announced, "/")
	b, _, _ := strings.Cut(named, "/")
	media := []string{"image", "audio", "video"}
	if a == b || !slices.Contains(media, a) {
		return false
	}
	return a == "image" || b == "image" || !slices.Contains(media, b)
}

// The beginnings of the files of office programs.
const (
	compoundFile = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
	zipFile      = "PK\x03\x04"
	richText     = `{\rtf`
)

// maxScanned bounds the size of a document that is looked through.
const maxScanned = 256 << 20

// objects returns why a document of an office program is not shown, or "". It looks at the
// octets, whatever the extension.
func objects(ext string, head []byte, r io.ReaderAt, size int64) (reason string) {
	begins := func(text string) bool { return bytes.HasPrefix(head, []byte(text)) }
	var names []string
	inside := filekind.Look(head, filekind.Sniff(head), r, size, func(name string) { names = append(names, name) })
	isZip := begins(zipFile)
	switch {
	case inside.Differs:
		return disagrees
	case slices.ContainsFunc(names, isMacro):
		return hasMacros
	case isZip:
		d, err := readDocument(r, size)
		if err != nil || len(names) == 0 {
			return isHidden
		}
		if d.objects {
			return hasMacros
		}
	case begins(compoundFile) && strings.HasSuffix(ext, "x"):
		return isHidden // it is encrypted
	case begins(compoundFile):
		return scan(r, size, inCompound)
	case begins(richText):
		return scan(r, size, inRichText)
	}
	return ""
}

// linkedFrom returns the hosts from which a document in a zip file loads pictures when it is shown.
func linkedFrom(path string) []string {
	if !slices.Contains(office, strings.ToLower(filepath.Ext(path))) {
		return nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil
	}
	d, err := readDocument(f, info.Size())
	if err != nil {
		return nil // it is another kind of file
	}
	return d.linked
}

// isMacro reports whether a member of a document in a zip file is, or may be, a macro.
func isMacro(name string) bool {
	name = strings.ToLower(strings.ReplaceAll(name, `\`, "/"))
	for _, part := range []string{"vbaproject", "macrosheets/", "activex/", "vbadata", "customui/"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	return strings.HasPrefix(name, "basic/") || strings.HasPrefix(name, "scripts/") // of OpenDocument
}

// macroStorages are the names, in UTF-16 and lower case, that storages of macros and of embedded files have in a compound
// file.
var macroStorages = [][]byte{
	[]byte("_\x00v\x00b\x00a\x00_\x00p\x00r\x00o\x00j\x00e\x00c\x00t\x00"),
	[]byte("v\x00b\x00a\x00\x00\x00"),
	[]byte("m\x00a\x00c\x00r\x00o\x00s\x00\x00\x00"),
	[]byte("\x01\x00o\x00l\x00e\x001\x000\x00n\x00a\x00t\x00i\x00v\x00e\x00"), // a file of any kind
}

// lowered returns a copy of octets with the letters of ASCII in lower case.
func lowered(text []byte) []byte {
	lower := bytes.Clone(text)
	for i, c := range lower {
		if 'A' <= c && c <= 'Z' {
			lower[i] = c | 0x20
		}
	}
	return lower
}

// inCompound reports whether a part of a compound file has a sign of macros: a storage of
// them, a sheet of macros of Excel 4 (the record BOUNDSHEET, [MS-XLS] section 2.4.28), or the
// note of PowerPoint that there are some (VBAInfoAtom, [MS-PPT] section 2.4.11).
func inCompound(text []byte) bool {
	lower := lowered(text) // programs do not tell case apart
	for _, name := range macroStorages {
		if bytes.Contains(lower, name) {
			return true
		}
	}
	for rest := text; ; {
		i := bytes.Index(rest, []byte("\x85\x00"))
		if i < 0 || len(rest)-i < 10 {
			break
		}
		r := rest[i:]
		fits := r[2] >= 8 && r[2] < 0x80 && r[3] == 0 // the length of the record
		if fits && r[8] <= 2 && r[9] == 1 {
			return true
		}
		rest = rest[i+1:]
	}
	for rest := text; ; {
		i := bytes.Index(rest, []byte("\x02\x00\x00\x04\x0c\x00\x00\x00"))
		if i < 0 || len(rest)-i < 16 {
			return false
		}
		if bytes.Equal(rest[i+12:i+16], []byte{1, 0, 0, 0}) {
			return true
		}
		rest = rest[i+1:]
	}
}

// richObjects finds objects, which programs start, in RTF.
var richObjects = lazyregexp.New(`(?i)\\obj(data|ocx|update|autlink|link|emb|html|sub|pub|alias)`)

// richTemplate finds a template, which Word loads, in RTF, with the start of its name.
var richTemplate = lazyregexp.New(`(?i)\\template(?:[^a-z][^{}]{0,80}|$)`)

// localTemplate is such a text about a file on a disk of the reader.
var localTemplate = lazyregexp.New(`(?i)^\\template\s+[a-z]:\\\\[^\\]`)

// inRichText reports whether a part of RTF has a sign of an object, or a template from elsewhere.
func inRichText(text []byte) bool {
	if richObjects().Match(text) {
		return true
	}
	for _, at := range richTemplate().FindAllIndex(text, -1) {
		isCut := len(text) == window && window-at[0] < longest // the next part has all of it
		if !isCut && !localTemplate().Match(text[at[0]:at[1]]) {
			return true
		}
	}
	return false
}

const (
	// longest bounds the octets of a match of these.
	longest = 128

	// window is how many octets of a file are looked at together.
	window = 64 << 10
)

// scan looks for something in all of a file.
func scan(r io.ReaderAt, size int64, found func([]byte) bool) (reason string) {
	if size > maxScanned {
		return isHidden
	}
	in := bufio.NewReaderSize(io.NewSectionReader(r, 0, size), window)
	for {
		text, err := in.Peek(in.Size())
		if found(text) {
			return hasMacros
		}
		if err == io.EOF {
			return ""
		}
		if err != nil {
			return noFile
		}
		in.Discard(len(text) - longest)
	}
}
