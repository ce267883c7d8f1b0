// Package mimeparam parses the values of the Content-Type and
// Content-Disposition fields (RFC 2045 section 5.1, RFC 2183, RFC 2231) as
// strangers write them, and writes parameters for fields of our own.
//
// Parse never fails. It reads what can be read, and says in Diags what it had
// to forgive, so that a caller who wants to be strict refuses a value that has
// any. Field values are given raw, as they stand after the colon: with their
// line breaks, comments and octets of any value. Nothing is added to a value,
// and nothing is removed but what the syntax says: quotes, the backslash of a
// quoted-pair, the line break of a fold (not the white space after it) and
// RFC 2231 encoding. A caller to whom white space or case means nothing in a
// parameter has to remove it.
//
// All functions take time linear in the input, but for sorting the sections of
// RFC 2231, and are safe for concurrent use.
package mimeparam

// A Value is a parsed Content-Type or Content-Disposition field value.
//
// Its strings are parts of the field given to [Parse] where nothing had to be
// changed, and keep it in memory.
type Value struct {
	// Type is the media type or the disposition in ASCII lower case, without
	// white space and comments: "message/external-body", "attachment". It is ""
	// if there is none. If it is not of the form token or token "/" token, it
	// is what was found in its place, and Diags has [BadType].
	Type string
	// Params has the parameters in order of appearance, duplicates included.
	// The sections of one RFC 2231 parameter are one Param, at the place of the
	// first of them that appears.
	Params []Param
	// Diags says what was forgiven, ordered by Offset. It is empty for a value
	// without faults. It has at most 32 entries and then one of [More].
	Diags []Diag
}

// Parse parses a field value. It never fails and never returns nil.
func Parse(field string) *Value {
	v := newValue(field)
	p := parser{s: field, v: v}
	p.mediaType()
	for p.next() {
		p.parameter()
	}
	if p.extended {
		p.join()
	}
	p.duplicates()
	p.sortDiags()
	return v
}

// Get returns the value of the parameter of that name, which has to be given in
// lower case, and reports whether there is one. Of several, the first wins,
// but for one: a parameter that is given both plainly and in RFC 2231 form has
// the plain form for readers that know no other (RFC 6266 section 4.3), so the
// first in RFC 2231 form goes before.
func (v *Value) Get(name string) (string, bool) {
	first := -1
	for i := range v.Params {
		p := &v.Params[i]
		if p.Name != name {
			continue
		}
		if p.Extended {
			return p.Value, true
		}
		if first < 0 {
			first = i
		}
	}
	if first < 0 {
		return "", false
	}
	return v.Params[first].Value, true
}

// Conflict reports whether there are several parameters of that name, which has
// to be given in lower case, whose values differ. Other readers may then see
// another value than [Value.Get] returns. Differing RFC 2231 sections of the
// same number are a conflict too.
func (v *Value) Conflict(name string) bool {
	first := -1
	for i := range v.Params {
		if v.Params[i].Name != name {
			continue
		}
		if first < 0 {
			first = i
			continue
		}
		if v.Params[i].Value != v.Params[first].Value {
			return true
		}
	}
	return false
}
