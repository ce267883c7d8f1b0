package mailtext

import "bytes"

// maxCondition bounds what is before the "]>" of a comment that Outlook shows, in octets.
const maxCondition = 100

// conditionLen returns the length of what begins a comment that Outlook shows, such as
// "<!--[if (gte mso 9)|(IE)]>"; 0 if text, which begins with "<!--", begins otherwise.
func conditionLen(text []byte) int {
	const begin = "<!--[if"
	if !bytes.HasPrefix(text, []byte(begin)) {
		return 0
	}
	condition, _, ok := bytes.Cut(text[len(begin):min(len(text), len(begin)+maxCondition)], []byte("]>"))
	if !ok || bytes.ContainsAny(condition, "!<>") || !bytes.Contains(condition, []byte("mso")) && !bytes.Contains(condition, []byte("vml")) {
		return 0
	}
	return len(begin) + len(condition) + len("]>")
}

// shownLen is conditionLen for a whole comment. It is 0, too, if what Outlook shows of
// the comment does not end with it: a tag, a link or the content of a style that goes on
// would hide from a reader what all other programs show (HTML section 13.2.5.43).
func shownLen(comment []byte, limit int) int {
	n := conditionLen(comment)
	if n == 0 || len(comment) >= limit-len("</") {
		return 0
	}
	x := lexer{text: comment, pos: n, limit: limit, to: len(comment)}
	last, link := skippedLexeme, false
	for {
		var l lexeme
		if x.raw != "" && x.rawEnd() == len(comment) || x.escapesScript() {
			return 0
		}
		if !x.next(&l) {
			if l.kind != skippedLexeme || last == textLexeme || link {
				return 0 // a tag, a text or a link goes on
			}
			return n
		}
		if last = l.kind; isName(l.name, "a") {
			link = l.kind == startLexeme
		}
	}
}

// comment makes l the comment at the position or, if Outlook shows something of it, what
// begins it.
func (x *lexer) comment(l *lexeme) {
	if x.from <= x.pos && x.pos < x.to {
		if n := conditionLen(x.text[x.pos:]); n > 0 {
			x.skip(l, x.pos+n)
			return
		}
	}
	end := commentEnd(x.text, x.pos+len("<!--"))
	if n := shownLen(x.text[x.pos:end], x.limit); n > 0 {
		x.from, x.to = x.pos, end
		end = x.pos + n
	}
	x.skip(l, end)
}
