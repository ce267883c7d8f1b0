package mailbox

import (
	"bytes"
	"strconv"
)

// plistMark is how the property list after the message of an .emlx starts.
const plistMark = "<?xml"

// emlx returns where the message of an .emlx of Apple Mail starts and ends. The file is a line with the
// number of octets of the message, the message, and a property list. It returns false if the file is
// not an .emlx.
func (s *splitter) emlx() (from, to int64, ok bool) {
	line, _, whole := bytes.Cut(s.look(0), []byte("\n"))
	n, err := strconv.ParseInt(string(bytes.TrimRight(line, " \t\r")), 10, 64)
	from = int64(len(line)) + 1
	fits := n >= 0 && n <= s.size-from
	if !whole || err != nil || !fits {
		return 0, 0, false
	}
	rest := bytes.TrimLeft(s.look(from+n), " \t\r\n")
	return from, from + n, bytes.HasPrefix(rest, []byte(plistMark)) || len(rest) == 0 && from+n == s.size
}
