package imapsession

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-extbody/extbody/internal/imap/wire"
)

// maxCommand bounds the length of a command, which RFC 7162 section 4 limits to 8192,
// and of all that is sent before answers are read.
const maxCommand = 4000

var (
	errLostOn  = errors.New("the connection was lost on it")
	errNoReply = errors.New("the server did not send what it was asked for")
)

// A target is a message of which something is wanted.
type target struct {
	uid   uint32
	index int   // among all messages of the mailbox
	size  int64 // RFC822.SIZE; 0 if it is not known

	answered  bool  // everything that is wanted came
	gone      bool  // it did not come, and by the server it is no longer in the mailbox
	postponed bool  // everything that is wanted came, and there was no room for it
	why       error // the reason to fetch it as a whole

	message *Message // nil if no section of it is wanted
	items   []item
}

func (t *target) settled() bool {
	came := t.answered || t.postponed
	return came || t.gone || t.why != nil
}

func unsettled(targets []*target) []*target {
	return slices.DeleteFunc(slices.Clone(targets), (*target).settled)
}

// A question is asked of targets by gather.
type question struct {
	// commands returns the commands for targets.
	commands func([]*target) []string

	// answer is called with each response for a target.
	answer func(*target, *fetched)
}

// of returns the commands for targets. With singly, each target has a command of its
// own.
func (q *question) of(targets []*target, singly bool) (commands []string) {
	if !singly {
		return q.commands(targets)
	}
	for i := range targets {
		commands = append(commands, q.commands(targets[i:i+1])...)
	}
	return commands
}

// gather asks until all targets are settled. Its errors are those after which asking on
// is of no use.
//
// When a connection is lost, the responses before that count. Servers answer in order, so the
// first message that did not come is the one on which the connection was lost. It must
// be fetched as a whole, and gather asks again for the rest. The server may have held
// answers back. So if nothing comes twice in a row, each message gets a command of its
// own. If a message did not come although its command was completed, gather asks for it
// alone. A message that does not come even then must be fetched as a whole.
func (s *Session) gather(ctx context.Context, targets []*target, q question) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	type group struct {
		targets []*target
		singly  bool // a command for each
	}
	stack := []group{{targets: targets}}
	push := func(ts []*target, singly bool) { stack = append(stack, group{ts, singly}) }
	vain := 0 // how often in a row a connection was lost before anything came
	for len(stack) > 0 {
		top := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		asked := unsettled(top.targets)
		if len(asked) == 0 {
			continue
		}
		commands := q.of(asked, top.singly)
		if len(asked) > 1 && totalLen(commands) > maxCommand {
			push(asked[len(asked)/2:], top.singly)
			push(asked[:len(asked)/2], top.singly)
			continue
		}
		refused, err := s.fetch(ctx, asked, commands, q.answer)
		if _, ok := err.(*lost); err != nil && !ok {
			return err
		}
		left := unsettled(asked)
		switch {
		case len(left) == 0:
		case err == nil:
			if err := s.missing(ctx, left, len(asked) == 1, refused); err != nil {
				return err
			}
			for _, t := range slices.Backward(left) {
				push([]*target{t}, false)
			}
		default:
			if vain++; len(left) < len(asked) {
				vain = 0
			}
			if vain > 1 && len(asked) > 1 && !top.singly {
				push(left, true)
				continue
			}
			left[0].why = wire.NewFault(wire.ErrUnavailable, fmt.Errorf("%w: %w", errLostOn, err))
			s.suspects[left[0].uid] = true
			push(left[1:], top.singly)
		}
	}
	return nil
}

// missing deals with targets for which nothing came although the command was completed.
// Messages that were removed from the mailbox are gone. One that was asked for alone
// must be fetched as a whole.
func (s *Session) missing(ctx context.Context, left []*target, alone bool, refused error) error {
	uids := make([]uint32, len(left))
	for i, t := range left {
		uids[i] = t.uid
	}
	there, known, err := s.search(ctx, uids, "UID "+uidSet(left))
	if _, ok := err.(*lost); ok {
		return nil // the next command finds it out
	}
	if err != nil {
		return err
	}
	for _, t := range left {
		if _, ok := slices.BinarySearch(there, t.uid); known && !ok {
			t.gone = true
			continue
		}
		if alone {
			t.why = wire.NewFault(wire.ErrProtocol, errNoReply)
			if refused != nil {
				t.why = wire.NewFault(wire.ErrProtocol, refused)
			}
		}
	}
	return nil
}

// search returns those among uids that the server finds by key. uids must be in order.
// known is false if the server does not report it.
func (s *Session) search(ctx context.Context, uids []uint32, key string) (found []uint32, known bool, err error) {
	refused, err := s.run(ctx, func(line []byte) error {
		list, ok, err := searched(line)
		for _, uid := range list {
			if _, asked := slices.BinarySearch(uids, uid); asked && len(found) < 2*len(uids) {
				found = append(found, uid)
			}
		}
		known = known || ok
		return err
	}, "UID SEARCH "+key)
	slices.Sort(found)
	return slices.Compact(found), known && refused == nil, err
}

func totalLen(commands []string) int {
	n := 0
	for _, c := range commands {
		n += len(c) + len("a1234567 \r\n")
	}
	return n
}

// fetch asks for targets, in the order of their UIDs. An error of type *lost is one of
// the connection.
func (s *Session) fetch(ctx context.Context, targets []*target, commands []string, answer func(*target, *fetched)) (refused, err error) {
	var seq, uid uint32 // of the last response with a UID
	return s.run(ctx, func(line []byte) error {
		n, word, data := numbered(line)
		if word == "EXPUNGE" {
			seq = 0
		}
		if word != "FETCH" {
			return nil
		}
		f := parseFetch(data)
		if f.err != nil && f.literals {
			// A literal may have another size than was announced. Then nothing is where
			// it seems to be from here on.
			return wire.NewFault(wire.ErrProtocol, f.err)
		}
		switch {
		case f.uid != 0:
			seq = n
			uid = f.uid
		case n == seq:
			// QUIRK: some servers send several responses for a message, and only one of
			// them has the UID (RFC 3501 section 6.4.8 requires it in all).
			f.uid = uid
		}
		i, ok := slices.BinarySearchFunc(targets, f.uid, func(t *target, uid uint32) int { return cmp.Compare(t.uid, uid) })
		if ok && !targets[i].settled() {
			answer(targets[i], f)
			if targets[i].settled() {
				s.barren = 0
				s.budget.message()
			}
		}
		return nil
	}, commands...)
}

// run is Exchange on a connection, which is made if needed.
func (s *Session) run(ctx context.Context, handle func([]byte) error, commands ...string) (refused, err error) {
	if err := s.connected(ctx); err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, s.conn.Abort)
	st, err := s.conn.Exchange(func(line []byte) error {
		if v, ok := codeNumber(line, "UIDVALIDITY"); ok && v != s.uidValidity {
			return newChanged(s.uidValidity, v)
		}
		return handle(line)
	}, nil, commands...)
	stop()
	if err == nil {
		if st != nil {
			refused = st
		}
		return refused, nil
	}
	s.drop()
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case errors.Is(err, ErrChanged), errors.Is(err, ErrBudget):
		return nil, err
	}
	if s.barren++; s.barren >= maxBarren {
		s.failed = err
		return nil, err
	}
	return nil, &lost{err}
}

// uidSet returns the UIDs of targets as a set. UIDs between which the mailbox has no
// message are a range, even if numbers between them are unused.
func uidSet(targets []*target) string {
	var b strings.Builder
	for i := 0; i < len(targets); {
		last := i
		for last+1 < len(targets) && targets[last+1].index == targets[last].index+1 {
			last++
		}
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.FormatUint(uint64(targets[i].uid), 10))
		if last > i {
			b.WriteString(":" + strconv.FormatUint(uint64(targets[last].uid), 10))
		}
		i = last + 1
	}
	return b.String()
}
