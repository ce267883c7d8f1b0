package externalbody

import (
	"bytes"
	"cmp"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"hash"
	"slices"
	"strings"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/mime/message"
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

// claims returns the claims of the phantom header and of Digests.
func (r *Reference) claims() []claim {
	ps := append(r.contentMD5(), r.reprDigests()...)
	for _, d := range r.Digests {
		if p, ok := claimOf(d); ok {
			ps = append(ps, p)
		}
	}
	return ps
}

// PromisedDigests returns the digests that the Reference promises of its body, by
// Content-MD5, Repr-Digest and HASH (RFC 1864, RFC 9530, RFC 4483), and by Digests. It leaves
// out those that cannot be read, or are by other algorithms than a [fetch.Digest] of a Reference has.
func (r *Reference) PromisedDigests() (ds []fetch.Digest) {
	for _, p := range append(r.claims(), r.sipHash()...) {
		if p.sum != nil {
			ds = append(ds, fetch.Digest{Algorithm: p.name, Sum: p.sum})
		}
	}
	return ds
}

func claimOf(d fetch.Digest) (claim, bool) {
	p := claim{name: d.Algorithm, param: d.Algorithm, sum: d.Sum, hash: algorithms[d.Algorithm]}
	if p.hash == nil {
		return p, false
	}
	if len(p.sum) != p.hash().Size() {
		p.sum = nil
		p.bad = DiagBadDigest
	}
	return p, true
}

// algorithms are the ones that Reference.Digests can have.
var algorithms = map[string]func() hash.Hash{
	"md5": md5.New, "sha-1": sha1.New, "sha-256": sha256.New, "sha-384": sha512.New384, "sha-512": sha512.New,
}

// newClaim returns the claim of a field or parameter, whose digest was decoded with err.
func newClaim(param, algorithm string, sum []byte, err error) claim {
	if err != nil {
		sum = nil
	}
	p, _ := claimOf(fetch.Digest{Algorithm: algorithm, Sum: sum})
	p.param = param
	return p
}

// contentMD5 returns the claim of the phantom Content-MD5 (RFC 1864), if there is one.
func (r *Reference) contentMD5() []claim {
	v, ok := r.Header.lookup("Content-MD5")
	if !ok {
		return nil
	}
	sum, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(v), ""))
	p := newClaim("content-md5", "md5", sum, err)
	if message.IsMultipart(r.MediaType) || strings.HasPrefix(r.MediaType, "message/") {
		p.sum = nil
		p.bad = diagDigestNotForType // RFC 1864 section 2
	}
	return []claim{p}
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
			if strings.TrimSpace(value) != ":"+text+":" {
				sum = nil
			}
			ps = append(ps, newClaim("repr-digest", name, sum, err))
		}
	}
	return ps
}

// sipHash returns the claim of the parameter HASH, if there is one: a SHA-1 in hexadecimal
// (RFC 4483 section 5.12).
func (r *Reference) sipHash() []claim {
	v, ok := r.Param("hash")
	if !ok {
		return nil
	}
	sum, err := hex.DecodeString(strings.TrimSpace(v))
	return []claim{newClaim("hash", "sha-1", sum, err)}
}

// others are the References given to Save. The Report records for each whether the body
// keeps its claims too. Equal claims are compared once.
type others struct {
	claimSets []*claimSet
	of        map[*Reference]*claimSet
}

// A claimSet has the claims of one or several References.
type claimSet struct {
	ref       *Reference // one of them
	mediaType string     // announced; "" if none is
	size      int64      // -1 if not known
	promises  []claim
}

// A bodyClaims has the claims about one body, by one or several References. Zero
// values, and a size below 0, mean that a fact is not known.
type bodyClaims struct {
	mediaType string
	size      int64
	digests   []fetch.Digest
	name      string
}

// agrees reports whether no fact that both have differs. Names are compared if named is
// true.
func (i *bodyClaims) agrees(o *bodyClaims, named bool) bool {
	bothNamed := i.name != "" && o.name != ""
	switch {
	case i.mediaType != "" && o.mediaType != "" && i.mediaType != o.mediaType:
		return false
	case i.size >= 0 && o.size >= 0 && i.size != o.size:
		return false
	case named && bothNamed && i.name != o.name:
		return false
	}
	return !slices.ContainsFunc(i.digests, func(p fetch.Digest) bool {
		return slices.ContainsFunc(o.digests, func(q fetch.Digest) bool {
			return p.Algorithm == q.Algorithm && !bytes.Equal(p.Sum, q.Sum)
		})
	})
}

// join adds the facts of o, which agrees with i.
func (i *bodyClaims) join(o *bodyClaims) {
	i.mediaType = cmp.Or(i.mediaType, o.mediaType)
	i.name = cmp.Or(i.name, o.name)
	if i.size < 0 {
		i.size = o.size
	}
	for _, p := range o.digests {
		if !slices.ContainsFunc(i.digests, func(q fetch.Digest) bool { return q.Algorithm == p.Algorithm }) {
			i.digests = append(i.digests, p)
		}
	}
}

// bodyClaims returns the claims of one Reference. The media type that a Dialect found
// is a guess, and does not count.
func (r *Reference) bodyClaims() bodyClaims {
	i := bodyClaims{size: r.Size, digests: r.PromisedDigests(), name: r.Name}
	if r.Dialect == "" {
		i.mediaType = r.MediaType
	}
	return i
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
func (m *Message) bodies() []Alternatives {
	type key struct {
		parent *message.Part
		id     string
	}
	var bodies []Alternatives
	known := make(map[key][]*namesake)
	for _, ref := range m.refs {
		k := key{ref.part.Parent, ref.ContentID}
		if k.parent == nil || k.id == "" {
			bodies = append(bodies, Alternatives{ref})
			continue
		}
		said := ref.bodyClaims()
		named := k.parent.Type != "multipart/alternative"
		same := known[k]
		if i := slices.IndexFunc(same, func(n *namesake) bool { return n.agrees(&said, named) }); i >= 0 {
			same[i].join(&said)
			bodies[same[i].number] = append(bodies[same[i].number], ref)
			continue
		}
		if len(same) < maxNamesakes {
			known[k] = append(same, &namesake{said, len(bodies)})
		}
		bodies = append(bodies, Alternatives{ref})
	}
	return bodies
}

// maxDigests bounds the Digests of a Reference.
const maxDigests = 16
