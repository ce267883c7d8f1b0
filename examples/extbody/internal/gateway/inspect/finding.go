package inspect

import (
	"cmp"
	"errors"
	"slices"

	"github.com/go-extbody/extbody/fetch"
)

// errOnce refuses downloads that the host counts, which are left to the recipients of
// the message.
var errOnce = &fetch.Error{Op: "inspect", Kind: fetch.Denied, Err: errors.New("each fetch uses up one of the downloads that the host allows")}

// answered reports whether a server answered for good, with a body or without.
func (f *finding) answered() bool {
	kinds := []fetch.Kind{fetch.NotFound, fetch.Gone, fetch.Forbidden, fetch.Interstitial, fetch.TypeMismatch, fetch.DigestMismatch, fetch.TooLarge}
	return f.State == Known || f.State == Failed && slices.Contains(kinds, f.Kind)
}

// unaffordable reports whether the budget of the message that asked was spent.
func (f *finding) unaffordable() bool {
	return f.State == StillToCome && f.Kind == fetch.Deferred && f.After.IsZero()
}

// compare sets Changed. before is the finding before this one, or nil. A rendition is
// made for each request, so its octets differ.
func (f *finding) compare(before *finding) {
	if before != nil {
		f.known = cmp.Or(f.SHA256, before.known)
		f.Changed = before.known != "" && f.known != before.known && f.Capture != fetch.CaptureRendition
	} else {
		f.known = f.SHA256
	}
}
