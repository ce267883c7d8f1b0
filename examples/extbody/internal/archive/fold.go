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

// A fold applies lines to an index. It holds the changed values until commit writes them in
// the order of their keys. Keys are digests, so the lines of a ledger change pages in random
// order, and without this each page would be written many times.
type fold struct {
	x    *index
	tx   *bolt.Tx // for reading; nil until it is needed
	held map[heldKey][]byte
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
	maxHeld  = 400_000 // values that a fold holds, some 40 MB
	maxWrite = 20_000  // values that it writes in one transaction
)

var buckets = [][]byte{bucketMessages, bucketSightings, bucketAsks, bucketCaptured, bucketObjects, bucketSources, bucketMeta}

func (x *index) fold() *fold { return &fold{x: x, held: make(map[heldKey][]byte)} }

func newHeldKey(bucket, key []byte) heldKey {
	k := heldKey{size: byte(len(key))}
	k.bucket = byte(slices.IndexFunc(buckets, func(b []byte) bool { return bytes.Equal(b, bucket) }))
	copy(k.key[:], key)
	return k
}

// get returns a value, or nil.
func (f *fold) get(bucket, key []byte) []byte {
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
	return f.tx.Bucket(bucket).Get(key)
}

// put sets a value; nil removes it.
func (f *fold) put(bucket, key, value []byte) error {
	f.held[newHeldKey(bucket, key)] = value
	return nil
}

// drop ends the use of a fold. Changes that were not committed are lost.
func (f *fold) drop() {
	if f.tx != nil {
		f.tx.Rollback()
		f.tx = nil
	}
}

// commit writes the changes. The fold can be used again after it.
func (f *fold) commit() error {
	f.drop()
	if f.n == 0 {
		return nil
	}
	f.put(bucketMeta, metaHead, fmt.Appendf(nil, "%s %s %d %d", f.head, f.next.File, f.next.Offset, f.time.Unix()))
	keys := slices.SortedFunc(maps.Keys(f.held), func(a, b heldKey) int {
		return cmp.Or(cmp.Compare(a.bucket, b.bucket), bytes.Compare(a.key[:a.size], b.key[:b.size]))
	})
	for part := range slices.Chunk(keys, maxWrite) {
		err := f.x.db.Update(func(tx *bolt.Tx) error {
			for _, k := range part {
				b := tx.Bucket(buckets[k.bucket])
				if len(part) == maxWrite {
					b.FillPercent = 0.9 // the keys come in order
				}
				if err := set(b, k.key[:k.size], f.held[k]); err != nil {
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
	return nil
}

func set(b *bolt.Bucket, key, value []byte) error {
	if value == nil {
		return b.Delete(key)
	}
	return b.Put(key, value)
}
