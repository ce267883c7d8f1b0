package dialect

import (
	"strings"
	"unicode/utf8"
)

// A cssReader finds the URLs of pictures in a style sheet or in declarations. It reads tokens as
// CSS Syntax Level 3 section 4 defines them: comments, strings, escapes, and url() with and without
// quotation marks, each also as browsers recover from broken ones.
type cssReader struct {
	text  string
	at    int
	whole bool // the text has its end, so that a URL may end there (section 4.3.6)
	found func(from, to int, value string)

	open    []string // the functions and blocks that are open, by the names of functions and rules
	skipped int      // how many of open are of fonts
	rule    string   // the at-rule whose prelude is being read
}

// read reads the text.
func (r *cssReader) read() {
	for r.at < len(r.text) {
		switch c := r.text[r.at]; {
		case strings.HasPrefix(r.text[r.at:], "/*"):
			r.to("*/", len("/*"))
		case c == '"' || c == '\'':
			if from, to, value, ok := r.str(); ok && r.takesStrings() {
				r.give(from, to, value)
			}
		case c == '@':
			r.at++
			r.rule = strings.ToLower(r.name())
		case r.startsName():
			r.word()
		case c == '(' || c == '[':
			r.push("")
			r.at++
		case c == '{':
			r.push("@" + r.rule)
			r.rule = ""
			r.at++
		case c == ')' || c == ']' || c == '}':
			r.pop()
			r.at++
		case c == ';':
			r.rule = ""
			r.at++
		default:
			r.at++
		}
	}
}

func (r *cssReader) push(name string) {
	r.open = append(r.open, name)
	if name == "@font-face" {
		r.skipped++
	}
}

func (r *cssReader) pop() {
	if n := len(r.open) - 1; n >= 0 {
		if r.open[n] == "@font-face" {
			r.skipped--
		}
		r.open = r.open[:n]
	}
}

// takesStrings reports whether a string is the URL of a picture, by the function that it is in
// (CSS Images Level 4 section 2.5).
func (r *cssReader) takesStrings() bool {
	if len(r.open) == 0 {
		return false
	}
	switch r.open[len(r.open)-1] {
	case "url", "image-set", "-webkit-image-set":
		return true
	}
	return false
}

// give passes on a URL, unless it is of a font, a style sheet or a name space.
func (r *cssReader) give(from, to int, value string) {
	if r.skipped == 0 && r.rule != "import" && r.rule != "namespace" {
		r.found(from, to, value)
	}
}

// to goes to the end of the next end, which begins after the first skip octets.
func (r *cssReader) to(end string, skip int) {
	r.at = min(r.at+skip, len(r.text))
	if i := strings.Index(r.text[r.at:], end); i >= 0 {
		r.at += i + len(end)
		return
	}
	r.at = len(r.text)
}

// word reads a name, a function, or a url() without quotation marks.
func (r *cssReader) word() {
	name := strings.ToLower(r.name())
	if r.at == len(r.text) || r.text[r.at] != '(' {
		return
	}
	r.at++
	if name == "url" {
		r.blanks()
		if r.at < len(r.text) && r.text[r.at] != '"' && r.text[r.at] != '\'' {
			r.bare()
			return
		}
	}
	r.push(name)
}

// bare reads a URL without quotation marks, and the parenthesis after it (section 4.3.6).
func (r *cssReader) bare() {
	from := r.at
	var value strings.Builder
	for r.at < len(r.text) {
		c := r.text[r.at]
		switch {
		case c == ')' || isBlank(c):
			to := r.at
			r.blanks()
			switch {
			case r.at == len(r.text):
				r.end(from, to, value.String())
				return
			case r.text[r.at] == ')':
				r.at++
				r.give(from, to, value.String())
				return
			}
			r.broken()
			return
		case c == '"' || c == '\'' || c == '(' || c < ' ' || c == 0x7f, c == '\\' && !r.isEscape():
			r.broken()
			return
		case c == '\\':
			value.WriteString(r.escape())
		default:
			value.WriteByte(c)
			r.at++
		}
	}
	r.end(from, r.at, value.String())
}

// end passes on a URL that ends with the text.
func (r *cssReader) end(from, to int, value string) {
	if r.whole {
		r.give(from, to, value)
	}
}

// broken goes behind the end of a url() that is none (section 4.3.14).
func (r *cssReader) broken() {
	for r.at < len(r.text) {
		switch {
		case r.text[r.at] == ')':
			r.at++
			return
		case r.isEscape():
			r.escape()
		default:
			r.at++
		}
	}
}

// str reads a string (section 4.3.5). ok is false if it is broken by a line end, or cut.
func (r *cssReader) str() (from, to int, value string, ok bool) {
	quote := r.text[r.at]
	r.at++
	from = r.at
	var b strings.Builder
	for r.at < len(r.text) {
		switch c := r.text[r.at]; {
		case c == quote:
			r.at++
			return from, r.at - 1, b.String(), true
		case c == '\n' || c == '\r' || c == '\f':
			return from, r.at, "", false
		case c == '\\':
			b.WriteString(r.escape())
		default:
			b.WriteByte(c)
			r.at++
		}
	}
	return from, r.at, b.String(), r.whole
}

// startsName reports whether a name begins here.
func (r *cssReader) startsName() bool {
	c := r.text[r.at]
	return c == '_' || c == '-' || c >= 0x80 || isAlphanumeric(rune(c)) || r.isEscape()
}

// name reads a name (section 4.3.11). Numbers are read as names, which have no meaning here.
func (r *cssReader) name() string {
	from := r.at
	for r.at < len(r.text) && r.startsName() && r.text[r.at] != '\\' {
		r.at++
	}
	if r.at == len(r.text) || !r.isEscape() {
		return r.text[from:r.at]
	}
	var b strings.Builder
	b.WriteString(r.text[from:r.at])
	for r.at < len(r.text) && r.startsName() {
		if r.text[r.at] == '\\' {
			b.WriteString(r.escape())
			continue
		}
		b.WriteByte(r.text[r.at])
		r.at++
	}
	return b.String()
}

// isEscape reports whether an escape begins here (section 4.3.8).
func (r *cssReader) isEscape() bool {
	return r.text[r.at] == '\\' && (r.at+1 == len(r.text) || !isLineEnd(r.text[r.at+1]))
}

// escape reads an escape, or a line end that a string goes on after, and returns the characters that
// it stands for (section 4.3.7).
func (r *cssReader) escape() string {
	r.at++
	rest := r.text[r.at:]
	if rest == "" {
		return ""
	}
	digits := 0
	point := rune(0)
	for digits < len(rest) && digits < 6 {
		d := strings.IndexByte("0123456789abcdef", rest[digits]|0x20)
		if rest[digits] < '0' || d < 0 {
			break
		}
		point = point<<4 | rune(d)
		digits++
	}
	switch {
	case digits > 0:
		r.at += digits
		if strings.HasPrefix(r.text[r.at:], "\r\n") {
			r.at += len("\r\n")
		} else if r.at < len(r.text) && isBlank(r.text[r.at]) {
			r.at++
		}
		if point == 0 || !utf8.ValidRune(point) {
			point = utf8.RuneError
		}
		return string(point)
	case strings.HasPrefix(rest, "\r\n"):
		r.at += len("\r\n")
		return ""
	case isLineEnd(rest[0]):
		r.at++
		return ""
	}
	r.at++
	return rest[:1] // the octets that follow of a longer character are read as they are
}

func (r *cssReader) blanks() {
	for r.at < len(r.text) && isBlank(r.text[r.at]) {
		r.at++
	}
}

func isLineEnd(c byte) bool { return c == '\n' || c == '\r' || c == '\f' }

func isBlank(c byte) bool { return c == ' ' || c == '\t' || isLineEnd(c) }
