package house

import (
	"bytes"
	"iter"
	"regexp"
	"strconv"
	"strings"
)

// This file finds what the sources of this module cite: the rules of
// internal/REQUIREMENTS.md, such as EB-27, and sections of RFCs, such as RFC
// 2046 section 5.2.3.1.
//
// A citation may continue on the next line of a comment. Each rule of a range, such as
// UA-2 to UA-4, is cited. Each of several sections, such as RFC 2046 sections 5.1.4 and
// 5.2.3.7, is cited; of a range of sections only the two ends are.

// A Citation is one rule or one section that a text cites.
type Citation struct {
	Rule    string // such as "EB-27"; "" if it is a section
	RFC     int    // 0 if it is a rule
	Section string // such as "5.2.3.1" or "B.5"
	Line    int    // counts from 1
}

// String returns "EB-27", or "RFC 2046 section 5.2.3.1".
func (c Citation) String() string {
	switch {
	case c.Rule != "":
		return c.Rule
	case c.Section[0] >= 'A':
		return "RFC " + strconv.Itoa(c.RFC) + " appendix " + c.Section
	}
	return "RFC " + strconv.Itoa(c.RFC) + " section " + c.Section
}

// White space separates the words of a citation. It may contain a line end and the
// beginning of the next line of a comment.
const (
	space   = `(?:[ \t]|\r?\n[ \t]*(?://)?[ \t]*)+`
	section = `[0-9]+(?:\.[0-9]+)*|[A-Z](?:\.[0-9]+)*`
)

// Each expression is matched where its first letters were found.
var (
	rule   = regexp.MustCompile(`^([A-Z]{2})-([0-9]+)\b(?:` + space + `to` + space + `(?:([A-Z]{2})-)?([0-9]+)\b)?`)
	single = regexp.MustCompile(`^RFC` + space + `([0-9]+)` + space + `(?:[Ss]ection|[Aa]ppendix)` + space + `(` + section + `)\b`)
	plural = regexp.MustCompile(`^RFC` + space + `([0-9]+)` + space + `(?:[Ss]ections|[Aa]ppendices)` + space +
		`((?:` + section + `)(?:(?:,|,?` + space + `(?:and|or|to))` + space + `(?:` + section + `)\b)*)`)
	each = regexp.MustCompile(section)
)

// All returns what a text cites, in the order of the text.
func All(text []byte) iter.Seq[Citation] {
	return func(yield func(Citation) bool) {
		line, counted := 1, 0
		for at := 0; at < len(text); at++ {
			i := bytes.IndexAny(text[at:], "-R")
			if i < 0 {
				return
			}
			at += i
			begin := at
			if text[at] == '-' {
				begin = at - 2
				if begin < 0 || !capital(text[begin]) {
					continue
				}
			}
			if begin > 0 && wordly(text[begin-1]) {
				continue
			}
			read := sectionsAt
			if text[at] == '-' {
				read = rulesAt
			}
			found, n := read(text[begin:])
			if n == 0 {
				continue
			}
			at = begin + n - 1
			line += bytes.Count(text[counted:begin], []byte("\n"))
			counted = begin
			for _, c := range found {
				c.Line = line
				if !yield(c) {
					return
				}
			}
		}
	}
}

// rulesAt returns the rules cited at the beginning of a text, and the number of octets
// that cite them.
func rulesAt(text []byte) ([]Citation, int) {
	m := rule.FindSubmatchIndex(text)
	if m == nil {
		return nil, 0
	}
	prefix, first, end := string(text[m[2]:m[3]]), number(text[m[4]:m[5]]), m[5]
	last := first
	if m[8] >= 0 && (m[6] < 0 || string(text[m[6]:m[7]]) == prefix) {
		last, end = number(text[m[8]:m[9]]), m[9]
	}
	var found []Citation
	for n := first; n <= last && n-first < 100; n++ {
		found = append(found, Citation{Rule: prefix + "-" + strconv.Itoa(n)})
	}
	return found, end
}

// sectionsAt is rulesAt for sections.
func sectionsAt(text []byte) ([]Citation, int) {
	m := single.FindSubmatch(text)
	if m == nil {
		m = plural.FindSubmatch(text)
	}
	if m == nil {
		return nil, 0
	}
	var found []Citation
	for _, s := range each.FindAll(m[2], -1) {
		found = append(found, Citation{RFC: number(m[1]), Section: string(s)})
	}
	return found, len(m[0])
}

func capital(c byte) bool { return 'A' <= c && c <= 'Z' }

// wordly reports whether c continues a word.
func wordly(c byte) bool {
	return capital(c) || 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '_'
}

// number returns the value of a few digits; 0 for more.
func number(digits []byte) int {
	n, err := strconv.Atoi(string(digits))
	if err != nil || n > 1_000_000 {
		return 0
	}
	return n
}

// Within reports whether a section is s itself or below it: 5.2.3.1 is within
// 5.2.
func Within(section, s string) bool {
	rest, ok := strings.CutPrefix(section, s)
	return ok && (rest == "" || rest[0] == '.')
}
