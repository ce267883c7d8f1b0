// Package webstore keeps bodies in a folder that a web server serves, under names that
// [bodystore] makes, and knows their URLs.
package webstore

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/bodystore"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/exit"
	"github.com/go-extbody/extbody/externalbody/rewrite"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/urlaccess"
)

// A Store is a folder of bodies that a web server serves.
type Store struct {
	store *bodystore.Store
	dir   string
	base  string // of the URLs, with a "/" at the end
	names bool   // whether the name of the part is appended to URLs
}

// Bodies are a [rewrite.Store] for one message. They remember where the body of each
// section is. The URL of a body is that of the folder and the path in it.
type Bodies struct {
	served *Store
	put    map[string]stored
}

// A stored is where a body is.
type stored struct {
	Path, SHA256 string
	Size         int64
}

var errBase = errors.New("want an absolute URL without query and fragment, such as https://files.example/mail/")

// Open returns the store in dir, which it makes if it is missing. The files of dir are
// served below base. With names, the name of the file ends its URL.
func Open(dir, base string, names bool, kind bodystore.Names) (*Store, error) {
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
	return &Store{store, dir, base, names}, nil
}

// Message returns the store for a message.
func (s *Store) Message() *Bodies { return &Bodies{s, make(map[string]stored)} }

// Where returns where the body of a section is; it is zero if the body was not stored.
func (m *Bodies) Where(section string) stored { return m.put[section] }

// Put implements rewrite.Store.
func (m *Bodies) Put(ctx context.Context, obj *rewrite.Object) (string, error) {
	s := m.served
	b, err := s.store.Put(ctx, obj.Body)
	if err != nil {
		return "", storeError(err)
	}
	m.put[obj.Section] = stored{filepath.Join(s.dir, filepath.FromSlash(b.Path)), b.SHA256, b.Size}
	where := s.base + b.Path
	if s.names && obj.Name != "" {
		where += "/" + url.PathEscape(obj.Name)
	}
	return where, nil
}

// storeError gives an error of the folder the Kind Local, which may pass.
func storeError(err error) error {
	if _, ok := errors.AsType[*fetch.Error](err); ok {
		return err
	}
	return &fetch.Error{Op: "store", Kind: fetch.Local, Err: err}
}
