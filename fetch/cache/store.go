package cache

import (
	"errors"
	"io"
)

// A Store keeps bodies with their meta. [Dir] and [Memory] return
// Stores. A Store is safe for concurrent use.
//
// A key is any sequence of octets. It holds credentials, so a Store must not
// show it, in the names of files for example. meta is the cache's own data
// about the body; the Store keeps it as it is, and has to notice when it was
// changed.
//
// No error of a Store becomes the caller's of a fetch: the cache goes on without
// the Store.
type Store interface {
	// Get returns the item that was committed last for key. The error matches
	// [io/fs.ErrNotExist] if there is nothing.
	Get(key string) (Item, error)

	// Create begins a body. size is the number of octets that are expected, -1
	// if that is not known.
	Create(size int64) (Draft, error)

	// Update replaces the meta of it, which Get returned for key. The body
	// stays.
	Update(key string, it Item, meta []byte) error

	// Delete forgets the item of key. It is not an error if there is
	// nothing.
	Delete(key string) error
}

// An Item is a body in a Store, and the meta that was committed with it. It may
// be used while the Store gets rid of it. It has to be closed.
type Item interface {
	io.Closer

	// Meta returns the meta that was committed.
	Meta() []byte

	// Size returns the number of octets of the body.
	Size() int64

	// Open returns a reader of the body from its beginning. It reports io.EOF only
	// if all its octets are those that were committed, and otherwise [ErrCorrupt],
	// not before its end. A Store that cannot read the body at present has an
	// [*fetch.Error], and the entry stays. It has to be closed, before the Item.
	Open() io.ReadCloser
}

// A Draft is a body that is being stored. It is for one goroutine at a time. It has to
// be closed; if it was not committed, nothing of it is left then.
type Draft interface {
	io.Writer
	io.ReaderAt
	io.Closer

	// Commit makes the body that was written the one for key. When it returns
	// without error, the body is there after a crash as well, if the Store
	// outlives the process. ReadAt may be called afterwards, Write may not.
	Commit(key string, meta []byte) error
}

var (
	// ErrCorrupt is the error of a body in a Store that differs from the committed one.
	ErrCorrupt = errors.New("cache: the stored body is damaged")

	// ErrFull is the error of a Store that has no room for a body, although it
	// gave up all that it could.
	ErrFull = errors.New("cache: the store is full")
)
