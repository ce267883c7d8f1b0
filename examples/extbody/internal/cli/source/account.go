package source

import (
	"context"
	"errors"
	"io"
	"iter"
	"strings"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/exit"
	"github.com/go-extbody/extbody/examples/extbody/internal/mail/jmapsession"
	"github.com/go-extbody/extbody/examples/extbody/internal/mail/jmapurl"
)

// A jmapAccount is an account of a JMAP server, or a mailbox of it, as a source of an archive. A message is known by its
// id, whatever mailboxes it is in, moves to or is copied to.
type jmapAccount struct {
	source  *Servers
	session *jmapsession.Session
	url     jmapurl.URL
	err     error // why the account cannot be read
	since   time.Time
	mark    *archive.Mark // nil without one

	boxes   jmapsession.Mailboxes // nil if they were not asked for
	exists  int64
	state   string
	resumed bool
}

// archivedAccount returns the account or mailbox that a URL names.
func (s *Servers) archivedAccount(ctx context.Context, path string, since time.Time) ([]archive.Source, func(), error) {
	u, err := jmapurl.Parse(path)
	if err == nil && u.ID != "" {
		err = errors.New("this is the URL of a message: give the URL of an account or a mailbox")
	}
	if err != nil {
		return nil, func() {}, exit.Mistake(err)
	}
	a := &jmapAccount{source: s, since: since, exists: -1}
	stop := func() {}
	a.session, a.err = s.openJMAP(ctx, u)
	if a.err == nil {
		stop = a.session.Close
	}
	a.url = *u
	return []archive.Source{a}, stop, nil
}

// Name implements archive.Source.
func (a *jmapAccount) Name() string { return a.url.String() }

// Exists implements archive.Source. An account has no UIDVALIDITY.
func (a *jmapAccount) Exists() (int64, uint32) { return a.exists, 0 }

// Resume implements archive.Resumable.
func (a *jmapAccount) Resume(m archive.Mark) { a.mark = &m }

// State implements archive.Resumable.
func (a *jmapAccount) State() (string, bool) { return a.state, a.resumed }

// sighting returns the place of a message.
func (a *jmapAccount) sighting(id string) archive.Sighting {
	return archive.Sighting{Source: a.Name(), EmailID: id}
}

// item returns a message without its octets.
func (a *jmapAccount) item(id string) *archive.Item { return archive.NewItem(a.sighting(id), nil, nil) }

// Messages implements archive.Source. It asks only for messages that were not seen before or have to be read
// again. If the server knows the changes since the Mark, it asks for no ids of others either.
func (a *jmapAccount) Messages(ctx context.Context, known func(*archive.Sighting) archive.Known) iter.Seq2[*archive.Item, error] {
	return func(yield func(*archive.Item, error) bool) {
		ids, gone, unlisted, err := a.ids(ctx, known)
		wanted := ids
		older := map[string]bool(nil)
		if err == nil {
			wanted, older, err = a.wanted(ctx, ids, known)
		}
		if err == nil && len(wanted) > 0 {
			err = a.names(ctx)
		}
		if err != nil {
			yield(a.item(""), err)
			return
		}
		for _, id := range gone {
			it := a.item(id)
			it.Gone = true
			if !yield(it, nil) {
				return
			}
		}
		for _, id := range ids {
			it := a.item(id)
			at := it.Sighting
			it.Older = older[id]
			if it.Older || known(&at) == archive.Seen {
				if !yield(it, nil) {
					return
				}
			}
		}
		given := 0
		err = download(ctx, a.session, wanted, func(*downloaded) {}, func(d *downloaded) bool {
			given++
			return yield(a.whole(d), d.err)
		})
		switch {
		case err == errEnough:
			return
		case err == nil && unlisted > 0:
			err = unlistedError(unlisted)
		}
		if err != nil {
			yield(a.item(""), err)
			return
		}
		a.exists -= int64(len(wanted) - given) // they were removed meanwhile
	}
}

// whole returns a message with its octets.
func (a *jmapAccount) whole(d *downloaded) *archive.Item {
	at := a.sighting(d.ID)
	for _, id := range d.Mailboxes {
		if names := a.boxes.Names(id); names != nil {
			at.Mailboxes = append(at.Mailboxes, strings.Join(names, "/"))
		}
	}
	it := archive.NewItem(at, func() (*io.SectionReader, error) { return d.text.Section(), nil }, func() { d.text.Close() })
	it.Arrived = d.Received
	return it
}

// names asks for the mailboxes, once.
func (a *jmapAccount) names(ctx context.Context) (err error) {
	if a.boxes == nil {
		a.boxes, err = a.session.Mailboxes(ctx)
	}
	return err
}

// ids returns the ids of the messages to look at: those that are new since the Mark, or all. gone are those that
// were seen and are not there any more.
func (a *jmapAccount) ids(
	ctx context.Context, known func(*archive.Sighting) archive.Known,
) (ids, gone []string, unlisted int64, err error) {
	if a.err != nil {
		return nil, nil, 0, a.err
	}
	filter := new(jmapsession.Filter)
	if a.url.Mailbox != nil {
		if err := a.names(ctx); err != nil {
			return nil, nil, 0, err
		}
		filter.Mailbox, err = a.boxes.Find(a.url.Mailbox)
		if err != nil {
			return nil, nil, 0, err
		}
	}
	if a.mark != nil {
		ids, gone, err = a.changed(ctx, filter, known)
		if err != nil || a.resumed {
			return ids, gone, 0, err
		}
	}
	// A message that comes after the state was asked for is a change since then.
	state, err := a.session.State(ctx)
	if err != nil {
		return nil, nil, 0, err
	}
	if len(state) <= maxState {
		a.state = state
	}
	ids, unlisted, err = a.session.IDs(ctx, filter)
	a.exists = int64(len(ids)) + unlisted
	return ids, nil, unlisted, err
}

// maxState bounds a state that a line has, in octets.
const maxState = 1000

// changed finds out the changes since the Mark. It sets resumed if the server knows them, and if it then has as many
// messages as there should be. Of a mailbox it has to be none: the server says nothing about the
// mailboxes that a message left.
func (a *jmapAccount) changed(
	ctx context.Context, filter *jmapsession.Filter, known func(*archive.Sighting) archive.Known,
) (fresh, gone []string, err error) {
	c, err := a.session.Changes(ctx, a.mark.State)
	switch {
	case errors.Is(err, jmapsession.ErrState):
		return nil, nil, nil
	case err != nil:
		return nil, nil, err
	case filter.Mailbox != "" && (c.Updated || len(c.Created)+len(c.Destroyed) > 0), len(c.State) > maxState:
		return nil, nil, nil
	}
	for _, id := range c.Created {
		if at := a.sighting(id); known(&at) == archive.Unseen {
			fresh = append(fresh, id)
		}
	}
	for _, id := range c.Destroyed {
		if at := a.sighting(id); known(&at) != archive.Unseen {
			gone = append(gone, id)
		}
	}
	there := a.mark.Messages + int64(len(fresh)-len(gone))
	total, err := a.session.Total(ctx, filter)
	if err != nil || total >= 0 && total != there {
		return nil, nil, err
	}
	a.exists = there
	a.state = c.State
	a.resumed = true
	return fresh, gone, nil
}

// wanted returns the ids of the messages that have to be read, and the ids of messages that were received before the
// time that the user gave.
func (a *jmapAccount) wanted(
	ctx context.Context, ids []string, known func(*archive.Sighting) archive.Known,
) (wanted []string, older map[string]bool, err error) {
	var unseen bool
	state := func(id string) archive.Known {
		at := a.sighting(id)
		return known(&at)
	}
	for _, id := range ids {
		if k := state(id); k != archive.Seen {
			wanted = append(wanted, id)
			unseen = unseen || k == archive.Unseen
		}
	}
	if a.since.IsZero() || !unseen {
		return wanted, nil, nil
	}
	late, _, err := a.session.IDs(ctx, &jmapsession.Filter{Since: a.since})
	if err != nil {
		return nil, nil, err
	}
	later := make(map[string]bool, len(late))
	for _, id := range late {
		later[id] = true
	}
	older = make(map[string]bool)
	taken := wanted[:0]
	for _, id := range wanted {
		if !later[id] && state(id) == archive.Unseen {
			older[id] = true
		} else {
			taken = append(taken, id)
		}
	}
	return taken, older, nil
}
