package wire

import (
	"bytes"
	"errors"
	"strconv"
)

// MaxNesting bounds how deep lists in a response are followed.
const MaxNesting = 200

// Errors of responses.
var (
	ErrSyntax  = errors.New("a response that cannot be read")
	ErrNesting = errors.New("a response with lists that are nested too deep")
	ErrNumber  = errors.New("not a number of 32 bits")
)

// A Parser reads the values of a response (RFC 9051 section 9). Its errors are ErrSyntax
// and ErrNesting.
type Parser struct {
	Rest     []byte // the part that was not read
	Literals bool   // literals were read
}

// Accept reads the octet c, if it is next.
func (p *Parser) Accept(c byte) bool {
	if len(p.Rest) == 0 || p.Rest[0] != c {
		return false
	}
	p.Rest = p.Rest[1:]
	return true
}

// Next reports whether the octet c is next.
func (p *Parser) Next(c byte) bool { return len(p.Rest) > 0 && p.Rest[0] == c }

// Atom reads up to a space, a parenthesis or a quotation mark.
func (p *Parser) Atom() []byte {
	i := 0
	for i < len(p.Rest) && !endsAtom(p.Rest[i]) {
		i++
	}
	a := p.Rest[:i]
	p.Rest = p.Rest[i:]
	return a
}

func endsAtom(c byte) bool {
	switch c {
	case ' ', '(', ')', '"', '{', '\r', '\n':
		return true
	}
	return false
}

// NextString reports whether a string is next. A "~" starts one only before a literal
// (RFC 3516 section 4.4): elsewhere it is part of an atom.
func (p *Parser) NextString() bool {
	return p.Next('"') || p.Next('{') || bytes.HasPrefix(p.Rest, []byte("~{"))
}

// String reads a string or NIL, for which it returns nil. The result is a part of the
// response, except for a string with backslashes.
func (p *Parser) String() ([]byte, error) {
	switch {
	case p.Next('"'):
		return p.quoted()
	case p.NextString():
		return p.literal()
	}
	if !bytes.EqualFold(p.Atom(), []byte("NIL")) {
		return nil, ErrSyntax
	}
	return nil, nil
}

func (p *Parser) quoted() ([]byte, error) {
	if i := bytes.IndexByte(p.Rest[1:], '"') + 1; i > 0 && bytes.IndexByte(p.Rest[1:i], '\\') < 0 {
		s := p.Rest[1:i:i]
		p.Rest = p.Rest[i+1:]
		return s, nil
	}
	s := []byte{}
	for i := 1; i < len(p.Rest); i++ {
		switch p.Rest[i] {
		case '"':
			p.Rest = p.Rest[i+1:]
			return s, nil
		case '\\':
			if i++; i == len(p.Rest) {
				return nil, ErrSyntax
			}
		}
		s = append(s, p.Rest[i])
	}
	return nil, ErrSyntax
}

// literal reads a literal, or a literal8 (RFC 3516 section 7).
func (p *Parser) literal() ([]byte, error) {
	p.Accept('~')
	if !p.Accept('{') {
		return nil, ErrSyntax
	}
	digits, rest, ok := bytes.Cut(p.Rest, []byte("}"))
	n, err := strconv.ParseUint(string(bytes.TrimSuffix(digits, []byte("+"))), 10, 31)
	if !ok || err != nil {
		return nil, ErrSyntax
	}
	rest, ok = bytes.CutPrefix(bytes.TrimPrefix(rest, []byte("\r")), []byte("\n"))
	if !ok || n > uint64(len(rest)) {
		return nil, ErrSyntax
	}
	p.Rest = rest[n:]
	p.Literals = true
	return rest[:n:n], nil
}

// Number reads a number of 32 bits. QUIRK: some servers send NIL or a negative number
// for a size that they do not know; both are 0.
func (p *Parser) Number() (uint32, error) {
	a := p.Atom()
	if len(a) > 1 && a[0] == '-' || bytes.EqualFold(a, []byte("NIL")) {
		return 0, nil
	}
	n, err := strconv.ParseUint(string(a), 10, 32)
	if err != nil {
		return 0, ErrSyntax
	}
	return uint32(n), nil
}

// Number reads an nz-number (RFC 3501 section 9), which has no leading zeros.
func Number[T string | []byte](digits T) (uint32, error) {
	n, err := strconv.ParseUint(string(digits), 10, 32)
	if err != nil || n == 0 || digits[0] == '0' {
		return 0, ErrNumber
	}
	return uint32(n), nil
}

// Skip reads a value of any kind.
func (p *Parser) Skip(depth int) error {
	switch {
	case p.Next('('):
		return p.List(depth, func() error { return p.Skip(depth + 1) })
	case p.NextString():
		_, err := p.String()
		return err
	case len(p.Atom()) == 0:
		return ErrSyntax
	}
	return nil
}

// List reads a list, and calls value for each of its values. QUIRK: some servers put no
// space between lists.
func (p *Parser) List(depth int, value func() error) error {
	if depth > MaxNesting {
		return ErrNesting
	}
	if !p.Accept('(') {
		return ErrSyntax
	}
	for first := true; !p.Accept(')'); first = false {
		if !first && !p.Accept(' ') && !p.Next('(') {
			return ErrSyntax
		}
		if err := value(); err != nil {
			return err
		}
	}
	return nil
}
