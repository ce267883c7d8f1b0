package externalbody

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/urlaccess"
)

// accessDeleted is the access type by which mutt marks an attachment that its user has
// deleted. The phantom header is that of the attachment. EXPIRATION is when it was
// deleted, and LENGTH is its length in the message. Dialects express the marks of other
// programs in it.
const accessDeleted = "x-mutt-deleted"

// deleted returns the error for an attachment that was deleted.
func (r *Reference) deleted() error {
	err := errors.New("deleted from the message by its recipient")
	if !r.Expiration.IsZero() {
		err = fmt.Errorf("%w at %s", err, r.Expiration.UTC().Format(time.RFC3339))
	}
	return r.fault(fetch.Gone, "", err)
}

// httpLocation reads the access type X-HTTP of 1993, which is older than that for URLs.
// It has HOST, PORT, PATH and X-ANCHOR. QUIRK: one of the two known samples has NAME in
// place of PATH. None has SITE in place of HOST.
func (r *Reference) httpLocation() (*location, error) {
	host, err := r.argument("host")
	if err != nil {
		return nil, err
	}
	if strings.ContainsAny(host, "/\\?#@") {
		return nil, r.fault(fetch.Malformed, "host", errSyntax)
	}
	text := "http://" + strings.TrimSpace(host)
	if port, ok := r.Param("port"); ok {
		if _, err := strconv.ParseUint(port, 10, 16); err != nil {
			return nil, r.fault(fetch.Malformed, "port", errSyntax)
		}
		text += ":" + port
	}
	path, ok := r.Param("path")
	if !ok {
		path, _ = r.Param("name")
	}
	if path == "" || path[0] != '/' {
		path = "/" + path
	}
	if text, err = urlaccess.Decode(text + path); err != nil {
		return nil, r.fault(fetch.Malformed, "host", err)
	}
	loc := &location{}
	text, loc.fragment, loc.hasFragment = urlaccess.SplitFragment(text)
	if anchor, ok := r.Param("x-anchor"); ok && !loc.hasFragment {
		loc.fragment, loc.hasFragment = anchor, true
	}
	if err := loc.parse("http", text); err != nil {
		return nil, r.fault(fetch.Malformed, "host", err)
	}
	return loc, nil
}
