package inspect

import (
	"encoding/binary"
	"io"
	"net/url"
	"path"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/internal/mime/mediatype"
	"github.com/go-extbody/extbody/internal/mime/param"
)

// announcedNames returns the names that a message gives a body. Which of them a program
// uses depends on the program.
func announcedNames(ref *externalbody.Reference) []string {
	names := []string{ref.Name}
	for _, f := range ref.Header {
		switch {
		case strings.EqualFold(f.Name, "Content-Disposition"):
			names = append(names, fieldParam(f.Value, "filename"))
		case strings.EqualFold(f.Name, "Content-Type"):
			names = append(names, fieldParam(f.Value, "name"))
		}
	}
	if name, ok := ref.Param("name"); ok {
		names = append(names, name)
	}
	if u, err := ref.Locate(); err == nil {
		names = append(names, path.Base(u.Path))
	}
	return names
}

// servedNames returns the names that the server gives a body.
func servedNames(rep *externalbody.Report) []string {
	names := []string{fieldParam(rep.Header.Get("Content-Disposition"), "filename")}
	final, _, _ := strings.Cut(rep.FinalURL, "?")
	final, _, _ = strings.Cut(final, "#")
	if _, rest, ok := strings.Cut(final, "://"); ok && strings.Contains(rest, "/") {
		name, err := url.PathUnescape(path.Base(rest))
		if err != nil {
			name = path.Base(rest)
		}
		names = append(names, name)
	}
	return names
}

func fieldParam(value, name string) string {
	v, _ := param.Parse(value).Get(name)
	return v
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
	for _, name := range names {
		for _, n := range []string{name, norm.NFKC.String(dots.Replace(name))} {
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
	i := strings.LastIndexByte(name, '.')
	if i < 0 {
		return ""
	}
	return strings.ToLower(name[i+1:])
}

// The parts of a zip file (APPNOTE.TXT sections 4.3.12 and 4.3.16).
const (
	zipEndBytes   = 22
	zipEntryBytes = 46
	maxZipComment = 65535
	maxZipDir     = 256 << 10 // octets of a directory that are read
)

// memberExtensions returns the extensions of the members of a zip file, as its central
// directory names them. It returns nil for any other file. Of a long directory it reads
// the beginning.
func memberExtensions(r io.ReaderAt, size int64) (list []string) {
	tail := make([]byte, min(size, zipEndBytes+maxZipComment))
	if n, err := r.ReadAt(tail, size-int64(len(tail))); err != nil && (err != io.EOF || n < len(tail)) {
		return nil
	}
	end := strings.LastIndex(string(tail), "PK\x05\x06")
	if end < 0 || len(tail)-end < zipEndBytes {
		return nil
	}
	length := int64(binary.LittleEndian.Uint32(tail[end+12:]))
	// The directory ends where the end record begins, whatever its offset says: the
	// file may have something before it. A zip64 file has its sizes elsewhere, so the
	// directory is looked for at its offset.
	at := size - int64(len(tail)-end) - length
	if length == 0xffffffff || at < 0 {
		at = int64(binary.LittleEndian.Uint32(tail[end+16:]))
		length = size - at
	}
	if at < 0 || length <= 0 || at >= size {
		return nil
	}
	dir := make([]byte, min(length, maxZipDir, size-at))
	if n, err := r.ReadAt(dir, at); err != nil && (err != io.EOF || n < len(dir)) {
		return nil
	}
	for len(dir) >= zipEntryBytes && string(dir[:4]) == "PK\x01\x02" {
		nameLen, rest := int(binary.LittleEndian.Uint16(dir[28:])), 0
		rest = zipEntryBytes + nameLen + int(binary.LittleEndian.Uint16(dir[30:])) + int(binary.LittleEndian.Uint16(dir[32:]))
		if zipEntryBytes+nameLen > len(dir) {
			break
		}
		for _, ext := range extensionsOf([]string{string(dir[zipEntryBytes : zipEntryBytes+nameLen])}) {
			if len(list) < maxExtensions && !slices.Contains(list, ext) {
				list = append(list, ext)
			}
		}
		dir = dir[min(rest, len(dir)):]
	}
	return list
}
