package mailtext

import (
	"bytes"
	"iter"
	"strings"
	"unicode/utf8"
)

// bareURLs yields where the http and https URLs in a text that are in no brackets
// begin and end. As people write them, a URL ends before white space, brackets,
// quotes and the punctuation of East Asian scripts, and without the punctuation and
// the letters outside of ASCII that it is followed by.
func bareURLs(text string) iter.Seq2[int, int] {
	return func(yield func(start, end int) bool) {
		for pos := 0; ; {
			i := strings.Index(text[pos:], "://")
			if i < 0 {
				return
			}
			start := pos + i
			for start > pos && isLetter(text[start-1]) {
				start--
			}
			pos += i + len("://")
			if n := strings.IndexFunc(text[pos:], endsURL); n >= 0 {
				pos += n
			} else {
				pos = len(text)
			}
			end := start + len(strings.TrimRightFunc(text[start:pos], followsURL))
			scheme, rest, _ := strings.Cut(text[start:max(start, end)], "://")
			if rest == "" || !strings.EqualFold(scheme, "http") && !strings.EqualFold(scheme, "https") {
				continue
			}
			if !yield(start, end) {
				return
			}
		}
	}
}

// endsURL reports whether a URL that stands in a text ends before c. What is not
// UTF-8 ends it.
func endsURL(c rune) bool {
	return c <= ' ' || c == '<' || c == '>' || c == '"' || c == 0x7f || c == '\u00a0' || c == utf8.RuneError ||
		'\u2000' <= c && c <= '\u206f' || '\u3000' <= c && c <= '\u303f' || '\uff00' <= c && c <= '\uffef'
}

// followsURL reports whether c, at the end of what may be a URL, is more likely of
// the sentence that the URL is in.
func followsURL(c rune) bool {
	return c >= utf8.RuneSelf || strings.ContainsRune(".,;:!?)]}'*`|", c)
}

const (
	// maxPieces bounds the lines that a URL without brackets is broken over.
	maxPieces = 8

	// fullLine is the length from which a line of text is one that a program may
	// have wrapped, in octets.
	fullLine = 66
)

// longer returns what a URL that ends a line of text, which is length octets long,
// goes on with if it is broken there, and how many octets of after, which follows
// the line, that is. Lines may have as many quote marks as the first one has.
// wrapped says that it is more likely broken than not.
func longer(after []byte, length, marks int) (rest string, n int, wrapped bool) {
	wrapped = length >= fullLine
	for range maxPieces {
		line, _, whole := bytes.Cut(after[n:], []byte("\n"))
		skip := quoteMarks(line, marks)
		piece := line[skip:]
		if i := strings.IndexFunc(string(piece[:min(len(piece), maxToken)]), endsURL); i >= 0 {
			piece = piece[:i]
		}
		if len(piece) == 0 || bytes.Contains(piece, []byte("://")) {
			break
		}
		if rest == "" && !bytes.ContainsAny(piece, "0123456789_-=&%?/") {
			wrapped = false
		}
		rest += string(piece)
		ends := len(bytes.TrimRight(line[skip:], "\r")) > len(piece) // by a blank or a bracket
		if ends || !whole || len(line) < fullLine {
			return rest, n + skip + len(piece), wrapped
		}
		n += len(line) + len("\n")
	}
	return rest, n, wrapped && rest != ""
}

// quoteMarks returns the length of the quote marks that line begins with, of which
// there are at most that many, with the blanks among them.
func quoteMarks(line []byte, marks int) int {
	i := 0
	for left := marks; i < len(line) && left > 0; i++ {
		if line[i] == '>' {
			left--
		} else if line[i] != ' ' {
			break
		}
	}
	if marks > 0 && i < len(line) && line[i] == ' ' {
		i++
	}
	return i
}
