package imapsession

import (
	"context"
	"iter"
)

// Exists returns the number of messages that the server gave when the mailbox was
// opened last.
func (s *Session) Exists() int { return s.exists }

// UIDs returns the UIDs of all messages of the mailbox, in order. unlisted is how many
// more messages the server has and does not list. A program that has seen some messages
// already then asks for the others with Some.
func (s *Session) UIDs(ctx context.Context) (uids []uint32, unlisted int, err error) {
	return s.list(ctx)
}

// Some yields those messages among uids of which something is wanted, as Sweep does.
// uids must be in order, each once.
func (s *Session) Some(ctx context.Context, uids []uint32, want Want) iter.Seq2[*Message, error] {
	return func(yield func(*Message, error) bool) { s.some(ctx, uids, 0, want, yield) }
}

// some is Some, told how many messages the server does not list.
func (s *Session) some(ctx context.Context, uids []uint32, unlisted int, want Want, yield func(*Message, error) bool) {
	s.gone = nil
	for start := 0; start < len(uids); start += structureWindow {
		end := min(start+structureWindow, len(uids))
		left, err := s.window(ctx, uids, start, end, want, func(m *Message) bool { return yield(m, nil) })
		if err == errStopped {
			return
		}
		if err != nil {
			yield(nil, newUnread(left, uids[end:], unlisted, err))
			return
		}
	}
	if err := s.missed(ctx, unlisted); err != nil {
		yield(nil, err)
	}
}
