package source

import (
	"context"
	"iter"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/record"
	"github.com/go-extbody/extbody/examples/extbody/internal/mail/imapurl"
	"github.com/go-extbody/extbody/examples/extbody/internal/mail/jmapurl"
)

// IsRemote reports whether a PATH is a place on a server.
func IsRemote(path string) bool { return imapurl.Is(path) || jmapurl.Is(path) }

// CheckRemote returns an error for a PATH that is a place on a server, and cannot be read.
func CheckRemote(path string) (err error) {
	switch {
	case imapurl.Is(path):
		_, err = imapurl.Parse(path)
	case jmapurl.Is(path):
		_, err = jmapurl.Parse(path)
	}
	return err
}

// Name returns the name that a place on a server has as a source of an archive.
func Name(path string) (string, error) {
	if jmapurl.Is(path) {
		u, err := jmapurl.Parse(path)
		if err != nil {
			return "", err
		}
		return u.String(), nil
	}
	u, err := imapurl.Parse(path)
	if err != nil {
		return "", err
	}
	u.UIDValidity = 0 // it may change while the mailbox is the same
	return u.String(), nil
}

// Messages yields the messages that the paths stand for, in order: all of files and of JMAP servers,
// and of IMAP servers those with references. The receiver reads and closes each of them.
func Messages(ctx context.Context, paths []record.Path, src *Files, servers *Servers) iter.Seq2[*Found, error] {
	return func(yield func(*Found, error) bool) {
		for _, path := range paths {
			var remote iter.Seq2[*Found, error]
			switch {
			case imapurl.Is(path.Name):
				remote = servers.messages(ctx, path)
			case jmapurl.Is(path.Name):
				remote = servers.emails(ctx, path)
			}
			if remote != nil {
				for f, err := range remote {
					if !yield(f, err) {
						return
					}
				}
				continue
			}
			for m, err := range src.path(ctx, path.Name) {
				if !yield(&Found{Message: m}, err) {
					return
				}
			}
		}
	}
}
