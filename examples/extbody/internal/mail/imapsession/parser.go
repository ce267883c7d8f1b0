package imapsession

import (
	"bytes"
	"errors"
	"strconv"
)

// maxNesting bounds how deep lists in a response are followed.
const maxNesting = 200

var (
	errSyntax  = errors.New("a response that cannot be read")
	errNesting = errors.New("a response with lists that are nested too deep")
)

// A parser reads the values of a response (RFC 9051 section 9).
type parser struct {
	b        []byte // what is left
	literals bool   // literals were read
}

// accept reads the octet c, if it is next.
func (p *parser) accept(c byte) bool {
	if len(p.b) == 0 || p.b[0] != c {
		return false
	}
	p.b = p.b[1:]
	return true
}

func (p *parser) next(c byte) bool { return len(p.b) > 0 && p.b[0] == c }

// atom reads up to a space, a parenthesis or a quotation mark.
func (p *parser) atom() []byte {
	i := 0
	for i < len(p.b) && !endsAtom(p.b[i]) {
		i++
	}
	a := p.b[:i]
	p.b = p.b[i:]
	return a
}

func endsAtom(c byte) bool {
	switch c {
	case ' ', '(', ')', '"', '{', '\r', '\n':
		return true
	}
	return false
}

// str reads a string or NIL, for which it returns nil. The result is a part of the
// response, except for a string with backslashes.
func (p *parser) str() ([]byte, error) {
	switch {
	case p.next('"'):
		return p.quoted()
	case p.next('{'), p.next('~'):
		return p.literal()
	}
	if !bytes.EqualFold(p.atom(), []byte("NIL")) {
		return nil, errSyntax
	}
	return nil, nil
}

func (p *parser) quoted() ([]byte, error) {
	if i := bytes.IndexByte(p.b[1:], '"') + 1; i > 0 && bytes.IndexByte(p.b[1:i], '\\') < 0 {
		s := p.b[1:i:i]
		p.b = p.b[i+1:]
		return s, nil
	}
	s := []byte{}
	for i := 1; i < len(p.b); i++ {
		switch p.b[i] {
		case '"':
			p.b = p.b[i+1:]
			return s, nil
		case '\\':
			if i++; i == len(p.b) {
				return nil, errSyntax
			}
		}
		s = append(s, p.b[i])
	}
	return nil, errSyntax
}

// literal reads a literal, or a literal8 (RFC 3516 section 7).
func (p *parser) literal() ([]byte, error) {
	p.accept('~')
	if !p.accept('{') {
		return nil, errSyntax
	}
	digits, rest, ok := bytes.Cut(p.b, []byte("}"))
	n, err := strconv.ParseUint(string(bytes.TrimSuffix(digits, []byte("+"))), 10, 31)
	if !ok || err != nil {
		return nil, errSyntax
	}
	if rest, ok = bytes.CutPrefix(bytes.TrimPrefix(rest, []byte("\r")), []byte("\n")); !ok || n > uint64(len(rest)) {
		return nil, errSyntax
	}
	p.b, p.literals = rest[n:], true
	return rest[:n:n], nil
}

// number reads a number of 32 bits. QUIRK: some servers send NIL or a negative number
// for a size that they do not know; both are 0.
func (p *parser) number() (uint32, error) {
	a := p.atom()
	if len(a) > 1 && a[0] == '-' || bytes.EqualFold(a, []byte("NIL")) {
		return 0, nil
	}
	n, err := strconv.ParseUint(string(a), 10, 32)
	if err != nil {
		return 0, errSyntax
	}
	return uint32(n), nil
}

// skip reads a value of any kind.
func (p *parser) skip(depth int) error {
	switch {
	case p.next('('):
		return p.list(depth, func() error { return p.skip(depth + 1) })
	case p.next('"'), p.next('{'), p.next('~'):
		_, err := p.str()
		return err
	case len(p.atom()) == 0:
		return errSyntax
	}
	return nil
}

// list reads a list, and calls value for each of its values. QUIRK: some servers put no
// space between lists.
func (p *parser) list(depth int, value func() error) error {
	if depth > maxNesting {
		return errNesting
	}
	if !p.accept('(') {
		return errSyntax
	}
	for first := true; !p.accept(')'); first = false {
		if !first && !p.accept(' ') && !p.next('(') {
			return errSyntax
		}
		if err := value(); err != nil {
			return err
		}
	}
	return nil
}
