package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"iter"
	"net"
	"slices"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/spf13/pflag"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/imapbody"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/imapsession"
	"github.com/go-extbody/extbody/internal/mailbox"
	"github.com/go-extbody/extbody/internal/redact"
)

// imapFlags are the flags of the commands that read mailboxes of IMAP servers.
type imapFlags struct {
	netrc           string
	passwordCommand string
	plaintext       *bool // a password may go to a server without TLS; nil: it may not
}

// flags adds the flags. plaintext is the one of the policy, if the command has
// that already, and nil otherwise.
func (i *imapFlags) flags(f *pflag.FlagSet, plaintext *bool) {
	if i.plaintext = plaintext; plaintext == nil {
		i.plaintext = f.Bool("allow-plaintext", false, "allow to send a password to a server that has no TLS")
	}
	f.StringVar(&i.netrc, "netrc", "", "log in to an IMAP server as `FILE` says")
	f.StringVar(&i.passwordCommand, "password-command", "", "log in to an IMAP server with the first line that the shell command `CMD` writes")
}

// An imapSource reads mailboxes of IMAP servers.
type imapSource struct {
	flags *imapFlags
	ask   *asker    // nil: nobody is asked
	err   io.Writer // of the password command
	reading
	tls *tls.Config // nil is the default

	// resolve says that the references will be resolved: a message that they
	// may need for that is read whole.
	resolve bool
}

// messages yields those messages of a mailbox that refer to something, in the
// order of their UIDs. With an error there may be References, of what is before
// the place where it is. An error that is for more than one message comes with
// an Index of 0. The receiver closes each message.
//
// The server is one that the user names, so that no guard judges its address.
func (s *imapSource) messages(ctx context.Context, path string) iter.Seq2[*found, error] {
	return func(yield func(*found, error) bool) {
		u, err := parseIMAPURL(path)
		if err != nil {
			yield(&found{remote: true, Message: &mailbox.Message{Path: redact.URL(path)}}, &fetch.Error{Op: "read", Kind: fetch.Malformed, Err: err})
			return
		}
		session, err := imapsession.Open(ctx, s.config(u))
		if err != nil {
			yield(&found{remote: true, Message: &mailbox.Message{Path: u.String()}}, imapError(err))
			return
		}
		defer session.Close()
		u.uidValidity = session.UIDValidity()
		for m, err := range session.Sweep(ctx, s.wanted) {
			f := &found{remote: true, Message: &mailbox.Message{Path: u.String()}}
			if err == nil {
				f.Index = int(m.UID)
				err = s.read(ctx, session, m, f)
			}
			if err == nil && len(f.refs) == 0 {
				f.Close()
				continue
			}
			if !yield(f, imapError(err)) {
				return
			}
		}
	}
}

func (s *imapSource) config(u *imapURL) *imapsession.Config {
	return &imapsession.Config{
		Dial: func(ctx context.Context) (net.Conn, error) {
			return (&net.Dialer{KeepAlive: time.Minute}).DialContext(ctx, "tcp", u.address())
		},
		Host:           u.host,
		TLS:            s.tls,
		Implicit:       u.implicit,
		AllowPlaintext: s.flags.plaintext != nil && *s.flags.plaintext,
		Login: func(ctx context.Context) (string, string, error) {
			user, password, err := s.logIn(ctx, u)
			if err == nil {
				u.user = user // whose mailbox the records name
			}
			return user, password, err
		},
		Mailbox:     u.mailbox,
		UIDValidity: u.uidValidity,
	}
}

// wanted is an imapsession.Want for what may hold references.
func (s *imapSource) wanted(bs imap.BodyStructure) (sections []*imap.FetchItemBodySection, whole bool) {
	if len(s.dialects.list) > 0 {
		skeleton := imapbody.NewSkeleton(bs, s.options())
		return skeleton.Items(), skeleton.Whole
	}
	for c := range imapbody.Candidates(bs) {
		if c.Whole {
			return nil, true
		}
		for _, item := range c.Items() {
			item.Partial = nil // the session fetches no more than there should be
			sections = append(sections, item)
		}
	}
	return sections, false
}

// read reads the references of a message. What is not as the server says in its
// structure is looked at in the message itself.
func (s *imapSource) read(ctx context.Context, session *imapsession.Session, m *imapsession.Message, f *found) error {
	if !m.Whole && s.readSections(m, f) == nil && !s.needsMessage(f) {
		return nil
	}
	f.refs, f.whole = nil, nil
	f.spool = new(remoteSpool)
	size, err := session.Fetch(ctx, m.UID, f.spool)
	if err != nil {
		f.Close()
		if m.Why != nil && !errors.Is(err, m.Why) {
			err = fmt.Errorf("%w (asked for because %w)", err, m.Why)
		}
		return err
	}
	f.whole, err = externalbody.Open(f.spool.reader(), size, s.options())
	if err != nil {
		f.Close()
		return err
	}
	f.refs = slices.Collect(f.whole.References())
	if !s.resolve {
		f.Close()
	}
	if err := f.whole.Incomplete(); err != nil {
		return &fetch.Error{Op: "read", Kind: fetch.TooLarge, Err: err}
	}
	return nil
}

// readSections reads the references of a message of which the sections were
// fetched.
func (s *imapSource) readSections(m *imapsession.Message, f *found) (err error) {
	if len(s.dialects.list) > 0 {
		if f.whole, err = imapbody.NewSkeleton(m.Structure, s.options()).Open(m.Section); err == nil {
			f.refs = slices.Collect(f.whole.References())
		}
		return err
	}
	for c := range imapbody.Candidates(m.Structure) {
		more, err := c.References(m.Section)
		if err != nil {
			return err
		}
		f.refs = append(f.refs, more...)
	}
	return nil
}

// needsMessage reports whether the message has to be read whole: to resolve a
// reference that leads into the message or is relative to a base in it, and, if
// only candidates were read, to find which references stand for the same if there
// are several, and to be strict.
func (s *imapSource) needsMessage(f *found) bool {
	if f.whole == nil && s.strict {
		return true
	}
	if !s.resolve {
		return false
	}
	if f.whole == nil && len(f.refs) > 1 {
		return true
	}
	for _, ref := range f.refs {
		if ref.AccessType == "content-id" {
			return true
		}
		if u, err := ref.Locate(); ref.AccessType == "url" && (err != nil || u.Scheme == "cid" || u.Scheme == "mid" || !u.IsAbs()) {
			return true
		}
	}
	return false
}

// imapError gives an error of a session its Kind.
func imapError(err error) error {
	if err == nil {
		return nil
	}
	if _, ok := errors.AsType[*fetch.Error](err); ok {
		return err
	}
	kind := fetch.Local
	for _, k := range imapKinds {
		if errors.Is(err, k.err) {
			kind = k.kind
			break
		}
	}
	return &fetch.Error{Op: "read", Kind: kind, Err: err}
}

// imapKinds are the Kinds of errors, the first that fits counting.
var imapKinds = []struct {
	err  error
	kind fetch.Kind
}{
	{context.Canceled, fetch.Canceled},
	{context.DeadlineExceeded, fetch.Unavailable},
	{imapsession.ErrUntrusted, fetch.Untrusted},
	{imapsession.ErrCredentials, fetch.Credentials},
	{imapsession.ErrNoMailbox, fetch.NotFound},
	{imapsession.ErrChanged, fetch.NotFound},
	{imapsession.ErrGone, fetch.NotFound},
	{imapsession.ErrTooLarge, fetch.TooLarge},
	{imapsession.ErrProtocol, fetch.Protocol},
	{imapsession.ErrUnavailable, fetch.Unavailable},
}
