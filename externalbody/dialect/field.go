package dialect

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/internal/codec/charset"
	"github.com/go-extbody/extbody/internal/mime/param"
	"github.com/go-extbody/extbody/urlaccess"
)

// readFields returns the Read of a Dialect of header fields. read returns the Reference that a
// field is, or nil. It gets the name of the field as in fields, and a value that is not blank.
func readFields(fields []string, read func(e *externalbody.Entity, field, value string) *externalbody.Reference) func(*externalbody.Entity) []*externalbody.Reference {
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
func readFile(fields []string, read func(e *externalbody.Entity, field, value string) *externalbody.Reference) func(*externalbody.Entity) []*externalbody.Reference {
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
		r.AccessType, r.Name = "", ""
		r.Params = r.Params[1:]
		r.Diags = append(r.Diags, externalbody.Diag{Code: externalbody.DiagBadURL, Param: strings.ToLower(field)})
	}
	return r
}

// diag adds a Diag.
func diag(r *externalbody.Reference, code externalbody.DiagCode, param string) {
	r.Diags = append(r.Diags, externalbody.Diag{Code: code, Param: param})
}

// maxPairs bounds the values that are read of a field.
const maxPairs = 32

// cutPairs reads "word; name=value; name=value". No value is quoted, although values
// can have ";" and "=" in them. A value ends before the next ";" that is followed by
// one of names and "=". If blanks follow the first ";", they must follow that one too.
// Nothing is read of a field that does not begin with word.
func cutPairs(field, word string, names []string) *param.Value {
	p := new(param.Value)
	head, rest, ok := strings.Cut(field, ";")
	if !ok || !strings.EqualFold(strings.TrimSpace(head), word) {
		return p
	}
	blanks := rest != "" && isBlank(rest[0])
	for {
		name, value, ok := cutName(rest, names)
		if !ok {
			return p
		}
		end := len(value)
		for i := 0; i < len(value); i++ {
			if value[i] != ';' {
				continue
			}
			next := value[i+1:]
			if blanks && (next == "" || !isBlank(next[0])) {
				continue
			}
			if _, _, ok := cutName(next, names); ok {
				end = i
				break
			}
		}
		rest = ""
		if end < len(value) {
			rest = value[end+1:]
		}
		value = strings.TrimRight(value[:end], "; \t")
		if n := len(value); n >= 2 && value[0] == '"' && value[n-1] == '"' {
			value = value[1 : n-1]
		}
		p.Params = append(p.Params, param.Param{Name: name, Value: value})
		if rest == "" || len(p.Params) == maxPairs {
			return p
		}
	}
}

// cutName splits "name=value". name is one of names, with or without a section number
// and an asterisk of RFC 2231.
func cutName(s string, names []string) (name, value string, ok bool) {
	s = strings.TrimLeft(s, " \t")
	const longest = 40
	eq := strings.IndexByte(s[:min(len(s), longest)], '=')
	if eq < 0 {
		return "", "", false
	}
	name, _, _ = strings.Cut(strings.ToLower(strings.TrimRight(s[:eq], " \t")), "*")
	if !slices.Contains(names, name) {
		return "", "", false
	}
	return name, strings.TrimLeft(s[eq+1:], " \t"), true
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

// fileName returns the name that a header suggests for a part.
func fileName(h externalbody.Header) string {
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
