package needle

import "bytes"

// maxReference is the number of octets of a character reference that are looked
// at. One that has more digits counts as one that stands for an octet of a needle.
const maxReference = 16

// A reference is a named character reference.
type reference struct {
	name string
	char byte
}

// named has the names of character references to ASCII, without those that stand
// for letters and digits, of which there are none (HTML section 13.5). Those that
// may lack the semicolon are without it.
var named = []reference{
	{"Tab;", '\t'}, {"NewLine;", '\n'}, {"excl;", '!'}, {"quot", '"'}, {"QUOT", '"'}, {"num;", '#'},
	{"dollar;", '$'}, {"percnt;", '%'}, {"amp", '&'}, {"AMP", '&'}, {"apos;", '\''}, {"lpar;", '('},
	{"rpar;", ')'}, {"ast;", '*'}, {"midast;", '*'}, {"plus;", '+'}, {"comma;", ','}, {"period;", '.'},
	{"sol;", '/'}, {"colon;", ':'}, {"semi;", ';'}, {"lt", '<'}, {"LT", '<'}, {"equals;", '='},
	{"gt", '>'}, {"GT", '>'}, {"quest;", '?'}, {"commat;", '@'}, {"lsqb;", '['}, {"lbrack;", '['},
	{"bsol;", '\\'}, {"rsqb;", ']'}, {"rbrack;", ']'}, {"Hat;", '^'}, {"lowbar;", '_'}, {"UnderBar;", '_'},
	{"grave;", '`'}, {"DiacriticalGrave;", '`'}, {"lcub;", '{'}, {"lbrace;", '{'}, {"verbar;", '|'},
	{"vert;", '|'}, {"VerticalLine;", '|'}, {"rcub;", '}'}, {"rbrace;", '}'}, {"fjlig;", 'f'},
}

// hasReference reports whether text has a character reference that stands for an
// octet of a needle. Unless this is the last of the text, one that goes on to its
// end is not looked at.
func (x *Search) hasReference(text []byte, last bool) bool {
	for {
		i := bytes.IndexByte(text, '&')
		if i < 0 || i+1 == len(text) {
			return false
		}
		text = text[i+1:]
		if text[0] == '#' {
			digits := text[1:min(len(text), maxReference)]
			if v, used := number(digits); used > 0 && (used < len(digits) || len(digits) == maxReference-1 || last) && x.relevant(v) {
				return true
			}
			continue
		}
		if text[0]-'A' >= 'z'-'A'+1 {
			continue
		}
		for _, r := range x.named[text[0]-'A'] {
			if len(text) >= len(r.name) && string(text[:len(r.name)]) == r.name {
				return true
			}
		}
	}
}

// relevant reports whether a needle has the character, whatever its case. A number
// that is too long to be read may be any character.
func (x *Search) relevant(v uint32) bool {
	return v == unreadable || v < 0x80 && (x.alphabet[v] || isBreak(byte(v)))
}

const unreadable = 1 << 31

// number returns the value of a numeric character reference, of which text is what
// follows the "#", and how much of text it takes: 0 if it is not one.
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

// HidesText reports whether text, which is HTML, has a character reference that
// stands for a letter, a digit, an octet of "-_.:/", a line end or a tab, of ASCII:
// what a reader that looks for words in the text as it is written does not see.
func HidesText(text []byte) bool { return plainWords.hasReference(text, true) }

// plainWords looks for the references of HidesText.
var plainWords = New([]string{"abcdefghijklmnopqrstuvwxyz", "0123456789-_.:/"}).NewSearch(true)
