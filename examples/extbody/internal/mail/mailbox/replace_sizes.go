package mailbox

import (
	"io"
	"path/filepath"
	"strconv"
	"strings"
)

// sizes counts the octets of a message in the way of Maildir++: as they are, and with
// each line end as CRLF.
type sizes struct {
	octets, crlf int64
	lastCR       bool
}

// Write takes the next octets. It never fails.
func (s *sizes) Write(p []byte) (int, error) {
	s.octets += int64(len(p))
	s.crlf += int64(len(p))
	for _, c := range p {
		if c == '\n' && !s.lastCR {
			s.crlf++
		}
		s.lastCR = c == '\r'
	}
	return len(p), nil
}

// name returns the name of a message with its sizes corrected.
func (s *sizes) name(name string) string {
	unique, rest, hasFlags := strings.Cut(name, ":")
	fields := strings.Split(unique, ",")
	for i, f := range fields[1:] {
		for prefix, n := range map[string]int64{"S=": s.octets, "W=": s.crlf} {
			if digits, ok := strings.CutPrefix(f, prefix); ok && allDigits(digits) {
				fields[i+1] = prefix + strconv.FormatInt(n, 10)
			}
		}
	}
	unique = strings.Join(fields, ",")
	if hasFlags {
		return unique + ":" + rest
	}
	return unique
}

// Sized returns the name that the message at path would have in its Maildir with the
// given content: sizes of Maildir++ in the name become the sizes of content.
func Sized(path string, content io.Reader) (string, error) {
	var s sizes
	_, err := io.Copy(&s, content)
	return s.name(filepath.Base(path)), err
}
