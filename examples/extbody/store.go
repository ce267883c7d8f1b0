package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/go-extbody/extbody/externalbody/rewrite"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/urlaccess"
)

// A folderStore is a [rewrite.Store] in a folder: each body is a file that is
// named by its SHA-256, in lower case, below two folders of two digits each:
// ab/cd/abcd.... The URL has the same path, so that any server of files serves
// it. The same octets are kept once.
//
// A file has its name when all of it is on the disk, and no file changes. Several
// programs may write at once. The files can be read by all users whom the folder
// lets in, so that a web server can. Putting what is there already makes its time
// now, so that the age of a file says when it was put last.
//
// A folderStore is for one message: put says where the body of each section went.
type folderStore struct {
	dir   string
	base  string // of the URLs, with a "/" at the end
	names bool   // whether URLs have the name of the part behind them
	put   map[string]stored
}

// stored is where the body of a part is.
type stored struct {
	path, sha256 string
	size         int64
}

// The modes of what is in a store, the umask apart.
const (
	storeDirMode  = 0o755
	storeFileMode = 0o644
)

var (
	errBase    = errors.New("want an absolute URL without query and fragment, such as https://files.example/mail/")
	errDamaged = errors.New("a file of that digest is there with another size")
)

// newFolderStore returns a store in dir, which is made if it is missing, whose
// files are served below base.
func newFolderStore(dir, base string, names bool) (*folderStore, error) {
	escaped, err := urlaccess.Escape(base)
	if err != nil {
		return nil, usageError{fmt.Errorf("--base-url %q: %w", base, err)}
	}
	base = escaped
	u, err := url.Parse(base)
	if err != nil || u.Scheme == "" || u.Host == "" || u.User != nil || u.RawQuery != "" || u.ForceQuery || u.Fragment != "" {
		return nil, usageError{fmt.Errorf("--base-url %q: %w", base, errBase)}
	}
	if base[len(base)-1] != '/' {
		base += "/"
	}
	if err := os.MkdirAll(dir, storeDirMode); err != nil {
		return nil, err
	}
	return &folderStore{dir: dir, base: base, names: names, put: make(map[string]stored)}, nil
}

// Put implements rewrite.Store.
func (s *folderStore) Put(ctx context.Context, obj *rewrite.Object) (string, error) {
	u, err := openUnnamed(s.dir)
	if err != nil {
		return "", storeError(err)
	}
	defer func() {
		if u != nil {
			u.discard()
		}
	}()
	if u.temp != "" {
		sweep(s.dir)
	}
	sum := sha256.New()
	n, err := io.Copy(&hashWriter{interruptible{ctx, u.file}, sum}, obj.Body)
	if err != nil {
		return "", storeError(err)
	}
	digest := hex.EncodeToString(sum.Sum(nil))
	sub := filepath.Join(digest[:2], digest[2:4])
	path := filepath.Join(s.dir, sub, digest)
	s.put[obj.Section] = stored{path, digest, n}
	where := s.base + filepath.ToSlash(sub) + "/" + digest
	if s.names && obj.Name != "" {
		where += "/" + url.PathEscape(obj.Name)
	}
	if there, err := isStored(path, n); there || err != nil {
		return where, storeError(err)
	}
	if err := s.fan(sub); err != nil {
		return "", storeError(err)
	}
	if err := errors.Join(u.file.Chmod(storeFileMode), u.file.Sync()); err != nil {
		return "", storeError(err)
	}
	switch err := u.link(path); {
	case err == nil:
		u = nil
		return where, storeError(syncFolder(filepath.Dir(path)))
	case errors.Is(err, fs.ErrExist): // somebody was faster
		_, err := isStored(path, n)
		return where, storeError(err)
	default:
		return "", storeError(err)
	}
}

// isStored reports whether a body of n octets is at path.
func isStored(path string, n int64) (bool, error) {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err == nil && (!info.Mode().IsRegular() || info.Size() != n) {
		err = &fs.PathError{Op: "store", Path: path, Err: errDamaged}
	}
	if err != nil {
		return false, err
	}
	now := time.Now()
	return true, os.Chtimes(path, now, now)
}

// fan makes the two folders of sub, and puts their names on the disk.
func (s *folderStore) fan(sub string) error {
	dir := filepath.Join(s.dir, sub)
	if info, err := os.Stat(dir); err == nil && info.IsDir() {
		return nil
	}
	if err := os.MkdirAll(dir, storeDirMode); err != nil {
		return err
	}
	return errors.Join(syncFolder(filepath.Dir(dir)), syncFolder(s.dir))
}

// storeError makes an error of the folder one of Kind Local, which may pass.
func storeError(err error) error {
	if err == nil {
		return nil
	}
	if _, ok := errors.AsType[*fetch.Error](err); ok {
		return err
	}
	return &fetch.Error{Op: "store", Kind: fetch.Local, Err: err}
}

// A hashWriter takes the digest of what it writes, at the same time.
type hashWriter struct {
	w   io.Writer
	sum hash.Hash
}

func (h *hashWriter) Write(p []byte) (int, error) {
	var wg sync.WaitGroup
	wg.Go(func() { h.sum.Write(p) })
	n, err := h.w.Write(p)
	wg.Wait()
	return n, err
}

// An interruptible writes until ctx ends, copySize octets at a time.
type interruptible struct {
	ctx context.Context
	w   io.Writer
}

func (i interruptible) Write(p []byte) (n int, err error) {
	for n < len(p) && err == nil {
		if err := i.ctx.Err(); err != nil {
			return n, err
		}
		var k int
		k, err = i.w.Write(p[n:min(len(p), n+copySize)])
		n += k
	}
	return n, err
}
