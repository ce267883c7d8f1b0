package mailbox

import (
	"bytes"
	"regexp"
	"strings"
)

// fromWord begins the line that separates the messages of an mbox. fromLine is fromWord
// after the end of the line before it.
var (
	fromWord = []byte("From ")
	fromLine = []byte("\nFrom ")
)

// textRun is how many octets after a space are treated as text.
const textRun = 2 << 10

// indexFrom is bytes.Index(b, "\nFrom "), faster on mail. Most octets of mail are
// base64, where an F is as frequent as a line end and spaces do not occur. So text
// without a space is passed over. In other text an F is rarer than a line end.
func indexFrom(b []byte) int {
	for i := 0; i < len(b); {
		sp := bytes.IndexByte(b[i:], ' ')
		if sp < 0 {
			return -1
		}
		i += sp + 1
		if bytes.HasSuffix(b[:i], fromLine) {
			return i - len(fromLine)
		}
		for end := min(len(b), i+textRun); i < end; {
			f := bytes.IndexByte(b[i:end], 'F')
			if f < 0 {
				i = end
				break
			}
			i += f
			if b[i-1] == '\n' && bytes.HasPrefix(b[i:], fromWord) {
				return i - 1
			}
			i++
		}
	}
	return -1
}

// separates reports whether b, at the start of a line after a header, begins with a
// line that separates messages by the rules in the package comment.
func separates(b []byte, afterEmpty, dated bool) bool {
	if !bytes.HasPrefix(b, fromWord) {
		return false
	}
	if hasDate(b) {
		return afterEmpty || fieldFollows(b)
	}
	return !dated && afterEmpty && fieldFollows(b)
}

// fieldFollows reports whether the second line of b looks like a header field: a name
// of printable characters and a colon (RFC 5322 section 3.6.8), or the ">From " that
// uucp adds.
func fieldFollows(b []byte) bool {
	_, next, _ := bytes.Cut(b, []byte("\n"))
	return bytes.HasPrefix(next, []byte(">From ")) || isField(next)
}

// isField reports whether b begins with the name of a header field and a colon.
func isField(b []byte) bool {
	for i, c := range b {
		switch {
		case c == ':':
			return i > 0
		case c <= ' ' || c > '~':
			return false
		}
	}
	return false
}

const (
	month = `(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)`
	blank = `[ \t,\r]`
	date  = `(?:^|` + blank + `)(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)` + blank + `+(?:` + month + blank + `+\d{1,2}|\d{1,2}` + blank + `+` + month + `)(` + blank + `.*)`
)

// dateLine finds a date, and the text after its day.
var (
	dateLine = regexp.MustCompile(date)
	timeWord = regexp.MustCompile(blank + `\d{1,2}:\d\d`)
	yearWord = regexp.MustCompile(blank + `\d{4}(?:` + blank + `|$)`)
)

// hasDate reports whether the first line of b has a day of the week, then a month and a
// day in either order, then a time and a year. That is the form of asctime, with or
// without seconds and time zone, and the one of RFC 5322.
func hasDate(b []byte) bool {
	line, _, whole := bytes.Cut(b, []byte("\n"))
	if !whole && len(b) == lookSize {
		return false // no date is further into a line
	}
	found := dateLine.FindSubmatch(line)
	return found != nil && timeWord.Match(found[1]) && yearWord.Match(found[1])
}

func allDigits(s string) bool { return strings.Trim(s, "0123456789") == "" }
