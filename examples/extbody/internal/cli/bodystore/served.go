package bodystore

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/exit"
	"github.com/go-extbody/extbody/externalbody/rewrite"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/urlaccess"
)

// Served is a store whose folder a web server serves.
type Served struct {
	store *Store
	base  string // of the URLs, with a "/" at the end
	names bool   // whether the name of the part is appended to URLs
}

// Bodies are a [rewrite.Store] for one message. They record where the body of each
// section is. The URL of a body is the URL of the folder and the path in it.
type Bodies struct {
	served *Served
	put    map[string]Body
}

var errBase = errors.New("want an absolute URL without query and fragment, such as https://files.example/mail/")

// Serve returns the store in the folder dir, which it makes if it is missing. The files
// of dir are served below base. With names, the name of the part ends a URL.
func Serve(dir, base string, names bool, kind Names) (*Served, error) {
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
	store, err := Open(dir, kind)
	if err != nil {
		return nil, err
	}
	return &Served{store, base, names}, nil
}

// Message returns the store for a message.
func (s *Served) Message() *Bodies { return &Bodies{s, make(map[string]Body)} }

// Where returns the place of the body of a section, with the path of its file. It is
// zero if the body was not stored.
func (m *Bodies) Where(section string) Body { return m.put[section] }

// Put implements rewrite.Store.
func (m *Bodies) Put(ctx context.Context, obj *rewrite.Object) (string, error) {
	s := m.served
	b, err := s.store.Put(ctx, obj.Body)
	if err != nil {
		return "", storeError(err)
	}
	there := *b
	there.Path = filepath.Join(s.store.dir, filepath.FromSlash(b.Path))
	m.put[obj.Section] = there
	where := s.base + b.Path
	if s.names && obj.Name != "" {
		where += "/" + url.PathEscape(obj.Name)
	}
	return where, nil
}

// storeError gives an error of the folder the Kind Local.
func storeError(err error) error {
	if _, ok := errors.AsType[*fetch.Error](err); ok {
		return err
	}
	return &fetch.Error{Op: "store", Kind: fetch.Local, Err: err}
}
