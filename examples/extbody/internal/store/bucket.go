package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"net/url"
	"os"
	"strings"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

// ErrRefused is the error of a bucket that refuses the credentials.
var ErrRefused = errors.New("the bucket refuses the credentials")

// ErrNoBucket is the error of a bucket that does not exist.
var ErrNoBucket = errors.New("there is no such bucket")

// isDenied reports whether a bucket denies an object, which may be missing.
func isDenied(err error) bool {
	e, ok := errors.AsType[minio.ErrorResponse](err)
	return ok && e.Code == minio.AccessDenied
}

// A bucket is a Store in a bucket of a server with the protocol of S3.
type bucket struct {
	client       minio.Core
	name, prefix string
}

func openBucket(u *url.URL, limits silence) (*bucket, error) {
	name, prefix, _ := strings.Cut(strings.TrimPrefix(u.Path, "/"), "/")
	if name == "" {
		return nil, errors.New("objects: want the name of the bucket: s3://HOST/BUCKET")
	}
	if prefix != "" && !strings.HasSuffix(prefix, "/") {
		prefix += "/"
	}
	secure := u.Query().Get("insecure") != "1"
	transport, err := minio.DefaultTransport(secure)
	if err != nil {
		return nil, err
	}
	transport.ResponseHeaderTimeout = 0 // the listener knows what was asked
	client, err := minio.New(u.Host, &minio.Options{
		Creds:  credentials.NewChainCredentials([]credentials.Provider{&credentials.EnvAWS{}, &credentials.FileAWSCredentials{}}),
		Secure: secure, Transport: &listener{transport, limits},
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
	case minio.NoSuchBucket:
		return fmt.Errorf("%w: %w", ErrNoBucket, err)
	case minio.AccessDenied, minio.InvalidAccessKeyID, minio.SignatureDoesNotMatch:
		return fmt.Errorf("%w: %w", ErrRefused, err)
	}
	return err
}

func (b *bucket) Put(ctx context.Context, name string, size int64, r io.Reader) error {
	if _, err := b.Stat(ctx, name); err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
		return err
	}
	var opts minio.PutObjectOptions
	opts.SetMatchETagExcept("*")
	return b.put(ctx, name, size, r, opts)
}

func (b *bucket) Replace(ctx context.Context, name string, octets []byte) error {
	return b.put(ctx, name, int64(len(octets)), bytes.NewReader(octets), minio.PutObjectOptions{})
}

// put stores an object. The error is nil if the options forbid that because another one is there.
func (b *bucket) put(ctx context.Context, name string, size int64, r io.Reader, opts minio.PutObjectOptions) error {
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	ctx = context.WithValue(ctx, uploadKey{}, end)
	opts.ContentType = "application/octet-stream"
	_, err := b.client.Client.PutObject(ctx, b.name, b.prefix+name, r, size, opts)
	if minio.ToErrorResponse(err).Code == minio.PreconditionFailed {
		return nil // another one was faster
	}
	if silent, ok := context.Cause(ctx).(errSilent); ok {
		return silent
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
