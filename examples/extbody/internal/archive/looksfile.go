package archive

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"hash"
	"io"
	"os"
	"path/filepath"

	"github.com/go-extbody/extbody/examples/extbody/internal/mail/mailbox"
	"github.com/go-extbody/extbody/internal/codec/bounded"
	"github.com/go-extbody/extbody/internal/file/atomicfile"
	"github.com/go-extbody/extbody/internal/file/below"
)

// A file of looks has the messages of the Maildirs of one source that were read, in the order of the walk:
//
//	looksHead
//	records  for each message the length of its unique name in 2 octets, the name, the four members of its Look in
//	         8 octets each, and the lookState in an octet
//	trailer  a looksTrailer in JSON
//	size     of the trailer, in 8 octets
//	seal     the SHA-256 of all octets before it
const (
	looksHead       = "extbody looks 1\n"
	looksTail       = 8 + sha256.Size
	maxLooksTrailer = 64 << 20
	maxLooksValues  = 4 << 20
)

// A looksTrailer says which source and which ledger a file of looks is of.
type looksTrailer struct {
	Source  string        `json:"source"`
	Head    string        `json:"head"` // of the ledger that has the lines of all messages
	File    string        `json:"file"` // where that line ends
	End     int64         `json:"end"`
	Total   int64         `json:"total"` // messages
	Folders []looksFolder `json:"folders"`
}

// A looksFolder is the range of octets with the records of a Maildir.
type looksFolder struct {
	Path   string `json:"path"` // as pathText has it
	Offset int64  `json:"offset"`
	Length int64  `json:"length"`
}

// A look is a record of a file of looks.
type look struct {
	maildir, unique string
	mailbox.Look
	state lookState
}

// A lookState is how a run treated a message.
type lookState byte

const (
	lookRead   lookState = iota // it has no reference, and is not stored
	lookStored                  // it is stored
	lookOlder                   // it is older than the run wanted, and was not read
)

// A looksReader finds records in a file of looks.
type looksReader struct {
	looksTrailer
	file    *os.File
	folders map[string]looksFolder
	in      *bufio.Reader
	maildir string // that in is of
	name    []byte // of the record that was read last; nil if there is none
	rest    [33]byte
}

func readLooks(path string) (*looksReader, error) {
	f, size, err := below.Open(filepath.Dir(path), filepath.Base(path))
	if err != nil {
		return nil, err
	}
	r := &looksReader{file: f, folders: make(map[string]looksFolder), in: bufio.NewReaderSize(nil, 64<<10)}
	if err := r.open(size); err != nil {
		f.Close()
		return nil, err
	}
	return r, nil
}

func (r *looksReader) open(size int64) error {
	h := sha256.New()
	if _, err := io.Copy(h, io.NewSectionReader(r.file, 0, max(0, size-sha256.Size))); err != nil {
		return err
	}
	var tail [looksTail]byte
	if _, err := r.file.ReadAt(tail[:], size-looksTail); err != nil {
		return err
	}
	n := binary.BigEndian.Uint64(tail[:8])
	if !bytes.Equal(tail[8:], h.Sum(nil)) || n > uint64(min(size, maxLooksTrailer)) {
		return errDamaged
	}
	text := make([]byte, n)
	if _, err := r.file.ReadAt(text, size-looksTail-int64(n)); err != nil {
		return err
	}
	if err := bounded.JSON(text, &r.looksTrailer, maxLooksValues); err != nil {
		return err
	}
	for _, d := range r.Folders {
		r.folders[d.Path] = d
	}
	return nil
}

// find looks for a message with the Look of l, and sets l.state. The messages of a Maildir are asked for in the
// order of their unique names.
func (r *looksReader) find(l *look) bool {
	if r.maildir != l.maildir {
		r.maildir = l.maildir
		d := r.folders[pathText(l.maildir)]
		r.in.Reset(io.NewSectionReader(r.file, d.Offset, d.Length))
		r.read()
	}
	for r.name != nil && string(r.name) < l.unique {
		r.read()
	}
	if r.name == nil || string(r.name) != l.unique {
		return false
	}
	l.state = lookState(r.rest[32])
	return l.Look == mailbox.Look{
		Inode:    binary.BigEndian.Uint64(r.rest[0:]),
		Size:     int64(binary.BigEndian.Uint64(r.rest[8:])),
		Modified: int64(binary.BigEndian.Uint64(r.rest[16:])),
		Changed:  int64(binary.BigEndian.Uint64(r.rest[24:])),
	}
}

// read reads the next record. At the end, and where the file cannot be read, there is none.
func (r *looksReader) read() {
	var n [2]byte
	if _, err := io.ReadFull(r.in, n[:]); err != nil {
		r.name = nil
		return
	}
	name := append(r.name[:0], make([]byte, binary.BigEndian.Uint16(n[:]))...)
	_, err := io.ReadFull(r.in, name)
	if err == nil {
		_, err = io.ReadFull(r.in, r.rest[:])
	}
	r.name = name
	if err != nil {
		r.name = nil
	}
}

// A looksWriter makes a file of looks.
type looksWriter struct {
	file    *atomicfile.File
	out     *bufio.Writer
	seal    hash.Hash
	offset  int64
	total   int64
	folders []looksFolder
	record  []byte
}

// writeLooks starts a file of looks in a folder, and makes the folder.
func writeLooks(dir string) (*looksWriter, error) {
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, os.ErrExist) {
		return nil, err
	}
	atomicfile.Sweep(dir)
	f, err := atomicfile.Open(dir)
	if err != nil {
		return nil, err
	}
	w := &looksWriter{file: f, seal: sha256.New()}
	w.out = bufio.NewWriterSize(io.MultiWriter(f, w.seal), 256<<10)
	w.write([]byte(looksHead))
	return w, nil
}

// write writes octets. Flush returns the error.
func (w *looksWriter) write(b []byte) {
	w.out.Write(b)
	w.offset += int64(len(b))
}

// add adds a message after those before it in the walk.
func (w *looksWriter) add(l *look) {
	if len(l.unique) > 1<<16-1 {
		return
	}
	last := len(w.folders) - 1
	if path := pathText(l.maildir); last < 0 || w.folders[last].Path != path {
		w.folders = append(w.folders, looksFolder{Path: path, Offset: w.offset})
		last++
	}
	b := binary.BigEndian.AppendUint16(w.record[:0], uint16(len(l.unique)))
	b = append(b, l.unique...)
	for _, n := range []uint64{l.Inode, uint64(l.Size), uint64(l.Modified), uint64(l.Changed)} {
		b = binary.BigEndian.AppendUint64(b, n)
	}
	w.record = append(b, byte(l.state))
	w.write(w.record)
	w.folders[last].Length += int64(len(w.record))
	w.total++
}

// publish ends the file and gives it a name. t has all but the messages.
func (w *looksWriter) publish(path string, t looksTrailer) error {
	t.Total = w.total
	t.Folders = w.folders
	text, err := json.Marshal(t)
	if err != nil {
		return err
	}
	w.write(text)
	w.write(binary.BigEndian.AppendUint64(nil, uint64(len(text))))
	if err := w.out.Flush(); err != nil {
		return err
	}
	if _, err := w.file.Write(w.seal.Sum(nil)); err != nil {
		return err
	}
	return w.file.Replace(path, 0o600)
}
