package mailbox

import (
	"io"
	"path/filepath"
	"strconv"
	"strings"
)

// sizes counts the octets of a message as Maildir++ does: as they are, and with
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

// name returns the name of a message with the sizes in it made right.
func (s *sizes) name(name string) string {
	unique, rest, hasFlags := strings.Cut(name, ":")
	fields := strings.Split(unique, ",")
	for i, f := range fields[1:] {
		for prefix, n := range map[string]int64{"S=": s.octets, "W=": s.crlf} {
			if digits, ok := strings.CutPrefix(f, prefix); ok && allDigits([]byte(digits)) {
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

// Sized returns the name of the message at path in its Maildir if content were its
// content: the sizes that Maildir++ has in names, if there are any, are those of
// content.
func Sized(path string, content io.Reader) (string, error) {
	var s sizes
	_, err := io.Copy(&s, content)
	return s.name(filepath.Base(path)), err
}

// stem returns what of the name of a message stays the same when its flags or
// sizes change.
func stem(name string) string {
	if i := strings.IndexAny(name, ",:"); i >= 0 {
		return name[:i]
	}
	return name
}
