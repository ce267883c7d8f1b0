package mailtext

// walkHeld gives the tokens of a text that is in memory.
func (w *htmlWalker) walkHeld() {
	x := lexer{text: w.feed.buf, limit: w.limit}
	var l lexeme
	for x.next(&l) {
		if w.isLong(&x, &l) {
			w.walkFrom(l.start)
			return
		}
		w.dropLong(&l)
		if l.kind != skippedLexeme {
			w.giveLexeme(&x, &l)
		}
	}
	w.end(len(x.text))
}

// isLong reports whether l, which x has just cut, needs the tokenizer: it is a tag or a
// text that is too long, or the start tag of a script that contains a comment.
func (w *htmlWalker) isLong(x *lexer, l *lexeme) bool {
	return l.kind != skippedLexeme && l.kind != dataLexeme && l.end-l.start >= w.limit-len("</") || x.escapesScript()
}

// dropLong makes l a piece that is skipped if it is a data script that is too long.
func (w *htmlWalker) dropLong(l *lexeme) {
	if l.kind == dataLexeme && l.end-l.start >= w.limit-len("</") {
		l.kind = skippedLexeme
	}
}

// walkFrom gives the tokens from start on. A token begins there.
func (w *htmlWalker) walkFrom(start int) {
	w.feed.advance(start - w.feed.pos)
	w.off = w.feed.offset()
	w.walk()
}

// giveLexeme gives the token of l.
func (w *htmlWalker) giveLexeme(x *lexer, l *lexeme) {
	w.makeToken(x, l)
	w.give()
}

// makeToken makes the token of l, which is not a piece that is skipped.
func (w *htmlWalker) makeToken(x *lexer, l *lexeme) {
	w.token = Token{Attrs: w.token.Attrs[:0], Start: int64(l.start), End: int64(l.end)}
	switch l.kind {
	case textLexeme:
		w.token.Kind = TextToken
		w.setText(x.text[l.start:l.end])
	case dataLexeme:
		// A script has no character references (HTML section 13.2.5.4).
		w.token.Kind, w.token.Text = DataToken, w.chars.text(x.text[l.start:l.end])
	case startLexeme:
		w.token.Kind = StartTagToken
		w.setTag(x.text[l.start:l.end])
	case endLexeme:
		w.token.Kind = EndTagToken
		w.token.Name = tagName(w.chars.text(l.name))
	}
}

// end gives the token that ends the text.
func (w *htmlWalker) end(at int) {
	w.token = Token{Kind: EndToken, Start: int64(at), End: int64(at), Quoted: w.quote.open()}
	w.emit(&w.token)
}
