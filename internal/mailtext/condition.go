package mailtext

import "bytes"

// maxCondition bounds the condition of a comment that Outlook shows, in octets, with the
// "]>" after it.
const maxCondition = 100

// conditionLen returns the length of the beginning of a comment that Outlook shows, such
// as "<!--[if (gte mso 9)|(IE)]>". text begins with "<!--". If it is not such a comment,
// the length is 0.
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

// shownLen is conditionLen for a whole comment. It also returns 0 if a tag, a text, a link
// or the content of an element such as style could go on after the comment. To read these
// as Outlook does would hide what all other programs show (HTML section 13.2.5.43).
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
				return 0 // a tag, a text or a link goes on after it
			}
			return n
		}
		if last = l.kind; isName(l.name, "a") {
			link = l.kind == startLexeme
		}
	}
}

// comment makes l the comment at the position. If Outlook shows the comment, it makes l
// only the beginning of the comment with its condition.
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
