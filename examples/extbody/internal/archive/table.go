package archive

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"
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
	tableHead = "extbody index 9\n" // with the version
	blockSize = 4 << 10             // above which a block ends
)

var (
	errStale   = errors.New("the index is of another version")
	errDamaged = errors.New("the index is damaged")
)

// openTable opens a table, and compares its octets with its seal. The table closes the
// file.
func openTable(f tableFile, size int64) (*table, error) {
	t, h := &table{file: f}, sha256.New()
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
		t.marks, at = append(t.marks, m), m.at+m.size
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
	key, b = b[1:end], b[end:]
	n, k := binary.Uvarint(b)
	if keyOnly {
		return key, nil, nil, true
	}
	if k <= 0 || n > uint64(len(b)-k) {
		return nil, nil, nil, false
	}
	return key, b[k : k+int(n) : k+int(n)], b[k+int(n):], true
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
		block := make([]byte, m.size)
		if _, err := t.file.ReadAt(block, m.at); err != nil {
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

// get returns the value of a key; nil if there is none. An error of the table is in
// x.broken after it.
func (x *index) get(key string) []byte {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.load(key)
}

// load is get for a caller that holds the lock.
func (x *index) load(key string) (value []byte) {
	if v, ok := x.held[key]; ok {
		return v
	}
	err := x.base.walk(key, func(r tableRecord) error {
		if r.key == key {
			value = r.value
		}
		return errStop
	})
	if err != nil && !errors.Is(err, errStop) {
		x.broken.Store(&err)
	}
	return value
}

// each calls f with the records whose keys begin with prefix, in the order of the keys.
func (x *index) each(prefix string, f func(key string, value []byte) error) error {
	x.mu.RLock()
	base, held := x.base, maps.Clone(x.held)
	x.mu.RUnlock()
	maps.DeleteFunc(held, func(key string, _ []byte) bool { return !strings.HasPrefix(key, prefix) })
	fresh := slices.Sorted(maps.Keys(held))
	give := func(key string, value []byte) error {
		if value == nil {
			return nil
		}
		return f(key, value)
	}
	err := base.walk(prefix, func(r tableRecord) error {
		for len(fresh) > 0 && fresh[0] <= r.key {
			key := fresh[0]
			fresh = fresh[1:]
			if err := give(key, held[key]); key == r.key || err != nil {
				return err
			}
		}
		return give(r.key, r.value)
	})
	for _, key := range fresh {
		if err != nil {
			break
		}
		err = give(key, held[key])
	}
	return err
}

// write writes a table with the records of x. It returns its seal.
func (x *index) write(w io.Writer) (seal [sha256.Size]byte, err error) {
	h := sha256.New()
	out := bufio.NewWriterSize(io.MultiWriter(w, h), 256<<10)
	out.WriteString(tableHead)
	block := make([]byte, 4, 2*blockSize)
	end := func(least int) {
		if len(block) > least {
			binary.BigEndian.PutUint32(block, uint32(len(block)-4))
			out.Write(block)
			block = block[:4]
		}
	}
	err = x.each("", func(key string, value []byte) error {
		block = append(append(block, byte(len(key))), key...)
		block = append(binary.AppendUvarint(block, uint64(len(value))), value...)
		end(blockSize)
		return nil
	})
	end(4)
	if err = errors.Join(err, out.Flush()); err == nil {
		_, err = w.Write(h.Sum(seal[:0]))
	}
	return seal, err
}
