// Package source finds and reads the messages that PATHs stand for, in files, in
// mailboxes of IMAP servers, and in accounts of JMAP servers.
package source

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"slices"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/record"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/show"
	"github.com/go-extbody/extbody/examples/extbody/internal/mail/imapurl"
	"github.com/go-extbody/extbody/examples/extbody/internal/mail/jmapurl"
	"github.com/go-extbody/extbody/examples/extbody/internal/mail/mailbox"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/internal/file/spool"
)

// A Remote is the place of a message on a server: an [*imapurl.URL] or a [*jmapurl.URL].
type Remote interface {
	String() string // a PATH
	MailboxURL() string
}

// A Found is a message that a PATH stands for, in a file or on a server, with the references
// in it.
type Found struct {
	*mailbox.Message        // of a message on a server nothing is set
	At               Remote // the place of a message on a server; nil for one in a file
	misnamed         string // a PATH that looks like one of a server, and is not one

	Refs   []*externalbody.Reference
	joined []*externalbody.Reference // those of Refs that only the other reading of the mailbox has
	whole  *externalbody.Message     // nil if it was not read
	spool  *spool.Spool
}

// newRemote returns a message of a server, or the entry for messages that could not be read.
func newRemote(at Remote) *Found {
	return &Found{At: at, Message: new(mailbox.Message)}
}

// Read reads the references of a message. Those of a message on a server were read
// already. With an error there may be some references, from before the place of the
// error.
func (f *Found) Read(r *Reading) error {
	if f.At != nil || f.misnamed != "" {
		return nil
	}
	var err error
	f.whole, err = r.Open(f.Message)
	if f.whole != nil {
		f.Refs = slices.Collect(f.whole.References())
	}
	if err == nil {
		f.joined, err = r.OpenJoined(f.Message)
		f.Refs = append(f.Refs, f.joined...)
	}
	return err
}

// Whole returns the message that was read, or nil if none was.
func (f *Found) Whole() *externalbody.Message { return f.whole }

// Choices returns groups of references of which one is enough. With all, each reference
// is a group.
func (f *Found) Choices(all bool) [][][]*externalbody.Reference {
	var each [][][]*externalbody.Reference
	refs := f.Refs
	if f.whole != nil && !all {
		each = slices.Collect(f.whole.Choices())
		refs = f.joined
	}
	for _, ref := range refs {
		each = append(each, [][]*externalbody.Reference{{ref}})
	}
	return each
}

// Close ends the use of the message and the bodies in it.
func (f *Found) Close() error {
	if f.spool != nil {
		f.spool.Close()
		f.spool = nil
	}
	return f.Message.Close()
}

// Place returns the place of the message in its mailbox.
func (f *Found) Place() record.Place {
	if f.misnamed != "" {
		return record.OnServer(f.misnamed, 0, 0)
	}
	switch at := f.At.(type) {
	case *imapurl.URL:
		return record.OnServer(at.MailboxURL(), at.UIDValidity, at.UID)
	case *jmapurl.URL:
		return record.InAccount(at.MailboxURL(), at.ID)
	}
	return record.InFile(f.Message)
}

// UID returns the UID of a message on an IMAP server, and 0 for any other.
func (f *Found) UID() uint32 {
	if at, ok := f.At.(*imapurl.URL); ok {
		return at.UID
	}
	return 0
}

// Number returns the index of a message in its mailbox or its account, or its UID.
func (f *Found) Number() int {
	if uid := f.UID(); uid != 0 {
		return int(uid)
	}
	return f.Index
}

// Title names the message for people. For a message on a server it is a PATH; for one on an
// IMAP server it is the one of RFC 5092 section 5.
func (f *Found) Title() string {
	switch {
	case f.misnamed != "":
		return f.misnamed
	case f.At != nil:
		return f.At.String()
	}
	return Numbered(f.Path, f.Index)
}

// Numbered names a message for people by its path and its number there, which is from 0 on.
func Numbered(path string, index int) string {
	if path == "-" {
		path = "standard input,"
	}
	return fmt.Sprintf("%s message %d", path, index)
}

// Identify returns the identity of a message, and a stem for the names of its files.
// The stem depends only on the message. If only parts of a message on a server were
// read, it depends on the place of the message.
func (f *Found) Identify() (id record.Identity, stem string, err error) {
	id = record.Identify(f.whole)
	h := sha256.New()
	var r *io.SectionReader
	switch {
	case f.whole != nil && (f.At == nil || f.spool != nil):
		r = f.whole.Reader() // which may be in memory
	case f.At == nil:
		r = f.Reader()
	default:
		io.WriteString(h, f.Title())
		return id, Stem(h.Sum(nil)), nil
	}
	// The buffer is no larger than r.
	if _, err := io.Copy(h, io.LimitReader(r, r.Size())); err != nil {
		return id, "", err
	}
	sum := h.Sum(nil)
	id.Digest = hex.EncodeToString(sum)
	return id, Stem(sum), nil
}

// Stem returns the start of the names of the files of a message: 64 bits of a
// digest. If two messages have the same bits, the names of the second get numbers.
func Stem(sum []byte) string { return hex.EncodeToString(sum[:8]) }

// Unreadable reports that the message could not be read to its end: with asJSON as a
// record to out, otherwise as a sentence to errw.
func (f *Found) Unreadable(out, errw io.Writer, err error, asJSON bool) error {
	if asJSON {
		return record.NewFailure(f.Place(), err).WriteJSON(out)
	}
	_, err = fmt.Fprintf(errw, "extbody: %s: %s\n", show.Line(f.Title()), show.Line(err.Error()))
	return err
}
