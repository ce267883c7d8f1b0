package mailtext

import "strings"

// maxCondition bounds the condition of a comment, in octets, with the "]>" after it.
const maxCondition = 100

// conditionLen returns the length of the beginning of a comment that Outlook may
// show, such as "<!--[if (gte mso 9)|(IE)]>". text must begin with "<!--". For any
// other comment the length is 0.
func conditionLen(text []byte) int {
	const begin = "<!--[if"
	if len(text) < len(begin) || !strings.EqualFold(string(text[:len(begin)]), begin) {
		return 0
	}
	condition, _, ok := strings.Cut(string(text[len(begin):min(len(text), len(begin)+maxCondition)]), "]>")
	if !ok || strings.ContainsAny(condition, "<>") {
		return 0
	}
	c := conditionReader{rest: strings.ToLower(condition)}
	if shown, _ := c.either(); !shown {
		return 0
	}
	return len(begin) + len(condition) + len("]>")
}

// A conditionReader evaluates the condition of a comment. Each method reads an
// expression and returns whether it can be true, and whether it can be false, in some
// version of Outlook.
type conditionReader struct{ rest string }

func (c *conditionReader) either() (yes, no bool) {
	yes, no = c.both()
	for c.accept("|") {
		y, n := c.both()
		yes, no = yes || y, no && n
	}
	return yes, no
}

func (c *conditionReader) both() (yes, no bool) {
	yes, no = c.one()
	for c.accept("&") {
		y, n := c.one()
		yes, no = yes && y, no || n
	}
	return yes, no
}

func (c *conditionReader) one() (yes, no bool) {
	switch {
	case c.accept("!"):
		yes, no = c.one()
		return no, yes
	case c.accept("("):
		yes, no = c.either()
		c.accept(")")
		return yes, no
	}
	end := strings.IndexAny(c.rest, "()&|!")
	if end < 0 {
		end = len(c.rest)
	}
	words := strings.Fields(c.rest[:end])
	c.rest = c.rest[end:]
	version := len(words) > 1
	for _, word := range words {
		switch word {
		case "mso", "vml":
			return true, version
		case "true":
			return true, false
		}
	}
	return false, true // IE, an unknown word, or no word
}

// accept skips s, with blanks before it, if s comes next.
func (c *conditionReader) accept(s string) bool {
	rest, ok := strings.CutPrefix(strings.TrimLeft(c.rest, " \t\r\n"), s)
	if ok {
		c.rest = rest
	}
	return ok
}
