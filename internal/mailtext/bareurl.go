package mailtext

import (
	"bytes"
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-extbody/extbody/internal/codec/ascii"
	"github.com/go-extbody/extbody/internal/codec/percent"
)

// maxLink bounds a URL in angle brackets, in octets. Line ends and quote marks in the
// URL count.
const maxLink = 16 << 10

var schemeEnd = []byte("://")

// bareURLs yields the starts and ends of the http and https URLs in running text. A
// URL ends before
//
//   - white space, an angle bracket, a double quote or a backslash,
//   - a closing bracket that it did not open,
//   - the punctuation of East Asian scripts.
//
// Punctuation and letters outside ASCII at the end of a URL are not part of it. A host
// before a slash may have full-width letters and the full stops that UTS 46 maps.
// Letters directly before the scheme do not matter, because in East Asian charsets
// they can be the ends of characters.
func bareURLs(text string) iter.Seq2[int, int] {
	return func(yield func(start, end int) bool) {
		stop := 0 // the end of the word that contains the last URL
		for pos := 0; ; {
			i := strings.Index(text[pos:], "://")
			if i < 0 {
				return
			}
			start := pos + i - schemeLen(text[pos:pos+i])
			pos += i + len("://")
			if pos > stop {
				from := pos + wideHost(text[pos:])
				stop = strings.IndexFunc(text[from:], endsURL)
				if stop >= 0 {
					stop += from
				} else {
					stop = len(text)
				}
			}
			pos = start + standsAlone(text[start:stop])
			end := start + len(strings.TrimRightFunc(text[start:pos], followsURL))
			if start > 0 && text[start-1] == '_' {
				end = start + len(strings.TrimSuffix(text[start:end], "_")) // as in Markdown
			}
			scheme, rest, _ := strings.Cut(text[start:max(start, end)], "://")
			if scheme == "" || rest == "" {
				continue
			}
			if !yield(start, end) {
				return
			}
		}
	}
}

// standsAlone returns the length of the URL at the start of text, which must be
// without blanks. The URL ends before a closing bracket that it has not opened, and
// before a comma, a semicolon or a bar with another URL after it. Another URL after
// any other octet is part of this URL.
func standsAlone(text string) int {
	const open, shut = "([{", ")]}"
	var depth [len(open)]int
	for i := range len(text) {
		switch c := text[i]; c {
		case '(', '[', '{':
			if strings.HasPrefix(text[i:], "[/") {
				return i // as in BBCode
			}
			depth[strings.IndexByte(open, c)]++
		case ')', ']', '}':
			k := strings.IndexByte(shut, c)
			if depth[k]--; depth[k] < 0 {
				return i
			}
		case ',', ';', '|':
			if isLink([]byte(text[i+1 : min(len(text), i+1+len("https://")+1)])) {
				return i
			}
		}
	}
	return len(text)
}

// wideHost returns the length of the host at the start of text if a slash follows it and
// all its characters are letters, digits, hyphens and full stops of ASCII, or UTS 46 maps
// them to these. Otherwise it returns 0.
func wideHost(text string) int {
	for i, c := range text {
		if c == '/' {
			return i
		}
		if 0xff01 <= c && c <= 0xff5e {
			c -= 0xff01 - '!'
		}
		if !isWide(c) && !isHostOctet(c) {
			return 0
		}
	}
	return 0
}

// isWide reports whether UTS 46 maps c to a full stop or to nothing.
func isWide(c rune) bool { return c == '\u3002' || c == '\uff61' || c == '\u00ad' }

func isHostOctet(c rune) bool {
	return c == '-' || c == '.' || ascii.IsAlphanumeric(c)
}

// schemeLen returns the length of the http or https at the end of text, or 0.
func schemeLen(text string) int {
	for _, scheme := range [...]string{"https", "http"} {
		if n := len(text) - len(scheme); n >= 0 && strings.EqualFold(text[n:], scheme) {
			return len(scheme)
		}
	}
	return 0
}

// endsURL reports whether a URL in running text ends before c. Invalid UTF-8 also
// ends it.
func endsURL(c rune) bool {
	switch c {
	case '<', '>', '"', '\\', 0x7f, '\u00a0', utf8.RuneError:
		return true
	}
	switch {
	case c <= ' ', '\u2000' <= c && c <= '\u206f', '\u3000' <= c && c <= '\u303f', '\uff00' <= c && c <= '\uffef':
		return true
	}
	return false
}

// followsURL reports whether c, at the end of a possible URL, more likely belongs to
// the sentence around it.
func followsURL(c rune) bool { return c >= utf8.RuneSelf || strings.ContainsRune(".,;:!?'*`|", c) }

const (
	// maxPieces bounds the lines over which a URL without brackets is broken.
	maxPieces = 8

	// fullLine is the minimum length of a line that a program likely wrapped, in octets.
	fullLine = 66

	// minWrapped and maxWrapped bound the length of a line that a program may have wrapped
	// before a word or a blank.
	minWrapped = 60
	maxWrapped = 80
)

// longer returns the rest of url, if url was broken at the end of the line first. after
// is the text after the line. rest is the rest of the URL, which is in the first n octets
// of after. wrapped is true if the URL was more likely broken than not. marks is the
// number of quote marks at the start of the line. The next lines may have as many.
func longer(url string, after, first []byte, marks int) (rest string, n int, wrapped bool) {
	wrapped = len(first) >= fullLine
	full := mayBeWrapped(first)
	indent := indentation(first[quoteMarks(first, marks):])
	for range maxPieces {
		line, _, whole := bytes.Cut(after[n:], []byte("\n"))
		skip := quoteMarks(line, marks)
		blanks := indentation(line[skip:])
		if blanks != indent && !full {
			break
		}
		skip += blanks
		piece := urlPiece(line[skip:])
		if len(piece) == 0 || isRule(piece) || bytes.Contains(piece, schemeEnd) {
			break
		}
		ends := len(bytes.TrimRight(line[skip:], "\r")) > len(piece) // by a blank or a bracket
		mayEnd := !full
		if rest != "" {
			mayEnd = !goesOn(rest) || strings.HasSuffix(rest, "/")
		}
		if mayEnd && isWord(strings.TrimRightFunc(string(piece), followsURL)) {
			break
		}
		if rest == "" {
			wrapped = wrapped || !ends && breaksAt(url, string(piece))
			wrapped = wrapped && blanks == indent && looksCut(string(piece), ends)
		}
		rest += string(piece)
		isLast := ends || !whole
		if isLast || len(line) < fullLine && !goesOn(rest) {
			return rest, n + skip + len(piece), wrapped
		}
		n += len(line) + len("\n")
	}
	return rest, n, wrapped && rest != ""
}

// mayBeWrapped reports whether a program may have wrapped after line.
func mayBeWrapped(line []byte) bool { return minWrapped <= len(line) && len(line) <= maxWrapped }

// isWord reports whether text has only letters, and capitals at most at its start.
func isWord(text string) bool {
	tail := strings.TrimLeftFunc(text, unicode.IsUpper)
	return strings.TrimFunc(text, unicode.IsLetter) == "" && tail == strings.ToLower(tail)
}

// indentation returns the number of spaces at the start of line.
func indentation(line []byte) int { return len(line) - len(bytes.TrimLeft(line, " ")) }

// urlPiece returns the start of line up to an octet that ends a URL.
func urlPiece(line []byte) []byte {
	if i := strings.IndexFunc(string(line[:min(len(line), maxToken)]), endsURL); i >= 0 {
		return line[:i]
	}
	return line
}

// isRule reports whether piece is not the rest of a URL but a line of dashes or
// similar octets, such as the line above a signature or the footer of a mailing list.
func isRule(piece []byte) bool {
	return (len(piece) > 2 || string(piece) == "--") && len(bytes.Trim(piece, "_-=*~#.+")) == 0
}

// looksCut reports whether piece, the start of a line, is more likely the rest of
// a URL than a word or a number. If ends is true, more text follows on the line.
func looksCut(piece string, ends bool) bool {
	if !ends {
		return strings.ContainsAny(piece, "0123456789_-=&%?/") || len(piece) > 1 && piece[0] == '.'
	}
	if strings.ContainsAny(piece, "=&%?_") {
		return true
	}
	const word = 4 // the length of words with digits, such as Q1 and 3rd
	return len(piece) > word && strings.ContainsAny(piece, "0123456789") && strings.Trim(piece, "0123456789.,:;/-()#") != ""
}

// breaksAt reports whether a URL was likely broken between url and piece, which is all of
// the next line, by a program that breaks URLs between their parts.
func breaksAt(url, piece string) bool {
	if len(piece) > 1 && strings.IndexByte("/?&=%", piece[0]) >= 0 {
		return true
	}
	return goesOn(url) && (len(piece) >= 16 || strings.ContainsAny(piece, "=&%?"))
}

// goesOn reports whether text ends with an octet after which a URL usually continues.
func goesOn(text string) bool {
	return text != "" && strings.IndexByte("/?&=-_%", text[len(text)-1]) >= 0
}

// flowed is longer for a line that ends with a space, in a text with delsp=yes. The
// next line certainly continues this line (RFC 3676 section 4.1).
func flowed(after []byte, marks int) (rest string, n int) {
	var joined []byte
	for n < len(after) && len(joined) <= maxLink {
		line, _, whole := bytes.Cut(after[n:], []byte("\n"))
		skip := quoteMarks(line, marks)
		if marks == 0 && len(line) > 0 && line[0] == ' ' {
			skip = 1 // RFC 3676 section 4.4
		}
		piece := urlPiece(line[skip:])
		if bytes.Contains(piece, schemeEnd) {
			break
		}
		joined = append(joined, piece...)
		if string(bytes.TrimRight(line[skip+len(piece):], "\r")) != " " || len(piece) == 0 || !whole {
			n += skip + len(piece)
			break
		}
		n += len(line) + len("\n")
	}
	return string(joined), n
}

// quoteMarks returns the length of the quote marks at the start of line, with the
// spaces between and after them. It counts at most marks of them.
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

const (
	// aroundBreak is the number of octets before and after a line end that Breaks joins.
	aroundBreak = 128

	// maxNext bounds the octets that are read after a line end.
	maxNext = 4 * aroundBreak
)

// Breaks finds the line ends of a text/plain at which a URL without brackets may have been broken. It can be used for
// one text after the other.
type Breaks struct {
	joined []byte
	seams  []int
}

// Each calls found with the surroundings of each of these line ends: up to 128 octets before and after the line end,
// without it and the quote marks after it. They are without the scheme, and also without the further line ends at
// which the URL may go on. seams are where in joined the line ends were. Both are valid until found returns. Each
// [Token.Longer] of [Plain] has such a line end. Each is faster than Plain.
func (b *Breaks) Each(text []byte, found func(joined []byte, seams []int)) {
	for {
		i := bytes.Index(text, schemeEnd)
		if i < 0 {
			return
		}
		n := bytes.IndexByte(text[i:], '\n')
		if n < 0 {
			return
		}
		line := text[i : i+n]
		next := text[i+n+len("\n"):]
		text = next
		if len(next) == 0 {
			continue
		}
		if c := next[0]; wordEnds[c] && c != ' ' && c != '>' {
			continue
		}
		line = bytes.TrimSuffix(bytes.TrimRight(line, "\r"), []byte(" ")) // see flowed
		word := len(line)
		for word > 0 && !wordEnds[line[word-1]] {
			word--
		}
		line = line[word:]
		if word > 0 && !bytes.Contains(line, schemeEnd) {
			continue
		}
		b.joined = append(b.joined[:0], line[max(0, len(line)-aroundBreak):]...)
		b.seams = b.seams[:0]
		if b.join(next); len(b.seams) > 0 {
			found(b.joined, b.seams)
		}
	}
}

// join joins the octets at the start of text up to a blank, without line ends and quote marks.
func (b *Breaks) join(text []byte) {
	text = text[:min(len(text), maxNext)]
	for left := aroundBreak; left > 0; {
		for len(text) > 0 && (text[0] == '>' || text[0] == ' ') {
			text = text[1:]
		}
		n := 0
		for n < len(text) && n < left && !wordEnds[text[n]] {
			n++
		}
		if n == 0 {
			break
		}
		b.seams = append(b.seams, len(b.joined))
		b.joined = append(b.joined, text[:n]...)
		left -= n
		if n == len(text) {
			break
		}
		text = bytes.TrimLeft(bytes.TrimPrefix(text[n:], []byte(" ")), "\r") // see flowed
		if len(text) == 0 || text[0] != '\n' {
			break
		}
		text = text[len("\n"):]
	}
}

// wordEnds has the octets before which a URL without brackets ends.
var wordEnds = percent.NewSet(func(c byte) bool { return c <= ' ' || strings.IndexByte(`<>"\`, c) >= 0 })

// HasBrokenLink reports whether a text/plain may contain a URL in angle brackets that has a line end or a blank. It is
// faster than [Plain].
func HasBrokenLink(text []byte) bool {
	for {
		i := bytes.IndexByte(text, '<')
		if i < 0 {
			return false
		}
		text = text[i+1:]
		if !isLink(text) {
			continue
		}
		end := bytes.IndexAny(text[:min(len(text), maxLink)], "<>")
		if end < 0 {
			end = min(len(text), maxLink)
		}
		if bytes.ContainsAny(text[:end], " \t\r\n") {
			return true
		}
	}
}

// isLink reports whether b starts like an http or https URL, with or without "URL:"
// before it.
func isLink(b []byte) bool {
	if len(b) > 4 && strings.EqualFold(string(b[:4]), "url:") {
		b = b[4:]
	}
	return len(b) > 8 && (strings.EqualFold(string(b[:7]), "http://") || strings.EqualFold(string(b[:8]), "https://"))
}
