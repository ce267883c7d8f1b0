package imapsession

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/go-extbody/extbody/internal/imap/wire"
)

// A Want chooses the sections of a message, from its BODYSTRUCTURE and its RFC822.SIZE.
// The size is 0 if the server does not send it.
type Want func(structure imap.BodyStructure, size int64) Wanted

// A Wanted is the choice for a message: sections, or the message as a whole. The
// zero Wanted is nothing.
type Wanted struct {
	Sections []*imap.FetchItemBodySection
	Whole    bool
	Plan     any // for the caller, who finds it in the Message
}

// Sweep yields the messages of the mailbox of which something is wanted, in the order
// of their UIDs, with their sections or with Whole set. It leaves out messages that
// arrived after the mailbox was opened, and messages that were removed meanwhile.
//
// While the caller is busy with some messages, the next ones are asked for.
//
// An error ends the sequence, and has no Message. It is an [Unread] if it is
// known how many messages were not read. All the others were.
func (s *Session) Sweep(ctx context.Context, want Want) iter.Seq2[*Message, error] {
	return func(yield func(*Message, error) bool) {
		s.gone = nil
		uids, unlisted, err := s.UIDs(ctx)
		if err != nil {
			yield(nil, err)
			return
		}
		s.some(ctx, uids, unlisted, want, yield)
	}
}

// missed returns an error if there are messages that were not read. These are the
// unlisted ones, and the ones that the server did not send, but lists again when the
// mailbox is opened anew: they were not removed.
func (s *Session) missed(ctx context.Context, unlisted int64) error {
	u := &Unread{N: unlisted, Err: wire.NewFault(wire.ErrProtocol, errNotListed)}
	if len(s.gone) > 0 {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.drop()
		uids, unlisted, err := s.listed(ctx)
		if err != nil {
			return newUnread(nil, s.gone, u.N, err)
		}
		slices.Sort(s.gone)
		there := slices.DeleteFunc(s.gone, func(uid uint32) bool {
			_, ok := slices.BinarySearch(uids, uid)
			return !ok
		})
		u.N = max(u.N, unlisted)
		if len(there) > 0 {
			u = newUnread(nil, there, u.N, wire.NewFault(wire.ErrProtocol, errNotSent))
		}
	}
	if u.N == 0 {
		return nil
	}
	return u
}

// newUnread returns the error for the messages left of a window, the ones after it, and
// the unlisted ones.
func newUnread(left []*target, behind []uint32, unlisted int64, err error) *Unread {
	u := &Unread{N: int64(len(left)+len(behind)) + unlisted, Err: err}
	if len(left) > 0 {
		u.First = left[0].uid
		u.Last = left[len(left)-1].uid
	}
	if len(behind) > 0 {
		u.Last = behind[len(behind)-1]
		u.First = cmp.Or(u.First, behind[0])
	}
	return u
}

// window sweeps the messages from start to end, and gives the messages of which something is
// wanted to give, several at a time. With an error it returns the ones that were not read.
func (s *Session) window(ctx context.Context, uids []uint32, start, end int, want Want, give func([]*Message) error) ([]*target, error) {
	targets := make([]*target, end-start)
	for i := range targets {
		targets[i] = &target{uid: uids[start+i], index: start + i}
	}
	err := s.gather(ctx, targets, structures(want))
	if err != nil {
		left := func(t *target) bool { return !t.settled() || t.message != nil || t.why != nil }
		return slices.DeleteFunc(targets, func(t *target) bool { return !left(t) }), err
	}
	targets = slices.DeleteFunc(targets, func(t *target) bool {
		if t.gone {
			s.gone = append(s.gone, t.uid)
		}
		return t.message == nil && t.why == nil
	})
	for len(targets) > 0 {
		n := batch(targets)
		k := newKeeper(targets[:n])
		failed := s.gather(ctx, targets[:n], question{sectionCommands, k.answer})
		if failed == nil {
			failed = s.confirm(ctx, targets[:n])
		}
		if errors.Is(failed, ErrChanged) {
			return targets, failed // the data may be of other messages
		}
		asked := targets
		read := make([]*Message, 0, n)
		for ; n > 0 && targets[0].settled() && !targets[0].postponed; n-- {
			t := targets[0]
			targets = targets[1:]
			if t.gone {
				s.gone = append(s.gone, t.uid)
				continue
			}
			read = append(read, t.result())
			// The caller owns them.
			t.message = nil
			t.items = nil
		}
		if err := give(read); err != nil {
			return asked, err
		}
		if failed != nil {
			return targets, failed
		}
	}
	return nil, nil
}

// batch returns for how many targets one command asks for sections.
func batch(targets []*target) int {
	sections := 0
	cost := int64(0)
	for i, t := range targets {
		sections += len(t.items)
		for i := range t.items {
			cost += t.items[i].cost()
		}
		if i > 0 && (sections > sectionWindow || cost > maxHeld) {
			return i
		}
	}
	return len(targets)
}

// A keeper keeps the sections of a batch, up to maxHeld. A message that does not fit is postponed
// to the next batch, except for the first message, so that each batch makes progress.
type keeper struct {
	first *target
	held  int64
}

// answer takes the sections of a response.
func (k *keeper) answer(t *target, f *fetched) {
	before := t.held()
	answerSections(t, f)
	if k.held += t.held() - before; k.held <= maxHeld || t == k.first {
		return
	}
	k.held -= t.held()
	for i := range t.items {
		t.items[i].data = nil
	}
	t.answered = false
	t.postponed = true
}

func newKeeper(targets []*target) *keeper {
	k := &keeper{first: targets[0]}
	for _, t := range targets {
		t.answered = t.complete()
		t.postponed = false
		k.held += t.held()
	}
	return k
}

// held returns how many octets of sections are held for the target.
func (t *target) held() int64 { return octets(t.items) }

// complete reports whether all sections arrived.
func (t *target) complete() bool {
	return !slices.ContainsFunc(t.items, func(i item) bool { return i.data == nil })
}

func (t *target) result() *Message {
	m := cmp.Or(t.message, &Message{UID: t.uid})
	if t.why != nil {
		m.Whole = true
		m.Why = t.why
		return m
	}
	m.items = t.items
	return m
}

// structures asks for the structures of messages.
func structures(want Want) question {
	return question{
		commands: func(ts []*target) []string {
			return []string{"UID FETCH " + uidSet(ts) + " (UID RFC822.SIZE BODYSTRUCTURE)"}
		},
		answer: func(t *target, f *fetched) {
			t.size = max(t.size, f.size)
			if f.structure == nil {
				if f.err != nil {
					t.why = wire.NewFault(wire.ErrProtocol, f.err)
				}
				return
			}
			t.answered = true
			w := want(f.structure, t.size)
			if len(w.Sections) == 0 && !w.Whole {
				return
			}
			t.message = &Message{UID: t.uid, Structure: f.structure, Plan: w.Plan, Whole: w.Whole}
			if w.Whole {
				return
			}
			if len(w.Sections) > maxItems {
				t.why = wire.NewFault(ErrTooLarge, errManyItems)
				return
			}
			t.items = newItems(w.Sections)
		},
	}
}

// sectionCommands returns one command for each group of targets of which the same
// sections are wanted.
func sectionCommands(ts []*target) []string {
	var lists []string
	groups := make(map[string][]*target)
	var words []string
	for _, t := range ts {
		words = words[:0]
		for i := range t.items {
			if t.items[i].data == nil {
				words = append(words, t.items[i].command)
			}
		}
		list := strings.Join(words, " ")
		if groups[list] == nil {
			lists = append(lists, list)
		}
		groups[list] = append(groups[list], t)
	}
	commands := make([]string, len(lists))
	for i, list := range lists {
		commands[i] = "UID FETCH " + uidSet(groups[list]) + " (UID " + list + ")"
	}
	return commands
}

// answerSections takes the sections of a response.
func answerSections(t *target, f *fetched) {
	for _, section := range f.sections {
		name := strings.ReplaceAll(section.name, `"`, "")
		i := slices.IndexFunc(t.items, func(i item) bool { return i.name == name })
		if i < 0 {
			continue
		}
		t.why = t.items[i].take(section)
		if t.why != nil {
			return
		}
	}
	t.answered = t.complete()
	if !t.answered && f.err != nil {
		t.why = wire.NewFault(wire.ErrProtocol, f.err)
	}
}

// confirm asks for the range after the start of each message that is shorter than asked for and is
// not as long as announced. If that range is empty, the start is all of the message. If it is not,
// the message must be read as a whole.
func (s *Session) confirm(ctx context.Context, targets []*target) error {
	var open []*target
	for _, t := range targets {
		if t.answered && t.start() != nil {
			t.answered = false
			open = append(open, t)
		}
	}
	if len(open) == 0 {
		return nil
	}
	return s.gather(ctx, open, question{startCommands, answerStart})
}

// start returns the start of the message, if it is short and the server may have more; otherwise nil.
func (t *target) start() *item {
	for k := range t.items {
		i := &t.items[k]
		n := int64(len(i.data))
		short := i.name == beginningName && !i.all && n < i.size
		announced := n > 0 && n == t.size
		if short && !announced {
			return i
		}
	}
	return nil
}

// startCommands asks for the range after the start of each target.
func startCommands(ts []*target) []string {
	commands := make([]string, len(ts))
	for k, t := range ts {
		i := t.start()
		n := int64(len(i.data))
		commands[k] = fmt.Sprintf("UID FETCH %d (UID BODY.PEEK[]<%d.%d>)", t.uid, i.offset+n, i.size-n)
	}
	return commands
}

// answerStart takes the range after the start of a message.
func answerStart(t *target, f *fetched) {
	for _, section := range f.sections {
		if section.name != beginningName {
			continue
		}
		if len(section.data) > 0 {
			t.why = wire.NewFault(wire.ErrProtocol, errPieces)
			return
		}
		t.answered = true
		return
	}
	if f.err != nil {
		t.why = wire.NewFault(wire.ErrProtocol, f.err)
	}
}

// UIDs returns the UIDs of all messages of the mailbox, in order. unlisted is how many
// more messages the server has and does not list. A program that has seen some messages
// already then asks for the others with Some.
func (s *Session) UIDs(ctx context.Context) (uids []uint32, unlisted int64, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.listed(ctx)
}

// listed is UIDs for a caller that holds mu.
func (s *Session) listed(ctx context.Context) (uids []uint32, unlisted int64, err error) {
	err = s.again(func() (err error) {
		uids, unlisted, err = s.listOnce(ctx)
		return err
	})
	return uids, unlisted, err
}

// listOnce asks for the UIDs by sequence numbers, some at a time, so that no response
// grows with the mailbox. The numbers change when the server reports that a message was
// removed. EXISTS is believed only as far as messages are listed.
func (s *Session) listOnce(ctx context.Context) ([]uint32, int64, error) {
	if err := s.connected(ctx); err != nil {
		return nil, 0, err
	}
	var uids []uint32
	total := s.exists
	last := int64(0)
	unlisted := int64(0)
	if s.uidNext > 0 && total >= int64(s.uidNext) {
		// There are fewer UIDs than messages.
		total = int64(s.uidNext) - 1
		unlisted = s.exists - total
	}
	for last < total {
		first := last + 1
		last = min(last+listWindow, total)
		left := last - first + 1 // messages in this window that are not listed
		var found []uint32
		refused, err := s.run(ctx, func(line []byte) error {
			if n, word, _ := numbered(line); word == "EXPUNGE" && int64(n) <= total {
				total--
				left--
				if int64(n) <= last {
					last--
				}
			}
			list, _, err := searched(line)
			found = append(found, list...)
			if len(found) > 2*listWindow {
				return wire.NewFault(wire.ErrProtocol, wire.ErrTooLong)
			}
			return err
		}, fmt.Sprintf("UID SEARCH %d:%d", first, last))
		if err != nil {
			return nil, 0, err
		}
		if refused != nil {
			return nil, 0, wire.NewFault(wire.ErrProtocol, refused)
		}
		slices.Sort(found)
		// A message that was listed before is not another one.
		found = slices.DeleteFunc(slices.Compact(found), func(uid uint32) bool {
			_, twice := slices.BinarySearch(uids, uid)
			return twice
		})
		unlisted += max(0, left-int64(len(found)))
		uids = append(uids, found...)
		if !slices.IsSorted(uids) {
			slices.Sort(uids)
		}
		if left > 0 && len(found) == 0 || len(uids) > maxListed {
			// The rest would not be listed either.
			unlisted += total - last
			break
		}
		s.budget.progress()
	}
	return uids, unlisted, nil
}

// Some yields those messages among uids of which something is wanted, as Sweep does.
// uids must be in order, each once.
func (s *Session) Some(ctx context.Context, uids []uint32, want Want) iter.Seq2[*Message, error] {
	return func(yield func(*Message, error) bool) { s.some(ctx, uids, 0, want, yield) }
}

// some is Some, given the number of messages that the server does not list.
func (s *Session) some(ctx context.Context, uids []uint32, unlisted int64, want Want, yield func(*Message, error) bool) {
	s.gone = nil
	reading, stop := context.WithCancel(ctx)
	read := make(chan []*Message)
	var err error
	var reader sync.WaitGroup
	reader.Go(func() {
		defer close(read)
		err = s.readSome(reading, uids, unlisted, want, func(messages []*Message) error {
			select {
			case read <- messages:
				return nil
			case <-reading.Done():
				return context.Cause(reading)
			}
		})
	})
	defer reader.Wait()
	defer stop()
	for messages := range read {
		for _, m := range messages {
			if !yield(m, nil) {
				return
			}
		}
	}
	if err != nil {
		yield(nil, err)
	}
}

// readSome gives messages to give, a batch at a time.
func (s *Session) readSome(ctx context.Context, uids []uint32, unlisted int64, want Want, give func([]*Message) error) error {
	// The first windows are small, so that some messages are read before a server that dies does so.
	for start, size := 0, firstWindow; start < len(uids); size = min(2*size, structureWindow) {
		end := min(start+size, len(uids))
		if left, err := s.window(ctx, uids, start, end, want, give); err != nil {
			return newUnread(left, uids[end:], unlisted, err)
		}
		start = end
	}
	return s.missed(ctx, unlisted)
}

// Since returns those among uids that the mailbox received on the given day in UTC, or
// later. uids must be in order. It uses SEARCH SINCE (RFC 3501 section 6.4.4), which
// compares days of INTERNALDATE in the time zone of the server, for some UIDs at a
// time. If the server refuses or does not answer, Since returns all of them.
func (s *Session) Since(ctx context.Context, uids []uint32, day time.Time) ([]uint32, error) {
	var since []uint32
	for part := range slices.Chunk(uids, listWindow) {
		var found []uint32
		var known bool
		err := s.again(func() (err error) {
			found, known, err = s.search(
				ctx, part, fmt.Sprintf("SINCE %s UID %d:%d", day.UTC().Format("2-Jan-2006"), part[0], part[len(part)-1]),
			)
			return err
		})
		if err != nil {
			return nil, err
		}
		if !known {
			found = part
		}
		since = append(since, found...)
		s.budget.progress()
	}
	return since, nil
}

// again calls do until the connection is not lost in it, or was lost too often.
func (s *Session) again(do func() error) error {
	for {
		err := do()
		l, ok := err.(*lost)
		if !ok {
			return err
		}
		if s.barren >= maxSearches {
			return l.error
		}
	}
}
