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
			for m, err := range src.path(path.Name) {
				if !yield(&Found{Message: m}, err) {
					return
				}
			}
		}
	}
}
