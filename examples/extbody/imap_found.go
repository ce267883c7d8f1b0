package main

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/internal/mailbox"
)

// A found is a message that a PATH stands for, in a file or in a mailbox of an
// IMAP server, with the references in it.
type found struct {
	*mailbox.Message // of a remote one, Path names the mailbox, and Index is the UID

	refs   []*externalbody.Reference
	whole  *externalbody.Message // nil if only candidates of a remote one were read
	remote bool
	spool  *remoteSpool
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
			if isIMAP(path) {
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
	if f.remote {
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
		f.spool.discard()
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

func placeOf(m *mailbox.Message) place {
	if validity, ok := imapPlace(m.Path); ok {
		return place{numbered: &numbered{validity, uint32(m.Index)}}
	}
	return place{counted: &counted{m.Index}}
}

// imapPlace returns the UIDVALIDITY in the Path of a remote, with which its
// Index is a UID. It reports false for the Path of any other message.
func imapPlace(path string) (uidValidity uint32, ok bool) {
	if !isIMAP(path) {
		return 0, false
	}
	_, digits, _ := strings.Cut(path, ";UIDVALIDITY=")
	n, err := strconv.ParseUint(digits, 10, 32)
	if err != nil {
		return 0, true
	}
	return uint32(n), true
}

// imapTitle names a message of an IMAP server for people and for programs (RFC
// 5092 section 5). It reports false for any other message.
func imapTitle(m *mailbox.Message) (string, bool) {
	if _, ok := imapPlace(m.Path); !ok || m.Index == 0 {
		return m.Path, ok
	}
	return fmt.Sprintf("%s/;UID=%d", m.Path, m.Index), true
}
