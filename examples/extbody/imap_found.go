package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"iter"
	"slices"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/internal/imapurl"
	"github.com/go-extbody/extbody/internal/mailbox"
	"github.com/go-extbody/extbody/internal/program/record"
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
	return &found{at: at, Message: new(mailbox.Message)}
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

// place returns the place of the message among those of its mailbox.
func (f *found) place() record.Place {
	switch {
	case f.misnamed != "":
		return record.OnServer(f.misnamed, 0, 0)
	case f.at != nil:
		return record.OnServer(f.at.MailboxURL(), f.at.UIDValidity, f.at.UID)
	}
	return record.InFile(f.Message)
}

// number returns the index of a message in its mailbox, or its UID.
func (f *found) number() int {
	if f.at != nil {
		return int(f.at.UID)
	}
	return f.Index
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

// identify returns the identity of a message, and a stem for the names of its files,
// which depends on nothing but the message, or for one on a server of which only parts
// were read, on its place.
func (f *found) identify() (id record.Identity, stem string, err error) {
	id = record.Identify(f.whole)
	h := sha256.New()
	switch {
	case f.at == nil:
		err = hashAll(h, f.Reader())
	case f.spool != nil && f.whole != nil:
		err = hashAll(h, f.whole.Reader())
	default:
		io.WriteString(h, f.title())
		return id, fileStem(h.Sum(nil)), nil
	}
	if err != nil {
		return id, "", err
	}
	sum := h.Sum(nil)
	id.Digest = hex.EncodeToString(sum)
	return id, fileStem(sum), nil
}

// hashAll gives all of r to h, through a buffer that is no larger than r.
func hashAll(h io.Writer, r *io.SectionReader) error {
	_, err := io.Copy(h, io.LimitReader(r, r.Size()))
	return err
}

// fileStem returns the beginning of the names of the files of a message: 64 bits of a
// digest. Who makes two messages with the same ones gets numbers in names.
func fileStem(sum []byte) string { return hex.EncodeToString(sum[:8]) }
