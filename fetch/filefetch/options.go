package filefetch

import (
	"os"
	"path/filepath"
	"strings"
)

// Options adjust a [Fetcher]. The zero value is safe, and reads nothing.
type Options struct {
	// Root is the folder below which files are read; nil means that none are.
	// It has to stay open as long as the Fetcher is used.
	Root *os.Root

	// Prefix is the absolute path that Root has in URLs, with slashes. ""
	// means the name with which Root was opened, made absolute. On Windows
	// that begins with a drive, as in C:/pub, and file:///C:/pub/a is below it.
	Prefix string

	// Host is the fully qualified domain name of this machine, with which the
	// hosts of URLs are compared. "" means that it has none: then only URLs
	// for localhost, for every machine, or without a host are for it.
	Host string
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
