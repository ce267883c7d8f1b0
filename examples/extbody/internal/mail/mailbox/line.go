package mailbox

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/go-extbody/extbody/internal/codec/ascii"
	"github.com/go-extbody/extbody/internal/codec/lazyregexp"
	"github.com/go-extbody/extbody/internal/mime/param"
)

const contentTypeName = "content-type"

// isContentType reports whether a line starts a Content-Type field.
func isContentType(line []byte) bool {
	if len(line) <= len(contentTypeName) || line[0]|0x20 != 'c' || !bytes.EqualFold(line[:len(contentTypeName)], []byte(contentTypeName)) {
		return false
	}
	return bytes.HasPrefix(bytes.TrimLeft(line[len(contentTypeName):], " \t"), []byte(":"))
}

// typeOf returns the media type of the Content-Type that b starts with, and its boundary,
// without white space at its end.
func typeOf(b []byte) (mediaType string, boundary []byte) {
	_, b, _ = bytes.Cut(b, []byte(":"))
	var value strings.Builder
	for {
		line, rest, more := bytes.Cut(b, []byte("\n"))
		value.Write(bytes.TrimRight(line, "\r"))
		b = rest
		folded := len(b) > 0 && (b[0] == ' ' || b[0] == '\t')
		if !more || !folded {
			break
		}
	}
	v := param.Parse(value.String())
	text, _ := v.Get("boundary")
	return v.Type, []byte(strings.TrimRight(text, " \t"))
}

// plainBoundary returns the boundary of the Content-Type that b starts with, as typeOf does,
// if it is the one of a multipart and nothing unusual is before it: no quotes, comments or
// other parameters than in "multipart/x; y=z; boundary=". It is faster than typeOf.
func plainBoundary(b []byte) (boundary []byte, ok bool) {
	const mark, prefix = "boundary=", "multipart/"
	_, b, _ = bytes.Cut(b, []byte(":"))
	b = bytes.TrimLeft(b, " \t")
	i := bytes.Index(b, []byte(mark))
	if i < len(prefix) || !bytes.EqualFold(b[:len(prefix)], []byte(prefix)) {
		return nil, false
	}
	if before := b[i-1]; before != ' ' && before != '\t' && before != ';' {
		return nil, false
	}
	semicolon := false
	for j, c := range b[:i] {
		switch c {
		case '"', '(', ')', '\\', '*':
			return nil, false
		case '\n':
			if b[j+1] != ' ' && b[j+1] != '\t' {
				return nil, false
			}
		case ';':
			semicolon = true
		}
	}
	b = b[i+len(mark):]
	end := bytes.IndexAny(b, "; \t\r\n")
	if text, quoted := bytes.CutPrefix(b, []byte(`"`)); quoted {
		b = text
		end = bytes.IndexByte(text, '"')
	}
	if !semicolon || end <= 0 || bytes.ContainsAny(b[:end], "\"()\\\r\n") {
		return nil, false
	}
	if b[end-1] == ' ' || b[end-1] == '\t' {
		return nil, false
	}
	return b[:end], true
}

// crOnly reports whether b starts with a "From " line that ends in CR alone, before a
// header field.
func crOnly(b []byte) bool {
	line, _, _ := bytes.Cut(b, []byte("\n"))
	_, next, ok := bytes.Cut(line, []byte("\r"))
	return ok && bytes.HasPrefix(b, fromWord) && isField(next)
}

// contentLength reports whether line is a Content-Length field, and returns its value,
// or -1 if that is not a number.
func contentLength(line []byte) (n int64, ok bool) {
	const name = "content-length"
	if len(line) <= len(name) || line[0]|0x20 != 'c' || !bytes.EqualFold(line[:len(name)], []byte(name)) {
		return -1, false
	}
	value, ok := bytes.CutPrefix(bytes.TrimLeft(line[len(name):], " \t"), []byte(":"))
	if !ok {
		return -1, false
	}
	u, err := strconv.ParseUint(string(bytes.TrimSpace(value)), 10, 63)
	if err != nil {
		return -1, true
	}
	return int64(u), true
}

// before is how many octets before a place show whether an empty line is there.
const before = 4

// emptyLine returns the length of the empty line at the end of b, or 0 if there is
// none.
func emptyLine(b []byte) int {
	for _, end := range lineEnds {
		if rest, ok := bytes.CutSuffix(b, end); ok && bytes.HasSuffix(rest, []byte("\n")) {
			return len(end)
		}
	}
	return 0
}

// newline returns the length of the line end at the start of b, or 0 if there is
// none.
func newline(b []byte) int {
	for _, end := range lineEnds {
		if bytes.HasPrefix(b, end) {
			return len(end)
		}
	}
	return 0
}

// lineEnds are the ends of the lines of a mailbox. The last one is made by a program
// that writes LF as CRLF to a file whose lines end in CRLF already.
var lineEnds = [][]byte{[]byte("\n"), []byte("\r\n"), []byte("\r\r\n")}

// fromWord starts the line that separates the messages of an mbox. fromLine is fromWord
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

// separates reports whether b, at the start of a line after a header, starts with a
// line that separates messages by the rules in the package comment.
func separates(b []byte, afterEmpty, dated bool) bool {
	if !bytes.HasPrefix(b, fromWord) {
		return false
	}
	switch {
	case hasDate(b):
		return afterEmpty || fieldFollows(b)
	case isBare(b):
		return fieldFollows(b)
	}
	return !dated && afterEmpty && fieldFollows(b)
}

// isBare reports whether the first line of b, which starts with "From ", has nothing after
// that but the "-" that Thunderbird writes for a sender.
func isBare(b []byte) bool {
	line, _, whole := bytes.Cut(b, []byte("\n"))
	switch string(bytes.TrimRight(line[len(fromWord):], "\r")) {
	case "", "-", "- ":
		return whole
	}
	return false
}

// fieldFollows reports whether the second line of b looks like a header field: a name
// of printable characters and a colon (RFC 5322 section 3.6.8), or the ">From " that
// uucp adds.
func fieldFollows(b []byte) bool {
	_, next, _ := bytes.Cut(b, []byte("\n"))
	return bytes.HasPrefix(next, []byte(">From ")) || isField(next)
}

// isField reports whether b starts with the name of a header field and a colon.
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
	date  = `(?:^|` + blank + `)(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)` + blank +
		`+(?:` + month + blank + `+\d{1,2}|\d{1,2}` + blank + `+` + month + `)(` + blank + `.*)`
)

// dateLine finds a date, and the text after its day.
var (
	dateLine = lazyregexp.New(date)
	timeWord = lazyregexp.New(blank + `\d{1,2}:\d\d`)
	yearWord = lazyregexp.New(blank + `\d{4}(?:` + blank + `|$)`)
)

// hasDate reports whether the first line of b has a day of the week, then a month and a
// day in either order, then a time and a year. That is the form of asctime, with or
// without seconds and time zone, and the one of RFC 5322.
func hasDate(b []byte) bool {
	line, _, whole := bytes.Cut(b, []byte("\n"))
	if !whole && len(b) == lookSize {
		return false // no date is further into a line
	}
	return isAsctime(bytes.TrimRight(line, "\r")) || matchesDate(line)
}

func matchesDate(line []byte) bool {
	if bytes.IndexByte(line, ':') < 0 {
		return false // it has no time
	}
	found := dateLine().FindSubmatch(line)
	return found != nil && timeWord().Match(found[1]) && yearWord().Match(found[1])
}

// isAsctime reports whether a line ends with a date as asctime writes it. It is faster than
// the patterns.
func isAsctime(line []byte) bool {
	const form = " Www Mmm dd 00:00:00 0000"
	i := len(line) - len(form)
	if i < 0 {
		return false
	}
	line = line[i:]
	for j, c := range []byte(form) {
		switch got := line[j]; {
		case c == '0' && !ascii.IsDigit(got), (c == ' ' || c == ':') && got != c:
			return false
		}
	}
	day := (line[9] == ' ' || ascii.IsDigit(line[9])) && ascii.IsDigit(line[10])
	return day && oneOf("SunMonTueWedThuFriSat", line[1:4]) && oneOf("JanFebMarAprMayJunJulAugSepOctNovDec", line[5:8])
}

// oneOf reports whether word is one of the words of three letters in list.
func oneOf(list string, word []byte) bool {
	for ; len(list) > 0; list = list[3:] {
		if list[:3] == string(word) {
			return true
		}
	}
	return false
}

// delimiterMark is the line before and after each message in MMDF, without its
// line end.
var delimiterMark = []byte("\x01\x01\x01\x01")

// delimiter returns the length of the MMDF delimiter at the start of b, with its
// line end, or 0 for anything else. The last line of a file may lack its end.
func delimiter(b []byte) int {
	rest, ok := bytes.CutPrefix(b, delimiterMark)
	if !ok {
		return 0
	}
	if len(rest) == 0 {
		return len(delimiterMark)
	}
	if n := newline(rest); n > 0 {
		return len(delimiterMark) + n
	}
	return 0
}
