package archive

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"io"
	"slices"
	"sync"
)

// A table is a file of records in the order of their keys. No program changes it: a run
// writes a new one. The file has these parts:
//
//	tableHead
//	blocks   each of them its length in 4 octets, and records:
//	         length of the key in an octet, key, length of the value as a uvarint, value
//	seal     the SHA-256 of all octets before it
//
// Tables with the same records have the same octets.
type table struct {
	file  tableFile
	marks []tableMark
	seal  [sha256.Size]byte

	mu     sync.Mutex
	recent [8]tableBlock // a run asks for the same few records of a message several times
	oldest int           // of them
}

// A tableBlock is a block that was read. Nothing changes its octets.
type tableBlock struct {
	at     int64
	octets []byte // nil if there is none
}

func (t *table) block(m tableMark) ([]byte, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, b := range t.recent {
		if b.at == m.at && b.octets != nil {
			return b.octets, nil
		}
	}
	octets := make([]byte, m.size)
	if _, err := t.file.ReadAt(octets, m.at); err != nil {
		return nil, err
	}
	t.recent[t.oldest] = tableBlock{m.at, octets}
	t.oldest = (t.oldest + 1) % len(t.recent)
	return octets, nil
}

// walk calls f with the records whose keys begin with prefix.
func (t *table) walk(prefix string, f func(tableRecord) error) error {
	if t == nil {
		return nil
	}
	i, found := slices.BinarySearchFunc(t.marks, prefix, func(m tableMark, key string) int { return cmp.Compare(m.key, key) })
	if !found {
		i = max(0, i-1)
	}
	for _, m := range t.marks[min(i, len(t.marks)):] {
		block, err := t.block(m)
		if err != nil {
			return err
		}
		for len(block) > 0 {
			key, value, rest, ok := cutRecord(block, false)
			if !ok {
				return errDamaged
			}
			switch block = rest; {
			case bytes.HasPrefix(key, []byte(prefix)):
				if err := f(tableRecord{string(key), value}); err != nil {
					return err
				}
			case string(key) > prefix:
				return nil
			}
		}
	}
	return nil
}

func (t *table) close() error {
	if t == nil {
		return nil
	}
	return t.file.Close()
}

type tableFile interface {
	io.ReaderAt
	io.Closer
}

// A tableMark is the place of a block.
type tableMark struct {
	key      string // of its first record
	at, size int64
}

// A tableRecord is a record of a table. A nil value removes the key.
type tableRecord struct {
	key   string
	value []byte
}

const (
	tableHead = "extbody index 20\n" // with the version
	blockSize = 4 << 10              // above which a block ends
)

var (
	errStale   = errors.New("the index is of another version")
	errDamaged = errors.New("the index is damaged")
)

// openTable opens a table, and compares its octets with its seal. The table closes the
// file.
func openTable(f tableFile, size int64) (*table, error) {
	t := &table{file: f}
	h := sha256.New()
	in := bufio.NewReaderSize(io.TeeReader(io.NewSectionReader(f, 0, max(0, size-sha256.Size)), h), 256<<10)
	head := make([]byte, len(tableHead))
	if _, err := io.ReadFull(in, head); err != nil || string(head) != tableHead {
		if bytes.HasPrefix(head, []byte("extbody index ")) {
			return nil, errStale
		}
		return nil, errDamaged
	}
	for at := int64(len(tableHead)); ; {
		var n [4]byte
		if _, err := io.ReadFull(in, n[:]); err == io.EOF {
			break
		}
		m := tableMark{at: at + 4, size: int64(binary.BigEndian.Uint32(n[:]))}
		first, err := in.Peek(int(min(m.size, 256)))
		key, _, _, ok := cutRecord(first, true)
		m.key = string(key) // before the buffer is filled again
		if _, derr := io.CopyN(io.Discard, in, m.size); err != nil || derr != nil || !ok {
			return nil, errDamaged
		}
		t.marks = append(t.marks, m)
		at = m.at + m.size
	}
	if _, err := f.ReadAt(t.seal[:], size-sha256.Size); err != nil || t.seal != [sha256.Size]byte(h.Sum(nil)) {
		return nil, errDamaged
	}
	return t, nil
}

// cutRecord cuts the first record off a block. With keyOnly the value may be missing.
func cutRecord(b []byte, keyOnly bool) (key, value, rest []byte, ok bool) {
	if len(b) == 0 || len(b) < 1+int(b[0]) {
		return nil, nil, nil, false
	}
	end := 1 + int(b[0])
	key = b[1:end]
	b = b[end:]
	n, k := binary.Uvarint(b)
	if keyOnly {
		return key, nil, nil, true
	}
	if k <= 0 || n > uint64(len(b)-k) {
		return nil, nil, nil, false
	}
	return key, b[k : k+int(n) : k+int(n)], b[k+int(n):], true
}
