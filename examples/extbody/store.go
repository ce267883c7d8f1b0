package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"

	"github.com/go-extbody/extbody/externalbody/rewrite"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/bodystore"
	"github.com/go-extbody/extbody/internal/exit"
	"github.com/go-extbody/extbody/urlaccess"
)

// A folderStore is a [rewrite.Store] in a folder that a server of files serves: the
// URL of a body is that of the folder and the path in it.
//
// A folderStore is for one message: put says where the body of each section went.
type folderStore struct {
	*served
	put map[string]stored
}

// A served is a store and where it is served.
type served struct {
	store *bodystore.Store
	dir   string
	base  string // of the URLs, with a "/" at the end
	names bool   // whether URLs have the name of the part behind them
}

// stored is where the body of a part is.
type stored struct {
	path, sha256 string
	size         int64
}

var errBase = errors.New("want an absolute URL without query and fragment, such as https://files.example/mail/")

// storeNames are the values of --store-names.
var storeNames = map[string]bodystore.Names{"hmac": bodystore.HMAC, "sha256": bodystore.SHA256}

// newServed returns the store in dir, which is made if it is missing, whose files are
// served below base.
func newServed(dir, base string, names bool, kind bodystore.Names) (*served, error) {
	escaped, err := urlaccess.Escape(base)
	if err != nil {
		return nil, exit.Mistake(fmt.Errorf("--base-url %q: %w", base, err))
	}
	base = escaped
	u, err := url.Parse(base)
	if err != nil || u.Scheme == "" || u.Host == "" || u.User != nil || u.RawQuery != "" || u.ForceQuery || u.Fragment != "" {
		return nil, exit.Mistake(fmt.Errorf("--base-url %q: %w", base, errBase))
	}
	if base[len(base)-1] != '/' {
		base += "/"
	}
	store, err := bodystore.Open(dir, kind)
	if err != nil {
		return nil, err
	}
	return &served{store, dir, base, names}, nil
}

// message returns the store for a message.
func (s *served) message() *folderStore {
	return &folderStore{s, make(map[string]stored)}
}

// Put implements rewrite.Store.
func (s *folderStore) Put(ctx context.Context, obj *rewrite.Object) (string, error) {
	b, err := s.store.Put(ctx, obj.Body)
	if err != nil {
		return "", storeError(err)
	}
	s.put[obj.Section] = stored{filepath.Join(s.dir, filepath.FromSlash(b.Path)), b.SHA256, b.Size}
	where := s.base + b.Path
	if s.names && obj.Name != "" {
		where += "/" + url.PathEscape(obj.Name)
	}
	return where, nil
}

// storeError makes an error of the folder one of Kind Local, which may pass.
func storeError(err error) error {
	if _, ok := errors.AsType[*fetch.Error](err); ok {
		return err
	}
	return &fetch.Error{Op: "store", Kind: fetch.Local, Err: err}
}
