package rewrite

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/mime/message"
)

// NormalizeOptions are the options of Normalize. nil means the zero value.
type NormalizeOptions struct {
	// At is where the message is on its way; the default is Delivery.
	At Place

	// Select reports whether a part is to be added for a reference; nil selects all.
	Select func(ref *externalbody.Reference) bool

	// Nested also adds parts to messages within the message. This alters messages that were
	// forwarded.
	Nested bool

	// Domain is the right side of the Content-IDs of the added parts; "" means
	// extbody.invalid. Their left sides are made of where the references lead.
	Domain string
}

// Normalize writes the message to dst with a message/external-body part added for each
// reference of a Dialect (RFC 2046 section 5.2.3, RFC 2017). Programs that know no
// Dialects can then see them. All octets of the message are written as they are and in
// order, except the Content fields of a message that is wrapped. The package comment
// describes where the parts are added.
//
// Nothing is added for a reference that the message has in the standard form, by the
// same URL or Content-ID, nor for a body that Inline attached. Normalizing a second
// time therefore changes nothing. The Report names the part that has the Content-ID. If
// its type, size or digests are known and differ from the reference, the part is
// added nevertheless, with a Diag. A message within the message is another
// message.
//
// The phantom header has
//
//   - the media type: if nothing names it, the type of the extension of the name, and
//     otherwise application/octet-stream,
//   - the name,
//   - a Content-ID, which is the one of the body if the reference names one.
//
// m must have been opened with the Dialects that are to be read. The Report has an Item
// for each of their references. A part that cannot be added is not an error: the
// Report, which is never nil, has the reasons. An error is a [fetch.Error]: Canceled if ctx
// ended, Local if the source or dst failed, Malformed if Domain is not a domain.
// Nothing is written to dst before all references are decided.
func Normalize(ctx context.Context, dst io.Writer, m *externalbody.Message, opts *NormalizeOptions) (*Report, error) {
	n := &normalizer{report: &Report{}}
	n.opts = *cmp.Or(opts, new(NormalizeOptions))
	n.opts.Domain = cmp.Or(n.opts.Domain, defaultDomain)
	if !isDomain(n.opts.Domain) {
		return n.report, leave(fetch.Malformed, errors.New("no domain"))
	}
	return n.report, n.run(ctx, dst, m)
}

// A normalizer is one call of Normalize.
type normalizer struct {
	opts   NormalizeOptions
	adder  *adder
	marks  *marks
	report *Report
}

func (n *normalizer) run(ctx context.Context, dst io.Writer, m *externalbody.Message) (err error) {
	l := newLayout(m)
	if err := n.report.authentication(l.r, l.index.Root()); err != nil {
		return err
	}
	n.adder = newAdder(m, l, newGuard(m, l.r, n.opts.At, n.opts.Nested))
	known, err := newBearers(l.r, l.index, func(o *externalbody.Objection) error { return o.Err })
	if err != nil {
		return err
	}
	n.marks, err = newMarks(l, m, n.opts.Domain, known)
	if err != nil {
		return err
	}
	for ref := range m.References() {
		if ref.Dialect == "" {
			continue
		}
		if err := canceled(ctx); err != nil {
			return err
		}
		item := Item{Section: ref.ID, References: []*externalbody.Reference{ref}}
		item.Action, item.Err, err = n.add(&item, ref)
		if err != nil {
			return err
		}
		n.report.Items = append(n.report.Items, item)
	}
	edits, err := n.adder.edits(ctx, nil)
	if err != nil {
		return err
	}
	return splice(ctx, dst, l.r, l.index.Size, edits)
}

// add adds the part for ref, or returns the reason why it does not.
func (n *normalizer) add(item *Item, ref *externalbody.Reference) (action Action, reason, err error) {
	if n.opts.Select != nil && !n.opts.Select(ref) {
		return Left, nil, nil
	}
	if here, err := n.marks.isHere(item, ref); here || err != nil {
		return Left, nil, err
	}
	point, reason, err := n.adder.point(ref)
	if reason != nil || err != nil {
		return Left, reason, err
	}
	var b bytes.Buffer
	if _, err := standardForm(ref, n.marks.contentID(ref), "attachment").WriteTo(&b); err != nil {
		return Left, err, nil
	}
	part := bytes.TrimSuffix(b.Bytes(), crlf)
	if point.eol == "\n" {
		part = bytes.ReplaceAll(part, crlf, []byte("\n"))
	}
	point.parts = append(point.parts, text(message.Span{}, part).write)
	return Added, nil, nil
}
