package param

import (
	"cmp"
	"slices"
)

// A Diag is a fault that [Parse] forgave.
type Diag struct {
	// Code is one of the constants of this package.
	Code string
	// Param is the name of the parameter in lower case, as in [Param]. It is "" if the
	// fault is not in a parameter.
	Param string
	// Offset is the number of octets from the start of the field value to the fault,
	// or to the name or value that contains it.
	Offset int
}

// The codes of a [Diag].
const (
	MissingType         = "missing-type"         // there is no media type or disposition
	BadType             = "bad-type"             // the type is neither a token nor token "/" token
	MissingSemicolon    = "missing-semicolon"    // a parameter follows without ";" (RFC 2046 section 5.2.3.7 has an example)
	StraySemicolon      = "stray-semicolon"      // a ";" without a parameter: doubled, or at the end
	StrayText           = "stray-text"           // text that is not a parameter was skipped
	MissingValue        = "missing-value"        // a name without "=" was skipped
	EmptyValue          = "empty-value"          // nothing follows "="; the value is ""
	UnquotedValue       = "unquoted-value"       // the value needed quotes and has none
	UnterminatedQuote   = "unterminated-quote"   // the value has no closing quote
	UnterminatedComment = "unterminated-comment" // a comment has no end; the rest of the field is in it
	StrayBackslash      = "stray-backslash"      // a backslash before an octet that needs none was kept
	BadFolding          = "bad-folding"          // no white space follows a line break
	Control             = "control"              // a control octet, or a CR outside a line break
	EightBit            = "eight-bit"            // an octet above 127
	EncodedWord         = "encoded-word"         // the value looks like an encoded-word and was kept
	Duplicate           = "duplicate"            // the parameter, or the RFC 2231 section, occurred before
	BadSection          = "bad-section"          // an asterisk in the name is not an RFC 2231 suffix
	SectionGap          = "section-gap"          // an RFC 2231 section has no predecessor; it and those after it were dropped
	QuotedSection       = "quoted-section"       // an RFC 2231 encoded value has quotes
	BadPercent          = "bad-percent"          // a "%" without two hexadecimal digits was kept
	MissingCharset      = "missing-charset"      // the charset'language' before an RFC 2231 value is missing
	UnknownCharset      = "unknown-charset"      // the charset is not supported; the octets were kept
	BadCharset          = "bad-charset"          // the octets do not belong to the charset; they were kept
	More                = "more"                 // there were more faults
)

// maxDiags bounds the entries of Diags before More, because a sender can put any
// number of faults into a field.
const maxDiags = 32

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
