package accountfetch

import (
	"errors"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/link/sharelink"
)

// A link is the URL of a Request, and its facts from the list of linked files.
type link struct {
	text string
	*sharelink.Link
}

// An item is a file as its host describes it.
type item struct {
	drive, id string // drive is "" where the id is enough
	key       string // the resource key of Google Drive
	name      string
	mediaType string
	tag       string // changes with each change of the item
	created   time.Time
	current   version

	folder    bool
	native    bool // it has no octets
	rendition bool // the host makes the octets
}

// A version is a version of an item.
type version struct {
	id       string // "" for the present one
	name     string // for records
	modified time.Time
	size     int64
	digests  []fetch.Digest
}

// An asker sends requests to an API with the token of an account.
type asker interface {
	// get decodes the JSON that the API answers.
	get(at string, fields map[string]string, answer any) error

	// open returns the octets that the API answers, or to which it redirects.
	open(at string, fields map[string]string) (*fetch.Response, error)

	// hide keeps a piece of a URL, which gives access to a file, out of all records.
	hide(piece string)
}

// A provider is the API of a file host.
type provider interface {
	// find returns the item that a link leads to.
	find(a asker, l *link) (*item, error)

	// versions returns a page of the versions of it, in any order, and the next page or "". page is "" for
	// the first one. The present version is among them, without an id.
	versions(a asker, it *item, page string) (list []version, next string, err error)

	// open returns the octets of a version of it.
	open(a asker, it *item, v version) (*fetch.Response, error)

	// fault returns the Kind of an answer that is not the one asked for, and the word of the API for it. 0
	// stands for the Kind that the status has for any host.
	fault(status int, content []byte) (fetch.Kind, string)
}

// maxValues bounds the values in one answer: a page has at most 1000 versions of a few values.
const maxValues = 40_000

var (
	errFolder = &fetch.Error{Kind: fetch.Unsupported, Err: errors.New("the link is to a folder")}
	errNative = &fetch.Error{
		Kind: fetch.Unsupported, Err: errors.New("the link is to a document without octets of its own, such as a notebook or a form"),
	}
	errForeign = &fetch.Error{Kind: fetch.Blocked, Err: errors.New("the API names a page elsewhere")}
	errJSON    = &fetch.Error{Kind: fetch.Protocol, Err: errors.New("the answer of the API cannot be read")}
	errOther   = &fetch.Error{Kind: fetch.Protocol, Err: errors.New("the API answers for another file")}
	errTrashed = errors.New("the file is in the trash")
	errNoFile  = &fetch.Error{Kind: fetch.NotFound, Err: errors.New("the link names no file")}
)

// digests returns the digest of an API, and none for a sum that cannot be read.
func digests(field, algorithm string, sum []byte, err error) []fetch.Digest {
	if err != nil || len(sum) == 0 {
		return nil
	}
	return []fetch.Digest{{Field: field, Algorithm: algorithm, Sum: sum}}
}
