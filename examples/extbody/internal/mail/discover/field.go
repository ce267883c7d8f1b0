package discover

import "bytes"

// A text is a piece of a message.
type text struct {
	b    []byte
	base int64 // where it is in the message
	last bool  // the message ends with it
}

// field judges what may be a field whose name begins with "Content-". i is the index of
// the rest of the name.
func (f *Filter) field(t text, i int) {
	b := t.b[i:]
	switch {
	case foldPrefix(b, "type"):
		f.part()
		value, is := t.value(b[len("type"):])
		if !is {
			return
		}
		switch t.contentType(value) {
		case decisive:
			f.possible = true
		case contributory:
			f.meet(t, i, &f.container, f.hiding)
		}
	case foldPrefix(b, "transfer-encoding"):
		value, is := t.value(b[len("transfer-encoding"):])
		if is && t.hides(value) {
			f.meet(t, i, &f.hiding, f.container)
		}
	}
}

// meet records in mine where the header that contains index i ends. other is where the
// last header ends that has a field of the other kind. If it is the same header, the
// message is not ruled out.
func (f *Filter) meet(t text, i int, mine *int64, other int64) {
	off := t.base + int64(i)
	if off < other {
		f.possible = true
		return
	}
	if off < *mine {
		return // in the same header as the last such field
	}
	n := emptyLine(t.b[i:])
	switch {
	case n >= 0:
		*mine = off + int64(n)
	case t.last:
		*mine = t.base + int64(len(t.b))
	default:
		f.possible = true
	}
}

// emptyLine returns where the first empty line of b ends, or -1. The first line of b does
// not count. An empty line may have any number of CR before its LF, as in package
// mimescan.
func emptyLine(b []byte) int {
	for i := 0; ; {
		n := bytes.IndexByte(b[i:], '\n')
		if n < 0 {
			return -1
		}
		i += n + 1
		for j := i; j < len(b); j++ {
			if b[j] == '\n' {
				return j + 1
			}
			if b[j] != '\r' {
				break
			}
		}
	}
}

// value returns what comes after the colon of a field whose name ends before b. It
// reports whether there is a colon, or whether one may follow after b.
func (t text) value(b []byte) (value []byte, is bool) {
	b = bytes.TrimLeft(b, " \t")
	if len(b) == 0 {
		return nil, !t.last
	}
	return b[1:], b[0] == ':'
}

// A weight is what a Content-Type contributes to the verdict on the message.
type weight uint8

const (
	none         weight = iota
	contributory        // with a Content-Transfer-Encoding that hides it, the message is not ruled out
	decisive            // the message is not ruled out
)

// contentType judges the value of a Content-Type. A value that is cut short is
// decisive.
func (t text) contentType(b []byte) weight {
	b = bytes.TrimLeft(b, " \t\r\n")
	switch {
	case len(b) < len("multipart/digest") && !t.last:
		return decisive
	case len(b) == 0:
		return none
	case foldPrefix(b, "message"):
		return contributory
	case foldPrefix(b, "multipart"):
		b = b[len("multipart"):]
		if len(b) < 2 || b[0] != '/' || !isLetter(b[1]) || foldPrefix(b[1:], "digest") {
			return decisive
		}
		return contributory
	case isLetter(b[0]) || '0' <= b[0] && b[0] <= '9':
		return none // another word
	}
	return decisive
}

// hides reports whether the value of a Content-Transfer-Encoding may be base64 or
// quoted-printable.
func (t text) hides(b []byte) bool {
	i := 0
	for i < len(b) && (b[i] <= ' ' || b[i] == '"') {
		i++
	}
	switch b = b[i:]; {
	case len(b) < 2 && !t.last:
		return true
	case foldPrefix(b, "ba"), foldPrefix(b, "q"):
		return true
	}
	return len(b) > 0 && (b[0] == '(' || b[0] == '\\')
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// foldPrefix reports whether b begins with word, without regard to case. word is in
// lower case.
func foldPrefix(b []byte, word string) bool {
	if len(b) < len(word) {
		return false
	}
	for i := range len(word) {
		c := b[i]
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		if c != word[i] {
			return false
		}
	}
	return true
}

// foldSuffix reports whether b ends with word, without regard to case. word is in lower
// case.
func foldSuffix(b []byte, word string) bool {
	return len(b) >= len(word) && foldPrefix(b[len(b)-len(word):], word)
}
