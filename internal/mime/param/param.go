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

// Get returns the value of the parameter with a name, which must be in lower case. It
// reports false if there is no such parameter. Of several parameters the first wins,
// with one exception. Senders may give a parameter both in plain form and in RFC 2231
// form, the plain form being for readers that do not know the other (RFC 6266 section
// 4.3). So the first parameter in RFC 2231 form wins over plain ones.
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

// Conflict reports whether there are several parameters with a name, which must be in
// lower case, whose values differ. Other readers may then see another value than
// [Value.Get] returns. Differing RFC 2231 sections of the same number are a conflict
// too.
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
