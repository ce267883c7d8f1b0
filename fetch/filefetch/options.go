package filefetch

import (
	"os"

	"github.com/go-extbody/extbody/fetch/driver"
)

type fetcher struct {
	driver.Layer // without Next
	opts         Options
	prefix       []string // the segments of Options.Prefix
}

// Options adjust a Fetcher. The zero value is safe, and reads nothing.
type Options struct {
	// Root is the folder below which files are read; nil means that none are.
	// It has to stay open as long as the Fetcher is used.
	Root *os.Root

	// Prefix is the absolute path that Root has in URLs, with slashes. ""
	// means the name with which Root was opened, made absolute. On Windows
	// that starts with a drive, as in C:/pub, and file:///C:/pub/a is below it.
	Prefix string

	// Host is the fully qualified domain name of this machine, with which the
	// hosts of URLs are compared. "" means that it has none: then only URLs
	// for localhost, for every machine, or without a host are for it.
	Host string
}
