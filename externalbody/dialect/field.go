package dialect

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/internal/codec/charset"
	"github.com/go-extbody/extbody/internal/codec/lazyregexp"
	"github.com/go-extbody/extbody/internal/mime/param"
	"github.com/go-extbody/extbody/urlaccess"
)

// readFields returns the Read of a Dialect of header fields. read returns the Reference that a
// field is, or nil. It gets the name of the field as in fields, and a value that is not blank.
func readFields(
	fields []string, read func(e *externalbody.Entity, field, value string) *externalbody.Reference,
) func(*externalbody.Entity) []*externalbody.Reference {
	return func(e *externalbody.Entity) (refs []*externalbody.Reference) {
		for _, f := range e.Header {
			i := slices.IndexFunc(fields, func(name string) bool { return strings.EqualFold(f.Name, name) })
			if i < 0 || strings.TrimSpace(f.Value) == "" {
				continue
			}
			if r := read(e, fields[i], f.Value); r != nil {
				refs = append(refs, r)
			}
		}
		return refs
	}
}

// readFile is readFields for a part that stands for one file. References to different places
// get a Diag.
func readFile(
	fields []string, read func(e *externalbody.Entity, field, value string) *externalbody.Reference,
) func(*externalbody.Entity) []*externalbody.Reference {
	all := readFields(fields, read)
	return func(e *externalbody.Entity) []*externalbody.Reference {
		refs := all(e)
		conflict := false
		for _, r := range refs {
			first, _ := refs[0].Param("url")
			if url, _ := r.Param("url"); url != first {
				diag(r, externalbody.DiagConflict, "url")
				conflict = true
			}
		}
		if conflict {
			diag(refs[0], externalbody.DiagConflict, "url")
		}
		return refs
	}
}

// newLink returns a Reference to a URL in a header field. If its scheme is not one of
// schemes, it gets no access type: it is listed, and cannot be resolved.
func newLink(url, field string, schemes ...string) *externalbody.Reference {
	r := externalbody.NewReference(url)
	r.Origins[0].Field = field
	text, _ := r.Param("url")
	text, err := urlaccess.Decode(text)
	if scheme, ok := urlaccess.Scheme(text); err != nil || !ok || !slices.Contains(schemes, scheme) {
		r.AccessType = ""
		r.Name = ""
		r.Params = r.Params[1:]
		r.Diags = append(r.Diags, externalbody.Diag{Code: externalbody.DiagBadURL, Param: strings.ToLower(field)})
	}
	return r
}

func diag(r *externalbody.Reference, code externalbody.DiagCode, param string) {
	r.Diags = append(r.Diags, externalbody.Diag{Code: code, Param: param})
}

// maxPairs bounds the values that are read of a field.
const maxPairs = 32

// cutPairs reads "word; name=value; name=value". No value is quoted, although values
// can have ";" and "=" in them. A value ends before the next ";" that is followed by
// the name of another and "=". If blanks follow the first ";", they must follow that one too.
// Nothing is read of a field that does not start with word.
func cutPairs(field, word string) *param.Value {
	p := new(param.Value)
	head, _, _ := strings.Cut(field, ";")
	found := cloudPair().FindAllStringSubmatchIndex(field, 8*maxPairs)
	if len(found) == 0 || found[0][0] != len(head) || !strings.EqualFold(strings.TrimSpace(head), word) {
		return p
	}
	if found[0][2] < found[0][3] {
		found = slices.DeleteFunc(found, func(m []int) bool { return m[2] == m[3] })
	}
	found = append(found, []int{len(field)})
	for i, m := range found[:min(len(found)-1, maxPairs)] {
		value := strings.TrimRight(field[m[1]:max(m[1], found[i+1][0])], "; \t")
		if n := len(value); n >= 2 && value[0] == '"' && value[n-1] == '"' {
			value = value[1 : n-1]
		}
		p.Params = append(p.Params, param.Param{Name: strings.ToLower(field[m[4]:m[5]]), Value: value})
	}
	return p
}

// cloudPair matches the start of a value in a field of FileLink or BlueMind: the blanks,
// and the name with or without a section number and an asterisk of RFC 2231.
var cloudPair = lazyregexp.New(`(?i);([ \t]*)(url|provider|file|name|data|size|mime|expirationdate)(?:\*[0-9]*\*?)?[ \t]*=[ \t]*`)

// fileName returns the name that a header suggests for a part.
func fileName(h externalbody.Fields) string {
	name, _ := param.Parse(h.Get("Content-Disposition")).Get("filename")
	if name == "" {
		name, _ = param.Parse(h.Get("Content-Type")).Get("name")
	}
	return charset.Words(name)
}

// setName sets the first of names that is not empty.
func setName(r *externalbody.Reference, names ...string) {
	for _, name := range names {
		if name != "" {
			r.Name = name
			return
		}
	}
}

// setSize sets the size from a decimal number. 0 means that it is not known.
func setSize(r *externalbody.Reference, text string) {
	if text == "" || text == "0" {
		return
	}
	n, err := strconv.ParseUint(text, 10, 63)
	if err != nil {
		diag(r, externalbody.DiagBadSize, "size")
		return
	}
	r.Size = int64(n)
}

// setType sets the media type if text is one.
func setType(r *externalbody.Reference, text string) {
	if text == "" {
		return
	}
	t := param.Parse(text).Type
	if !param.IsMediaType(t) {
		diag(r, externalbody.DiagBadMediaType, "content-type")
		return
	}
	r.MediaType = t
}

// setExpiration sets the expiration, unless its year cannot be one, which stands for no
// expiration.
func setExpiration(r *externalbody.Reference, t time.Time) {
	switch y := t.UTC().Year(); {
	case y >= 9999:
	case y < 1990:
		diag(r, externalbody.DiagBadExpiration, "expiration")
	default:
		r.Expiration = t.UTC()
	}
}
