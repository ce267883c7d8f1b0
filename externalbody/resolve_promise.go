package externalbody

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"hash"
	"strings"

	"github.com/go-extbody/extbody/internal/mime/message"
)

// A promise is a digest of the canonical form of the data.
type promise struct {
	name  string   // of the algorithm, as in fetch.Check
	param string   // the field or parameter that makes it
	sum   []byte   // nil if there is nothing to compare
	bad   DiagCode // the code of the Diag that says why not; "" if it can be compared
	hash  func() hash.Hash
}

// promises returns the digests that a Reference promises under the Profile of r.
func (r *Resolver) promises(ref *Reference) []promise {
	var ps []promise
	if p, ok := ref.contentMD5(); ok {
		ps = append(ps, p)
	}
	for _, d := range ref.Digests {
		if p, ok := d.promise(); ok {
			ps = append(ps, p)
		}
	}
	if r.Profile == ProfileSIP {
		if p, ok := ref.sipHash(r.LongHash); ok {
			ps = append(ps, p)
		}
	}
	return ps
}

// promise returns what a Digest promises.
func (d *Digest) promise() (promise, bool) {
	p := promise{name: d.Algorithm, param: d.Algorithm, sum: d.Sum}
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

// contentMD5 returns what the phantom Content-MD5 promises (RFC 1864).
func (r *Reference) contentMD5() (promise, bool) {
	p := promise{name: "md5", param: "content-md5", hash: md5.New}
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

// sipHash returns what the parameter HASH promises: a SHA-1 in hexadecimal (RFC 4483
// section 5.12). If long is true, it may also be a longer SHA-2, which is an extension.
func (r *Reference) sipHash(long bool) (promise, bool) {
	p := promise{name: "sha-1", param: "hash", hash: sha1.New}
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
	case long && len(sum) == sha256.Size:
		p.name, p.sum, p.hash = "sha-256", sum, sha256.New
	case long && len(sum) == sha512.Size384:
		p.name, p.sum, p.hash = "sha-384", sum, sha512.New384
	case long && len(sum) == sha512.Size:
		p.name, p.sum, p.hash = "sha-512", sum, sha512.New
	default:
		p.bad = DiagBadDigest
	}
	return p, true
}
