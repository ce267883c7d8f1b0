package rewrite

import (
	"bytes"
	"errors"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/mime/message"
)

// diagSameID is the code of a Diag: the part in that section has the Content-ID of the
// reference and cannot be its body, because its type, its size or a digest differs from
// the one that the reference promises. It is not taken for the body.
const diagSameID externalbody.DiagCode = "same-content-id"

var errOtherSize = errors.New("the part with its Content-ID has another size than the promised one")

// maxBearers bounds the parts with one Content-ID that a reference is compared with.
const maxBearers = 64

// A place is a Content-ID within a multipart.
type place struct {
	parent *message.Part
	id     string
}

// A name is a Content-ID, or the left side of one, within a message. That is the whole
// message, or the header of a message/rfc822 part.
type name struct {
	section string // see externalbody.Reference.MessageSection
	id      string
}

// bearers are the parts of a message that have a Content-ID and are not references.
type bearers struct {
	r       io.ReaderAt
	judge   func(*externalbody.Objection) error // decides about another size
	beside  map[place][]*bearer                 // by the multipart that they are in
	message map[name][]*bearer                  // by the message, and the Content-ID or its left side
}

func newBearers(r io.ReaderAt, index *message.Index, judge func(*externalbody.Objection) error) (*bearers, error) {
	b := &bearers{r: r, judge: judge, beside: make(map[place][]*bearer), message: make(map[name][]*bearer)}
	err := contentIDs(r, index, func(p *message.Part, id string) {
		if id == "" {
			return
		}
		one := &bearer{part: p}
		addBounded(b.beside, place{p.Parent, id}, one)
		section := ""
		if message := p.Message(); message.Parent != nil {
			section = message.Parent.Section()
		}
		addBounded(b.message, name{section, id}, one)
		addBounded(b.message, name{section, left(id)}, one)
	})
	return b, err
}

// addBounded adds one to those at a place, of which there are at most maxBearers.
func addBounded[K comparable, V any](to map[K][]V, at K, one V) {
	if len(to[at]) < maxBearers {
		to[at] = append(to[at], one)
	}
}

// A bearer is a part with a Content-ID.
type bearer struct {
	part  *message.Part
	forms []*form // nil if they have not been read
}

// A promised is the claims of a reference about its body. A size below 0 or a missing digest
// means that there is no such claim.
type promised struct {
	ref       *externalbody.Reference
	mediaType string
	size      int64
	digests   map[string][]byte
}

// promises returns the claims that can be compared. If a Dialect found the reference, a media type
// that is as good as none is left out.
func (b *bearers) promises(ref *externalbody.Reference) promised {
	p := promised{ref: ref, mediaType: ref.MediaType, size: ref.Size, digests: make(map[string][]byte)}
	if ref.Dialect != "" && p.mediaType == octetStream {
		p.mediaType = ""
	}
	if isComposite(p.mediaType) {
		p.size = -1 // the parts in it may have been encoded anew
		return p
	}
	for _, d := range ref.PromisedDigests() {
		if newHash[d.Algorithm] != nil {
			p.digests[d.Algorithm] = d.Sum
		}
	}
	return p
}

// keeps reports whether a part can be the body that all of these promise.
func (b *bearers) keeps(one *bearer, all []promised) (bool, error) {
	for _, p := range all {
		if p.mediaType != "" && p.mediaType != one.part.Type {
			return false, nil
		}
		if p.size < 0 && len(p.digests) == 0 {
			continue
		}
		if err := one.read(b.r); err != nil {
			return false, err
		}
		for name, sum := range p.digests {
			if !slices.ContainsFunc(one.forms, func(f *form) bool { return bytes.Equal(f.hashes[name].Sum(nil), sum) }) {
				return false, nil
			}
		}
		if !b.keepsSize(one, p) {
			return false, nil
		}
	}
	return true, nil
}

// keepsSize reports whether a part that was read has the promised size, or another one that is accepted.
func (b *bearers) keepsSize(one *bearer, p promised) bool {
	if len(one.forms) == 0 {
		return false
	}
	if p.size < 0 || slices.ContainsFunc(one.forms, func(f *form) bool { return f.n == p.size }) {
		return true
	}
	return b.judge(&externalbody.Objection{
		Ref:       p.ref,
		Check:     "size",
		Announced: strconv.FormatInt(p.size, 10),
		Actual:    strconv.FormatInt(one.forms[0].n, 10),
		Promised:  p.ref.Dialect == "" || slices.Contains(p.ref.Promises, "size"),
		Err:       leave(fetch.SizeMismatch, errOtherSize),
	}) == nil
}

// read fills in forms: the octets as they are, and text with line ends of both kinds,
// since either may have been promised and written. A part whose encoding is not known
// has no form.
func (one *bearer) read(r io.ReaderAt) error {
	if one.forms != nil {
		return nil
	}
	one.forms = []*form{}
	if one.part.Encoding == message.OtherEncoding {
		return nil
	}
	body := (&candidate{part: one.part}).open(r)
	all := slices.Collect(maps.Keys(newHash))
	raw := newForm(all...)
	lf := newForm(all...)
	crlf := newForm(all...)
	to := io.Writer(raw)
	if strings.HasPrefix(one.part.Type, "text/") {
		to = io.MultiWriter(raw, dropCR(io.MultiWriter(lf, addCR(crlf))))
	}
	_, err := io.CopyBuffer(to, struct{ io.Reader }{body}, make([]byte, 32<<10))
	if err != nil && body.raw.Failure() != nil {
		return local(body.raw.Failure())
	}
	if err != nil {
		return nil // damaged octets, which no reference promised
	}
	one.forms = append(one.forms, raw)
	if lf.n > 0 {
		one.forms = append(one.forms, lf, crlf)
	}
	return nil
}

// standIn reports whether one of parts can be the body of refs. It sets in item the one
// that can, and those before it that cannot.
func (b *bearers) standIn(item *Item, parts []*bearer, refs []*externalbody.Reference) (bool, error) {
	var all []promised
	for _, ref := range refs {
		all = append(all, b.promises(ref))
	}
	for _, one := range parts {
		keeps, err := b.keeps(one, all)
		if err != nil {
			return false, err
		}
		if keeps {
			item.StoodIn = one.part.Section()
			return true, nil
		}
		item.Diags = append(item.Diags, externalbody.Diag{Code: diagSameID, Param: one.part.Section()})
	}
	return false, nil
}

// left returns the left side of a Content-ID in angle brackets.
func left(id string) string {
	id, _, _ = strings.Cut(strings.TrimPrefix(id, "<"), "@")
	return id
}
