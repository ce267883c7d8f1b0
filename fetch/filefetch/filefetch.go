// Package filefetch reads files of this machine, for file: URLs (RFC 8089) and
// with them for the access types local-file (RFC 2046 section 5.2.3.4) and afs
// (RFC 1521 section 7.3.3.3). Package safefetch does not include it: a
// stranger's message has no business with local files, unless the caller names
// a folder that is meant for it.
//
// # Where
//
// Only files below [Options].Root are read. A path in a URL is absolute, and the
// root has a place in these paths, [Options].Prefix: if that is /pub, then
// file:///pub/a/b is the file a/b of the root, and file:///etc/passwd is Blocked.
// The comparison is one of names, octet by octet; symbolic links do not take part
// in it. Below the root, a symbolic link that leads out of it is Blocked, as with
// [os.Root].
//
// Blocked as well are dot segments, paths that start with "//", which are the
// network paths of some systems, and on Windows names of devices and drives.
// An encoded slash or a NUL in a segment, a user, a port and a query are
// Malformed. "~" is a character like others, and case matters.
//
// # Whose
//
// The host of the URL is the SITE of local-file, the machine that has the file.
// No host and "localhost" mean this machine. A "*" by itself means
// every machine. Anything else is compared with [Options].Host, without regard
// to case, and each "*" in it stands for one or more characters, dots included.
// If it does not match, the URL is Blocked and no path is looked at.
//
// # Files
//
// Only regular files are read. A directory is Unsupported; a device, a pipe or
// a socket is Blocked, and is not waited for. Response.Size is the size of the
// file when it was opened: if it changes while it is read, [fetch.Do] reports
// Truncated or Protocol.
package filefetch

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"net/textproto"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
)

// New returns a Fetcher for the scheme file. nil means the zero Options, with which every URL is
// Unsupported. The working directory counts when New is called and not later. Several goroutines may
// use the Fetcher at once.
//
// Response.Header has Last-Modified. Reading takes as long as the file system lets it: the end of ctx
// is noticed between two reads. Check judges the URL and touches no file.
func New(opts *Options) driver.Inspector {
	f := &fetcher{opts: *cmp.Or(opts, new(Options))}
	f.prefix = f.opts.prefix()
	return f
}

// Check implements [driver.Inspector].
func (f *fetcher) Check(req *fetch.Request) error {
	_, err := f.locate(req.URL)
	return err
}

// Fetch implements [fetch.Fetcher].
func (f *fetcher) Fetch(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
	name, err := f.locate(req.URL)
	if err != nil {
		return nil, err
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	file, info, err := open(f.opts.Root, name)
	if err != nil {
		return nil, err
	}
	return &fetch.Response{
		URL:    req.URL,
		Size:   info.Size(),
		Body:   &body{ctx: ctx, file: file},
		Header: header(info),
	}, nil
}

// prefix returns the segments of Prefix. Without a Root they are not used.
func (o *Options) prefix() []string {
	path := o.Prefix
	if path == "" && o.Root != nil {
		abs, err := filepath.Abs(o.Root.Name())
		if err != nil {
			// No segment of a path has a NUL, so nothing is below this one.
			return []string{"\x00"}
		}
		path = filepath.ToSlash(abs)
	}
	return strings.FieldsFunc(path, func(r rune) bool { return r == '/' })
}

var errIrregular = errors.New("not a regular file")

// open opens a regular file. It looks first, since to open a device can do
// something.
func open(root *os.Root, name string) (*os.File, fs.FileInfo, error) {
	if err := regular(root.Stat(name)); err != nil {
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
	if err := regular(info, err); err != nil {
		file.Close()
		return nil, nil, err
	}
	return file, info, nil
}

// regular returns the error of a call of Stat, or for a file that is not regular.
func regular(info fs.FileInfo, err error) error {
	switch {
	case err != nil:
		return systemError(err)
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

// A body reads a file as long as its context lasts.
type body struct {
	ctx  context.Context
	file *os.File
}

// Read implements [io.Reader].
func (b *body) Read(p []byte) (int, error) {
	if b.ctx.Err() != nil {
		return 0, context.Cause(b.ctx)
	}
	n, err := b.file.Read(p)
	switch {
	case err == nil || err == io.EOF:
		return n, err
	case errors.Is(err, os.ErrClosed):
		return n, &fetch.Error{Kind: fetch.Local, Err: os.ErrClosed}
	}
	return n, systemError(err)
}

// Close implements [io.Closer].
func (b *body) Close() error {
	b.file.Close()
	return nil
}
