package rewrite

import (
	"context"
	"io"
)

// A Store keeps bodies where the readers of a message find them.
//
// Put reads obj.Body to its end and returns the URL from which the octets can be had,
// at once or soon. If reading ends with an error other than io.EOF, the octets are not
// a body: Put then keeps nothing of them and returns the error. A body that was kept stays
// even if the message is not written in the end. The same body may be put again.
type Store interface {
	Put(ctx context.Context, obj *Object) (url string, err error)
}

// An Object is a part of a message that is, or may be, put into a Store.
type Object struct {
	Section     string // where the part is, as in [externalbody.Reference].ID
	MediaType   string // type/subtype in lower case
	Name        string // safe to use as a file name on any system; "" if the part has no name
	Disposition string // in lower case, such as "attachment"; "" if the part has none

	// Size is the number of octets of the body. It is off by a few for base64, and
	// somewhat too large for quoted-printable.
	Size int64

	// Body gives the decoded octets. It is nil while parts are selected.
	Body io.Reader
}
