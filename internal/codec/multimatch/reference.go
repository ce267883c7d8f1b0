package multimatch

import (
	"strings"

	"github.com/go-extbody/extbody/internal/codec/ascii"
)

// maxReference bounds the octets of a numeric character reference that are read. A
// longer reference counts as one to an octet of a needle.
const maxReference = 16

// A reference is a named character reference.
type reference struct {
	name string
	char rune
}

// named has the names of character references that stand for an ASCII character, alone or
// with another character, or for a character of ISO 8859-1 (HTML section 13.5). A name that
// does not need a semicolon is listed without it. Only "fjlig;" stands for ASCII letters,
// and no name stands for a digit. A name of two ASCII characters counts like a break.
var named = append(latin1(), []reference{
	{"Tab;", '\t'}, {"NewLine;", '\n'}, {"excl;", '!'}, {"quot", '"'}, {"QUOT", '"'}, {"num;", '#'},
	{"dollar;", '$'}, {"percnt;", '%'}, {"amp", '&'}, {"AMP", '&'}, {"apos;", '\''}, {"lpar;", '('},
	{"rpar;", ')'}, {"ast;", '*'}, {"midast;", '*'}, {"plus;", '+'}, {"comma;", ','}, {"period;", '.'},
	{"sol;", '/'}, {"colon;", ':'}, {"semi;", ';'}, {"lt", '<'}, {"LT", '<'}, {"equals;", '='},
	{"gt", '>'}, {"GT", '>'}, {"quest;", '?'}, {"commat;", '@'}, {"lsqb;", '['}, {"lbrack;", '['},
	{"bsol;", '\\'}, {"rsqb;", ']'}, {"rbrack;", ']'}, {"Hat;", '^'}, {"lowbar;", '_'}, {"UnderBar;", '_'},
	{"grave;", '`'}, {"DiacriticalGrave;", '`'}, {"lcub;", '{'}, {"lbrace;", '{'}, {"verbar;", '|'},
	{"vert;", '|'}, {"VerticalLine;", '|'}, {"rcub;", '}'}, {"rbrace;", '}'}, {"fjlig;", '\n'},
	{"nvlt;", '<'}, {"nvgt;", '>'}, {"bne;", '='}, {"NonBreakingSpace;", '\u00a0'},
}...)

// latin1 returns the references to the characters of ISO 8859-1 from U+00A0.
func latin1() (list []reference) {
	const names = "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr " +
		"deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest " +
		"Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml " +
		"ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig " +
		"agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml " +
		"eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml"
	for i, name := range strings.Fields(names) {
		list = append(list, reference{name, '\u00a0' + rune(i)})
	}
	return list
}

// isAny reports whether the character of a reference may be any, a break, or the colon of
// a URL, whose host may be written in other characters than those of a needle.
func isAny(c rune) bool { return c == unreadable || c == ':' || c < 0x80 && isBreak(byte(c)) }

func lowerRune(c rune) rune {
	if c < 0x80 {
		return rune(lower(byte(c)))
	}
	return c
}

const unreadable = 1 << 30

// number returns the value of a numeric character reference and its length in octets.
// text starts after the "&#". The length is 0 if text does not start with a number.
func number(text []byte) (v uint32, used int) {
	base := uint32(10)
	if len(text) > 0 && text[0]|0x20 == 'x' {
		base = 16
		text = text[1:]
		used = 1
	}
	for i, c := range text {
		d := uint32(99)
		switch {
		case ascii.IsDigit(c):
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

// isBreak reports whether c has no meaning in a URL.
func isBreak(c byte) bool { return c == '\n' || c == '\r' || c == '\t' }
