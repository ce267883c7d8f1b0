// Package bodystore keeps bodies as files in a folder that a web server serves, and
// makes their URLs.
//
// A body is the file ab/cd/abcd..., where abcd... is its name: 64 hexadecimal digits
// in lower case, which depend on its octets alone. The same octets are kept once.
//
// A file gets its name after all of it is on the disk, and no file changes. Several
// programs may write at once. The files can be read by every user who can enter the
// folder, so that a web server can read them.
//
// # Names
//
// By default a name is the HMAC-SHA-256 of the body under a key. The first program that
// writes to the store makes the key: 32 random octets, kept as 64 hexadecimal digits in
// the file [KeyFile] of the folder, with mode 0600. Without the key the name of a body
// cannot be computed, even from the body.
//
// A name can be the SHA-256 of the body instead. Then the sender of a body knows its
// name, and anyone who has a body can find out whether the store has it.
//
// A store may have bodies with names of both kinds. A body stays readable under its
// name when the program changes to the other kind, or when the key is lost.
package bodystore

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/exit"
	"github.com/go-extbody/extbody/externalbody/rewrite"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/file/atomicfile"
	"github.com/go-extbody/extbody/urlaccess"
)

// Names is how the names of bodies are made.
type Names uint8

// The kinds of names.
const (
	HMAC   Names = iota // HMAC-SHA-256 under the key of the store
	SHA256              // SHA-256
)

// ErrDamaged is the error of a body whose file in the store has other octets.
var ErrDamaged = errors.New("what is stored under the name of the body is not the body")

// The modes of files and folders in a store, before the umask.
const (
	folderMode = 0o755
	fileMode   = 0o644
)

// A Store is a folder of bodies. Several goroutines may call its methods at once.
type Store struct {
	dir   string
	key   []byte // nil: names are SHA-256
	base  string // of the URLs, with a "/" at the end; "" without Serve
	names bool   // whether the name of the part is appended to URLs
}

// Open returns the store in the folder dir. It makes the folder if it is missing, and
// the key if names need one.
func Open(dir string, names Names) (*Store, error) {
	if err := os.MkdirAll(dir, folderMode); err != nil {
		return nil, err
	}
	s := &Store{dir: dir}
	if names == SHA256 {
		return s, nil
	}
	var err error
	s.key, err = openKey(dir)
	return s, err
}

// A Body is the place of a body in the store.
type Body struct {
	Name   string // 64 hexadecimal digits
	Path   string // of the file, with slashes, from the folder of the store
	SHA256 string // of the octets, in hexadecimal
	Size   int64
}

// Put stores the octets of r. If the store has them already, their file gets the current
// time, so that the time of a file is when its body was last put.
//
// Put reads an existing file and compares its octets with the body. The error is
// ErrDamaged if they differ, or if the name belongs to something other than a file.
func (s *Store) Put(ctx context.Context, r io.Reader) (*Body, error) {
	f, err := atomicfile.Open(s.dir)
	if err != nil {
		return nil, err
	}
	defer f.Discard()
	if f.Temporary() {
		atomicfile.Sweep(s.dir)
	}
	sum := sha256.New()
	name := sum
	out := io.MultiWriter(f, sum)
	if s.key != nil {
		name = hmac.New(sha256.New, s.key)
		out = io.MultiWriter(out, name)
	}
	n, err := io.Copy(out, interruptible{ctx, r})
	if err != nil {
		return nil, err
	}
	b := &Body{Name: hex.EncodeToString(name.Sum(nil)), SHA256: hex.EncodeToString(sum.Sum(nil)), Size: n}
	sub := filepath.Join(b.Name[:2], b.Name[2:4])
	b.Path = filepath.ToSlash(filepath.Join(sub, b.Name))
	path := filepath.Join(s.dir, sub, b.Name)
	if there, err := s.has(ctx, path, b); there || err != nil {
		return b, err
	}
	if err := cmp.Or(s.fan(sub), f.Chmod(fileMode)); err != nil {
		return nil, err
	}
	err = f.Publish(path)
	if errors.Is(err, fs.ErrExist) { // another program was faster
		_, err = s.has(ctx, path, b)
	}
	return b, err
}

func (s *Store) has(ctx context.Context, path string, b *Body) (bool, error) {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err == nil && (!info.Mode().IsRegular() || info.Size() != b.Size) {
		err = &fs.PathError{Op: "store", Path: path, Err: ErrDamaged}
	}
	if err != nil {
		return false, err
	}
	// Unlike Open, this lets other programs remove a name of the file on Windows.
	f, err := os.OpenInRoot(s.dir, b.Path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, interruptible{ctx, f}); err != nil {
		return false, err
	}
	if hex.EncodeToString(sum.Sum(nil)) != b.SHA256 {
		return false, &fs.PathError{Op: "store", Path: path, Err: ErrDamaged}
	}
	now := time.Now()
	return true, os.Chtimes(path, now, now)
}

// fan makes the two folders of sub, and syncs their names to the disk.
func (s *Store) fan(sub string) error {
	dir := filepath.Join(s.dir, sub)
	if info, err := os.Stat(dir); err == nil && info.IsDir() {
		return nil
	}
	if err := os.MkdirAll(dir, folderMode); err != nil {
		return err
	}
	return errors.Join(atomicfile.SyncFolder(filepath.Dir(dir)), atomicfile.SyncFolder(s.dir))
}

// An interruptible reads until ctx ends.
type interruptible struct {
	ctx context.Context
	r   io.Reader
}

func (i interruptible) Read(p []byte) (int, error) {
	if err := i.ctx.Err(); err != nil {
		return 0, err
	}
	return i.r.Read(p)
}

// KeyFile is the name of the file with the key, in the folder of a store. Servers must
// not give it out.
const KeyFile = ".extbody-key"

// keySize is the number of octets of a key.
const keySize = sha256.Size

// Errors of keys. A store whose key cannot be used takes no bodies: their names could be
// computed without it.
var (
	ErrKey     = errors.New("the key of the store is not 64 hexadecimal digits and a line end")
	ErrKeyMode = errors.New("the key of the store can be read by others: make its mode 0600, and remove it if others may have read it")
)

// openKey returns the key of the store in dir, and makes it if it is missing.
func openKey(dir string) ([]byte, error) {
	path := filepath.Join(dir, KeyFile)
	key, err := readKey(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return key, err
	}
	// It never replaces a key.
	err = atomicfile.PublishFile(path, func(w io.Writer) error {
		var key [keySize]byte
		rand.Read(key[:]) // never fails
		_, err := io.WriteString(w, hex.EncodeToString(key[:])+"\n")
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	return readKey(path) // another program may have been faster
}

func readKey(path string) ([]byte, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "open", Path: path, Err: ErrKey}
	}
	if info.Mode().Perm()&0o077 != 0 && runtime.GOOS != "windows" {
		return nil, &fs.PathError{Op: "open", Path: path, Err: ErrKeyMode}
	}
	f, err := os.OpenInRoot(filepath.Dir(path), filepath.Base(path)) // see has
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, 1<<10))
	if err != nil {
		return nil, err
	}
	key, err := hex.DecodeString(strings.TrimSuffix(string(text), "\n"))
	if err != nil || len(key) != keySize {
		return nil, &fs.PathError{Op: "read", Path: path, Err: ErrKey}
	}
	return key, nil
}

// Bodies are a [rewrite.Store] for one message. They record where the body of each
// section is. The URL of a body is the URL of the folder and the path in it.
type Bodies struct {
	store *Store
	put   map[string]Body
}

var errBase = errors.New("want an absolute URL without query and fragment, such as https://files.example/mail/")

// Serve is Open for a store whose files a web server serves below base. With names, the
// name of the part ends a URL.
func Serve(dir, base string, names bool, kind Names) (*Store, error) {
	escaped, err := urlaccess.Escape(base)
	if err != nil {
		return nil, exit.Mistake(fmt.Errorf("--base-url %q: %w", base, err))
	}
	u, err := url.Parse(escaped)
	if err != nil || u.Scheme == "" || u.Host == "" || u.User != nil || u.RawQuery != "" || u.ForceQuery || u.Fragment != "" {
		return nil, exit.Mistake(fmt.Errorf("--base-url %q: %w", escaped, errBase))
	}
	s, err := Open(dir, kind)
	if err == nil {
		s.base = strings.TrimSuffix(escaped, "/") + "/"
		s.names = names
	}
	return s, err
}

// Message returns the store for a message.
func (s *Store) Message() *Bodies { return &Bodies{s, make(map[string]Body)} }

// Where returns the place of the body of a section, with the path of its file. It is
// zero if the body was not stored.
func (m *Bodies) Where(section string) Body { return m.put[section] }

// Put implements rewrite.Store.
func (m *Bodies) Put(ctx context.Context, obj *rewrite.Object) (string, error) {
	s := m.store
	b, err := s.Put(ctx, obj.Body)
	if _, ok := errors.AsType[*fetch.Error](err); err != nil && !ok { // an error of the folder
		err = &fetch.Error{Op: "store", Kind: fetch.Local, Err: err}
	}
	if err != nil {
		return "", err
	}
	where := s.base + b.Path
	if s.names && obj.Name != "" {
		where += "/" + url.PathEscape(obj.Name)
	}
	b.Path = filepath.Join(s.dir, filepath.FromSlash(b.Path))
	m.put[obj.Section] = *b
	return where, nil
}
