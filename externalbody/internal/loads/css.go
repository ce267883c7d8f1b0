package loads

import (
	"strings"
	"unicode/utf8"

	"github.com/go-extbody/extbody/internal/codec/ascii"
)

// A cssReader finds the URLs in a style sheet or in declarations. It reads tokens as CSS Syntax Level 3
// section 4 defines them: comments, strings, escapes, and url() with and without quotation marks, each
// also as browsers recover from broken ones. The text has its end, so that a URL may end there (section
// 4.3.6).
//
// A URL is a Picture, but the URL of @import is a Style and one in @font-face a Font. A string in a custom
// property is Other, since image-set() may have it by var(), and so is one in src() and image().
type cssReader struct {
	text  string
	at    int
	found func(kind Kind, from, to int, value string)

	open     []string // the functions and blocks that are open, by the names of functions and rules
	fonts    int      // how many of open are of fonts
	rule     string   // the at-rule whose prelude is being read
	imported int      // where the rule of the last @import ends
	custom   int      // how many of open were open where a custom property started; -1 outside of one
}

// readCSS passes on the URLs in a text of CSS, in order.
func readCSS(text string, found func(kind Kind, from, to int, value string)) {
	r := &cssReader{text: text, found: found, custom: -1}
	r.read()
}

func (r *cssReader) read() {
	for r.at < len(r.text) {
		switch c := r.text[r.at]; {
		case strings.HasPrefix(r.text[r.at:], "/*"):
			r.to("*/", len("/*"))
		case c == '"' || c == '\'':
			from, to, value, ok := r.str()
			switch {
			case !ok:
			case r.takesStrings():
				r.give(from, to, value)
			case r.custom >= 0 || r.mayTakeStrings():
				r.found(Other, from, to, value)
			}
		case c == '@':
			r.at++
			r.rule = strings.ToLower(r.name())
			if r.rule == "import" {
				r.bareImport()
			}
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
			r.ends()
			r.at++
		default:
			r.at++
		}
	}
}

// bareImport passes on the text after @import, up to the end of the rule, if that is neither a string nor a
// url(). CSS has no such URL, but Chromium asks for some of them before it reads the style sheet.
func (r *cssReader) bareImport() {
	if r.at < r.imported {
		return
	}
	rest := r.text[r.at:]
	if n := strings.IndexByte(rest, ';'); n >= 0 {
		rest = rest[:n]
	}
	r.imported = r.at + len(rest)
	raw := strings.TrimFunc(rest, func(c rune) bool { return c <= ' ' })
	if raw == "" || raw[0] == '"' || raw[0] == '\'' {
		return
	}
	if strings.HasPrefix(raw, "/*") || len(raw) >= 4 && strings.EqualFold(raw[:4], "url(") {
		return
	}
	from := r.at + strings.Index(rest, raw)
	r.found(Style, from, from+len(raw), raw)
}

// ends ends a declaration or a rule without a block.
func (r *cssReader) ends() {
	r.rule = ""
	if r.custom == len(r.open) {
		r.custom = -1
	}
}

func (r *cssReader) push(name string) {
	r.open = append(r.open, name)
	if name == "@font-face" {
		r.fonts++
	}
}

func (r *cssReader) pop() {
	if n := len(r.open) - 1; n >= 0 {
		if r.open[n] == "@font-face" {
			r.fonts--
		}
		r.open = r.open[:n]
		if r.custom > n {
			r.custom = -1
		}
	}
}

// takesStrings reports whether a string is a URL, by the function that it is in (CSS Images Level 4
// section 2.5, CSS Values Level 4 section 4.5) or because @import names it.
func (r *cssReader) takesStrings() bool {
	if len(r.open) > 0 {
		switch r.open[len(r.open)-1] {
		case "url", "image-set", "-webkit-image-set":
			return true
		}
	}
	return r.rule == "import"
}

// mayTakeStrings reports whether a string is in a function that few browsers have (CSS Images Level 4
// section 2.4, CSS Values Level 5 section 5).
func (r *cssReader) mayTakeStrings() bool {
	n := len(r.open) - 1
	return n >= 0 && (r.open[n] == "src" || r.open[n] == "image")
}

// give passes on a URL, unless it is the name of a name space or of the documents that a rule is for.
func (r *cssReader) give(from, to int, value string) {
	switch {
	case r.rule == "namespace" || r.rule == "document" || r.rule == "-moz-document":
	case r.rule == "import":
		r.found(Style, from, to, value)
	case r.fonts > 0:
		r.found(Font, from, to, value)
	default:
		r.found(Picture, from, to, value)
	}
}

// to goes to the end of the next end, which starts after the first skip octets.
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
	if strings.HasPrefix(name, "--") && r.custom < 0 && r.isDeclared() {
		r.custom = len(r.open)
	}
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

// isDeclared reports whether a colon follows, as after the name of a property.
func (r *cssReader) isDeclared() bool {
	rest := strings.TrimLeft(r.text[r.at:min(len(r.text), r.at+maxBefore)], " \t\r\n\f")
	return rest == "" || rest[0] == ':' || rest[0] == '/'
}

// maxBefore bounds the blanks that are looked over before a colon. More of them, and comments, are taken
// for a colon.
const maxBefore = 32

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
				r.give(from, to, value.String())
				return
			case r.text[r.at] == ')':
				r.at++
				r.give(from, to, value.String())
				return
			}
			r.broken()
			return
		case c == '"', c == '\'', c == '(', 0 < c && c < ' ', c == 0x7f, c == '\\' && !r.isEscape():
			r.broken()
			return
		case c == '\\':
			value.WriteString(r.escape())
		default:
			value.WriteByte(c)
			r.at++
		}
	}
	r.give(from, r.at, value.String())
}

// broken goes behind the end of a broken url() (section 4.3.14).
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

// str reads a string (section 4.3.5). ok is false if it is broken by a line end.
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
	return from, r.at, b.String(), true
}

// startsName reports whether a name starts here.
func (r *cssReader) startsName() bool {
	c := r.text[r.at]
	isWord := c == '_' || c >= 0x80 || ascii.IsAlphanumeric(c)
	return isWord || c == '-' || r.isEscape()
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

// isEscape reports whether an escape starts here (section 4.3.8).
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
