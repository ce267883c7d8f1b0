package externalbody

import (
	"iter"
	"strings"
)

// bareURLs yields where the URLs in a line of text that are in no brackets begin
// and end. As people write them, a URL ends before white space, brackets and
// quotes, and without the punctuation of the sentence that it is in.
func bareURLs(line string) iter.Seq2[int, int] {
	return func(yield func(start, end int) bool) {
		for pos := 0; ; {
			i := strings.Index(line[pos:], "://")
			if i < 0 {
				return
			}
			start := pos + i
			for start > pos && isLetter(line[start-1]) {
				start--
			}
			pos += i + len("://")
			if n := strings.IndexFunc(line[pos:], endsURL); n >= 0 {
				pos += n
			} else {
				pos = len(line)
			}
			end := start + len(strings.TrimRight(line[start:pos], ".,;:!?)]}'*"))
			if scheme := strings.ToLower(line[start : start+strings.Index(line[start:], ":")]); scheme != "http" && scheme != "https" {
				continue
			}
			if !yield(start, end) {
				return
			}
		}
	}
}

func endsURL(c rune) bool { return c <= ' ' || c == '<' || c == '>' || c == '"' || c == '\u00a0' }
