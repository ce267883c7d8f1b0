package imapsession

import (
	"context"
	"iter"
	"sync"
)

// Exists returns the number of messages that the server gave when the mailbox was
// opened last.
func (s *Session) Exists() int64 { return s.exists }

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
	for start := 0; start < len(uids); start += structureWindow {
		end := min(start+structureWindow, len(uids))
		if left, err := s.window(ctx, uids, start, end, want, give); err != nil {
			return newUnread(left, uids[end:], unlisted, err)
		}
	}
	return s.missed(ctx, unlisted)
}
