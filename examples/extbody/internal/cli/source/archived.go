package source

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/exit"
	"github.com/go-extbody/extbody/examples/extbody/internal/mail/imapsession"
	"github.com/go-extbody/extbody/examples/extbody/internal/mail/imapurl"
	"github.com/go-extbody/extbody/examples/extbody/internal/mail/jmapurl"
	"github.com/go-extbody/extbody/internal/file/spool"
	"github.com/go-extbody/extbody/internal/imap/wire"
	"github.com/go-extbody/extbody/internal/wording"
)

// An imapBox is a mailbox of an IMAP server as a source of an archive.
type imapBox struct {
	source  *Servers
	session *imapsession.Session // it opens one mailbox after the other
	url     imapurl.URL          // without UIDVALIDITY
	err     error                // why its name cannot be sent to the server
	all     bool
	since   time.Time
	exists  int64
	valid   uint32
	ids     map[uint32]string // the EmailIDs of the messages that are looked at, by UID
}

// Archived returns the mailboxes that a URL names, or the account of a JMAP server, and a function that
// ends their use. It opens a lost Session again.
//
// With all, messages without references have their octets too. Messages received before
// since count as older, and have no octets.
func (s *Servers) Archived(ctx context.Context, path string, all bool, since time.Time) (boxes []archive.Source, stop func(), err error) {
	stop = func() {}
	if jmapurl.Is(path) {
		return s.archivedAccount(ctx, path, since)
	}
	u, err := imapurl.Parse(path)
	if err != nil {
		return nil, stop, exit.Mistake(err)
	}
	if u.UID != 0 {
		return nil, stop, exit.Mistake(errors.New("this is the URL of a message: give the URL of a mailbox or a server"))
	}
	session, err := imapsession.Open(ctx, s.config(u))
	list := []imapsession.Mailbox{{Name: u.Mailbox}}
	if err == nil && u.Mailbox == "" {
		list, err = session.Mailboxes(ctx)
		if err != nil {
			session.Close()
		}
	}
	if err != nil {
		// Other sources can be read nevertheless.
		return []archive.Source{&imapBox{url: *u, err: err, exists: -1}}, stop, nil
	}
	for _, m := range list {
		box := &imapBox{source: s, session: session, url: *u, err: m.Err, all: all, since: since, exists: -1}
		box.url.Mailbox = m.Name
		box.valid = u.UIDValidity
		box.url.UIDValidity = 0 // it may change while the mailbox is the same
		boxes = append(boxes, box)
	}
	return boxes, session.Close, nil
}

// Name implements archive.Source.
func (b *imapBox) Name() string { return b.url.String() }

// Exists implements archive.Source.
func (b *imapBox) Exists() (int64, uint32) { return b.exists, b.valid }

// sighting returns the place of a message.
func (b *imapBox) sighting(uid uint32) archive.Sighting {
	return archive.Sighting{Source: b.Name(), UIDValidity: b.valid, UID: uid, EmailID: b.ids[uid]}
}

// item returns a message with its octets, or without if text is nil.
func (b *imapBox) item(uid uint32, text *spool.Spool) *archive.Item {
	if text == nil {
		return archive.NewItem(b.sighting(uid), nil, nil)
	}
	return archive.NewItem(b.sighting(uid), func() (*io.SectionReader, error) { return text.Section(), nil }, func() { text.Close() })
}

// Messages implements archive.Source. It asks nothing about messages that were seen
// before and need not be read again.
func (b *imapBox) Messages(ctx context.Context, known func(*archive.Sighting) archive.Known) iter.Seq2[*archive.Item, error] {
	return func(yield func(*archive.Item, error) bool) {
		err := b.err
		if err == nil {
			err = b.session.Examine(ctx, b.url.Mailbox, b.valid)
		}
		if err != nil {
			yield(b.item(0, nil), imapError(err))
			return
		}
		b.valid = b.session.UIDValidity()
		b.exists = b.session.Exists()
		uids, unlisted, err := b.session.UIDs(ctx)
		if err != nil {
			yield(b.item(0, nil), imapError(err))
			return
		}
		b.exists = int64(len(uids)) + unlisted
		var fresh, outdated []uint32
		for _, uid := range uids {
			at := b.sighting(uid)
			switch known(&at) {
			case archive.Unseen:
				fresh = append(fresh, uid)
			case archive.Outdated:
				outdated = append(outdated, uid)
			default:
				if !yield(b.item(uid, nil), nil) {
					return
				}
			}
		}
		for part := range slices.Chunk(fresh, idWindow) {
			if !b.fresh(ctx, part, known, yield) {
				return
			}
		}
		b.ids = nil
		if !b.read(ctx, outdated, yield) {
			return
		}
		if unlisted > 0 {
			yield(b.item(0, nil), imapError(fmt.Errorf(
				"%w: the mailbox has %s that the server does not list", wire.ErrProtocol, wording.Count(unlisted, "message"),
			)))
		}
	}
}

// idWindow is how many messages are looked at by their EmailIDs at a time.
const idWindow = 10_000

// fresh yields messages that were not seen in the mailbox before, and reports whether to go on. It reads those that were
// not seen in another mailbox either, where the server has ids for messages: a message that is moved, copied or
// labelled is the same, as are all of a mailbox with another name or UIDVALIDITY.
func (b *imapBox) fresh(
	ctx context.Context, uids []uint32, known func(*archive.Sighting) archive.Known, yield func(*archive.Item, error) bool,
) bool {
	ids, err := b.session.EmailIDs(ctx, uids)
	if err != nil {
		yield(b.item(0, nil), imapError(err))
		return false
	}
	b.ids = ids
	unseen := make([]uint32, 0, len(uids))
	for _, uid := range uids {
		if at := b.sighting(uid); known(&at) != archive.Elsewhere {
			unseen = append(unseen, uid)
		} else if !yield(b.item(uid, nil), nil) {
			return false
		}
	}
	wanted := unseen
	if !b.since.IsZero() {
		// A server compares days, in its own time zone.
		wanted, err = b.session.Since(ctx, unseen, b.since.Add(-24*time.Hour))
		if err != nil {
			yield(b.item(0, nil), imapError(err))
			return false
		}
	}
	for _, uid := range unseen {
		if _, ok := slices.BinarySearch(wanted, uid); ok {
			continue
		}
		it := b.item(uid, nil)
		it.Older = true
		if !yield(it, nil) {
			return false
		}
	}
	return b.read(ctx, wanted, yield)
}

// read reads and yields messages, and reports whether to go on.
func (b *imapBox) read(ctx context.Context, uids []uint32, yield func(*archive.Item, error) bool) bool {
	next := 0
	// Messages of which nothing is wanted hold no references.
	plain := func(before uint32) bool {
		for ; next < len(uids) && uids[next] < before; next++ {
			if !yield(b.item(uids[next], nil), nil) {
				return false
			}
		}
		return true
	}
	sections := b.source.sections()
	messages := b.session.Some(ctx, uids, sections.want)
	if b.all {
		messages = func(yield func(*imapsession.Message, error) bool) {
			for _, uid := range uids {
				if !yield(&imapsession.Message{UID: uid, Whole: true}, nil) {
					return
				}
			}
		}
	}
	for m, err := range messages {
		if err != nil {
			if u, ok := errors.AsType[*imapsession.Unread](err); ok && u.First > 0 {
				plain(u.First)
			}
			yield(b.item(0, nil), imapError(err))
			return false
		}
		if !plain(m.UID) {
			return false
		}
		next++
		it, err := b.message(ctx, m, sections)
		if errors.Is(err, imapsession.ErrGone) {
			b.exists-- // it was removed meanwhile
			continue
		}
		if failed := b.session.Failed(); err != nil && failed != nil {
			it.Close()
			yield(b.item(0, nil), imapError(failed))
			return false
		}
		if !yield(it, imapError(err)) {
			return false
		}
	}
	return plain(^uint32(0))
}

// message returns a message, with its octets if it has references or all are wanted.
func (b *imapBox) message(ctx context.Context, m *imapsession.Message, sections *sections) (*archive.Item, error) {
	why := m.Why
	if !m.Whole {
		msg, err := sections.read(m)
		if err == nil && len(slices.Collect(msg.References())) == 0 {
			it := b.item(m.UID, nil)
			it.Unread = slices.Collect(msg.Unread())
			return it, nil
		}
		why = err
	}
	text := new(spool.Spool)
	arrived, err := b.session.FetchDated(ctx, m.UID, text)
	if err != nil {
		text.Close()
		return b.item(m.UID, nil), err
	}
	it := b.item(m.UID, text)
	it.Refetched = why != nil
	it.Arrived = arrived
	return it, nil
}

// Mailbox opens the mailbox that a URL names, for messages that are added to it. The caller closes the Session.
func (s *Servers) Mailbox(ctx context.Context, path string) (*imapsession.Session, error) {
	u, err := imapurl.Parse(path)
	switch {
	case err != nil:
		return nil, exit.Mistake(err)
	case u.UID != 0 || u.Mailbox == "":
		return nil, exit.Mistake(errors.New("give the URL of one mailbox"))
	}
	session, err := imapsession.Open(ctx, s.config(u))
	if err != nil {
		return nil, imapError(err)
	}
	if err := session.Examine(ctx, u.Mailbox, u.UIDValidity); err != nil {
		session.Close()
		return nil, imapError(err)
	}
	return session, nil
}
