package filekind

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"io"
	"time"
)

// Look calls name with the name of each file within a zip, tar or gzip file. head has the first
// SniffBytes octets of r, and sniffed is their media type.
func Look(head []byte, sniffed string, r io.ReaderAt, size int64, name func(string)) (in Inside) {
	until := time.Now().Add(lookTime)
	switch sniffed {
	case compoundFile, installer:
		in.Encrypted = isEncryptedCompound(r, size)
		return in
	case "application/x-7z-compressed", "application/x-rar-compressed", "application/vnd.ms-cab-compressed",
		"application/x-bzip2", "application/x-xz", "application/zstd":
		return Inside{Unread: Archive}
	case "application/x-tar":
		return Inside{Unread: lookTar(io.NewSectionReader(r, 0, size), until, name)}
	case "application/x-gzip":
		return Inside{Unread: lookGzip(io.NewSectionReader(r, 0, size), until, name)}
	}
	// A zip file may begin with something else.
	return lookZip(r, size, until, name)
}

// lookTar returns a value of Inside.Unread.
func lookTar(r io.Reader, until time.Time, name func(string)) string {
	t := tar.NewReader(r)
	for n := 1; ; n++ {
		h, err := t.Next()
		switch {
		case err == io.EOF:
			return ""
		case err != nil && h == nil, n%lookEvery == 0 && time.Now().After(until):
			return CutShort
		}
		name(h.Name)
	}
}

// lookGzip looks at the name of the file in a gzip file, at its octets, and at the files in it if it
// is a tar file. It returns a value of Inside.Unread.
func lookGzip(r io.Reader, until time.Time, name func(string)) string {
	z, err := gzip.NewReader(r)
	if err != nil {
		return CutShort
	}
	if z.Name != "" {
		name(z.Name)
	}
	head, err := io.ReadAll(io.LimitReader(z, SniffBytes))
	if err != nil {
		return CutShort
	}
	sniffed := Sniff(head)
	if ext := octetExtension(sniffed); ext != "" {
		name("x." + ext)
	}
	if sniffed != "application/x-tar" {
		return ""
	}
	rest := &io.LimitedReader{R: z, N: maxTar}
	unread := lookTar(io.MultiReader(bytes.NewReader(head), rest), until, name)
	if rest.N <= 0 {
		return CutShort
	}
	return unread
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
