package source

import (
	"context"
	"iter"
	"net"
	"slices"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/record"
	"github.com/go-extbody/extbody/examples/extbody/internal/mail/jmapsession"
	"github.com/go-extbody/extbody/examples/extbody/internal/mail/jmapurl"
	"github.com/go-extbody/extbody/examples/extbody/internal/mail/mailbox"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/netguard"
	"github.com/go-extbody/extbody/internal/link/redact"
)

// openJMAP opens the account that a URL names.
func (s *Servers) openJMAP(ctx context.Context, u *jmapurl.URL) (*jmapsession.Session, error) {
	guard := s.Guard
	if guard == nil {
		guard = new(netguard.Guard)
	}
	return jmapsession.Open(ctx, &jmapsession.Config{
		URL:            u.Session(),
		Account:        u.Account,
		Dial:           (&net.Dialer{KeepAlive: time.Minute}).DialContext,
		DialOther:      guard.WithPorts(443).DialContext,
		TLS:            s.tls,
		Pause:          s.pause,
		AllowPlaintext: s.Flags.plaintext != nil && *s.Flags.plaintext,
		Login: func(ctx context.Context, methods []string) (*fetch.Userinfo, error) {
			info, err := s.logIn(ctx, fetch.Challenge{Scheme: u.Scheme(), Host: u.Host, Port: u.Port, User: u.User, Methods: methods}, true)
			if err != nil {
				return nil, err
			}
			if info.User != "" {
				u.User = info.User // the owner of the account in records
			}
			if info.Token == "" && slices.Equal(methods, []string{"bearer"}) {
				info = &fetch.Userinfo{Token: info.Password} // the server takes nothing else
			}
			return info, nil
		},
	})
}

// emails yields the messages of a PATH, in the order in which they were received. With an error there may
// be References, from before the place of the error. An error about more than one message comes with the
// place of the account. The receiver closes each message.
func (s *Servers) emails(ctx context.Context, path record.Path) iter.Seq2[*Found, error] {
	return func(yield func(*Found, error) bool) {
		u, err := jmapurl.Parse(path.Name)
		if err != nil {
			f := &Found{misnamed: redact.URL(path.Name), Message: &mailbox.Message{}}
			yield(f, &fetch.Error{Op: "read", Kind: fetch.Malformed, Err: err})
			return
		}
		if path.EmailID != "" {
			u.ID = path.EmailID
		}
		session, err := s.openJMAP(ctx, u)
		if err != nil {
			yield(newRemote(u), err)
			return
		}
		defer session.Close()
		ids := []string{u.ID}
		unlisted := int64(0)
		if u.ID == "" {
			ids, unlisted, err = listedIDs(ctx, session, u)
		}
		if err != nil {
			yield(newRemote(u), err)
			return
		}
		s.account(ctx, session, u, ids, yield, unlisted)
	}
}

// listedIDs returns the ids of the messages of the place that a URL names.
func listedIDs(ctx context.Context, session *jmapsession.Session, u *jmapurl.URL) ([]string, int64, error) {
	f, err := filterOf(ctx, session, u)
	if err != nil {
		return nil, 0, err
	}
	return session.IDs(ctx, f)
}

func filterOf(ctx context.Context, session *jmapsession.Session, u *jmapurl.URL) (*jmapsession.Filter, error) {
	if u.Mailbox == nil {
		return new(jmapsession.Filter), nil
	}
	boxes, err := session.Mailboxes(ctx)
	if err != nil {
		return nil, err
	}
	id, err := boxes.Find(u.Mailbox)
	return &jmapsession.Filter{Mailbox: id}, err
}

// account yields the messages with some ids.
func (s *Servers) account(
	ctx context.Context, session *jmapsession.Session, u *jmapurl.URL, ids []string, yield func(*Found, error) bool, unlisted int64,
) {
	number := 0
	ended := download(ctx, session, ids, func(d *downloaded) {
		d.found = newRemote(u.Message(d.ID))
		d.found.spool = d.text
		d.err = s.index(d.found, d.text.Size())
	}, func(d *downloaded) bool {
		if d.found == nil {
			d.text.Close()
			d.found = newRemote(u.Message(d.ID))
		}
		d.found.Index = number
		number = number + 1
		return yield(d.found, d.err)
	})
	switch {
	case ended == errEnough:
	case ended == nil && number == 0 && u.ID != "":
		yield(newRemote(u), &fetch.Error{Op: "read", Kind: fetch.NotFound, Err: jmapsession.ErrGone})
	case ended != nil:
		yield(newRemote(u.Message("")), ended)
	case unlisted > 0:
		yield(newRemote(u.Message("")), unlistedError(unlisted))
	}
}
