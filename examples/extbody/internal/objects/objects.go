// Package objects keeps bodies in a bucket of a server with the protocol of S3, or in a
// folder that machines share.
package objects

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"net/url"
	"os"
	"path"
	"strings"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"github.com/go-extbody/extbody/internal/file/atomicfile"
)

// A Store has objects. An object does not change once it is there. The methods may be called by
// several goroutines at once. A name has at least two octets: letters, digits, "-" and "_".
type Store interface {
	// Put stores the size octets of r, unless an object has that name. It is on disk when
	// Put returns nil.
	Put(ctx context.Context, name string, size int64, r io.Reader) error

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

// ErrRefused is the error of a bucket that refuses the credentials.
var ErrRefused = errors.New("the bucket refuses the credentials")

// Open opens a bucket or a folder:
//
//	s3://HOST[:PORT]/BUCKET[/PREFIX][?insecure=1&region=R]
//	file:///FOLDER
//
// The credentials of a bucket come from the environment (AWS_ACCESS_KEY_ID,
// AWS_SECRET_ACCESS_KEY) or from the file that AWS_SHARED_CREDENTIALS_FILE names. insecure=1 is HTTP without
// TLS. A folder must be on a file system that all users of the Store share.
func Open(text string) (Store, error) {
	u, err := url.Parse(text)
	switch {
	case err != nil:
		return nil, errors.New("the URL of the objects cannot be read")
	case u.Scheme == "file" && u.Host == "" && u.Path != "":
		return openFolder(u.Path)
	case u.Scheme == "s3" && u.Host != "" && u.User == nil:
		return openBucket(u)
	}
	return nil, fmt.Errorf("objects in %q: want s3://HOST/BUCKET or file:///FOLDER", u.Redacted())
}

// A folder is a Store in a folder, in folders by the first two octets of the name.
type folder struct{ root *os.Root }

func openFolder(path string) (Store, error) {
	if err := os.MkdirAll(path, 0o700); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	return folder{root}, nil
}

func (f folder) Put(_ context.Context, name string, _ int64, r io.Reader) error {
	if _, err := f.root.Stat(shard(name)); err == nil {
		return nil
	}
	if err := f.root.MkdirAll(name[:2], 0o700); err != nil {
		return err
	}
	sub, err := f.root.OpenRoot(name[:2])
	if err != nil {
		return err
	}
	defer sub.Close()
	in, err := atomicfile.OpenFolder(sub)
	if err != nil {
		return err
	}
	defer in.Close()
	file, err := in.Create()
	if err != nil {
		return err
	}
	defer file.Discard()
	if _, err := io.Copy(file, r); err != nil {
		return err
	}
	if err := file.Publish(name); !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}

func (f folder) Open(_ context.Context, name string) (io.ReadCloser, int64, error) {
	file, err := f.root.Open(shard(name))
	if err != nil {
		return nil, 0, err
	}
	info, err := file.Stat()
	if err != nil {
		file.Close()
		return nil, 0, err
	}
	return file, info.Size(), nil
}

func (f folder) Stat(_ context.Context, name string) (int64, error) {
	info, err := f.root.Stat(shard(name))
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

func (f folder) Delete(_ context.Context, name string) error {
	if err := f.root.Remove(shard(name)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

func (f folder) List(ctx context.Context) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		err := fs.WalkDir(f.root.FS(), ".", func(file string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			if name := path.Base(file); len(name) > 1 && file == shard(name) && !yield(name, nil) {
				return fs.SkipAll
			}
			return ctx.Err()
		})
		if err != nil {
			yield("", err)
		}
	}
}

// Abort does nothing: a file gets its name after it is whole.
func (f folder) Abort(context.Context) error { return nil }

func shard(name string) string { return name[:2] + "/" + name }

// A bucket is a Store in a bucket of a server with the protocol of S3.
type bucket struct {
	client       minio.Core
	name, prefix string
}

func openBucket(u *url.URL) (Store, error) {
	name, prefix, _ := strings.Cut(strings.TrimPrefix(u.Path, "/"), "/")
	if name == "" {
		return nil, errors.New("objects: want the name of the bucket: s3://HOST/BUCKET")
	}
	if prefix != "" && !strings.HasSuffix(prefix, "/") {
		prefix += "/"
	}
	client, err := minio.New(u.Host, &minio.Options{
		Creds:  credentials.NewChainCredentials([]credentials.Provider{&credentials.EnvAWS{}, &credentials.FileAWSCredentials{}}),
		Secure: u.Query().Get("insecure") != "1",
		Region: u.Query().Get("region"),

		MaxRetries: 3, // within a second or two: who asks for a body waits for it
	})
	if err != nil {
		return nil, err
	}
	return &bucket{minio.Core{Client: client}, name, prefix}, nil
}

// told returns fs.ErrNotExist for the error of an object that is not in the bucket, and an error that
// matches ErrRefused if the credentials are wrong.
func told(err error) error {
	switch minio.ToErrorResponse(err).Code {
	case minio.NoSuchKey:
		return fs.ErrNotExist
	case minio.AccessDenied, minio.InvalidAccessKeyID, minio.SignatureDoesNotMatch:
		return fmt.Errorf("%w: %w", ErrRefused, err)
	}
	return err
}

func (b *bucket) Put(ctx context.Context, name string, size int64, r io.Reader) error {
	if _, err := b.Stat(ctx, name); err == nil {
		return nil
	}
	opts := minio.PutObjectOptions{ContentType: "application/octet-stream"}
	opts.SetMatchETagExcept("*")
	_, err := b.client.Client.PutObject(ctx, b.name, b.prefix+name, r, size, opts)
	if minio.ToErrorResponse(err).Code == minio.PreconditionFailed {
		return nil // another one was faster
	}
	return told(err)
}

func (b *bucket) Open(ctx context.Context, name string) (io.ReadCloser, int64, error) {
	r, info, _, err := b.client.GetObject(ctx, b.name, b.prefix+name, minio.GetObjectOptions{})
	if err != nil {
		return nil, 0, told(err)
	}
	return r, info.Size, nil
}

func (b *bucket) Stat(ctx context.Context, name string) (int64, error) {
	info, err := b.client.StatObject(ctx, b.name, b.prefix+name, minio.StatObjectOptions{})
	return info.Size, told(err)
}

func (b *bucket) Delete(ctx context.Context, name string) error {
	return told(b.client.RemoveObject(ctx, b.name, b.prefix+name, minio.RemoveObjectOptions{}))
}

func (b *bucket) List(ctx context.Context) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for info := range b.client.Client.ListObjectsIter(ctx, b.name, minio.ListObjectsOptions{Prefix: b.prefix, Recursive: true}) {
			if !yield(strings.TrimPrefix(info.Key, b.prefix), told(info.Err)) || info.Err != nil {
				return
			}
		}
	}
}

func (b *bucket) Abort(ctx context.Context) error {
	var list []minio.ObjectMultipartInfo
	// The channel is read to its end, with which its goroutine ends.
	for upload := range b.client.ListIncompleteUploads(ctx, b.name, b.prefix, true) {
		list = append(list, upload)
	}
	for _, upload := range list {
		err := upload.Err
		if err == nil {
			err = b.client.AbortMultipartUpload(ctx, b.name, upload.Key, upload.UploadID)
		}
		switch minio.ToErrorResponse(err).Code {
		case minio.NoSuchUpload, minio.NoSuchBucket, "NotImplemented": // there is nothing to remove
		default:
			if err != nil {
				return told(err)
			}
		}
	}
	return nil
}
