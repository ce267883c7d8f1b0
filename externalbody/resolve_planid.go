package externalbody

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"

	"github.com/go-extbody/extbody/fetch"
)

// A digest is a SHA-256.
type digest [sha256.Size]byte

// digest returns the digest of the octets of the message. It reads them only once.
func (m *Message) digest(ctx context.Context) (digest, error) {
	return m.sum.get(func() (d digest, err error) {
		h := sha256.New()
		src := m.Reader()
		for left := m.index.Size; left > 0; {
			if err := ctx.Err(); err != nil {
				return d, err
			}
			n, err := io.CopyN(h, src, min(left, 1<<20))
			if err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			if err != nil {
				return d, fmt.Errorf("the message: %w", err)
			}
			left -= n
		}
		h.Sum(d[:0])
		return d, nil
	})
}

// setID derives the ID from what decides what is fetched and what is accepted. req is
// nil if nothing can be fetched. If the message around a body cannot be read, the Plan
// is refused.
func (r *Resolver) setID(ctx context.Context, p *Plan, ref *Reference, req *fetch.Request) {
	h := identifier{sha256.New()}
	h.add("reference", ref.AccessType, ref.Dialect, ref.Name, fmt.Sprint(ref.Size, ref.shared))
	for _, param := range ref.Params {
		h.add("parameter", param.Name, param.Value)
	}
	for _, f := range ref.Header {
		h.add("field", f.Name, f.Value)
	}
	if len(ref.Promises) > 0 {
		h.add("promises", ref.Promises...)
	}
	for _, d := range ref.Digests {
		h.add("digest", d.Algorithm, string(d.Sum))
	}
	h.add("profile", fmt.Sprint(r.Profile, r.Strict, r.RefuseExpired, r.LongHash, r.TrustHash, r.maxBytes()))
	if req != nil {
		h.add("request", req.URL.String(), req.Text, req.MediaType, req.Name, req.ContentID, req.TransferType,
			fmt.Sprint(req.Login, req.Listing, req.AnyCertificate, req.Secret, req.Size))
		h.add("accept", req.Accept...)
		if (within(req.URL.Scheme) || req.Open != nil) && ref.source != nil {
			sum, err := ref.source.message.digest(ctx)
			if err != nil {
				p.refuse(unread("resolve", err))
			}
			h.add("message", string(sum[:]))
		}
	}
	p.ID = h.String()
}

// An identifier is a hash over lists of texts.
type identifier struct{ hash.Hash }

// add adds a list. No two sequences of lists add the same octets.
func (h identifier) add(what string, texts ...string) {
	fmt.Fprintf(h, "%s %d\n", what, len(texts))
	for _, s := range texts {
		fmt.Fprintf(h, "%d:", len(s))
		io.WriteString(h, s)
	}
}

// String returns the digest of what was added.
func (h identifier) String() string { return hex.EncodeToString(h.Sum(nil)) }
