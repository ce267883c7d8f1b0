package mailtext

import (
	"bytes"
	"strings"

	"github.com/go-extbody/extbody/internal/codec/ascii"
	"github.com/go-extbody/extbody/internal/link/unwrap"
)

// A plainWalker emits the tokens of a text/plain part. It reads format=flowed (RFC
// 3676) like any other text: a URL in angle brackets may continue after any line end,
// and RFC 3676 section 4.5 defines the quote marks.
type plainWalker struct {
	feed  *feed
	chars *textDecoder
	emit  func(*Token)
	limit int // of a line

	delSp  bool              // see Source
	near   bool              // emit only URLs in wanted lines
	wanted func([]byte) bool // reports whether a line is wanted; nil if all are
	muted  bool              // the line is not wanted
	begun  bool              // this is not the first piece of a long line
	quoted bool              // the line is quoted
	rest   bool              // everything that follows is quoted
	rule   bool              // the line before was Outlook's line of underscores
	token  Token
	links  []span // the URLs in angle brackets in the line
}

// A span is a piece of a line.
type span struct{ start, end int }

func (w *plainWalker) walk() {
	linked := int64(0) // the end of the last URL in angle brackets
	bare := int64(0)   // the end of the last URL without them
	for {
		ahead := w.feed.peek(w.limit + maxLink)
		if len(ahead) == 0 {
			break
		}
		line := ahead[:min(len(ahead), w.limit)]
		whole := false
		if i := bytes.IndexByte(line, '\n'); i >= 0 {
			line = line[:i+1]
			whole = true
		}
		start := w.feed.offset()
		marks := w.see(line)
		// No URL starts in a whole line without "://".
		mayBeLess := w.near && whole && linked <= start
		if !mayBeLess || bytes.Contains(line, schemeEnd) {
			w.muted = w.wanted != nil && !w.wanted(ahead[:reach(ahead, len(line))])
			linked = w.walkLinks(ahead, len(line), start, linked, marks)
			if w.near && !w.muted {
				bare = w.walkBare(ahead, len(line), start, bare, marks)
			}
		}
		if !w.near {
			bare = w.walkBare(ahead, len(line), start, bare, marks)
			w.give(TextToken, w.chars.text(line), start, line)
		}
		w.begun = !whole
		w.feed.advance(len(line))
	}
	w.give(EndToken, "", w.feed.offset(), nil)
}

// give emits a token, which is raw as written.
func (w *plainWalker) give(kind TokenKind, text string, start int64, raw []byte) {
	w.token = Token{
		Kind: kind, Text: text, Start: start, End: start + int64(len(raw)), Quoted: w.quoted || w.rest, raw: raw,
	}
	w.emit(&w.token)
}

// see records whether a line is quoted, and returns the number of quote marks at its
// beginning. QUIRK: a line that starts with ">From " is not quoted, because mailbox
// files add that ">".
func (w *plainWalker) see(line []byte) (marks int) {
	if w.begun {
		return 0
	}
	w.quoted = line[0] == '>' && !bytes.HasPrefix(line, []byte(">From "))
	if w.quoted {
		for _, c := range line {
			if c == '>' {
				marks++
			} else if c != ' ' {
				break
			}
		}
	}
	if w.rest || len(line) > maxSeparator {
		return marks
	}
	text := bytes.TrimSpace(line)
	separates := bytes.HasPrefix(text, dashes) && isSeparator(string(text))
	if separates || w.rule && isOutlookField(string(text)) {
		w.rest = true
	}
	w.rule = len(text) == 32 && text[0] == '_' && len(bytes.Trim(text, "_")) == 0
	return marks
}

// walkLinks emits the URLs in angle brackets that start in a line: the first n octets
// of ahead, at the offset start of the text. It skips the text before from. It
// returns the end of the last URL in the text, or from.
func (w *plainWalker) walkLinks(ahead []byte, n int, start, from int64, marks int) int64 {
	w.links = w.links[:0]
	if from > start {
		w.links = append(w.links, span{0, int(from - start)})
	}
	for i := max(0, int(from-start)); i < n; {
		k := bytes.IndexByte(ahead[i:n], '<')
		if k < 0 {
			break
		}
		i += k
		end := linkEnd(ahead[i:min(len(ahead), i+maxLink)], marks)
		if end == 0 {
			i++
			continue
		}
		if !w.muted {
			url := strings.Trim(unwrap.Join(w.chars.text(ahead[i+1:i+end-1])), "<>")
			if len(url) > 4 && strings.EqualFold(url[:4], "url:") {
				url = url[4:] // RFC 3986 appendix C
			}
			w.give(LinkToken, url, start+int64(i), ahead[i:i+end])
		}
		w.links = append(w.links, span{i, i + end})
		i += end
		from = start + int64(i)
	}
	return from
}

// reach returns the end of the URL at the end of a line, the first n octets of ahead. It is after the
// line only if that is a piece of a longer line.
func reach(ahead []byte, n int) int {
	if ahead[n-1] == '\n' {
		return n
	}
	return n + len(urlPiece(ahead[n:min(len(ahead), n+maxLink)]))
}

// walkBare emits the URLs without brackets that start in a line: the first n octets of
// ahead, at the offset start of the text. It skips the text before skip. It returns
// the end of the last URL in the text, or skip.
func (w *plainWalker) walkBare(ahead []byte, n int, start, skip int64, marks int) int64 {
	line := ahead[:reach(ahead, n)]
	if !bytes.Contains(line, schemeEnd) {
		return skip
	}
	links := w.links
	for from, to := range bareURLs(string(line)) {
		if from >= n {
			break
		}
		if start+int64(from) < skip {
			continue
		}
		for len(links) > 0 && links[0].end <= from {
			links = links[1:]
		}
		if len(links) > 0 && links[0].start <= from {
			continue
		}
		skip = start + int64(to)
		text := string(line[from:to])
		w.token = Token{
			Kind: URLToken, Text: text, Start: start + int64(from), End: start + int64(to), Quoted: w.quoted || w.rest,
			raw: line[from:to],
		}
		if !w.bracketed(line, from, to, start) {
			w.join(ahead, n, from, to, start, marks)
		}
		w.emit(&w.token)
	}
	return skip
}

// bracketed sets Longer, Wrapped and LongerEnd of the token, which is the URL
// line[from:to], if the URL is in angle brackets (RFC 3986 appendix C) and a blank
// cuts it off. QUIRK: people copy names with blanks, which browsers show instead of
// "%20". All the text up to the bracket is the URL if it ends with a file name
// extension, and the text before the blank does not.
func (w *plainWalker) bracketed(line []byte, from, to int, start int64) bool {
	if from == 0 || to == len(line) || line[to] != ' ' {
		return false
	}
	if line[from-1] != '<' && !bytes.EqualFold(line[max(0, from-len("<url:")):from], []byte("<url:")) {
		return false
	}
	n := bytes.IndexAny(line[to:min(len(line), to+maxBlanks)], "<>\r\n")
	if n < 0 || line[to+n] != '>' {
		return false
	}
	url := string(bytes.TrimRight(line[from:to+n], " "))
	if hasExtension(string(line[from:to])) || !hasExtension(url) || strings.Count(url, "://") > 1 {
		return false
	}
	w.token.Longer = strings.ReplaceAll(url, " ", "%20")
	w.token.Wrapped = true
	w.token.Certain = true
	w.token.LongerEnd = start + int64(from+len(url))
	return true
}

// maxBlanks bounds the text after the first blank of a URL in angle brackets, in
// octets.
const maxBlanks = 256

// hasExtension reports whether the path of a URL ends with a period and 2 to 5
// letters and digits, at least one of them a letter.
func hasExtension(url string) bool {
	path, _, _ := strings.Cut(url, "?")
	path, _, _ = strings.Cut(path, "#")
	path = path[strings.LastIndexByte(path, '/')+1:]
	ext := path[strings.LastIndexByte(path, '.')+1:]
	letter := false
	for _, c := range []byte(ext) {
		if !ascii.IsAlphanumeric(c) {
			return false
		}
		letter = letter || ascii.IsLetter(c)
	}
	if len(ext) < 2 || len(ext) > 5 {
		return false
	}
	return letter && len(ext) < len(path)
}

// join sets Longer, Wrapped and LongerEnd of the token, which is the URL ahead[from:to].
// The line is the first n octets of ahead, at the offset start of the text.
func (w *plainWalker) join(ahead []byte, n, from, to int, start int64, marks int) {
	whole := bytes.TrimRight(ahead[:n], "\r\n")
	if len(whole) == n {
		return
	}
	var rest string
	var k int
	whole, blank := bytes.CutSuffix(whole, []byte(" "))
	certain := w.delSp && blank
	wrapped := certain
	mayEnd := blank && !certain && !mayBeWrapped(whole)
	switch {
	case len(bytes.TrimRight(whole[min(to, len(whole)):], ".,;:!?*`|")) > 0, mayEnd && !goesOn(string(whole)):
		return
	case certain:
		rest, k = flowed(ahead[n:], marks)
	default:
		rest, k, wrapped = longer(string(whole[from:]), ahead[n:], whole, marks)
		// QUIRK: programs that write format=flowed add the space in quoted URLs too,
		// although it then belongs to the text (RFC 3676 section 4.2).
		wrapped = wrapped && (!blank || goesOn(string(whole)))
	}
	if rest == "" || len(rest) > maxLink {
		return
	}
	all := string(whole[from:]) + rest
	for a, b := range bareURLs(all) {
		if a == 0 && b > len(whole)-from {
			w.token.Longer = all[:b]
			w.token.Wrapped = wrapped
			w.token.Certain = certain
			w.token.LongerEnd = start + int64(n+k-(len(all)-b))
		}
		break
	}
}

// linkEnd returns the length of the URL in angle brackets at the start of b,
// including the brackets, or 0. b must start with "<". The URL may have white space
// only around a line end, after which there may be up to marks quote marks.
func linkEnd(b []byte, marks int) int {
	if !isLink(b[1:]) {
		return 0
	}
	for i := 1; i < len(b); i++ {
		switch c := b[i]; {
		case c == '>':
			return i + 1
		case c == '<':
			return 0
		case c == ' ', c == '\t', c == '\r', c == '\n':
			n := bytes.IndexByte(b[i:], '\n')
			if n < 0 || len(bytes.TrimSpace(b[i:i+n])) > 0 {
				return 0
			}
			i += n
			for left := marks; i+1 < len(b); i++ {
				if next := b[i+1]; next == '>' && left > 0 {
					left--
				} else if next != ' ' && next != '\t' {
					break
				}
			}
			if i+1 < len(b) && (b[i+1] == '\r' || b[i+1] == '\n') {
				return 0 // an empty line ends the paragraph
			}
		}
	}
	return 0
}
