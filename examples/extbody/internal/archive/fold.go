package archive

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	bolt "go.etcd.io/bbolt"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive/ledger"
)

// A fold applies lines to an index. It is of one of two forms. One made by begin applies
// the lines of one tell, in one transaction. One made by bulk applies any number of lines:
// it holds what they change, and writes that in the order of the keys. Keys are digests,
// so the lines of a ledger change pages in random order, and without this each page would
// be written many times.
type fold struct {
	x    *index
	tx   *bolt.Tx           // in a bulk only for reading, and nil until it is needed
	held map[heldKey][]byte // what a bulk has not written yet; nil in the other form
	head ledger.Head
	next ledger.Place
	time time.Time // of the last line
	n    int
}

// A heldKey is a key of a bucket.
type heldKey struct {
	bucket byte // its number in buckets
	size   byte
	key    [24]byte
}

const (
	maxHeld  = 400_000 // values that a bulk holds, some 40 MB
	maxWrite = 20_000  // values that it writes in one transaction
)

var buckets = [][]byte{bucketMeta, bucketMessages, bucketSightings, bucketAsks, bucketCaptured, bucketObjects, bucketSources}

// begin begins a fold of the lines of one tell.
func (x *index) begin() (*fold, error) {
	tx, err := x.db.Begin(true)
	if err != nil {
		return nil, err
	}
	return &fold{x: x, tx: tx}, nil
}

// bulk begins a fold of any number of lines.
func (x *index) bulk() *fold { return &fold{x: x, held: make(map[heldKey][]byte)} }

func newHeldKey(bucket, key []byte) heldKey {
	k := heldKey{size: byte(len(key))}
	k.bucket = byte(slices.IndexFunc(buckets, func(b []byte) bool { return bytes.Equal(b, bucket) }))
	copy(k.key[:], key)
	return k
}

// get returns a value; nil if there is none.
func (f *fold) get(bucket, key []byte) []byte {
	if f.held != nil {
		if v, ok := f.held[newHeldKey(bucket, key)]; ok {
			return v
		}
		if f.tx == nil {
			tx, err := f.x.db.Begin(false)
			if err != nil {
				return nil // the index is closed; commit reports that
			}
			f.tx = tx
		}
	}
	return f.tx.Bucket(bucket).Get(key)
}

// put sets a value; nil removes it.
func (f *fold) put(bucket, key, value []byte) error {
	if f.held != nil {
		f.held[newHeldKey(bucket, key)] = value
		return nil
	}
	return put(f.tx, bucket, key, value)
}

func put(tx *bolt.Tx, bucket, key, value []byte) error {
	b := tx.Bucket(bucket)
	if value == nil {
		return b.Delete(key)
	}
	return b.Put(key, value)
}

// drop ends the transaction of a fold without its changes.
func (f *fold) drop() {
	if f.tx != nil {
		f.tx.Rollback()
		f.tx = nil
	}
}

// commit writes what was applied. A bulk can be used again after it.
func (f *fold) commit() error {
	if f.n == 0 {
		f.drop()
		return nil
	}
	text := fmt.Appendf(nil, "%s %s %d %d", f.head, f.next.File, f.next.Offset, f.time.Unix())
	if f.held == nil {
		if err := f.put(bucketMeta, metaHead, text); err != nil {
			return err
		}
		return f.tx.Commit()
	}
	f.drop()
	keys := slices.SortedFunc(maps.Keys(f.held), func(a, b heldKey) int {
		return cmp.Or(cmp.Compare(a.bucket, b.bucket), bytes.Compare(a.key[:a.size], b.key[:b.size]))
	})
	for part := range slices.Chunk(keys, maxWrite) {
		err := f.x.db.Update(func(tx *bolt.Tx) error {
			for _, name := range buckets {
				tx.Bucket(name).FillPercent = 0.9 // the keys come in order
			}
			for _, k := range part {
				if err := put(tx, buckets[k.bucket], k.key[:k.size], f.held[k]); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	clear(f.held)
	return f.x.db.Update(func(tx *bolt.Tx) error { return tx.Bucket(bucketMeta).Put(metaHead, text) })
}
