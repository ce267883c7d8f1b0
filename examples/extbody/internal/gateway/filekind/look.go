package filekind

import (
	"archive/tar"
	"bufio"
	"bytes"
	"cmp"
	"compress/flate"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"io"
	"slices"
	"time"
)

// Look calls name with the name of each file within a zip, tar or gzip file, and within such files in it. A
// file that is something else by its octets than by its name has a second name, which has the extension of that.
// head has the first SniffBytes octets of r, and sniffed is their media type.
func Look(head []byte, sniffed string, r io.ReaderAt, size int64, name func(string)) Inside {
	l := &looking{until: time.Now().Add(lookTime), name: name, left: maxInflated}
	switch sniffed {
	case compoundFile, installer:
		l.in.Encrypted = isEncryptedCompound(r, size)
	case tarFile:
		l.tar(io.NewSectionReader(r, 0, size))
	case gzipFile:
		l.gzip(io.NewSectionReader(r, 0, size))
	case diskImage:
		l.unread(Archive)
	default:
		if slices.Contains(closed, sniffed) {
			l.unread(Archive)
			break
		}
		// A zip file may start with something else.
		l.zip(r, size)
	}
	return l.in
}

// closed are the types of archives that are not read.
var closed = []string{
	"application/x-7z-compressed", "application/x-rar-compressed", "application/vnd.ms-cab-compressed", "application/x-bzip2", "application/x-xz", "application/zstd",
}

// Members returns the names of the files in a zip file, as its central directory names them, and those that
// [Look] adds. It returns nil for any other file, and fewer than all for one that takes too long; see [Look].
func Members(r io.ReaderAt, size int64) (names []string) {
	l := &looking{until: time.Now().Add(lookTime), name: func(name string) { names = append(names, name) }, left: maxInflated}
	l.zip(r, size)
	return names
}

// A looking is a call of Look.
type looking struct {
	until time.Time
	name  func(string)
	left  int64 // octets that may be unpacked
	depth int   // of archives within each other
	in    Inside
}

// unread sets why not all names were seen. The first reason stays.
func (l *looking) unread(reason string) { l.in.Unread = cmp.Or(l.in.Unread, reason) }

// late reports whether the time is over, and then sets that not all names were seen. n counts the members.
func (l *looking) late(n int) bool {
	if n%lookEvery != 0 || time.Now().Before(l.until) {
		return false
	}
	l.unread(CutShort)
	return true
}

var errUnpacked = errors.New("too many octets were unpacked")

// unpacking returns a reader of r that counts for the bound of octets.
func (l *looking) unpacking(r io.Reader) io.Reader { return &unpacked{r, l} }

type unpacked struct {
	r io.Reader
	l *looking
}

func (u *unpacked) Read(p []byte) (int, error) {
	if u.l.left <= 0 {
		return 0, errUnpacked
	}
	n, err := u.r.Read(p[:min(int64(len(p)), u.l.left)])
	u.l.left -= int64(n)
	return n, err
}

// member looks at the octets of a file within another one, and at the files in it if it is an archive too.
func (l *looking) member(name string, r io.Reader) {
	head, err := io.ReadAll(io.LimitReader(r, SniffBytes))
	if err != nil {
		l.unread(CutShort)
		return
	}
	sniffed := Sniff(head)
	for _, ext := range Implied(head, sniffed, []string{name}) {
		l.name("x." + ext)
	}
	nested := sniffed == zipFile || sniffed == tarFile || sniffed == gzipFile
	switch {
	case slices.Contains(closed, sniffed):
		l.unread(Archive)
	case nested && l.depth == maxDepth:
		l.unread(CutShort)
	case nested:
		l.depth++
		defer func() { l.depth-- }()
		all := io.MultiReader(bytes.NewReader(head), r)
		switch sniffed {
		case zipFile:
			l.zipStream(bufio.NewReader(all))
		case tarFile:
			l.tar(all)
		case gzipFile:
			l.gzip(all)
		}
	}
}

// tar looks at the members of a tar file.
func (l *looking) tar(r io.Reader) {
	t := tar.NewReader(r)
	for n := 1; ; n++ {
		h, err := t.Next()
		switch {
		case err == io.EOF:
			return
		case err != nil && h == nil:
			l.unread(CutShort)
			return
		}
		if l.late(n) {
			return
		}
		if l.name(h.Name); h.Typeflag == tar.TypeReg {
			l.member(h.Name, t)
		}
	}
}

// gzip looks at the name of the file in a gzip file, and at the file.
func (l *looking) gzip(r io.Reader) {
	z, err := gzip.NewReader(r)
	if err != nil {
		l.unread(CutShort)
		return
	}
	if z.Name != "" {
		l.name(z.Name)
	}
	l.member(z.Name, l.unpacking(z))
}

// zip looks at the members of a zip file by its central directory.
func (l *looking) zip(r io.ReaderAt, size int64) {
	tail := make([]byte, min(size, maxZipEnd))
	if n, err := r.ReadAt(tail, size-int64(len(tail))); err != nil && (err != io.EOF || n < len(tail)) {
		return
	}
	left := int64(maxZipDir)
	seen := 0
	for _, d := range zipDirs(tail, size) {
		dir := bufio.NewReaderSize(io.NewSectionReader(r, d.at, d.length), 1<<12)
		read := int64(0)
		for entry := make([]byte, zipEntryBytes); ; read++ {
			if _, err := io.ReadFull(dir, entry); err != nil || string(entry[:4]) != "PK\x01\x02" {
				break
			}
			text := make([]byte, binary.LittleEndian.Uint16(entry[28:]))
			n, _ := io.ReadFull(dir, text)
			name := string(text[:n])
			l.name(name)
			flags := binary.LittleEndian.Uint16(entry[8:])
			l.in.Encrypted = l.in.Encrypted || flags&0x2001 != 0
			if sameLocal(r, d.base, entry, text[:n]) {
				l.zipMember(name, entry, r, d.base)
			} else {
				l.in.Differs = true
			}
			more, _ := dir.Discard(int(binary.LittleEndian.Uint16(entry[30:])) + int(binary.LittleEndian.Uint16(entry[32:])))
			left -= int64(len(entry) + len(text) + more)
			if seen++; left < 0 {
				l.unread(CutShort)
			}
			if left < 0 || l.late(seen) {
				return
			}
		}
		if d.entries > read {
			l.unread(CutShort)
		}
	}
}

// zipMember looks at the octets of the member with an entry of the directory.
func (l *looking) zipMember(name string, entry []byte, r io.ReaderAt, base int64) {
	at := int64(binary.LittleEndian.Uint32(entry[42:]))
	packed := int64(binary.LittleEndian.Uint32(entry[20:]))
	switch {
	case packed == 0 || entry[8]&1 != 0:
		return // empty or encrypted
	case at == 0xffffffff || packed == 0xffffffff:
		l.unread(CutShort) // of zip64, whose numbers are elsewhere
		return
	}
	local := make([]byte, zipLocalBytes)
	if _, err := r.ReadAt(local, base+at); err != nil {
		return
	}
	at += zipLocalBytes + int64(binary.LittleEndian.Uint16(local[26:])) + int64(binary.LittleEndian.Uint16(local[28:]))
	l.packed(name, binary.LittleEndian.Uint16(entry[10:]), bufio.NewReader(io.NewSectionReader(r, base+at, packed)))
}

// packed looks at the octets of a member that is packed by a method.
func (l *looking) packed(name string, method uint16, r *bufio.Reader) {
	switch method {
	case zipStored:
		l.member(name, l.unpacking(r))
	case zipDeflated:
		z := flate.NewReader(r)
		defer z.Close()
		l.member(name, l.unpacking(z))
	default:
		l.unread(Archive)
	}
}

// zipStream looks at the members of a zip file within another file by their headers, since its directory can only
// be had after all of it is unpacked.
func (l *looking) zipStream(r *bufio.Reader) {
	for n := 1; ; n++ {
		local := make([]byte, zipLocalBytes)
		if _, err := io.ReadFull(r, local); err != nil {
			l.unread(CutShort)
			return
		}
		switch string(local[:4]) {
		case "PK\x03\x04":
		case "PK\x01\x02", "PK\x05\x06", "PK\x06\x06":
			return // the directory
		default:
			l.unread(CutShort)
			return
		}
		text := make([]byte, binary.LittleEndian.Uint16(local[26:]))
		if _, err := io.ReadFull(r, text); err != nil || l.late(n) {
			l.unread(CutShort)
			return
		}
		if _, err := r.Discard(int(binary.LittleEndian.Uint16(local[28:]))); err != nil {
			l.unread(CutShort)
			return
		}
		l.name(string(text))
		if !l.streamed(string(text), local, r) {
			l.unread(CutShort)
			return
		}
	}
}

// streamed looks at the octets of a member after its header, and reports whether r is after them.
func (l *looking) streamed(name string, local []byte, r *bufio.Reader) bool {
	flags := binary.LittleEndian.Uint16(local[6:])
	method := binary.LittleEndian.Uint16(local[8:])
	packed := int64(binary.LittleEndian.Uint32(local[18:]))
	follows := flags&8 != 0 // the size is after the member
	if flags&0x2001 != 0 {
		l.in.Encrypted = true
	}
	if !follows || method != zipDeflated || flags&1 != 0 {
		if follows && packed == 0 || packed == 0xffffffff {
			return false // where the member ends is not known
		}
		within := &io.LimitedReader{R: r, N: packed}
		if flags&1 == 0 {
			l.packed(name, method, bufio.NewReader(within))
		}
		if _, err := io.Copy(io.Discard, within); err != nil {
			return false
		}
		return within.N == 0 && (!follows || describes(r))
	}
	z := flate.NewReader(r)
	defer z.Close()
	unpacked := l.unpacking(z)
	l.member(name, unpacked)
	_, err := io.Copy(io.Discard, unpacked)
	return err == nil && describes(r)
}

// Smuggles reports whether a page makes a file of octets within itself and offers it under a name, as
// pages do that bring a file past those who look at files.
func Smuggles(sniffed string, r io.ReaderAt, size int64) bool {
	if sniffed != "text/html" && sniffed != "image/svg+xml" && sniffed != "text/xml" {
		return false
	}
	text := make([]byte, min(size, maxMarkup))
	n, _ := r.ReadAt(text, 0)
	text = bytes.ToLower(text[:n])
	has := func(words ...string) bool {
		for _, w := range words {
			if bytes.Contains(text, []byte(w)) {
				return true
			}
		}
		return false
	}
	return has("mssaveoropenblob", "mssaveblob") || has("download") && has("createobjecturl", "blob:", "data:application/", "data:;base64")
}
