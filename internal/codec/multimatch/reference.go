package multimatch

import (
	"bytes"
	"slices"
	"strings"
)

// maxReference bounds the octets of a numeric character reference that are read. A
// longer reference counts as one to an octet of a needle.
const maxReference = 16

// A reference is a named character reference.
type reference struct {
	name string
	char byte
}

// named has the names of character references that stand for an ASCII character, alone or
// with another character (HTML section 13.5). A name that does not need a semicolon is
// listed without it. Only "fjlig;" stands for letters, and no name stands for a digit. A
// name of two ASCII characters counts like a break.
var named = []reference{
	{"Tab;", '\t'}, {"NewLine;", '\n'}, {"excl;", '!'}, {"quot", '"'}, {"QUOT", '"'}, {"num;", '#'},
	{"dollar;", '$'}, {"percnt;", '%'}, {"amp", '&'}, {"AMP", '&'}, {"apos;", '\''}, {"lpar;", '('},
	{"rpar;", ')'}, {"ast;", '*'}, {"midast;", '*'}, {"plus;", '+'}, {"comma;", ','}, {"period;", '.'},
	{"sol;", '/'}, {"colon;", ':'}, {"semi;", ';'}, {"lt", '<'}, {"LT", '<'}, {"equals;", '='},
	{"gt", '>'}, {"GT", '>'}, {"quest;", '?'}, {"commat;", '@'}, {"lsqb;", '['}, {"lbrack;", '['},
	{"bsol;", '\\'}, {"rsqb;", ']'}, {"rbrack;", ']'}, {"Hat;", '^'}, {"lowbar;", '_'}, {"UnderBar;", '_'},
	{"grave;", '`'}, {"DiacriticalGrave;", '`'}, {"lcub;", '{'}, {"lbrace;", '{'}, {"verbar;", '|'},
	{"vert;", '|'}, {"VerticalLine;", '|'}, {"rcub;", '}'}, {"rbrace;", '}'}, {"fjlig;", '\n'},
	{"nvlt;", '<'}, {"nvgt;", '>'}, {"bne;", '='},
}

// hasReference reports whether text has a character reference to a line end or to a tab,
// or to an octet of a needle that may be around it. If last is false, more text follows,
// and a number at the end of text does not count yet.
func (x *Search) hasReference(text []byte, last bool) bool {
	for i := 0; ; {
		n := bytes.IndexByte(text[i:], '&')
		if n < 0 {
			return false
		}
		before, after := text[:i+n], text[i+n+1:]
		i += n + 1
		switch {
		case len(after) == 0:
			return false
		case after[0] == '#':
			digits := after[1:min(len(after), maxReference)]
			v, used := number(digits)
			if used > 0 && (used < len(digits) || len(digits) == maxReference-1 || last) && x.relevant(v, before, after[1+used:]) {
				return true
			}
		case after[0]-'A' < 'z'-'A'+1:
			for _, r := range x.named[after[0]-'A'] {
				if rest, ok := bytes.CutPrefix(after, []byte(r.name)); ok && x.relevant(uint32(r.char), before, rest) {
					return true
				}
			}
		}
	}
}

// relevant reports whether a reference between before and after may be within a needle. v is
// its character. A number that is too long to be read may be any character, and a break
// may be within any needle.
func (x *Search) relevant(v uint32, before, after []byte) bool {
	if v >= 0x80 {
		return v == unreadable
	}
	if isBreak(byte(v)) {
		return true
	}
	after = bytes.TrimPrefix(after, []byte(";"))
	return slices.ContainsFunc(x.at[lower(byte(v))], func(at [2]int) bool {
		n := x.set.needles[at[0]]
		for i := range at[1] {
			if i == len(before) {
				return false
			}
			c := before[len(before)-1-i]
			if c == ';' || isBreak(c) {
				break
			}
			if lower(c) != n[at[1]-1-i] {
				return false
			}
		}
		for i, want := range []byte(n[at[1]+1:]) {
			if i == len(after) {
				return false
			}
			c := after[i]
			if c == '&' || isBreak(c) {
				break
			}
			if lower(c) != want {
				return false
			}
		}
		return true
	})
}

const unreadable = 1 << 31

// number returns the value of a numeric character reference and its length in octets.
// text begins after the "&#". The length is 0 if text does not begin with a number.
func number(text []byte) (v uint32, used int) {
	base := uint32(10)
	if len(text) > 0 && text[0]|0x20 == 'x' {
		base, text, used = 16, text[1:], 1
	}
	for i, c := range text {
		d := uint32(99)
		switch {
		case '0' <= c && c <= '9':
			d = uint32(c - '0')
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			d = uint32(c|0x20-'a') + 10
		}
		if d >= base {
			if i == 0 {
				return 0, 0
			}
			return v, used + i
		}
		v = min(v*base+d, 0x10FFFF)
	}
	used += len(text)
	if used == maxReference-1 {
		return unreadable, used
	}
	return v, used
}

// HidesText reports whether text, which is HTML, has a character reference to an
// ASCII letter or digit, to an octet of "-_.:/", to a line end or to a tab. A search
// for words in the undecoded text misses these.
func HidesText(text []byte) bool { return plainWords.hasReference(text, true) }

// plainWords has the octets to which HidesText looks for references. It is only read.
var plainWords = New(strings.Split("abcdefghijklmnopqrstuvwxyz0123456789-_.:/", "")).NewSearch(true)
