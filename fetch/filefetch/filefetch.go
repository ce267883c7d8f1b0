// Package filefetch reads files of this machine, for file: URLs (RFC 8089) and
// with them for the access types local-file (RFC 2046 section 5.2.3.4) and afs
// (RFC 1521 section 7.3.3.3). Package safefetch does not include it: a
// stranger's message has no business with local files, unless the caller names
// a folder that is meant for it.
//
// # Where
//
// Only files below [Options].Root are read. A path in a URL is absolute, and
// the root has a place in these paths, [Options].Prefix: if that is /pub, then
// file:///pub/a/b is the file a/b of the root, and file:///etc/passwd is
// Blocked. The comparison is one of names, octet by octet; symbolic links do
// not take part in it. Below the root, a link that leads out of it is Blocked,
// as [os.Root] has it.
//
// Blocked as well are dot segments, paths that begin with "//", which are the
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

	"github.com/go-extbody/extbody/fetch"
)

// A Fetcher is a [fetch.Fetcher] for the scheme file, and a [fetch.Checker].
// Several goroutines may use it at once.
type Fetcher struct {
	opts   Options
	prefix []string // the segments of Options.Prefix
}

// New returns a Fetcher. nil means the zero Options, with which every URL is
// Blocked. The working directory counts when New is called and not later.
func New(opts *Options) *Fetcher {
	f := &Fetcher{opts: *cmp.Or(opts, new(Options))}
	f.prefix = f.opts.prefix()
	return f
}

// Check implements [fetch.Checker]. It judges the URL and touches no file.
func (f *Fetcher) Check(req *fetch.Request) error {
	_, err := f.locate(req.URL)
	return err
}

// Fetch opens the file that req.URL names. Response.Header has Last-Modified.
//
// Reading takes as long as the file system lets it: the end of ctx is noticed
// between two reads.
func (f *Fetcher) Fetch(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
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
