package archive

import (
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/go-extbody/extbody/examples/extbody/internal/store"
	"github.com/go-extbody/extbody/internal/file/below"
)

// ErrAway is the error of a bucket that does not answer as it should. Nothing is lost, and
// the next run goes on.
var ErrAway = store.ErrAway

// ErrRefused is the error of a bucket that refuses the credentials. Such an error matches ErrAway too.
var ErrRefused = store.ErrRefused

// ErrElsewhere is the error of a bucket for an archive whose objects are somewhere else.
var ErrElsewhere = errors.New("the objects of the archive are somewhere else")

// locate opens the store of the objects, after it has seen that the folder is an archive. temp is
// a folder for temporary files. The error is ErrNone if it is not an archive, and ErrLost if its
// ledger is lost. It is below.ErrForeignLink if a folder of it is a link of another user.
func (a *Archive) locate(temp string) error {
	for _, name := range []string{"ledger", "exchanges", "stamps", "incoming", "objects"} {
		if err := below.Folder(filepath.Join(a.dir, name)); err != nil {
			return err
		}
	}
	if _, err := os.Stat(a.ledgerDir()); err != nil {
		return cmp.Or(a.remains(), fmt.Errorf("%s: %w", a.dir, ErrNone))
	}
	return a.store(temp)
}

// store opens the store of the objects. It is the folder objects, or, if objects is a file, the
// bucket whose URL is in it.
func (a *Archive) store(temp string) error {
	dir := filepath.Join(a.dir, "objects")
	if info, err := os.Lstat(dir); err != nil || !info.Mode().IsRegular() {
		a.objects = store.In(dir)
		return nil
	}
	text, err := readSmall(dir)
	if err != nil {
		return err
	}
	place := strings.TrimSpace(string(text))
	if u, err := url.Parse(place); err == nil && u.Scheme == "file" {
		if _, err := os.Stat(u.Path); err != nil { // it may not be mounted
			return fmt.Errorf("%w: %w", ErrAway, err)
		}
	}
	s, err := store.Open(place, 0)
	if err != nil {
		return err
	}
	a.objects = store.Remote(s, temp)
	a.url = place
	return nil
}

// settle makes the folder objects, or a file with a URL below base, which no other archive
// has. The objects of an archive stay where they were when it was made.
func (a *Archive) settle(made bool) error {
	name := filepath.Join(a.dir, "objects")
	if a.base == "" {
		return nil
	}
	base, err := url.Parse(a.base)
	if err != nil {
		return errors.New("the URL of the objects cannot be read")
	}
	info, err := os.Lstat(name)
	switch {
	case err == nil && info.Mode().IsRegular():
		text, err := readSmall(name)
		if u, uerr := url.Parse(strings.TrimSpace(string(text))); err == nil && uerr == nil {
			u.Path = path.Dir(u.Path)
			if u.String() == urlBelow(base, "").String() {
				return nil
			}
		}
		return fmt.Errorf("%s: %w", name, ErrElsewhere)
	case made, err == nil && os.Remove(name) != nil: // a folder that has objects cannot be removed
		return fmt.Errorf("%s: %w", name, ErrElsewhere)
	}
	place := urlBelow(base, strings.ToLower(rand.Text())).String()
	s, err := store.Open(place, 0)
	if err != nil {
		return err
	}
	if _, err := store.Remote(s, "").Stat("none"); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return writeFile(name, []byte(place+"\n"))
}

// urlBelow returns the URL of a name below the path of u.
func urlBelow(u *url.URL, name string) *url.URL {
	c := *u
	c.Path = path.Join("/", u.Path, name)
	return &c
}
