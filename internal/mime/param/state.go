package param

import (
	"cmp"
	"slices"
)

// fewParams bounds the parameters for which there is room in advance. Each has a "=". A
// sender can put any number into a field.
const fewParams = 16

// A parser is the state of one Parse.
type parser struct {
	s    string
	pos  int
	v    *Value
	few  [fewParams]mark // the marks of the first of v.Params
	many []mark          // the marks of the others

	raw  string // the name of the current parameter, as written
	name string // the same in lower case and without suffix; "" between parameters
	at   int    // the index of that name

	extended bool // there are parameters in RFC 2231 form
	unclosed bool // there was an unclosed quoted-string
}

// A mark has the properties of a Param that are needed until the field has been read.
type mark struct {
	offset int
	number int32 // of an RFC 2231 section
	form   form
	quoted bool
}

// A form is the syntax of a parameter.
type form uint8

const (
	plain          form = iota // name
	encoded                    // name*
	section                    // name*0
	encodedSection             // name*0*
	dropped                    // the parameter became part of another one
)

// diag records a fault of the current parameter.
func (p *parser) diag(code string, offset int) {
	p.diagFor(code, p.name, offset)
}

// diagFor records a fault of the parameter name.
func (p *parser) diagFor(code, name string, offset int) {
	switch n := len(p.v.Diags); {
	case n < maxDiags:
		p.v.Diags = append(p.v.Diags, Diag{code, name, offset})
	case n == maxDiags:
		p.v.Diags = append(p.v.Diags, Diag{Code: More, Offset: offset})
	}
}

// sortDiags sorts the faults, because some are found after the field was read.
func (p *parser) sortDiags() {
	d := p.v.Diags
	slices.SortStableFunc(d[:min(len(d), maxDiags)], func(a, b Diag) int {
		return cmp.Compare(a.Offset, b.Offset)
	})
}
