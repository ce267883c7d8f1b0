package archive

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// folded returns a text for comparing: in the form NFKC, and without differences of case. So "ß" is "ss".
func folded(text string) string {
	if isASCII(text) {
		return strings.ToLower(text)
	}
	return norm.NFKC.String(cases.Fold().String(norm.NFKC.String(text)))
}

func isASCII(text string) bool {
	return strings.IndexFunc(text, func(c rune) bool { return c >= utf8.RuneSelf }) < 0
}

// A phrase has words that follow each other, folded. Between them there may be anything but words.
type phrase struct {
	words []string
	start bool // the last one is the start of a word
}

// newPhrase reads the words of a text. A "*" at its end makes the last one the start of a word.
func newPhrase(text string) *phrase {
	p := &phrase{start: strings.HasSuffix(text, "*")}
	eachWord(text, func(from, to int) bool {
		p.words = append(p.words, foldedWord(text[from:to]))
		return true
	})
	return p
}

// find returns the place of the first such words in a text; two zeros without one. A phrase without a word is nowhere.
func (p *phrase) find(text string) (from, to int) {
	if len(p.words) == 0 {
		return 0, 0
	}
	type begun struct{ next, from int }
	var open []begun // phrases that fit so far
	eachWord(text, func(start, end int) bool {
		word := text[start:end]
		open = append(open, begun{0, start})
		left := open[:0]
		for _, b := range open {
			if !p.fits(b.next, word) {
				continue
			}
			b.next++
			if b.next == len(p.words) {
				from = b.from
				to = end
				return false
			}
			left = append(left, b)
		}
		open = left
		return true
	})
	return from, to
}

// fits reports whether a word of a text is the one with that number.
func (p *phrase) fits(i int, word string) bool {
	want := p.words[i]
	isStart := p.start && i == len(p.words)-1
	word = foldedWord(word)
	if isStart && len(word) > len(want) {
		word = word[:len(want)]
	}
	return word == want
}

// foldedWord returns a word without the characters that only say where a line may end, and the like. It folds Cherokee,
// which package cases leaves as it is.
func foldedWord(word string) string {
	if isASCII(word) {
		return strings.ToLower(word)
	}
	return folded(strings.Map(func(c rune) rune {
		switch {
		case unicode.Is(unicode.Cf, c):
			return -1
		case unicode.Is(unicode.Cherokee, c):
			return unicode.ToUpper(c)
		}
		return c
	}, word))
}

// unspaced are scripts in which words are written without a space between them.
var unspaced = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul,
	unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar,
}

// eachWord calls f with the place of each word until it returns false. A word is made of letters, digits and marks. In
// a script without spaces between words each character counts as a word.
func eachWord(text string, f func(from, to int) bool) {
	from := -1
	for i, c := range text {
		isLetter := unicode.IsLetter(c) || unicode.IsNumber(c) || unicode.IsMark(c)
		within := isLetter || from >= 0 && unicode.Is(unicode.Cf, c)
		alone := c >= 0xE00 && isLetter && unicode.In(c, unspaced...)
		if from >= 0 && (alone || !within) {
			if !f(from, i) {
				return
			}
			from = -1
		}
		switch {
		case alone:
			if !f(i, i+utf8.RuneLen(c)) {
				return
			}
		case within && from < 0:
			from = i
		}
	}
	if from >= 0 {
		f(from, len(text))
	}
}

// maxAround is how many octets of a snippet are before, and after, the words that it shows.
const maxAround = 80

// snippet returns a place of a text with its surroundings, as one line.
func snippet(text string, from, to int) string {
	start := max(0, from-maxAround)
	end := min(len(text), max(to, from+maxAround)+maxAround)
	for start < from && !utf8.RuneStart(text[start]) {
		start++
	}
	for end < len(text) && !utf8.RuneStart(text[end]) {
		end++
	}
	return strings.Join(strings.Fields(text[start:end]), " ")
}
