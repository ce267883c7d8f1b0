package fleet

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"strings"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"github.com/go-extbody/extbody/internal/file/atomicfile"
)

// Objects is where bodies are. The methods may be called by several goroutines at once. An
// object does not change once it is there.
type Objects interface {
	// Put stores the size octets of r, unless an object has that name. It is on disk when
	// Put returns nil.
	Put(ctx context.Context, name string, size int64, r io.Reader) error

	// Open opens an object. The error of the first Read, if not of Open, matches
	// [fs.ErrNotExist] if there is none.
	Open(ctx context.Context, name string) (io.ReadCloser, error)

	// Delete deletes an object, if it is there.
	Delete(ctx context.Context, name string) error
}

// OpenObjects opens a bucket or a folder:
//
//	s3://HOST[:PORT]/BUCKET[/PREFIX][?insecure=1&region=R]
//	file:///FOLDER
//
// The credentials of a bucket come from the environment (AWS_ACCESS_KEY_ID,
// AWS_SECRET_ACCESS_KEY) or from the file that AWS_SHARED_CREDENTIALS_FILE names. insecure=1 is HTTP without
// TLS. A folder must be on a file system that all clients and workers share.
func OpenObjects(text string) (Objects, error) {
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

// A folder is Objects in a folder, in 256 folders by the beginning of the name.
type folder struct{ root *os.Root }

func openFolder(path string) (Objects, error) {
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

func (f folder) Open(_ context.Context, name string) (io.ReadCloser, error) {
	return f.root.Open(shard(name))
}

func (f folder) Delete(_ context.Context, name string) error {
	if err := f.root.Remove(shard(name)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

func shard(name string) string { return name[:2] + "/" + name }

// A bucket is Objects in a bucket of a server with the protocol of S3.
type bucket struct {
	client       *minio.Client
	name, prefix string
}

func openBucket(u *url.URL) (Objects, error) {
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
	return &bucket{client, name, prefix}, nil
}

func (b *bucket) Put(ctx context.Context, name string, size int64, r io.Reader) error {
	if _, err := b.client.StatObject(ctx, b.name, b.prefix+name, minio.StatObjectOptions{}); err == nil {
		return nil
	}
	opts := minio.PutObjectOptions{ContentType: "application/octet-stream"}
	opts.SetMatchETagExcept("*")
	_, err := b.client.PutObject(ctx, b.name, b.prefix+name, r, size, opts)
	if minio.ToErrorResponse(err).Code == minio.PreconditionFailed {
		return nil // another one was faster
	}
	return err
}

func (b *bucket) Open(ctx context.Context, name string) (io.ReadCloser, error) {
	object, err := b.client.GetObject(ctx, b.name, b.prefix+name, minio.GetObjectOptions{})
	if err != nil {
		return nil, err
	}
	return missing{object}, nil
}

// A missing is an object whose Read has the error fs.ErrNotExist if the bucket lacks it.
type missing struct{ *minio.Object }

func (m missing) Read(p []byte) (int, error) {
	n, err := m.Object.Read(p)
	if err != nil && minio.ToErrorResponse(err).Code == minio.NoSuchKey {
		err = fs.ErrNotExist
	}
	return n, err
}

func (b *bucket) Delete(ctx context.Context, name string) error {
	return b.client.RemoveObject(ctx, b.name, b.prefix+name, minio.RemoveObjectOptions{})
}
