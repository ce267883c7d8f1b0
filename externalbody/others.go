package externalbody

import (
	"bytes"
	"slices"

	"github.com/go-extbody/extbody/internal/mimeparam"
)

// An other is a Reference besides the one that is being resolved, of which one
// has to know whether the body is what it promises, too.
type other struct {
	ref       *Reference
	mediaType string // announced; "" if nothing is
	promises  []promised
}

// compare sets what the body is compared with besides ref, before it is read.
func (b *Body) compare(r *Resolver, ref *Reference, alts []*Reference) {
	v := b.verify
	for _, alt := range alts {
		if alt == ref {
			continue
		}
		o := other{ref: alt}
		if alt.Dialect == "" {
			o.mediaType = r.announced(alt)
		}
		more := slices.DeleteFunc(r.promises(alt), func(p promise) bool { return p.sum == nil || v.promised(p) })
		if v.crlf == nil && (len(more) > 0 || alt.Size >= 0) && isText(v.report.MediaType) {
			v.crlf = &crlfText{}
			v.hashes = append(v.hashes, v.crlf)
		}
		for _, p := range more {
			o.promises = append(o.promises, v.compute(p))
		}
		v.others = append(v.others, o)
	}
}

// promised reports whether the Reference itself promises the same.
func (v *verifier) promised(p promise) bool {
	return slices.ContainsFunc(v.promises, func(q promised) bool { return q.name == p.name && bytes.Equal(q.sum, p.sum) })
}

// checkOthers notes which of the others promise what was delivered.
func (v *verifier) checkOthers() {
	mediaType := mimeparam.Parse(v.report.MediaType).Type
	for _, o := range v.others {
		if o.mediaType != "" && o.mediaType != mediaType {
			continue
		}
		if want := o.ref.Size; want >= 0 && (v.strict || v.refuseSize) && o.ref.Dialect == "" && want != v.n && (v.crlf == nil || want != v.crlf.n) {
			continue
		}
		if slices.ContainsFunc(o.promises, func(d promised) bool { return d.form() == "" }) {
			continue
		}
		v.report.kept = append(v.report.kept, o.ref)
	}
}

// Keeps reports whether the body is what ref promises: the Reference that it came
// from, or another of the alternatives given to Save whose media type and digests
// are those of the body. Its SIZE counts where it does for the Reference itself:
// with [Resolver].RefuseSize or Strict. A Reference that is not kept may mean
// another body, and is not to be given up for this one.
func (r *Report) Keeps(ref *Reference) bool {
	return ref == r.Reference || slices.Contains(r.kept, ref)
}
