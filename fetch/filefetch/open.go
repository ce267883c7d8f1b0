package filefetch

import (
	"errors"
	"io/fs"
	"net/textproto"
	"os"
	"syscall"

	"github.com/go-extbody/extbody/fetch"
)

var errIrregular = errors.New("not a regular file")

// open opens a regular file. It looks first, since to open a device can do
// something.
func open(root *os.Root, name string) (*os.File, fs.FileInfo, error) {
	info, err := root.Stat(name)
	if err != nil {
		return nil, nil, systemError(err)
	}
	if err := regular(info); err != nil {
		return nil, nil, err
	}
	return openRegular(root, name)
}

// openRegular looks at the opened file, since the name can have come to mean
// another one.
func openRegular(root *os.Root, name string) (*os.File, fs.FileInfo, error) {
	file, err := root.OpenFile(name, os.O_RDONLY|nonBlocking, 0)
	if err != nil {
		return nil, nil, systemError(err)
	}
	info, err := file.Stat()
	if err == nil {
		err = regular(info)
	}
	if err != nil {
		file.Close()
		return nil, nil, systemError(err)
	}
	return file, info, nil
}

func regular(info fs.FileInfo) error {
	switch {
	case info.Mode().IsRegular():
		return nil
	case info.IsDir():
		return unsupported(errDirectory)
	}
	return blocked(errIrregular)
}

// systemError gives an error of the file system its Kind, and takes the path
// out of its text.
func systemError(err error) error {
	if e, ok := err.(*fetch.Error); ok {
		return e
	}
	kind := fetch.Local
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR),
		errors.Is(err, syscall.ENAMETOOLONG), errors.Is(err, syscall.ELOOP):
		kind = fetch.NotFound
	case errors.Is(err, fs.ErrPermission):
		kind = fetch.Forbidden
	}
	e, ok := errors.AsType[*fs.PathError](err)
	if !ok {
		return &fetch.Error{Kind: kind, Err: err}
	}
	if _, system := e.Err.(syscall.Errno); !system && kind == fetch.Local && e.Err != fs.ErrClosed {
		// Not the system but os.Root, which has one refusal.
		return blocked(errOutside)
	}
	return &fetch.Error{Kind: kind, Err: e.Err}
}

// header has the time at which the file was last changed, in the form of RFC
// 9110 section 5.6.7.
func header(info fs.FileInfo) textproto.MIMEHeader {
	return textproto.MIMEHeader{
		"Last-Modified": {info.ModTime().UTC().Format("Mon, 02 Jan 2006 15:04:05 GMT")},
	}
}
