package fetch

import (
	"crypto/sha256"
	"encoding/hex"
	"github.com/go-extbody/extbody/fetch/record"
	"hash"
)

// A recorder collects the facts about the octets of a body for its Exchange, if it has one.
type recorder struct {
	x       *Exchange
	n       int64
	hash    hash.Hash // nil if x is brief, or nil
	head    []byte    // at most MaxBeginning octets
	decoded *recorder // of the decoded octets; nil without content codings
}

func newRecorder(x *Exchange) recorder {
	r := recorder{x: x}
	if x.full() {
		r.hash = sha256.New()
	}
	return r
}

// write takes octets as they come.
func (r *recorder) write(p []byte) {
	r.n += int64(len(p))
	if r.hash == nil {
		return
	}
	r.hash.Write(p)
	if room := MaxBeginning - len(r.head); room > 0 {
		r.head = append(r.head, p[:min(len(p), room)]...)
	}
}

// writeDecoded takes octets as they come out of content codings.
func (r *recorder) writeDecoded(p []byte) {
	if r.x == nil {
		return
	}
	if r.decoded == nil {
		decoded := newRecorder(r.x)
		r.decoded = &decoded
	}
	r.decoded.n += int64(len(p))
	if r.decoded.hash != nil {
		r.decoded.hash.Write(p)
	}
}

func (r *recorder) content() *record.Content {
	c := &record.Content{Octets: r.n}
	if r.hash != nil {
		c.SHA256 = hex.EncodeToString(r.hash.Sum(nil))
	}
	return c
}

// end ends the Exchange; err is nil if its body is whole and passed all checks.
func (r *recorder) end(err error) {
	if r.x == nil || r.x.observe == nil {
		return
	}
	r.x.Content = r.content()
	if r.decoded != nil {
		r.x.Decoded = r.decoded.content()
	}
	if r.hash != nil {
		r.x.Beginning = r.head
		r.x.Cut = r.x.Cut || err != nil && r.n > int64(len(r.head))
	}
	r.x.end(err)
	r.x = nil
}
