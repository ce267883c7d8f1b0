package mailbox

// A splitter yields the messages of one file.
type splitter struct {
	window
	path       string
	beside     *opener // of the files beside path; nil without such files
	apple      bool    // the file is an .emlx
	compressed bool    // the file at path is compressed; r is not
	index      int
	flags      string
	format     format
	dated      bool  // the first line of an mbox has a date
	first      int64 // where the first message starts
	open       int64 // up to here the messages are in doubt
	joined     Span  // of the message that is read, if a line after it is in doubt
	doubts     *doubter
	lengths    *bool // whether each Content-Length of an mbox leads to the next message; nil if not known
	begun      int64 // where the message that is read starts
	mark       mark  // of that place, if file is not nil
	yield      func(*Message, error) bool
}

// begin is called at the start of a message with its envelope.
func (s *splitter) begin(off int64) {
	s.begun = off
	if s.file != nil {
		s.mark = markOf(s.at(off, markSize, markSize))
	}
}

// message yields a message. Its envelope, content and trailer begin at the first three
// offsets, and its trailer ends at end.
func (s *splitter) message(envelope, content, trailer, end int64) bool {
	if s.err != nil {
		return true
	}
	m := &Message{
		Path:       s.path,
		Index:      s.index,
		Flags:      s.flags,
		Compressed: s.compressed,
		Envelope:   Span{envelope, content},
		Content:    Span{content, trailer},
		Trailer:    Span{trailer, end},
		r:          s.r,
		file:       s.file,
		format:     s.format,
		dated:      s.dated,
		joined:     s.joined,
		lengths:    s.lengths,
		inDoubt:    s.joined.Len() > 0 || s.begun < s.open,
	}
	if s.file != nil {
		m.r = &markedReader{file: s.file, start: s.begun, mark: s.mark}
		s.file.retain()
	}
	s.index++
	if s.apple {
		if err := assemble(m, s.beside); err != nil {
			m.Close()
			return s.yield(&Message{Path: m.Path}, err)
		}
	}
	return s.yield(m, nil)
}

// A head is the facts in the header of a message about the length of its body.
type head struct {
	body  int64 // where the body starts
	blank Span  // the empty line before it; empty without one
	field Span  // the Content-Length field; empty, at the end of the header, without one
	value int64 // of the field; -1 without one, or with more than one
	cut   bool  // a line that separates messages is at body, and no empty line is before it

	contentType int64 // where the first Content-Type starts; 0 without one
}

// A doubter finds the lines of an mbox that separate nothing for some programs. It looks
// ahead with a window of its own.
type doubter struct {
	*splitter
	lines   boundaryLines
	headed  int64 // up to here lines within a header are part of another reading already
	from    int64 // no line separates messages from here
	trailer int64 // to here, where a message ends
	end     int64 // and the next one starts
}
