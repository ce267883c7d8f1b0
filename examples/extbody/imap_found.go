package main

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/internal/imapurl"
	"github.com/go-extbody/extbody/internal/mailbox"
	"github.com/go-extbody/extbody/internal/show"
	"github.com/go-extbody/extbody/internal/spool"
)

// A found is a message that a PATH stands for, in a file or in a mailbox of an
// IMAP server, with the references in it.
type found struct {
	*mailbox.Message              // of a remote one only the Index is set, which is the UID
	at               *imapurl.URL // where a remote one is; nil for one in a file
	misnamed         string       // a PATH that looks like one of a server and is none

	refs  []*externalbody.Reference
	whole *externalbody.Message // nil if only candidates of a remote one were read
	spool *spool.Spool
}

// newRemote returns a message of an IMAP server, or what stands for those that could
// not be read.
func newRemote(at *imapurl.URL) *found {
	return &found{at: at, Message: &mailbox.Message{Index: int(at.UID)}}
}

// mixed yields the messages that the paths stand for, in order: those of files,
// and those of IMAP servers that refer to something. The receiver reads and
// closes each of them.
func mixed(ctx context.Context, paths []string, src *source, servers *imapSource) iter.Seq2[*found, error] {
	return func(yield func(*found, error) bool) {
		if len(paths) == 0 {
			paths = []string{"-"}
		}
		for _, path := range paths {
			if imapurl.Is(path) {
				for f, err := range servers.messages(ctx, path) {
					if !yield(f, err) {
						return
					}
				}
				continue
			}
			for m, err := range src.messages([]string{path}) {
				if !yield(&found{Message: m}, err) {
					return
				}
			}
		}
	}
}

// read reads the references of a message, unless it is a remote one, of which
// they were read already. With an error there may be some, of what is before the
// place where it is.
func (f *found) read(r *reading) error {
	if f.at != nil || f.misnamed != "" {
		return nil
	}
	var err error
	if f.whole, err = r.open(f.Message); f.whole != nil {
		f.refs = slices.Collect(f.whole.References())
	}
	return err
}

// choices returns the references among which one is enough, or each alone if
// all is set.
func (f *found) choices(all bool) [][][]*externalbody.Reference {
	if f.whole != nil && !all {
		return slices.Collect(f.whole.Choices())
	}
	var each [][][]*externalbody.Reference
	for _, ref := range f.refs {
		each = append(each, [][]*externalbody.Reference{{ref}})
	}
	return each
}

// Close says that neither the message nor bodies in it will be read any more.
func (f *found) Close() error {
	if f.spool != nil {
		f.spool.Close()
		f.spool = nil
	}
	return f.Message.Close()
}

// A place says in a record which message of a mailbox is meant.
type place struct {
	*counted  // of a message in a file
	*numbered // of one on an IMAP server
}

// counted is the place of a message among those of its mailbox.
type counted struct {
	Index int `json:"index"`
}

// numbered is the place of a message on an IMAP server. What is not known is
// absent.
type numbered struct {
	UIDValidity uint32 `json:"uidvalidity,omitempty"`
	UID         uint32 `json:"uid,omitempty"`
}

func placeOf(m *mailbox.Message) place { return place{counted: &counted{m.Index}} }

// place returns the place of the message among those of its mailbox, and the name of
// that, for programs.
func (f *found) place() (message string, p place) {
	switch {
	case f.misnamed != "":
		return f.misnamed, place{numbered: &numbered{}}
	case f.at != nil:
		return f.at.MailboxURL(), place{numbered: &numbered{f.at.UIDValidity, f.at.UID}}
	}
	return f.Path, placeOf(f.Message)
}

// record returns the record of a reference in the message.
func (f *found) record(ref *externalbody.Reference, exact bool) *record {
	r := newRecord(f.Message, ref, exact)
	f.name(r)
	return r
}

// failure returns the record of the message if it cannot be read.
func (f *found) failure(err error) *record {
	r := newFailure(f.Message, err)
	f.name(r)
	return r
}

func (f *found) name(r *record) {
	message, p := f.place()
	r.Message, r.place = show.Escape(message), p
}

// title names the message for people; what it says of one on an IMAP server is a PATH
// (RFC 5092 section 5).
func (f *found) title() string {
	switch {
	case f.misnamed != "":
		return f.misnamed
	case f.at != nil:
		return f.at.String()
	}
	return fmt.Sprintf("%s message %d", f.Path, f.Index)
}
