package externalbody

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/go-extbody/extbody/internal/mime/param"
)

// others are the References given to Save. The Report says of each of them whether the
// body is also what it promises. Those that promise the same are one oath.
type others struct {
	oaths []*oath
	of    map[*Reference]*oath
}

// An oath is what References promise of a body.
type oath struct {
	mediaType string // announced; "" if none is
	size      int64  // -1 if not known
	promises  []promise
}

// others returns what alts promise.
func (r *Resolver) others(alts []*Reference) *others {
	o := &others{of: make(map[*Reference]*oath)}
	same := make(map[string]*oath)
	for _, alt := range alts {
		c := &oath{size: -1}
		if alt.Dialect == "" {
			c.mediaType = r.announced(alt)
			if r.RefuseSize || r.Strict {
				c.size = alt.Size
			}
		}
		key := fmt.Sprintf("%s %d", c.mediaType, c.size)
		for _, p := range r.promises(alt) {
			if p.sum != nil {
				c.promises = append(c.promises, p)
				key += fmt.Sprintf(" %s %x", p.name, p.sum)
			}
		}
		if same[key] == nil {
			same[key] = c
			o.oaths = append(o.oaths, c)
		}
		o.of[alt] = same[key]
	}
	return o
}

// compare makes the Body compare itself with o, besides what its own Reference
// promises. It is called before the Body is read.
func (b *Body) compare(o *others) {
	v := b.verify
	b.report.others, v.others = o, o.oaths
	for _, c := range o.oaths {
		more := slices.DeleteFunc(slices.Clone(c.promises), func(p promise) bool { return v.find(p) != nil })
		if v.crlf == nil && (len(more) > 0 || c.size >= 0) && isText(v.report.MediaType) {
			v.crlf = &crlfText{}
			v.hashes = append(v.hashes, v.crlf)
		}
		for _, p := range more {
			v.extra = append(v.extra, v.compute(p))
		}
	}
}

// find returns what is computed for a promise, or nil if nothing is.
func (v *verifier) find(p promise) *promised {
	for _, all := range [][]promised{v.promises, v.extra} {
		if i := slices.IndexFunc(all, func(q promised) bool { return q.name == p.name && bytes.Equal(q.sum, p.sum) }); i >= 0 {
			return &all[i]
		}
	}
	return nil
}

// checkOthers records which of the others promise what was delivered.
func (v *verifier) checkOthers() {
	mediaType := param.Parse(v.report.MediaType).Type
	for _, c := range v.others {
		switch {
		case c.mediaType != "" && c.mediaType != mediaType:
		case c.size >= 0 && c.size != v.n && (v.crlf == nil || c.size != v.crlf.n):
		case slices.ContainsFunc(c.promises, func(p promise) bool { return v.find(p).form() == "" }):
		default:
			v.report.kept = append(v.report.kept, c)
		}
	}
}

// Keeps reports whether the body is what ref promises. ref is the Reference that the
// body came from, or another of the alternatives given to Save. The media type and
// digests of the body must be those of ref. SIZE counts where it counts for the
// Reference itself: with [Resolver].RefuseSize or Strict. A Reference that is not kept
// may mean another body, and must not be replaced by this one.
func (r *Report) Keeps(ref *Reference) bool {
	return ref == r.Reference || r.others != nil && slices.Contains(r.kept, r.others.of[ref])
}
