// Package param parses the values of Content-Type and Content-Disposition fields (RFC
// 2045 section 5.1, RFC 2183, RFC 2231), also if they have faults, and writes
// parameters.
//
// Parse never fails. It reads as much as it can and lists the faults that it forgave
// in Diags, so that a strict caller can refuse a value with faults. Field values are
// the raw text after the colon, with line breaks, comments and octets of any value.
// Parse adds nothing to a value. It removes only the syntax: quotes, the backslash of
// a quoted-pair, the line break of a fold (not the white space after it) and RFC 2231
// encoding. If white space or case has no meaning in a parameter, the caller must
// remove it.
//
// All functions take time linear in the input, except for sorting the sections of RFC
// 2231. All are safe for concurrent use.
package param

import (
	"slices"
)

// A Value is a parsed Content-Type or Content-Disposition field value.
//
// A string that Parse did not have to change is a part of the field given to [Parse]
// and keeps the field in memory.
type Value struct {
	// Type is the media type or the disposition in ASCII lower case, without white
	// space and comments: "message/external-body", "attachment". It is "" if there is
	// none. If the text in its place is neither a token nor token "/" token, Type is
	// that text, and Diags has [BadType].
	Type string
	// Params has the parameters in order of appearance, duplicates included.
	// The sections of one RFC 2231 parameter are one Param, at the place of the
	// first of them that appears.
	Params []Param
	// Diags has the forgiven faults, in the order of Offset. It is empty for a value
	// without faults. It has at most 32 entries, and then one of [More].
	Diags []Diag
}

// Get returns the value of the parameter with a name, which must be in lower case. It
// reports false if there is no such parameter. Of several parameters the first wins,
// with one exception. Senders may give a parameter both in plain form and in RFC 2231
// form, the plain form being for readers that do not know the other (RFC 6266 section
// 4.3). So the first parameter in RFC 2231 form wins over plain ones.
func (v *Value) Get(name string) (string, bool) {
	found := -1
	for i, p := range v.Params {
		if p.Name != name {
			continue
		}
		if found < 0 || p.Extended && !v.Params[found].Extended {
			found = i
		}
	}
	if found < 0 {
		return "", false
	}
	return v.Params[found].Value, true
}

// Conflict reports whether there are several parameters with a name, which must be in
// lower case, whose values differ. Other readers may then see another value than
// [Value.Get] returns. Differing RFC 2231 sections of the same number are a conflict
// too.
func (v *Value) Conflict(name string) bool {
	first := slices.IndexFunc(v.Params, func(p Param) bool { return p.Name == name })
	return first >= 0 && slices.ContainsFunc(v.Params[first:], func(p Param) bool {
		return p.Name == name && p.Value != v.Params[first].Value
	})
}

// IsPair reports whether a parameter is there once in plain form, for old readers, and once in the form of RFC 2231.
func (v *Value) IsPair(name string) bool {
	var plain, extended int
	for _, p := range v.Params {
		switch {
		case p.Name != name:
		case p.Extended:
			extended++
		default:
			plain++
		}
	}
	return plain == 1 && extended == 1
}

// Disputed reports whether readers take different values of a parameter that describes a file: it is there with several
// values, which are no pair, or its RFC 2231 sections are not in a row.
func (v *Value) Disputed(name string) bool {
	gap := slices.ContainsFunc(v.Diags, func(d Diag) bool { return d.Param == name && d.Code == SectionGap })
	return gap || v.Conflict(name) && !v.IsPair(name)
}

// A Param is one parameter of a [Value].
type Param struct {
	// Name is the attribute in ASCII lower case, without the suffixes of RFC 2231
	// ("*", "*0", "*0*"). A name with an asterisk that is not part of such a suffix,
	// as in "name*x", is kept whole.
	Name string
	// Value is the value without quotes, quoted-pairs and line breaks, with its RFC
	// 2231 sections joined and decoded to UTF-8. It is not trimmed, encoded-words
	// (RFC 2047) in it are not decoded, and octets above 127 are as given. So Value
	// need not be valid UTF-8, and may contain control octets.
	Value string
	// Charset and Language precede the value as RFC 2231 section 4 defines, and are
	// returned unchanged. They are "" if blank or absent.
	Charset, Language string
	// Extended is true if the parameter came in a form of RFC 2231.
	Extended bool
}

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
	BadSection          = "bad-section"          // an asterisk in the name is not an RFC 2231 suffix, or has a number with a leading zero
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
