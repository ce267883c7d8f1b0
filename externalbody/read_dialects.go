package externalbody

import (
	"slices"
	"strings"

	"github.com/go-extbody/extbody/internal/mime/message"
)

// readDialects reads what the Dialects find in the header of a part and, if it is a
// text, in its body. It reports whether that replaces the Reference that the part is
// itself.
func (rd *reader) readDialects(s *source, p *message.Part) (replaced bool, err error) {
	if len(rd.opts.Dialects) == 0 {
		return false, nil
	}
	header := rd.top
	if p != rd.index.Root() {
		if header, err = s.header(p); err != nil {
			return false, err
		}
	}
	part := rd.view.of(s, p, header, rd.opts.Dialects)
	var e *Entity
	for i := range rd.opts.Dialects {
		d := &rd.opts.Dialects[i]
		reads, err := d.reads(part)
		if err != nil {
			return false, err
		}
		if !reads {
			continue
		}
		if e == nil {
			e = newEntity(s, p, header)
		}
		if p.Type == externalBody {
			if v, _ := e.Param("access-type"); strings.TrimSpace(v) != "" {
				continue
			}
		}
		for _, ref := range d.Read(e) {
			rd.add(d, e, ref, e.Section)
			replaced = replaced || p.Type == externalBody
		}
		if e.err != nil {
			return false, e.err
		}
	}
	return replaced, rd.readText(s, p, header)
}

// maxPrefix bounds how much of a body is compared with the Prefixes of Dialects.
const maxPrefix = 128

// A partView is a part as the Dialects look at it. It is used for one part after the
// other.
type partView struct {
	p      *message.Part
	s      *source
	header string
	prefix string // the beginning of the body, after it was read
	read   bool
	names  []string // of the fields that may be of interest, after they were needed
	named  bool

	lengths uint64 // bit n says that a Dialect reads fields whose names have n octets
}

// of makes v that of a part.
func (v *partView) of(s *source, p *message.Part, header string, dialects []Dialect) *partView {
	*v = partView{p: p, s: s, header: header, names: v.names[:0], lengths: v.lengths}
	if v.lengths == 0 {
		for i := range dialects {
			for _, name := range dialects[i].Fields {
				v.lengths |= lengthBit(name)
			}
		}
	}
	return v
}

// lengthBit returns the bit for a name of that length. All long names have the last one.
func lengthBit(name string) uint64 { return 1 << min(len(name), 63) }

// begins reports whether the body of the part, which is not encoded, begins with one of
// prefixes.
func (v *partView) begins(prefixes []string) (bool, error) {
	if len(prefixes) == 0 || v.p.Encoding != message.Identity || message.IsMultipart(v.p.Type) {
		return false, nil
	}
	if !v.read {
		text, err := message.ReadSpan(v.s.r, v.p.Body.First(maxPrefix))
		if err != nil {
			return false, err
		}
		v.prefix, v.read = strings.TrimLeft(text, " \t\r\n"), true
	}
	return slices.ContainsFunc(prefixes, func(s string) bool {
		return len(s) <= len(v.prefix) && strings.EqualFold(v.prefix[:len(s)], s)
	}), nil
}

// has reports whether the header has one of these fields. The header is split once for
// all Dialects.
func (v *partView) has(fields []string) bool {
	if !v.named {
		v.named = true
		for name := range message.Names(v.header) {
			if v.lengths&lengthBit(name) != 0 {
				v.names = append(v.names, name)
			}
		}
	}
	for _, got := range v.names {
		for _, name := range fields {
			if len(name) == len(got) && strings.EqualFold(name, got) {
				return true
			}
		}
	}
	return false
}

// reads reports whether d.Read is to be called for a part.
func (d *Dialect) reads(v *partView) (bool, error) {
	if d.Read == nil {
		return false, nil
	}
	if slices.Contains(d.Types, v.p.Type) {
		return true, nil
	}
	if len(d.Fields) > 0 && v.has(d.Fields) {
		return true, nil
	}
	return v.begins(d.Prefixes)
}
