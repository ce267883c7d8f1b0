package mailbox

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"strings"

	"github.com/go-extbody/extbody/internal/file/atomicfile"
)

// InZip is between the path of a zip archive and the name of a file in it, in the Path of a message.
const InZip = "!/"

// maxNested is how many zip archives may be within each other.
const maxNested = 2

// CutZip returns the path of the zip archive that a message with that Path is in, and the name of its file there. It
// returns false if the message is in no archive.
func CutZip(path string) (archive, name string, ok bool) {
	for at := 0; ; at += len(InZip) {
		next := strings.Index(path[at:], InZip)
		if next < 0 {
			return path, "", false
		}
		at += next
		if info, err := os.Stat(path[:at]); err == nil && info.Mode().IsRegular() {
			return path[:at], path[at+len(InZip):], true
		}
	}
}

// IsZip reports whether the file at path starts as a zip archive.
func IsZip(path string) bool {
	f, _, err := opener{}.openRegular(path, false)
	if err != nil {
		return false
	}
	defer f.Close()
	begin := make([]byte, lookSize)
	n, _ := f.ReadAt(begin, 0)
	return isZip(begin[:n])
}

// isZip reports whether a file starts as a zip archive.
func isZip(begin []byte) bool { return bytes.HasPrefix(begin, []byte("PK\x03\x04")) }

// A zipBudget bounds the octets of the files in an archive.
type zipBudget struct{ left int64 }

// zipped yields the messages of a zip archive of size octets. It reports whether the caller wants more.
func (w *walker) zipped(name string, r io.ReaderAt, size int64, budget *zipBudget, nested int) bool {
	z, err := zip.NewReader(r, size)
	if err != nil {
		return w.fail(name, &ForeignError{Form: "a damaged zip archive", Way: err.Error(), err: ErrUnread})
	}
	found := false
	seen := make(map[string]int)
	for _, f := range z.File {
		if strings.HasSuffix(f.Name, "/") || !f.Mode().IsRegular() {
			continue
		}
		if noMailIn(f.Name) {
			w.options.NoMail++
			continue
		}
		label := name + InZip + f.Name
		if seen[label]++; seen[label] > 1 {
			label += fmt.Sprint("#", seen[label])
		}
		mail, more := w.zipEntry(label, f, budget, nested)
		found = found || mail
		if !more {
			return false
		}
	}
	if !found {
		return w.fail(name, &ForeignError{"a zip archive without mail", "", ErrNotMail})
	}
	return true
}

// noMailIn reports whether a file of an archive holds no mail by its name, or by the name of a folder above it.
func noMailIn(name string) bool {
	folders := strings.Split(name, "/")
	for _, folder := range folders[:len(folders)-1] {
		if isNoMail(folder, true, false) {
			return true
		}
	}
	return isNoMail(path.Base(name), false, false)
}

// zipEntry yields the messages of a file in an archive. It reports whether the file is mail, or an error that
// has to be known, and whether the caller wants more.
func (w *walker) zipEntry(label string, f *zip.File, budget *zipBudget, nested int) (mail, more bool) {
	named := false
	switch strings.ToLower(path.Ext(f.Name)) {
	case ".eml", ".emlx", ".mbox", ".mbx":
		named = true
	}
	if f.Flags&1 != 0 {
		return true, w.fail(label, &ForeignError{"encrypted", "extract it with its password, and give the folder", ErrUnread})
	}
	in, err := f.Open()
	if err != nil {
		return named, !named || w.fail(label, fmt.Errorf("zip: %w", err))
	}
	defer in.Close()
	begin := make([]byte, lookSize)
	n, err := io.ReadFull(in, begin)
	begin = begin[:n]
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return true, w.fail(label, fmt.Errorf("zip: %w", err))
	}
	inner := isZip(begin)
	if !named && !inner && compressionOf(begin, bytes.NewReader(begin), int64(n)) == nil {
		e := foreign(begin)
		switch {
		case e != nil && errors.Is(e, ErrUnread):
			return true, w.fail(label, e)
		case e != nil, !isField(begin) && !bytes.HasPrefix(begin, fromWord) && delimiter(begin) == 0:
			return false, true
		}
	}
	spool, err := atomicfile.Temp(os.TempDir())
	if err != nil {
		return true, w.fail(label, fmt.Errorf("spool: %w", err))
	}
	size, err := copyBounded(context.Background(), "zip", spool, io.MultiReader(bytes.NewReader(begin), in), budget.left)
	budget.left -= size
	if err != nil {
		spool.Discard()
		return true, w.fail(label, err)
	}
	if inner {
		defer spool.Discard()
		if nested+1 >= maxNested {
			return true, w.fail(label, newForeignError(zipForm+" within two others", extract))
		}
		return true, w.zipped(label, spool, size, budget, nested+1)
	}
	info, err := spool.Stat()
	if err != nil {
		spool.Discard()
		return true, w.fail(label, err)
	}
	shared := newSharedFile(spool.File, info)
	shared.spool = spool
	shared, err = shared.inflated(begin)
	if err != nil {
		return true, w.fail(label, err)
	}
	s := &splitter{
		compressed: true, window: window{r: shared, size: shared.size, file: shared, space: &w.space}, path: label,
		yield: w.yield,
	}
	return true, s.split(false)
}
