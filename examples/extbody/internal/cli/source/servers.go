package source

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"iter"
	"net"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/spf13/pflag"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/login"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/pool"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/record"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/terminal"
	"github.com/go-extbody/extbody/examples/extbody/internal/mail/imapsession"
	"github.com/go-extbody/extbody/examples/extbody/internal/mail/imapurl"
	"github.com/go-extbody/extbody/examples/extbody/internal/mail/mailbox"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/imapbody"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/netguard"
	"github.com/go-extbody/extbody/internal/file/spool"
	"github.com/go-extbody/extbody/internal/imap/wire"
	"github.com/go-extbody/extbody/internal/link/redact"
)

// ServerFlags are the flags of commands that read mail on IMAP and JMAP servers.
type ServerFlags struct {
	Netrc           string
	passwordCommand string
	plaintext       *bool // a password may go to a server without TLS; nil means not

	// Unlimited lifts the limits on the cost of a session, for commands whose user owns
	// the mail on the server and wants all of it.
	Unlimited bool
}

// Flags adds the flags. plaintext is the flag of the policy if the command has one, or nil.
func (i *ServerFlags) Flags(f *pflag.FlagSet, plaintext *bool) {
	i.plaintext = plaintext
	if plaintext == nil {
		i.plaintext = f.Bool("allow-plaintext", false, "allow a password to be sent to a server without TLS")
	}
	f.StringVar(&i.Netrc, "netrc", "", "log in to IMAP and JMAP servers by the entries of `FILE`; get: also to the servers of references")
	f.StringVar(
		&i.passwordCommand, "password-command", "",
		"log in to an IMAP or JMAP server with the first line that the shell "+
			"command `CMD` writes: a password, or for a JMAP URL without a user a token",
	)
}

// limits returns the limits on the cost of a session.
func (i *ServerFlags) limits() imapsession.Limits {
	if i.Unlimited {
		return imapsession.NoLimits
	}
	return imapsession.Limits{}
}

// Servers reads mailboxes of IMAP servers, and accounts of JMAP servers.
type Servers struct {
	Flags *ServerFlags
	Ask   *terminal.Asker // nil: no questions
	Err   io.Writer       // for the password command
	Reading
	tls   *tls.Config   // nil is the default
	pause time.Duration // before a request of JMAP is sent again; 0 is the default

	// Guard judges the addresses of hosts that a JMAP server names. nil allows public ones. The user names the
	// server itself, so nobody judges its address.
	Guard *netguard.Guard

	// Resolve makes Servers read messages whole whose references may need them to be
	// resolved.
	Resolve bool
}

// messages yields the messages of a PATH, in the order of their mailboxes and UIDs. If
// only the standard form is read, those without a candidate for it are left out. With an
// error there may be References, from before the place of the error. An error about more
// than one message comes with the place of the mailbox. An error about one mailbox does not
// end the sequence if there are others. The receiver closes each message.
//
// The user names the server, so no guard judges its address.
func (s *Servers) messages(ctx context.Context, path record.Path) iter.Seq2[*Found, error] {
	return func(yield func(*Found, error) bool) {
		u, err := imapurl.Parse(path.Name)
		if err != nil {
			f := &Found{misnamed: redact.URL(path.Name), Message: &mailbox.Message{}}
			yield(f, &fetch.Error{Op: "read", Kind: fetch.Malformed, Err: err})
			return
		}
		if path.UID != 0 {
			u.UID = path.UID
		}
		session, err := imapsession.Open(ctx, s.config(u))
		if err != nil {
			yield(newRemote(u), imapError(err))
			return
		}
		defer session.Close()
		list := []imapsession.Mailbox{{Name: u.Mailbox}}
		if u.Mailbox == "" {
			list, err = session.Mailboxes(ctx)
		}
		for _, m := range list {
			box := *u
			box.Mailbox = m.Name
			err := m.Err
			if err == nil {
				err = session.Examine(ctx, m.Name, u.UIDValidity)
			}
			if err != nil {
				if !yield(newRemote(&box), imapError(err)) || ctx.Err() != nil {
					return
				}
				continue
			}
			if !s.mailbox(ctx, session, &box, yield) || ctx.Err() != nil {
				return
			}
		}
		if err != nil {
			yield(newRemote(u), imapError(err))
		}
	}
}

// mailbox yields the messages of the open mailbox u, or the one message that u names.
// It reports false if the caller wants no more.
func (s *Servers) mailbox(ctx context.Context, session *imapsession.Session, u *imapurl.URL, yield func(*Found, error) bool) bool {
	box := *u
	box.UID = 0
	box.UIDValidity = session.UIDValidity()
	sections := s.sections()
	messages := func(ctx context.Context) iter.Seq2[*imapsession.Message, error] {
		if u.UID != 0 {
			return session.Only(ctx, u.UID, sections.want)
		}
		return session.Sweep(ctx, sections.want)
	}
	if u.UID != 0 {
		box.UID = u.UID // errors concern the message
	}
	ahead, stop := context.WithCancel(ctx)
	defer stop()
	goesOn := true
	sections.swept(&box, messages(ahead), func(w *swept) {
		if !goesOn {
			return
		}
		err := w.err
		if err == nil && (!w.read || s.needsMessage(w.Found)) {
			err = s.read(ctx, session, w.m, w.Found)
		}
		if !yield(w.Found, imapError(err)) {
			goesOn = false
			stop()
		}
	})
	return goesOn
}

// swept gives the messages of the mailbox box in their order, with the references in
// their sections. The server answers on while the sections that came are read.
func (s *sections) swept(box *imapurl.URL, messages iter.Seq2[*imapsession.Message, error], give func(*swept)) {
	groups := func(yield func([]*swept) bool) {
		var g []*swept
		var octets int64 // of the sections
		for m, err := range messages {
			w := &swept{Found: newRemote(box), m: m, err: err}
			if err == nil {
				w.At = box.Message(m.UID)
				octets += m.Octets()
			}
			g = append(g, w)
			if len(g) < maxGroup && octets < maxGroupOctets {
				continue
			}
			if !yield(g) {
				return
			}
			g = nil
			octets = 0
		}
		yield(g)
	}
	pool.Run(pool.Options{Workers: runtime.GOMAXPROCS(0), Ordered: true, Lead: maxAhead}, pool.Each(groups), func(g []*swept) {
		for _, w := range g {
			if w.err == nil && !w.m.Whole {
				var err error
				w.whole, err = s.read(w.m)
				if err == nil {
					w.Refs = slices.Collect(w.whole.References())
					w.read = true
				}
			}
		}
	}, func(g []*swept) {
		for _, w := range g {
			give(w)
		}
	})
}

const (
	// maxAhead bounds the groups of messages that wait to be read or taken: 4 MiB.
	maxAhead = 32

	// The bounds of a group, which one goroutine reads.
	maxGroup       = 32 // messages
	maxGroupOctets = 128 << 10
)

// A swept is a message of a mailbox, or an error of the server.
type swept struct {
	*Found
	m    *imapsession.Message
	err  error
	read bool // the references are read
}

func (s *Servers) config(u *imapurl.URL) *imapsession.Config {
	return &imapsession.Config{
		Dial: func(ctx context.Context) (net.Conn, error) {
			return (&net.Dialer{KeepAlive: time.Minute}).DialContext(ctx, "tcp", u.Address())
		},
		Host:           u.Host,
		TLS:            s.tls,
		Implicit:       u.Implicit,
		AllowPlaintext: s.Flags.plaintext != nil && *s.Flags.plaintext,
		Login: func(ctx context.Context) (string, string, error) {
			info, err := s.logIn(ctx, fetch.Challenge{Scheme: u.Scheme(), Host: u.Host, Port: u.Port, User: u.User}, false)
			if err != nil {
				return "", "", err
			}
			u.User = info.User // the owner of the mailbox in records
			return info.User, info.Password, nil
		},
		Limits: s.Flags.limits(),
	}
}

// read reads the references of a message that is wanted whole, or of which the sections
// differ from the server's structure.
func (s *Servers) read(ctx context.Context, session *imapsession.Session, m *imapsession.Message, f *Found) error {
	f.Refs = nil
	f.whole = nil
	f.spool = new(spool.Spool)
	size, err := session.Fetch(ctx, m.UID, f.spool)
	if err != nil {
		f.Close()
		if m.Why != nil && !errors.Is(err, m.Why) {
			err = fmt.Errorf("%w (asked for because %w)", err, m.Why)
		}
		return err
	}
	return s.index(f, size)
}

// index reads the references of a message in its spool.
func (s *Servers) index(f *Found, size int64) (err error) {
	f.whole, err = externalbody.Open(f.spool, size, s.Options())
	if err != nil {
		f.Close()
		return err
	}
	f.Refs = slices.Collect(f.whole.References())
	if !s.Resolve {
		f.Close()
	}
	if err := f.whole.Incomplete(); err != nil {
		return &fetch.Error{Op: "read", Kind: fetch.TooLarge, Err: err}
	}
	return nil
}

// needsMessage reports whether the message must be read whole. It must to resolve a
// reference that leads into the message or is relative to a base in it.
func (s *Servers) needsMessage(f *Found) bool {
	if !s.Resolve {
		return false
	}
	for _, ref := range f.Refs {
		if ref.InMessage() {
			return true
		}
		if ref.AccessType != "url" {
			continue
		}
		u, err := ref.Locate()
		if err != nil || !u.IsAbs() {
			return true
		}
		if u.Scheme == "cid" || u.Scheme == "mid" {
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
	for _, k := range imapKinds {
		if errors.Is(err, k.err) {
			return &fetch.Error{Op: "read", Kind: k.kind, Err: err}
		}
	}
	return &fetch.Error{Op: "read", Kind: fetch.Local, Err: err}
}

// imapKinds are the Kinds of errors. The first that fits counts.
var imapKinds = []struct {
	err  error
	kind fetch.Kind
}{
	{context.Canceled, fetch.Canceled},
	{context.DeadlineExceeded, fetch.Unavailable},
	{imapsession.ErrBudget, fetch.Deferred},
	{wire.ErrUntrusted, fetch.Untrusted},
	{wire.ErrCredentials, fetch.Credentials},
	{wire.ErrNotFound, fetch.NotFound},
	{wire.ErrForbidden, fetch.Forbidden},
	{imapsession.ErrChanged, fetch.NotFound},
	{imapsession.ErrGone, fetch.NotFound},
	{imapsession.ErrTooLarge, fetch.TooLarge},
	{wire.ErrProtocol, fetch.Protocol},
	{wire.ErrUnavailable, fetch.Unavailable},
}

// logIn returns who logs in to a server. It asks the first that there is: the first line of the
// password command, the netrc file, the terminal. If no user is named, tokens means that the line is a token,
// and otherwise it is an error.
func (s *Servers) logIn(ctx context.Context, c fetch.Challenge, tokens bool) (*fetch.Userinfo, error) {
	if s.Flags.passwordCommand != "" {
		if c.User == "" && !tokens {
			return nil, login.ErrNoUser
		}
		text, err := login.Command(ctx, s.Flags.passwordCommand, nil, s.Err)
		if err != nil {
			return nil, fmt.Errorf("--password-command: %w", err)
		}
		line, _, _ := strings.Cut(string(text), "\n")
		line = strings.TrimSuffix(line, "\r")
		if line == "" {
			return nil, login.ErrNoPassword
		}
		if c.User == "" {
			return &fetch.Userinfo{Token: line}, nil
		}
		return &fetch.Userinfo{User: c.User, Password: line}, nil
	}
	if s.Flags.Netrc != "" {
		user, password, err := login.Netrc(s.Flags.Netrc, c.Host, c.User, true)
		return &fetch.Userinfo{User: user, Password: password}, err
	}
	if s.Ask == nil {
		return nil, login.ErrNoPassword
	}
	info, err := s.Ask.Credentials(ctx, c)
	if err == nil && info == nil {
		err = login.ErrNoPassword
	}
	return info, err
}

// A sections says which sections of the messages of a mailbox may hold references, and
// reads them. Several goroutines may call its methods at once.
type sections struct {
	opts *externalbody.OpenOptions

	opened, misjudged atomic.Int64 // messages, and those whose sections were not as expected
}

func (s *Servers) sections() *sections { return &sections{opts: s.Options()} }

// want is an imapsession.Want. The Plan of a message is the size that counts for it.
func (s *sections) want(bs imap.BodyStructure, size int64) imapsession.Wanted {
	if s.wrongSizes() {
		size = 0
	}
	w := wanted{imapsession.Wanted{Plan: size}}
	imapbody.Open(context.Background(), &w, imapbody.GoIMAP(bs), size, s.opts) // its error is that w gives nothing
	return w.Wanted
}

// wrongSizes reports whether so many messages were misjudged that the sizes of the
// server seem to be wrong. Each of those is read whole, however large it is.
func (s *sections) wrongSizes() bool {
	n := s.misjudged.Load()
	return n > 16 && n > s.opened.Load()/16
}

// read returns a message from the sections that were fetched.
func (s *sections) read(m *imapsession.Message) (*externalbody.Message, error) {
	size, _ := m.Plan.(int64)
	s.opened.Add(1)
	msg, err := imapbody.Open(context.Background(), fetched{m}, imapbody.GoIMAP(m.Structure), size, s.opts)
	if err != nil {
		s.misjudged.Add(1)
	}
	return msg, err
}

// A wanted is an imapbody.Source that notes the items it is asked for, and gives nothing.
type wanted struct{ imapsession.Wanted }

func (w *wanted) Sections(_ context.Context, sections []imapbody.Section) ([][]byte, error) {
	for _, section := range sections {
		w.Wanted.Sections = append(w.Wanted.Sections, section.Item())
	}
	return nil, externalbody.ErrWholeMessage
}

func (w *wanted) Whole(context.Context) (io.ReaderAt, int64, error) {
	w.Wanted.Whole = true
	return nil, 0, externalbody.ErrWholeMessage
}

// A fetched is an imapbody.Source of the sections that were fetched.
type fetched struct{ m *imapsession.Message }

func (f fetched) Sections(_ context.Context, sections []imapbody.Section) ([][]byte, error) {
	var octets [][]byte
	for _, section := range sections {
		found := f.m.Section(section.Item())
		if section.Offset > 0 {
			// The session has seen that there is no more.
			found = found[min(section.Offset, int64(len(found))):]
		}
		octets = append(octets, found)
	}
	return octets, nil
}

func (f fetched) Whole(context.Context) (io.ReaderAt, int64, error) {
	return nil, 0, externalbody.ErrWholeMessage
}
