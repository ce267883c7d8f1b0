package rewrite

import (
	"io"

	"github.com/go-extbody/extbody/internal/mime/message"
)

// A point is a place where parts can be added: after a part of a multipart/mixed or
// multipart/related, or after a message or text that becomes the first part of one.
type point struct {
	part     *message.Part // the parts come after it
	wraps    bool          // part is wrapped
	boundary string
	eol      string
	lead     string // the line end before the first delimiter line; "" if that is there
	open     bool   // the multipart has to be closed

	// parts write the added parts. It ends without the line end that belongs to the next
	// delimiter line.
	parts []func(io.Writer) error
}

// first returns the offset of the first octet that can change when parts are added.
func (s *point) first() int64 {
	if s.wraps {
		return s.part.Header.Start
	}
	return s.part.Entity().End
}

// overhead returns how many octets one more part adds at most in addition to its own.
func (s *point) overhead() int64 {
	delimiter := int64(len(s.boundary) + 2*len("--\r\n"))
	if len(s.parts) > 0 {
		return delimiter
	}
	if s.wraps {
		delimiter += 2*delimiter + 200 // two more, and the header of the multipart
	}
	return 2 * delimiter
}

// write writes the parts with the delimiter lines that belong to them (RFC 2046
// section 5.1.1).
func (s *point) write(w io.Writer) error {
	delimiter := "--" + s.boundary
	before := s.lead
	for _, part := range s.parts {
		if _, err := io.WriteString(w, before+delimiter+s.eol); err != nil {
			return err
		}
		before = s.eol
		if err := part(w); err != nil {
			return err
		}
	}
	end := ""
	switch {
	case s.open:
		end = s.eol + delimiter + "--" + s.eol
	case s.lead == "":
		end = s.eol
	}
	_, err := io.WriteString(w, end)
	return err
}
