package rewrite

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"hash"
	"io"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/mime/message"
	"github.com/go-extbody/extbody/internal/mime/param"
	"github.com/go-extbody/extbody/internal/mime/smime"
	"github.com/go-extbody/extbody/urlaccess"
)

// ExternalizeOptions are the options of Externalize. A Store is needed. Without MinSize
// and Select no part is chosen.
type ExternalizeOptions struct {
	// Store keeps the bodies. Without one, Externalize is an error of Kind Unsupported.
	Store Store

	// MinSize chooses the parts with at least that many octets; 0 chooses none.
	MinSize int64

	// Select, if set, chooses the parts instead of MinSize.
	Select func(obj *Object) bool

	// Expiration is the time until which the Store guarantees to have the bodies. The
	// zero time means that this is not known.
	Expiration time.Time

	// Domain is the right side of the Content-IDs that are made for parts without one.
	// "" means the host of the URL.
	Domain string

	// Twin adds a text beside each reference, for readers that do not know references.
	// The text is plain and HTML, and is in a multipart/alternative with the reference.
	// It has the name, size and URL of the body, and its expiration. Inline removes it,
	// unless it was changed.
	Twin bool

	// At is where the message is on its way; the default is Delivery.
	At Place

	// Nested also looks into messages within the message. This alters messages that were
	// forwarded.
	Nested bool
}

// Externalize writes the message to dst with references instead of the parts that were
// chosen. Their bodies go to the Store. Only leaves can be chosen: no multipart, no
// message, and not the texts that an earlier call put beside references.
//
// A reference has access type URL, SIZE, and the Content-Disposition of the part, or
// one with its name. Its phantom header has the Content fields of the part as they
// were, without the transfer encoding, and a Content-Type, Content-ID and Content-MD5
// if the part had none. It also has a Repr-Digest with the SHA-256 (RFC 9530).
//
// The Store gets the decoded octets as they are. SIZE and the digests are of these octets, with one
// exception. If the lines of the message end with LF, LF stands for CRLF there, and SIZE and the
// digests of a text are of the text with CRLF.
//
// A part is left if its transfer encoding is damaged, because readers may differ in
// how they decode it. The Store learns that from Object.Body, which ends with an error
// other than io.EOF.
//
// Inline gives back the decoded octets and the header. It gives them back octet for
// octet, also with Twin, if
//
//   - the part has a Content-ID and a Content-MD5,
//   - its Content fields come last, with the transfer encoding at the end,
//   - its encoding is the one that Inline chooses,
//   - base64 is in lines of 76, without an empty line before a delimiter line,
//   - the message has a MIME-Version, if the part is the whole content of a nested message.
//
// A part that cannot be externalized is not an error. The Report, which is never nil,
// has the reason. An error is a [fetch.Error]: Canceled if ctx ended, Local if the source or
// dst failed, Unsupported if there is no Store. Nothing is written to dst before all parts are decided.
//
// The Store reads bodies from the message itself: memory does not grow with them, and
// no temporary file is made.
func Externalize(ctx context.Context, dst io.Writer, m *externalbody.Message, opts *ExternalizeOptions) (*Report, error) {
	x := &externalizer{report: &Report{}, ids: make(map[place]int)}
	x.opts = *cmp.Or(opts, new(ExternalizeOptions))
	x.layout = newLayout(m)
	x.guard = newGuard(m, x.r, x.opts.At, x.opts.Nested)
	return x.report, x.run(ctx, dst, m)
}

// An externalizer is one call of Externalize.
type externalizer struct {
	opts ExternalizeOptions
	layout
	guard  *guard
	report *Report
	edits  []edit

	// ids counts the Content-IDs of the parts of each multipart, including those that
	// references promise.
	ids map[place]int
}

func (x *externalizer) run(ctx context.Context, dst io.Writer, m *externalbody.Message) error {
	if x.opts.Store == nil {
		return forgotten("ExternalizeOptions.Store")
	}
	if err := x.report.authentication(x.r, x.index.Root()); err != nil {
		return err
	}
	if err := x.count(m); err != nil {
		return err
	}
	fallbacks := newFallbacks(x.layout, m)
	for _, p := range x.index.Parts {
		if !isLeaf(p) {
			continue
		}
		if err := canceled(ctx); err != nil {
			return err
		}
		if q, err := fallbacks.around(p); q != nil || err != nil {
			if err != nil {
				return err
			}
			continue
		}
		fields, reason, err := fields(x.r, p)
		if err != nil {
			return err
		}
		c := &candidate{part: p, fields: fields}
		if err := c.describe(x.r); err != nil {
			return err
		}
		if !x.chosen(&c.object) {
			continue
		}
		item, err := x.part(ctx, c, reason)
		if err != nil {
			return err
		}
		x.report.Items = append(x.report.Items, item)
	}
	return splice(ctx, dst, x.r, x.index.Size, x.edits)
}

// count fills in ids.
func (x *externalizer) count(m *externalbody.Message) error {
	add := func(p *message.Part, id string) { x.ids[place{p.Parent, id}]++ }
	for ref := range m.References() {
		if p := x.partOf(ref); p != nil {
			add(p, ref.ContentID)
		}
	}
	return contentIDs(x.r, x.index, add)
}

func (x *externalizer) chosen(obj *Object) bool {
	if x.opts.Select != nil {
		return x.opts.Select(obj)
	}
	return x.opts.MinSize > 0 && obj.Size >= x.opts.MinSize
}

// isLeaf reports whether a part has a body that can be elsewhere. The parts of S/MIME
// and PGP do not: their readers do not look there.
func isLeaf(p *message.Part) bool {
	switch p.Type {
	case "application/pkcs7-signature", "application/x-pkcs7-signature", "application/pgp-encrypted",
		"application/pgp-signature", "application/pgp-keys":
		return false
	}
	if p.Entity().Len() == 0 {
		return false // empty, header and all: not worth a reference
	}
	hasParts := p.Last() != nil || message.IsMultipart(p.Type) || strings.HasPrefix(p.Type, "message/")
	return !hasParts && !smime.IsMediaType(p.Type)
}

// part externalizes a part. An error ends everything.
func (x *externalizer) part(ctx context.Context, c *candidate, reason error) (Item, error) {
	item := Item{Section: c.object.Section}
	if reason == nil {
		var err error
		reason, err = x.refuse(c)
		if err != nil {
			return item, err
		}
	}
	if reason != nil {
		item.Err = reason
		return item, nil
	}
	src := c.open(x.r)
	obj := c.object
	obj.Body = src
	where, err := x.opts.Store.Put(ctx, &obj)
	if e := canceled(ctx); e != nil {
		return item, e
	}
	if src.raw.Failure() != nil {
		return item, local(src.raw.Failure())
	}
	switch {
	case src.fault != nil:
		err = src.fault // whatever the Store made of the fault
	case err == nil && src.err != io.EOF:
		err = errors.New("the store did not read the body to its end")
	}
	var ref *externalbody.Reference
	var edit []byte
	if err == nil {
		ref, edit, err = x.reference(c, where, src)
	}
	if err != nil {
		item.Action = Failed
		item.Err = local(err)
		return item, nil
	}
	x.edits = append(x.edits, text(c.part.Entity(), edit))
	item.Action = Replaced
	item.References = []*externalbody.Reference{ref}
	return item, nil
}

// refuse returns why a part is left, as a fetch.Error, or nil.
func (x *externalizer) refuse(c *candidate) (reason, err error) {
	reason, err = x.guard.refuseEntity(c.part)
	if reason != nil || err != nil {
		return reason, err
	}
	switch {
	case c.part.Encoding == message.OtherEncoding:
		return leave(fetch.Unsupported, errors.New("its transfer encoding is not known")), nil
	case c.part.ContentType.Len() > 0 && !hasMediaType(c.ct):
		return leave(fetch.Malformed, errors.New("its Content-Type cannot be read")), nil
	case c.part.ContentType.Len() > maxHeader:
		return leave(fetch.TooLarge, errHeaderTooLong), nil
	}
	if f, ok := find(c.fields, "Content-ID"); ok && x.ids[place{c.part.Parent, message.ContentID(f.Value)}] > 1 {
		// The references would promise the same data (RFC 2046 section 5.2.3.7).
		return leave(fetch.Unsupported, errors.New("a part beside it has the same Content-ID")), nil
	}
	for _, f := range c.fields {
		if isContent(f.Name) && !is7bit(f.Raw) {
			return leave(fetch.Unsupported, errors.New("a header field is not 7bit data")), nil
		}
	}
	return nil, nil
}

// is7bit reports whether a field can be in the body of a message/external-body, which
// is 7bit data (RFC 2046 section 5.2.3).
func is7bit(raw string) bool {
	for line := range strings.Lines(raw) {
		line = strings.TrimRight(line, "\r\n")
		if len(line) > maxLine || strings.ContainsFunc(line, func(c rune) bool { return c == 0 || c == '\r' || c >= 0x80 }) {
			return false
		}
	}
	return true
}

// reference returns the reference to a body that was stored, and the entity that the
// part becomes.
func (x *externalizer) reference(c *candidate, where string, src *object) (*externalbody.Reference, []byte, error) {
	where, err := urlaccess.Escape(where) // RFC 2017 section 3.1
	if err != nil {
		return nil, nil, leave(fetch.Malformed, err)
	}
	u, err := url.Parse(where)
	if err != nil || !u.IsAbs() {
		return nil, nil, leave(fetch.Malformed, errors.New("the store returned no absolute URL"))
	}
	ref := &externalbody.Reference{
		AccessType: "url",
		Params:     []externalbody.Field{{Name: "url", Value: where}},
		MediaType:  c.part.Type,
		Name:       c.object.Name,
		Expiration: x.opts.Expiration,
	}
	promised := src.promise()
	ref.Size = promised.n
	inner := &header{eol: c.eol}
	if err := x.phantom(c, inner, ref, src, promised, u); err != nil {
		return nil, nil, err
	}
	entity, err := stored(ref, c.fields, inner.text, c.eol)
	if err != nil {
		return nil, nil, err
	}

	outer := outerHeader(c.fields, c.eol)
	if c.part == c.part.Message() {
		if _, ok := find(c.fields, "MIME-Version"); !ok {
			outer.line("MIME-Version: 1.0") // RFC 2045 section 4
		}
	}
	if x.opts.Twin {
		if err := fallback(outer, entity, ref, u.String(), boundaries(c.part)); err != nil {
			return nil, nil, err
		}
	} else {
		outer.text = append(outer.text, entity...)
	}
	open, err := x.endsOpen(c.part)
	if err != nil {
		return nil, nil, err
	}
	if open { // inline gives the body no line end either
		outer.text = bytes.TrimRight(outer.text, "\r\n")
	}
	return ref, outer.text, nil
}

// phantom writes the phantom header with the fields of the part in order. It completes
// ref by their headers.
func (x *externalizer) phantom(
	c *candidate, h *header, ref *externalbody.Reference, src *object, promised *form, u *url.URL,
) error {
	if c.part.ContentType.Len() == 0 {
		h.line("Content-Type: " + c.part.Type)
	}
	hasMD5 := false
	hasType := false
	sum := digestText(promised.hashes["md5"])
	exact := digestText(src.form.hashes["md5"])
	for _, f := range c.fields {
		switch strings.ToLower(f.Name) {
		case "content-transfer-encoding", "content-length":
			continue
		case "content-type":
			if hasType {
				continue // only the first one counts
			}
			hasType = true
		case "content-id":
			if message.ContentID(f.Value) == "" {
				continue
			}
			ref.ContentID = cmp.Or(ref.ContentID, message.ContentID(f.Value))
		case "content-md5":
			hasMD5 = true
			switch strings.Join(strings.Fields(f.Value), "") {
			case sum:
			case exact:
				promised = src.form
			default:
				return leave(fetch.DigestMismatch, errors.New("its Content-MD5 is not that of the part"))
			}
		}
		if isContent(f.Name) {
			if err := h.raw(f); err != nil {
				return err
			}
		}
	}
	if ref.ContentID == "" { // RFC 2046 section 5.2.3 wants one
		domain := cmp.Or(x.opts.Domain, u.Hostname())
		if !isDomain(domain) {
			return leave(fetch.Malformed, errors.New("there is no domain to name a Content-ID by"))
		}
		ref.ContentID = externalbody.NewContentID(domain)
		h.line("Content-ID: " + ref.ContentID)
	}
	if !hasMD5 {
		h.line("Content-MD5: " + sum)
	}
	h.line("Repr-Digest: sha-256=:" + digestText(promised.hashes["sha-256"]) + ":") // RFC 9530 section 3
	return nil
}

func digestText(h hash.Hash) string { return base64.StdEncoding.EncodeToString(h.Sum(nil)) }

// hasMediaType reports whether a Content-Type names a type and a subtype.
func hasMediaType(value string) bool {
	v := param.Parse(value)
	return param.IsMediaType(v.Type) && !slices.ContainsFunc(v.Diags, func(d param.Diag) bool {
		return d.Code == param.BadType
	})
}

// isDomain reports whether s can be the right side of a Content-ID.
func isDomain(s string) bool {
	const chars = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-"
	return s != "" && strings.Trim(s, chars) == ""
}
