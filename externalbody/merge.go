package externalbody

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/base32"
	"slices"
	"strings"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/link/sharelink"
	"github.com/go-extbody/extbody/internal/link/unwrap"
	"github.com/go-extbody/extbody/internal/link/weburl"
	"github.com/go-extbody/extbody/internal/mailtext"
	"github.com/go-extbody/extbody/internal/mime/message"
	"github.com/go-extbody/extbody/internal/mime/param"
	"github.com/go-extbody/extbody/urlaccess"
)

// placesPerReference is how many places a message may have for each Reference: a header
// field, an HTML block, its text twin and a placeholder.
const placesPerReference = 4

type findings struct {
	bodies []*finding
	parts  []*message.Part          // in the order of reading; empty without Dialects
	order  map[*message.Part]int    // the index in parts; made by number
	links  map[destination]*finding // of Dialects; made for the first
	hosts  *sharelink.Table         // of the Dialects; may be nil
	places int                      // in all of links
	known  int                      // bodies that are more than mentioned
}

// A destination is where references of one message lead. A message within the message
// has destinations of its own: forwarding a reference is not referring to the same
// place.
type destination struct {
	message *message.Part // of the part
	where   string        // of Reference.destination
}

// destinationIn returns where a Reference in p leads.
func destinationIn(p *message.Part, where string) destination {
	return destination{p.Message(), where}
}

// A finding is one body and the places that name it.
type finding struct {
	key    destination // zero for a message/external-body part
	places []place
	known  bool // a place is more than a mention
}

// A place is where a Reference was found.
type place struct {
	ref     *Reference
	origin  Origin
	part    int // the number of the part in the order of reading
	dialect int // the number of its Dialect
	rank    rank
}

// A rank is how credible a place is.
type rank uint8

const (
	rankPicture rank = iota // a picture that is shown: another Dialect that finds it comes first
	rankText                // in text/plain
	rankMarkup              // in text/html
	rankHeader              // in a header
)

// number returns the number of p in the order of reading.
func (f *findings) number(p *message.Part) int {
	if f.order == nil {
		f.order = make(map[*message.Part]int)
	}
	for i := len(f.order); i < len(f.parts); i++ {
		f.order[f.parts[i]] = i
	}
	return f.order[p]
}

// dropUnprintable removes facts of a Dialect that cannot be shown to people.
func (r *Reference) dropUnprintable() {
	if r.MediaType != "" && !param.IsMediaType(r.MediaType) {
		r.MediaType = ""
		r.diag(DiagBadMediaType, "content-type")
	}
	if id := r.ContentID; id != "" {
		r.ContentID = ""
		r.identify(id)
	}
	if strings.ContainsFunc(r.Permission, notShown) {
		r.Permission = "read"
		r.diag(diagBadPermission, "permission")
	}
}

func rankOf(ref *Reference, e *Entity, o Origin) rank {
	switch {
	case ref.IsPicture():
		return rankPicture
	case o.Field != "":
		return rankHeader
	case mailtext.IsPlain(e.MediaType):
		return rankText
	}
	return rankMarkup
}

// compare sorts places in message order. If two begin together, the longer one is
// first.
func (p place) compare(q place) int {
	field := func(p place) int {
		if p.origin.Field != "" {
			return 0
		}
		return 1
	}
	return cmp.Or(
		cmp.Compare(p.part, q.part),
		cmp.Compare(field(p), field(q)),
		cmp.Compare(p.origin.Start, q.origin.Start),
		cmp.Compare(q.origin.End, p.origin.End),
		cmp.Compare(p.dialect, q.dialect),
	)
}

// covers reports whether q is within p. This is so for the link within a block that
// names the same body.
func (p place) covers(q place) bool {
	return p.part == q.part && p.origin.Field == q.origin.Field && q.origin.End <= p.origin.End
}

// merged returns the References, one for each body, in message order.
func (f *findings) merged() []*Reference {
	var bodies []*finding
	for _, b := range f.bodies {
		if !b.known {
			continue
		}
		slices.SortStableFunc(b.places, place.compare)
		bodies = append(bodies, b)
	}
	slices.SortStableFunc(bodies, func(a, b *finding) int { return a.places[0].compare(b.places[0]) })
	standard := f.standards()
	var refs []*Reference
	for _, b := range bodies {
		ref := b.merge()
		if s := standard[b.key]; s != nil {
			s.join(ref)
			continue
		}
		refs = append(refs, ref)
	}
	distinguish(refs)
	return refs
}

// join adds the places and the share link of found to r, a message/external-body part
// that refers to the same body. The facts of the part itself do not change.
func (r *Reference) join(found *Reference) {
	r.Origins = append(r.Origins, found.Origins...)
	r.Provider = found.Provider
	r.link = found.link
	r.shared = true
}

// standards returns the References that are message/external-body parts, by where they
// lead. If several lead to the same place, it returns the first.
func (f *findings) standards() map[destination]*Reference {
	if len(f.links) == 0 {
		return nil
	}
	standard := make(map[destination]*Reference)
	for _, b := range f.bodies {
		if b.key != (destination{}) {
			continue
		}
		ref := b.places[0].ref
		v, ok := ref.Param("url")
		if !ok || ref.AccessType != "url" {
			continue
		}
		if ref.long != nil || len(v) > fetch.MaxURLBytes {
			continue // a longer one is a data: URL, which is too long to copy
		}
		c := *ref
		c.findLink(f.hosts)
		if key := destinationIn(ref.part, c.destination("")); standard[key] == nil {
			standard[key] = ref
		}
	}
	return standard
}

// merge returns the Reference that all places make together. Places are in message
// order.
func (b *finding) merge() *Reference {
	first := b.places[0].ref
	if b.key == (destination{}) {
		return first
	}
	outer := b.outermost()
	best := slices.MinFunc(outer, place.compareRank).ref
	r := *best
	r.ID = linkID(b.key.where)
	r.part = first.part
	r.source = first.source
	r.mention = false
	r.Origins = nil
	r.Diags = nil
	r.Quoted = true
	for _, p := range outer {
		r.Origins = append(r.Origins, p.origin)
	}
	for _, p := range b.places {
		r.Quoted = r.Quoted && p.ref.Quoted
		for _, d := range p.ref.Diags {
			r.note(d)
		}
	}
	r.Promises = nil
	r.Digests = nil
	r.Name = ""
	r.MediaType = ""
	r.Provider = ""
	r.Permission = "read"
	r.Size = -1
	r.Expiration = time.Time{}
	slices.SortStableFunc(b.places, place.compareRank)
	for _, p := range b.places {
		_, contradicted := r.adopt(p.ref.placeFacts())
		r.noteContradictions(contradicted)
		r.addPromises(p.ref)
		if r.Header == nil {
			r.Header = p.ref.Header
		}
		if r.ContentID == "" {
			r.ContentID = p.ref.ContentID
		}
	}
	url := best.urlFacts()
	if best.Name == "" || r.Name != "" {
		url.name = "" // the Dialect knows that it is not a name, or knows another one
	}
	set, contradicted := r.adopt(url)
	r.noteContradictions(contradicted)
	r.Claims = slices.DeleteFunc(set, func(fact string) bool { return fact == "content-type" || fact == "provider" })
	if r.link != nil && r.link.Guessed {
		r.Claims = append(r.Claims, "guessed")
	}
	return &r
}

func (r *Reference) noteContradictions(params []string) {
	for _, p := range params {
		r.note(Diag{Code: diagContradiction, Param: p})
	}
}

// addPromises adds the Promises of another place of r that agree with r, and its Digests.
func (r *Reference) addPromises(place *Reference) {
	for _, fact := range place.Promises {
		sameSize := fact == "size" && place.Size == r.Size
		sameType := fact == "type" && place.MediaType == r.MediaType
		if (sameSize || sameType) && !r.promised(fact) {
			r.Promises = append(r.Promises, fact)
		}
	}
	for _, d := range place.Digests {
		known := slices.ContainsFunc(r.Digests, func(o fetch.Digest) bool {
			return o.Algorithm == d.Algorithm && bytes.Equal(o.Sum, d.Sum)
		})
		if !known && len(r.Digests) < maxDigests {
			r.Digests = append(r.Digests, d)
		}
	}
}

// compareRank sorts places by how credible they are, the most credible first.
func (p place) compareRank(q place) int { return cmp.Compare(q.rank, p.rank) }

// outermost returns the places that are not within another one. Places are in message
// order.
func (b *finding) outermost() []place {
	var kept []place
	for _, p := range b.places {
		if len(kept) == 0 || !kept[len(kept)-1].covers(p) {
			kept = append(kept, p)
		}
	}
	return kept
}

// linkID returns the ID of a Reference from where it leads.
func linkID(where string) string {
	sum := sha256.Sum256([]byte(where))
	return "link-" + strings.ToLower(base32.StdEncoding.EncodeToString(sum[:10]))
}

// distinguish makes the IDs of References of Dialects differ that lead to the same place
// from several messages, one within the other. The first one in the outermost message
// keeps its ID, or else the first of all.
func distinguish(refs []*Reference) {
	plain := make(map[string]*Reference)
	for _, ref := range refs {
		if p := plain[ref.ID]; p == nil || p.MessageSection() != "" && ref.MessageSection() == "" {
			plain[ref.ID] = ref
		}
	}
	for _, ref := range refs {
		if ref.Dialect != "" && plain[ref.ID] != ref {
			ref.ID += "-" + ref.MessageSection()
		}
	}
}

// destinationOf returns where url leads; see Reference.destination.
func destinationOf(url, section string) string { return NewMention(url).destination(section) }

// isElsewhere reports whether a part other than p names something that leads there.
func (f *findings) isElsewhere(p *message.Part, where string) bool {
	found := f.links[destinationIn(p, where)]
	return found != nil && slices.ContainsFunc(found.places, func(l place) bool { return l.part != f.number(p) })
}

// drop drops the place in p that starts at start and leads there.
func (f *findings) drop(p *message.Part, where string, start int64) {
	found := f.links[destinationIn(p, where)]
	if found == nil {
		return
	}
	found.places = slices.DeleteFunc(found.places, func(l place) bool {
		return l.part == f.number(p) && l.origin.Start == start
	})
	if len(found.places) == 0 && found.known {
		found.known = false
		f.known--
	}
}

// linkHosts has the hosts that links of a message lead to, without "www.".
type linkHosts struct {
	names map[string]bool
	any   bool // any other host as well
}

func (f *findings) linkHosts() *linkHosts {
	h := &linkHosts{names: make(map[string]bool)}
	for _, found := range f.links {
		v, _ := found.places[0].ref.Param("url")
		text, err := urlaccess.Decode(v)
		scheme, ok := urlaccess.Scheme(text)
		web := ok && (scheme == "http" || scheme == "https")
		if err == nil && !web {
			continue
		}
		u, ok := weburl.Parse(text)
		if err != nil || !ok {
			h.any = true
			return h
		}
		h.names[strings.TrimPrefix(u.Host, "www.")] = true
	}
	return h
}

// mayNameOne reports whether text has a URL at one of the hosts, or one that wraps
// others. It also reports true if text has something that may be such a URL: one that is
// not a URL to package weburl, or whose host ends with its line.
func (h *linkHosts) mayNameOne(text []byte) bool {
	for !h.any {
		_, rest, found := bytes.Cut(text, []byte("://"))
		if !found {
			return false
		}
		text = rest
		rest = rest[:min(len(rest), maxLinkHost)]
		host, after, ok := weburl.CutHost(rest)
		if ok && !h.names[string(bytes.TrimPrefix(host, []byte("www.")))] && !unwrap.MayWrap(string(host), after) {
			continue
		}
		if end := bytes.IndexAny(rest, " \t\r\n<>\""); end >= 0 {
			rest = rest[:end]
		}
		url := "https://" + string(rest)
		u, ok := weburl.Parse(url)
		if !ok || !bytes.ContainsAny(rest, "/?#:") {
			return true
		}
		if h.names[strings.TrimPrefix(u.Host, "www.")] || len(unwrap.URL(url).Wrappers) > 0 {
			return true
		}
	}
	return true
}

// maxLinkHost bounds the octets of a URL that tell its host and whether it wraps another.
const maxLinkHost = 1024
