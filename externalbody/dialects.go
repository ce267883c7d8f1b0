package externalbody

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/go-extbody/extbody/internal/mimescan"
	"github.com/go-extbody/extbody/urlaccess"
)

// readDialects reads what the Dialects find in the header of a part and, if it
// is a text, in its body. It reports whether that stands in the place of the
// Reference that the part is itself.
func (rd *reader) readDialects(s *source, p *mimescan.Part) (replaced bool, err error) {
	if len(rd.opts.Dialects) == 0 {
		return false, nil
	}
	header, err := s.header(p)
	if err != nil {
		return false, err
	}
	var e *Entity
	for i := range rd.opts.Dialects {
		d := &rd.opts.Dialects[i]
		if !d.reads(p, header) {
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

// reads reports whether d.Read is to be called for a part.
func (d *Dialect) reads(p *mimescan.Part, header string) bool {
	if d.Read == nil {
		return false
	}
	if slices.Contains(d.Types, p.Type) {
		return true
	}
	if len(d.Fields) == 0 {
		return false
	}
	for f := range mimescan.Fields(header, 0) {
		for _, name := range d.Fields {
			if len(name) == len(f.Name) && strings.EqualFold(name, f.Name) {
				return true
			}
		}
	}
	return false
}

// add completes a Reference that a Dialect found in e, and adds it to the
// message, or to the Reference that leads to the same place.
func (rd *reader) add(d *Dialect, e *Entity, ref *Reference, section string) {
	ref.Dialect = d.Name
	if len(ref.Origins) == 0 {
		ref.Origins = make([]Origin, 1)
	}
	for i := range ref.Origins {
		ref.Origins[i].Section = section
	}
	ref.part, ref.source, ref.strict = e.part, e.source, rd.opts.Strict
	key := ref.destination()
	if other := rd.links[key]; other != nil {
		other.merge(ref)
		return
	}
	sum := sha256.Sum256([]byte(key))
	ref.ID = "link-" + hex.EncodeToString(sum[:5])
	if rd.links == nil {
		rd.links = make(map[string]*Reference)
	}
	rd.links[key] = ref
	rd.message.refs = append(rd.message.refs, ref)
}

// destination returns a text that is the same for references that lead to the
// same place.
func (r *Reference) destination() string {
	if v, ok := r.Param("url"); ok {
		if text, err := urlaccess.Decode(v); err == nil {
			return text
		}
		return v
	}
	return r.Dialect + " " + r.Origins[0].Section
}

// merge adds what another Reference to the same place says.
func (r *Reference) merge(other *Reference) {
	r.Origins = append(r.Origins, other.Origins...)
	r.Quoted = r.Quoted && other.Quoted
}
