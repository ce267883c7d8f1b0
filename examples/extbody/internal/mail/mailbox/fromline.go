package mailbox

import "bytes"

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

// hasDate reports whether the first line of b has a day of the week, then a month and a
// day in either order, then a time and a year. That is the form of asctime, with or
// without seconds and time zone, and the one of RFC 5322.
func hasDate(b []byte) bool {
	line, _, whole := bytes.Cut(b, []byte("\n"))
	if !whole && len(b) == lookSize {
		return false // no date is further into a line
	}
	for len(line) > 0 {
		var day []byte
		day, line = cutWord(line)
		if !isName(day, "MonTueWedThuFriSatSun") {
			continue
		}
		a, rest := cutWord(line)
		b, rest := cutWord(rest)
		if isMonth(a) && isDay(b) || isDay(a) && isMonth(b) {
			return hasTimeAndYear(rest)
		}
	}
	return false
}

func hasTimeAndYear(line []byte) bool {
	var time, year bool
	for len(line) > 0 {
		var w []byte
		w, line = cutWord(line)
		time = time || isTime(w)
		year = year || len(w) == 4 && allDigits(w)
	}
	return time && year
}

// cutWord returns the first word of a line and the rest. White space and commas
// separate words. An empty word means that the line is empty.
func cutWord(line []byte) (word, rest []byte) {
	i := 0
	for i < len(line) && betweenWords(line[i]) {
		i++
	}
	line = line[i:]
	for i = 0; i < len(line) && !betweenWords(line[i]); i++ {
	}
	return line[:i], line[i:]
}

func betweenWords(c byte) bool { return c == ' ' || c == '\t' || c == ',' || c == '\r' }

func isMonth(w []byte) bool { return isName(w, "JanFebMarAprMayJunJulAugSepOctNovDec") }

// isName reports whether w is one of the names of three letters in names.
func isName(w []byte, names string) bool {
	if len(w) != 3 {
		return false
	}
	for i := 0; i < len(names); i += 3 {
		if names[i:i+3] == string(w) {
			return true
		}
	}
	return false
}

func isDay(w []byte) bool { return (len(w) == 1 || len(w) == 2) && allDigits(w) }

func isTime(w []byte) bool {
	hour, rest, ok := bytes.Cut(w, []byte(":"))
	return ok && isDay(hour) && len(rest) >= 2 && allDigits(rest[:2])
}

func allDigits(w []byte) bool {
	for _, c := range w {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}
