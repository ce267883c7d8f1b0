package externalbody

import (
	"bytes"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"hash"
	"path"
	"slices"
	"strings"

	"github.com/go-extbody/extbody/internal/mime/message"
	"github.com/go-extbody/extbody/internal/mime/param"
	"github.com/go-extbody/extbody/internal/netx/fieldvalue"
)

// A claim is a digest that a Reference promises of the canonical form of the data.
type claim struct {
	name  string   // of the algorithm, as in fetch.Check
	param string   // the field or parameter that makes it
	sum   []byte   // nil if there is nothing to compare
	bad   DiagCode // why it cannot be compared; "" if it can
	hash  func() hash.Hash
}

// promises returns the claims of a Reference under the Profile of r.
func (r *Resolver) promises(ref *Reference) []claim {
	ps := append(ref.md5s(), ref.reprDigests()...)
	for _, d := range ref.Digests {
		if p, ok := d.claim(); ok {
			ps = append(ps, p)
		}
	}
	if r.Profile == ProfileSIP {
		if p, ok := ref.sipHash(); ok {
			ps = append(ps, p)
		}
	}
	return ps
}

func (d *Digest) claim() (claim, bool) {
	p := claim{name: d.Algorithm, param: d.Algorithm, sum: d.Sum}
	switch d.Algorithm {
	case "md5":
		p.hash = md5.New
	case "sha-1":
		p.hash = sha1.New
	case "sha-256":
		p.hash = sha256.New
	case "sha-384":
		p.hash = sha512.New384
	case "sha-512":
		p.hash = sha512.New
	default:
		return p, false
	}
	if len(p.sum) != p.hash().Size() {
		p.sum, p.bad = nil, DiagBadDigest
	}
	return p, true
}

// md5s is contentMD5 as a list of at most one claim.
func (r *Reference) md5s() []claim {
	if p, ok := r.contentMD5(); ok {
		return []claim{p}
	}
	return nil
}

// contentMD5 returns the claim of the phantom Content-MD5 (RFC 1864).
func (r *Reference) contentMD5() (claim, bool) {
	p := claim{name: "md5", param: "content-md5", hash: md5.New}
	v, ok := r.Header.lookup("Content-MD5")
	if !ok {
		return p, false
	}
	if message.IsMultipart(r.MediaType) || strings.HasPrefix(r.MediaType, "message/") {
		p.bad = DiagDigestNotForType // RFC 1864 section 2
		return p, true
	}
	sum, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(v), ""))
	if err != nil || len(sum) != md5.Size {
		p.bad = DiagBadDigest
		return p, true
	}
	p.sum = sum
	return p, true
}

// reprDigests returns the claims of the phantom Repr-Digest by SHA-256 and SHA-512 (RFC
// 9530 section 3). Other algorithms are ignored.
func (r *Reference) reprDigests() (ps []claim) {
	for _, f := range r.Header {
		if !strings.EqualFold(f.Name, "Repr-Digest") {
			continue
		}
		for member := range fieldvalue.Members(f.Value) {
			name, value, _ := strings.Cut(member, "=")
			if name != "sha-256" && name != "sha-512" {
				continue
			}
			if len(ps) == maxDigests {
				return ps
			}
			text := strings.Trim(value, ": \t")
			sum, err := base64.StdEncoding.DecodeString(text)
			if value = strings.TrimSpace(value); err != nil || value != ":"+text+":" {
				sum = nil
			}
			p, _ := (&Digest{Algorithm: name, Sum: sum}).claim()
			p.param = "repr-digest"
			ps = append(ps, p)
		}
	}
	return ps
}

// sipHash returns the claim of the parameter HASH: a SHA-1 in hexadecimal (RFC 4483
// section 5.12).
func (r *Reference) sipHash() (claim, bool) {
	p := claim{name: "sha-1", param: "hash", hash: sha1.New}
	v, ok := r.Param("hash")
	if !ok {
		return p, false
	}
	sum, err := hex.DecodeString(strings.TrimSpace(v))
	switch {
	case err != nil:
		p.bad = DiagBadDigest
	case len(sum) == sha1.Size:
		p.sum = sum
	default:
		p.bad = DiagBadDigest
	}
	return p, true
}

// others are the References given to Save. The Report records for each whether the body
// keeps its claims too. Equal claims are compared once.
type others struct {
	claimSets []*claimSet
	of        map[*Reference]*claimSet
}

// A claimSet has the claims of one or several References.
type claimSet struct {
	mediaType string // announced; "" if none is
	size      int64  // -1 if not known
	promises  []claim
}

func (r *Resolver) others(alts []*Reference) *others {
	o := &others{of: make(map[*Reference]*claimSet)}
	same := make(map[string]*claimSet)
	for _, alt := range alts {
		c := &claimSet{size: -1}
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
			o.claimSets = append(o.claimSets, c)
		}
		o.of[alt] = same[key]
	}
	return o
}

// compare makes the Body compare itself with o, besides the claims of its own
// Reference. It is called before the Body is read.
func (b *Body) compare(o *others) {
	v := b.verify
	b.report.others, v.others = o, o.claimSets
	for _, c := range o.claimSets {
		more := slices.DeleteFunc(slices.Clone(c.promises), func(p claim) bool { return v.find(p) != nil })
		if v.crlf == nil && (len(more) > 0 || c.size >= 0) && isText(v.report.MediaType) {
			v.crlf = &crlfText{}
			v.hashes = append(v.hashes, v.crlf)
		}
		for _, p := range more {
			v.extra = append(v.extra, v.compute(p))
		}
	}
}

// find returns the comparison with a claim, or nil.
func (v *verifier) find(p claim) *comparison {
	for _, all := range [][]comparison{v.promises, v.extra} {
		if i := slices.IndexFunc(all, func(q comparison) bool { return q.name == p.name && bytes.Equal(q.sum, p.sum) }); i >= 0 {
			return &all[i]
		}
	}
	return nil
}

// checkOthers records the sets that the body agrees with.
func (v *verifier) checkOthers() {
	mediaType := param.Parse(v.report.MediaType).Type
	for _, c := range v.others {
		switch {
		case c.mediaType != "" && c.mediaType != mediaType:
		case c.size >= 0 && v.sizeForm(c.size) == "":
		case slices.ContainsFunc(c.promises, func(p claim) bool { return v.find(p).form() == "" }):
		default:
			v.report.kept = append(v.report.kept, c)
		}
	}
}

// Keeps reports whether the body keeps the promises of ref. ref is the Reference that
// the body came from, or another of the alternatives given to Save. The media type and
// digests of the body must be those that ref has. SIZE counts where it counts for the
// Reference itself: with [Resolver].RefuseSize or Strict. A Reference whose promises
// are not kept may mean another body, and must not be replaced by this one.
func (r *Report) Keeps(ref *Reference) bool {
	return ref == r.Reference || r.others != nil && slices.Contains(r.kept, r.others.of[ref])
}

// A bodyClaims has the claims about one body, by one or several References. Zero
// values, and a size below 0, mean that a fact is not known.
type bodyClaims struct {
	mediaType string
	size      int64
	digests   []claim // with a sum, one for each algorithm
	name      string
}

// bodyClaims returns the claims of one Reference. The media type that a Dialect found
// is a guess, and does not count.
func (r *Reference) bodyClaims() bodyClaims {
	i := bodyClaims{size: r.Size}
	if r.Dialect == "" {
		i.mediaType = r.MediaType
	}
	if p, ok := r.contentMD5(); ok && p.sum != nil {
		i.digests = append(i.digests, p)
	}
	for _, p := range r.reprDigests() {
		if p.sum != nil {
			i.digests = append(i.digests, p)
		}
	}
	if p, ok := r.sipHash(); ok && p.sum != nil {
		i.digests = append(i.digests, p)
	}
	if name := terminal(r.urlName()); r.Name != name || path.Ext(name) != "" {
		i.name = r.Name // not the last segment of a path that names no file
	}
	return i
}

// agrees reports whether no fact that both have differs. Names are compared if named is
// true.
func (i *bodyClaims) agrees(o *bodyClaims, named bool) bool {
	switch {
	case i.mediaType != "" && o.mediaType != "" && i.mediaType != o.mediaType:
		return false
	case i.size >= 0 && o.size >= 0 && i.size != o.size:
		return false
	case named && i.name != "" && o.name != "" && i.name != o.name:
		return false
	}
	return !slices.ContainsFunc(i.digests, func(p claim) bool {
		return slices.ContainsFunc(o.digests, func(q claim) bool { return p.name == q.name && !bytes.Equal(p.sum, q.sum) })
	})
}

// join adds the facts of o, which agrees with i.
func (i *bodyClaims) join(o *bodyClaims) {
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
		if !slices.ContainsFunc(i.digests, func(q claim) bool { return q.name == p.name }) {
			i.digests = append(i.digests, p)
		}
	}
}

// maxNamesakes bounds the bodies of one Content-ID that a Reference is compared with,
// so that many of them cost only linear time. A Reference that agrees with none of
// these is a body by itself.
const maxNamesakes = 16

type namesake struct {
	bodyClaims
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
		said, named := ref.bodyClaims(), k.parent.Type != "multipart/alternative"
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
