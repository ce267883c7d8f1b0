package externalbody

import (
	"io"

	"github.com/go-extbody/extbody/internal/mimescan"
)

// Index returns the index of the message and what it was read from. It is for
// the packages of this module that copy or replace parts; its types are
// internal.
func (m *Message) Index() (*mimescan.Index, io.ReaderAt) { return m.index, m.source.r }

// Scope returns the part that the message around the Reference consists of: the
// whole message, or the inside of a message within it; nil if it was not read from
// a message. It is in [Message.Index] unless a transfer encoding or a signature of
// S/MIME hides it.
func (r *Reference) Scope() *mimescan.Part {
	if r.part == nil {
		return nil
	}
	return scope(r.part)
}

// Part returns the part of [Message.Index] that the Reference stands in, nil if
// it was not read from a message, or stands inside of a part whose transfer
// encoding or signature of S/MIME hides it.
func (r *Reference) Part() *mimescan.Part {
	if r.source == nil || r.source != r.source.message.source {
		return nil
	}
	return r.part
}
