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

// Look calls name with the name of each file within a zip, tar or gzip file, and within such files in it. A member of a
// zip file has every name that a program may take: of the directory, of its header, and of the Unicode Path field in
// each. A
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
		}
	}
	// A zip file may start with something else. Where that is a file with files in it, or a page, programs disagree, unless the
	// zip file is one of its files.
	before := l.in
	ends := l.zip(r, size)
	isOther := slices.Contains(beforeZip, sniffed) || isDiskImage(r)
	isWithin := !ends || sniffed == compoundFile && isCompound(r, size)
	switch {
	case isOther && isWithin:
		l.in = before
	case isOther:
		l.in.Differs = true
	}
	return l.in
}

// closed are the types of archives that are not read.
var closed = []string{
	"application/x-7z-compressed", "application/x-rar-compressed", "application/vnd.ms-cab-compressed", "application/x-bzip2", "application/x-xz", "application/zstd",
}

// beforeZip are the types of files that are not the start of a zip file for a good reason, as a program is that unpacks
// itself.
var beforeZip = append([]string{compoundFile, installer, tarFile, gzipFile, diskImage, "text/html", "text/xml"}, closed...)

// A looking is a call of Look.
type looking struct {
	until time.Time
	name  func(string)
	left  int64 // octets that may be unpacked
	gaps  int64 // octets between members that were looked at
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

// zip looks at the members of a zip file by its central directory, whatever is before it. It reports whether the file
// ends as a zip file with a member does.
func (l *looking) zip(r io.ReaderAt, size int64) (ends bool) {
	tail := make([]byte, min(size, maxZipEnd))
	if n, err := r.ReadAt(tail, size-int64(len(tail))); err != nil && (err != io.EOF || n < len(tail)) {
		return false
	}
	left := int64(maxZipDir)
	seen := 0
	for _, d := range zipDirs(tail, size) {
		dir := bufio.NewReaderSize(io.NewSectionReader(r, d.at, d.length), 1<<12)
		read := int64(0)
		known := make(map[string]bool)
		var spans []zipSpan
		for ; ; read++ {
			e, ok := readZipEntry(dir)
			if !ok {
				break
			}
			known[e.name] = true
			spans = append(spans, zipSpan{d.base + e.at, d.base + e.at + l.entry(e, r, d.base)})
			left -= e.octets
			if seen++; left < 0 {
				l.unread(CutShort)
			}
			if left < 0 || l.late(seen) {
				return ends
			}
		}
		if d.entries > read {
			l.unread(CutShort)
		}
		ends = ends || d.ends && read > 0
		if read > 0 {
			l.strays(r, d, spans, known)
		}
	}
	return ends
}

// entry looks at a member by its entry in the directory and by its header. Programs that unpack a stream go by
// the header. It returns the number of octets of the member with its header.
func (l *looking) entry(e *zipEntry, r io.ReaderAt, base int64) (octets int64) {
	l.name(e.name)
	local, ok := readZipLocal(r, base+e.at)
	if !ok {
		local = &zipLocal{name: e.name}
	}
	for _, name := range slices.Concat(e.paths, []string{local.name}, local.paths) {
		if name == e.name {
			continue
		}
		l.name(name)
		if !isSpelling(e.name, name) {
			l.in.Differs = true
		}
	}
	l.in.Encrypted = l.in.Encrypted || e.flags&0x2001 != 0
	sameOctets := local.method == e.method && (local.flags^e.flags)&1 == 0
	if !ok || !sameOctets {
		l.in.Differs = true
		return 0
	}
	if e.packed > 0 && e.flags&1 == 0 {
		l.packed(e.name, e.method, bufio.NewReader(io.NewSectionReader(r, base+e.at+local.octets, e.packed)))
	}
	return local.octets + e.packed
}

// strays looks for members that the directory does not name. Programs that read a zip file from its start unpack them.
func (l *looking) strays(r io.ReaderAt, d zipDir, spans []zipSpan, known map[string]bool) {
	start := d.base
	if _, ok := readZipLocal(r, 0); ok && d.last {
		start = 0
	}
	const sign = "PK\x03\x04"
	window := make([]byte, 64<<10)
	for _, gap := range gaps(start, d.at, spans) {
		for at := gap.start; at < gap.end; {
			n, _ := r.ReadAt(window[:min(int64(len(window)), gap.end-at)], at)
			l.gaps += int64(n)
			if l.gaps > maxGaps {
				l.unread(CutShort)
				return
			}
			i := bytes.Index(window[:n], []byte(sign))
			switch {
			case i < 0 && n < len(window):
				at = gap.end
			case i < 0:
				at += int64(n - len(sign) + 1)
			default:
				l.stray(r, at+int64(i), known)
				at += int64(i + len(sign))
			}
		}
	}
}

// stray names a member that may be there.
func (l *looking) stray(r io.ReaderAt, at int64, known map[string]bool) {
	local, ok := readZipLocal(r, at)
	if !ok {
		return
	}
	for _, name := range append(local.paths, local.name) {
		if name != "" && !known[name] {
			l.name(name)
			l.in.Differs = true
		}
	}
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
	known := make(map[string]bool)
	for n := 1; ; n++ {
		sign, err := r.Peek(4)
		if err != nil || l.late(n) {
			l.unread(CutShort)
			return
		}
		switch string(sign) {
		case "PK\x03\x04":
		case "PK\x01\x02":
			l.streamedDir(r, known)
			return
		case "PK\x05\x06", "PK\x06\x06":
			return // no directory
		default:
			l.unread(CutShort)
			return
		}
		header, _ := r.Peek(zipLocalBytes)
		header = slices.Clone(header)
		local, ok := zipLocalOf(r)
		if !ok {
			l.unread(CutShort)
			return
		}
		for _, name := range append([]string{local.name}, local.paths...) {
			l.name(name)
			known[name] = true
			l.in.Differs = l.in.Differs || name != local.name && !isSpelling(local.name, name)
		}
		if !l.streamed(local.name, header, r) {
			l.unread(CutShort)
			return
		}
	}
}

// streamedDir names the members that only the directory of a zip file has.
func (l *looking) streamedDir(r *bufio.Reader, known map[string]bool) {
	for n := 1; ; n++ {
		e, ok := readZipEntry(r)
		if !ok {
			return
		}
		if l.late(n) {
			return
		}
		for _, name := range append([]string{e.name}, e.paths...) {
			if !known[name] {
				l.name(name)
				l.in.Differs = l.in.Differs || !isSpelling(e.name, name)
			}
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
