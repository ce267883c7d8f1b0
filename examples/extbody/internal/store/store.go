// Package store keeps the objects of archives and fleets: files that do not change, in a folder
// or in a bucket of a server with the protocol of S3.
//
// A [Store] has names that the caller chooses, and every object is on the disk when Put returns.
// [Objects] have the SHA-256 of their octets for a name, and check it. Several of them can be put
// on the disk together.
package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"net/url"
	"time"
)

// A Store has objects. An object does not change once it is there, except by Replace. The methods may be called by
// several goroutines at once. A name has at least two octets: letters, digits, "-" and "_".
type Store interface {
	// Put stores the size octets of r, unless an object has that name. It is on disk when
	// Put returns nil.
	Put(ctx context.Context, name string, size int64, r io.Reader) error

	// Replace stores an object in the place of the one that has its name, if there is one. It is on disk when Replace
	// returns nil, and there is no moment at which an object that was there is missing.
	Replace(ctx context.Context, name string, octets []byte) error

	// Open opens an object, and returns its size. The error matches [fs.ErrNotExist] if there
	// is none. ctx bounds the reading too.
	Open(ctx context.Context, name string) (io.ReadCloser, int64, error)

	// Stat returns the size of an object. The error matches [fs.ErrNotExist] if there is none.
	Stat(ctx context.Context, name string) (int64, error)

	// Delete deletes an object, if it is there.
	Delete(ctx context.Context, name string) error

	// List yields the names of all objects, and at last the error, if there was one.
	List(ctx context.Context) iter.Seq2[string, error]

	// Abort removes the octets of objects whose Put was killed. Nothing may be put meanwhile.
	Abort(ctx context.Context) error
}

// Open opens a bucket or a folder:
//
//	s3://HOST[:PORT]/BUCKET[/PREFIX][?insecure=1&region=R]
//	file:///FOLDER
//
// The credentials of a bucket come from the environment (AWS_ACCESS_KEY_ID,
// AWS_SECRET_ACCESS_KEY) or from the file that AWS_SHARED_CREDENTIALS_FILE names. insecure=1 is HTTP without
// TLS. A folder must be on a file system that all users of the Store share.
//
// A bucket that sends nothing for the time silent is given up; 0 means a minute. When it is to store something it has
// a minute, and five to make one object of parts.
func Open(text string, silent time.Duration) (Store, error) {
	u, err := url.Parse(text)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%w: it cannot be read", ErrURL)
	case u.Scheme == "file" && u.Host == "" && u.Path != "":
		return openFolder(u.Path)
	case u.Scheme == "s3" && u.Host != "" && u.User == nil:
		return openBucket(u, silence{cmp.Or(silent, time.Minute), time.Minute, 5 * time.Minute})
	}
	return nil, fmt.Errorf("%w %q: want s3://HOST/BUCKET or file:///FOLDER", ErrURL, u.Redacted())
}

// ErrURL is in the tree of the error of Open for a URL that means nothing.
var ErrURL = errors.New("the URL of the objects")

// Probe looks whether objects of a Store can be read. A bucket may deny whether an object is missing.
func Probe(ctx context.Context, s Store) error {
	r, _, err := s.Open(ctx, "extbody-probe")
	switch {
	case err == nil:
		return r.Close()
	case errors.Is(err, fs.ErrNotExist), isDenied(err):
		return nil
	}
	return err
}
