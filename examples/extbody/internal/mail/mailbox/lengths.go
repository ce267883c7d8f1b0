package mailbox

import "sync"

// lengths says whether the Content-Length of every message of an mbox is right. It is
// determined when it is needed, once for all goroutines.
type lengths struct {
	once sync.Once
	hold bool
}

// leastLengths is how many messages an mbox must have for their lengths to show its
// variant. A single length may be the work of the sender.
const leastLengths = 2

// lengthsHold reports whether the file is an mbox of the variant that has a
// Content-Length in each message instead of quoting: each leads to the next
// message, and the last one to the end.
func (s *splitter) lengthsHold(dated bool) bool {
	if s.lengths == nil {
		s.lengths = new(lengths)
	}
	s.lengths.once.Do(func() {
		c := splitter{window: window{r: s.r, size: s.size}}
		c.reserve(headerSize)
		n := 0
		for from := s.first; from < s.size; n++ {
			header, length := c.header(c.line(from))
			_, next, ok := c.follow(header, length, dated)
			if !ok || c.err != nil || s.judge.canceled() {
				return
			}
			from = next
		}
		s.lengths.hold = n >= leastLengths
	})
	return s.lengths.hold
}
