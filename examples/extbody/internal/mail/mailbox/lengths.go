package mailbox

// leastLengths is how many messages an mbox must have for their lengths to show its
// variant. A single length may be the work of the sender.
const leastLengths = 2

// lengthsHold reports whether the file is an mbox of the variant that has a
// Content-Length in each message instead of quoting: each leads to the next
// message, and the last one to the end.
func (s *splitter) lengthsHold(dated bool) bool {
	if s.lengths == nil {
		hold := s.allLead(dated)
		s.lengths = &hold
	}
	return *s.lengths
}

func (s *splitter) allLead(dated bool) bool {
	c := splitter{window: window{r: s.r, size: s.size}}
	n := 0
	for from := s.first; from < s.size; n++ {
		_, next, ok := c.follow(c.header(c.line(from)), dated)
		if !ok || c.err != nil {
			return false
		}
		from = next
	}
	return n >= leastLengths
}
