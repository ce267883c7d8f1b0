package verbs

import (
	"regexp"
	"strings"
	"sync"

	"github.com/go-extbody/extbody/internal/codec/ascii"
)

// A Pattern is a regular expression for a whole value. "." stands for every character but
// a line feed.
type Pattern struct {
	Text string
	Is   Class

	once sync.Once
	re   *regexp.Regexp
}

// A Class is a pattern that the list names and that is matched without its regular expression. A
// test compares the two.
type Class uint8

const (
	Other Class = iota
	Token       // letters, digits and "-_.!~:"
	File        // the name of a file: it has an extension
	End         // a path that ends with the name of a file, which is the value
	Path        // the path of a file on a server, without empty segments and dot segments
	Some        // at least one character
)

// Match returns the value of p for a text: its group, or the whole text if p has none. It
// reports false if p does not match.
func (p *Pattern) Match(text string) (string, bool) {
	switch p.Is {
	case Token:
		return text, IsToken(text)
	case File:
		return text, isFile(text)
	case End:
		text = text[strings.LastIndexByte(text, '/')+1:]
		return text, isFile(text)
	case Path:
		return text, isPath(text)
	case Some:
		return text, text != ""
	}
	re := p.compiled("^(?:", ")$")
	if re.NumSubexp() == 0 {
		return text, re.MatchString(text)
	}
	m := re.FindStringSubmatchIndex(text)
	if m == nil || m[2] < 0 {
		return "", false
	}
	return text[m[2]:m[3]], true
}

// compiled returns the regular expression with a start and an end, which are the same for each
// call. It is compiled when it is first used.
func (p *Pattern) compiled(begin, end string) *regexp.Regexp {
	p.once.Do(func() { p.re = regexp.MustCompile(begin + p.Text + end) })
	return p.re
}

// IsToken reports whether s consists of letters, digits, "-", "_", ".", "!", "~" and ":", and is
// not "", "." or "..". These characters mean the same in every part of a URL, so a token can be
// put into another URL as it is.
func IsToken(s string) bool {
	for i := range len(s) {
		if !ascii.IsAlphanumeric(s[i]) && strings.IndexByte("-_.!~:", s[i]) < 0 {
			return false
		}
	}
	return s != "" && s != "." && s != ".."
}

// isFile reports whether a name has an extension that a file may have: at most 8 letters and
// digits, and not digits alone.
func isFile(name string) bool {
	dot := strings.LastIndexByte(name, '.')
	if dot <= 0 || len(name)-dot-1 > 8 {
		return false
	}
	letters := false
	for _, c := range []byte(name[dot+1:]) {
		if !ascii.IsAlphanumeric(c) {
			return false
		}
		letters = letters || ascii.IsLetter(c)
	}
	return letters
}

// isPath reports whether a path can be asked for: it has no empty segment, no dot segment,
// no control character and no backslash.
func isPath(path string) bool {
	isBad := func(c rune) bool { return c < ' ' || c == 0x7f || c == '\\' }
	if !strings.HasPrefix(path, "/") || strings.ContainsFunc(path, isBad) {
		return false
	}
	for segment := range strings.SplitSeq(path[1:], "/") {
		if segment == "" || segment == "." || segment == ".." {
			return false
		}
	}
	return true
}
