package rewrite

import (
	"errors"
	"slices"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/mime/message"
)

var errReplaced = errors.New("the message is a reference itself, whose body comes first")

// attachable returns the references of a group that are to be tried and whose body
// becomes a part of its own. If there are none, it returns why, unless the caller wants
// none or the message has the body. It sets that in item.
func (x *inliner) attachable(item *Item, group []*externalbody.Reference) (refs []*externalbody.Reference, reason, err error) {
	for _, ref := range group {
		// The URL of a picture that is here is not.
		if !ref.IsPicture() {
			if here, err := x.marks.isHere(item, ref); here || err != nil {
				return nil, nil, err
			}
		}
		if x.opts.Select != nil && !x.opts.Select(ref) {
			continue
		}
		_, why, err := x.point(ref)
		switch {
		case err != nil:
			return nil, nil, err
		case why == nil:
			refs = append(refs, ref)
		case reason == nil:
			reason = why
		}
	}
	return refs, reason, nil
}

// attaches reports whether the body of a group becomes a part of its own.
func (x *inliner) attaches(group []*externalbody.Reference) bool {
	return x.opts.Attach && !slices.ContainsFunc(group, func(ref *externalbody.Reference) bool { return ref.Dialect == "" })
}

// point returns where the body of ref is added, or why it is not.
func (x *inliner) point(ref *externalbody.Reference) (s *point, reason, err error) {
	if ref.IsPicture() {
		urls, reason, err := x.pageURLs(ref)
		if len(urls) == 0 {
			return nil, reason, err
		}
		return urls[0].page.point, nil, nil
	}
	if s, reason, err = x.adder.point(ref); reason != nil || err != nil {
		return nil, reason, err
	}
	if s.wraps && x.places[s.part] {
		return nil, leave(fetch.Unsupported, errReplaced), nil
	}
	return s, nil, nil
}

// attach adds the body in k as a part, or returns the reason why it cannot.
func (x *inliner) attach(item *Item, k *sink) (reason, err error) {
	report, ref := item.Resolved, item.Resolved.Reference
	s, reason, err := x.point(ref)
	if reason != nil || err != nil {
		return reason, err
	}
	disposition, id := "attachment", ""
	var urls []pageURL
	if ref.IsPicture() {
		if report, reason = pictureType(report); reason != nil {
			return reason, nil
		}
		if urls, _, err = x.pageURLs(ref); err != nil {
			return nil, err
		}
		disposition, id = "inline", x.pictureID(ref)
	} else {
		id = x.marks.contentID(ref)
	}
	h := &header{eol: s.eol}
	c := standardForm(ref, id, disposition)
	if c.Header.Get(dispositionField) == "" {
		c.Header = append(c.Header, externalbody.Field{Name: dispositionField, Value: disposition})
	}
	for _, f := range append(c.Header, externalbody.Field{Name: "Content-ID", Value: c.ContentID}) {
		if err := h.fold(f.Name, f.Value); err != nil {
			return err, nil
		}
	}
	m := &merger{ref: ref, report: report, opts: &x.opts, eol: s.eol, phantom: slices.Collect(message.Fields(string(h.text), 0))}
	body, reason, err := x.insertion(m, slot{eol: s.eol, around: x.adder.boundaries(s.part)}, k)
	if reason != nil || err != nil {
		return reason, err
	}
	more := body.size + s.overhead() + int64(len(urls)*2*len(cid(id))) // encoded
	if !x.fits(more) {
		return leave(fetch.TooLarge, errMaxOutput), nil
	}
	if reason := x.show(urls, id); reason != nil {
		return reason, nil
	}
	x.size += more
	s.parts = append(s.parts, body.write)
	item.Encoding = body.encoding
	return nil, nil
}
