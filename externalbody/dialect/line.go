package dialect

import (
	"strings"

	"github.com/go-extbody/extbody/externalbody"
)

// A textLine is a line of a text/plain.
type textLine struct {
	text   string // without line end and quote marks
	head   string // the text before the URL, or the whole line
	url    string // "" if no URL begins in the line
	tail   string // the text after the URL
	start  int64  // of the URL
	end    int64
	quoted bool
}

// readLines returns a function that reads the tokens of a text/plain and calls line with each
// line and the first URL that begins in it.
func readLines(line func(l *textLine)) func(*externalbody.Token) {
	var link externalbody.Token // the first in the line
	some := false
	return func(t *externalbody.Token) {
		switch t.Kind {
		case externalbody.LinkToken, externalbody.URLToken:
			if !some {
				some, link = true, *t
				link.Attrs = nil
			}
		case externalbody.TextToken:
			l := textLine{text: unquoted(strings.TrimRight(t.Text, "\r\n")), quoted: t.Quoted}
			l.head = l.text
			if some {
				l.cut(&link)
			}
			some = false
			line(&l)
		}
	}
}

// cut records the URL in the line.
func (l *textLine) cut(link *externalbody.Token) {
	l.url, l.start, l.end = link.Text, link.Start, link.End
	at := strings.Index(l.text, "://")
	for at > 0 && isAlphanumeric(rune(l.text[at-1])) {
		at--
	}
	l.head = l.text[:max(at, 0)]
	if link.Kind == externalbody.LinkToken {
		l.head = strings.TrimSuffix(l.head, "<")
		_, l.tail, _ = strings.Cut(l.text[len(l.head):], ">")
		return
	}
	l.tail = strings.TrimPrefix(l.text[len(l.head):], link.Text)
}

// unquoted returns a line without the quote marks at its beginning.
func unquoted(line string) string {
	if strings.HasPrefix(line, ">") {
		line = strings.TrimLeft(line, "> ")
	}
	return line
}

// cutLabel returns the text before the colon at its end, without blanks. The colon may be
// one of East Asian scripts.
func cutLabel(text string) (label string, ok bool) {
	text = strings.TrimRight(text, " \t\u00a0\u3000")
	if label, ok = strings.CutSuffix(text, ":"); !ok {
		label, ok = strings.CutSuffix(text, "\uff1a")
	}
	return strings.Trim(label, " \t\u00a0\u3000"), ok
}
