package externalbody

import (
	"bytes"
	"path"
	"slices"

	"github.com/go-extbody/extbody/internal/mime/message"
)

// A likeness is what references together say of the one body that they promise. Zero
// values, and a size below 0, mean that something is not known.
type likeness struct {
	mediaType string
	size      int64
	digests   []promise // with a sum, one for each algorithm
	name      string
}

// likeness returns what the Reference says of its body. If a Dialect found it, the
// media type is a guess that cannot tell two bodies apart, and is left out.
func (r *Reference) likeness() likeness {
	i := likeness{size: r.Size}
	if r.Dialect == "" {
		i.mediaType = r.MediaType
	}
	if p, ok := r.contentMD5(); ok && p.sum != nil {
		i.digests = append(i.digests, p)
	}
	if p, ok := r.sipHash(true); ok && p.sum != nil {
		i.digests = append(i.digests, p)
	}
	if name := terminal(r.urlName()); r.Name != name || path.Ext(name) != "" {
		i.name = r.Name // not the last segment of a path that names no file
	}
	return i
}

// agrees reports whether nothing differs that both say. Names are compared if named is
// true.
func (i *likeness) agrees(o *likeness, named bool) bool {
	switch {
	case i.mediaType != "" && o.mediaType != "" && i.mediaType != o.mediaType:
		return false
	case i.size >= 0 && o.size >= 0 && i.size != o.size:
		return false
	case named && i.name != "" && o.name != "" && i.name != o.name:
		return false
	}
	return !slices.ContainsFunc(i.digests, func(p promise) bool {
		return slices.ContainsFunc(o.digests, func(q promise) bool { return p.name == q.name && !bytes.Equal(p.sum, q.sum) })
	})
}

// join adds what o says. o agrees with i.
func (i *likeness) join(o *likeness) {
	if i.mediaType == "" {
		i.mediaType = o.mediaType
	}
	if i.size < 0 {
		i.size = o.size
	}
	if i.name == "" {
		i.name = o.name
	}
	for _, p := range o.digests {
		if !slices.ContainsFunc(i.digests, func(q promise) bool { return q.name == p.name }) {
			i.digests = append(i.digests, p)
		}
	}
}

// maxNamesakes bounds the bodies of one Content-ID that a Reference is compared with,
// so that many of them cost only linear time. A Reference that agrees with none of
// these is a body by itself.
const maxNamesakes = 16

// A namesake is a body among those of one multipart and Content-ID.
type namesake struct {
	likeness
	number int // of the body
}

// bodies groups the References by the body that they promise.
func (m *Message) bodies() [][]*Reference {
	type key struct {
		parent *message.Part
		id     string
	}
	var bodies [][]*Reference
	known := make(map[key][]*namesake)
	for _, ref := range m.refs {
		k := key{ref.part.Parent, ref.ContentID}
		if k.parent == nil || k.id == "" {
			bodies = append(bodies, []*Reference{ref})
			continue
		}
		said, named := ref.likeness(), k.parent.Type != "multipart/alternative"
		same := known[k]
		if i := slices.IndexFunc(same, func(n *namesake) bool { return n.agrees(&said, named) }); i >= 0 {
			same[i].join(&said)
			bodies[same[i].number] = append(bodies[same[i].number], ref)
			continue
		}
		if len(same) < maxNamesakes {
			known[k] = append(same, &namesake{said, len(bodies)})
		}
		bodies = append(bodies, []*Reference{ref})
	}
	return bodies
}
