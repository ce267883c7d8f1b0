package rewrite

import (
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/mime/mediatype"
	"github.com/go-extbody/extbody/internal/mime/message"
	"github.com/go-extbody/extbody/internal/mime/param"
	"github.com/go-extbody/extbody/internal/mime/picture"
)

var errReplaced = errors.New("the message is a reference itself, whose body comes first")

// attaches reports whether the body of a group becomes a part of its own.
func (x *inliner) attaches(group []*externalbody.Reference) bool {
	return x.opts.Attach && !slices.ContainsFunc(group, func(ref *externalbody.Reference) bool {
		return ref.Dialect == ""
	})
}

// point returns where the body of ref is added, with the URLs to replace if it is a picture,
// or why it is not.
func (x *inliner) point(ref *externalbody.Reference) (s *point, urls []pageURL, reason, err error) {
	if ref.IsPicture() {
		urls, reason, err := x.pageURLs(ref)
		if len(urls) == 0 {
			return nil, nil, reason, err
		}
		return urls[0].page.point, urls, nil, nil
	}
	s, reason, err = x.adder.point(ref)
	if reason != nil || err != nil {
		return s, nil, reason, err
	}
	if s.wraps && x.places[s.part] {
		reason = leave(fetch.Unsupported, errReplaced)
	}
	return s, nil, reason, nil
}

// attach adds the body in k as a part, or returns the reason why it cannot.
func (x *inliner) attach(item *Item, k *sink) (reason, err error) {
	report := item.Resolved
	ref := item.Resolved.Reference
	s, urls, reason, err := x.point(ref)
	if reason != nil || err != nil {
		return reason, err
	}
	disposition := "attachment"
	id := x.marks.contentID(ref)
	if ref.IsPicture() {
		report, reason, err = x.shownType(report, k)
		if reason != nil || err != nil {
			return reason, err
		}
		// The sender cannot know the Content-ID beforehand and name it, and no later run looks for it: the URL of the
		// picture is gone.
		disposition = "inline"
		id = "<" + rand.Text() + "@" + defaultDomain + ">"
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
	m := &merger{
		ref: ref, report: report, opts: &x.opts, eol: s.eol, phantom: slices.Collect(message.Fields(string(h.text), 0)),
	}
	body, reason, err := x.insertion(m, slot{eol: s.eol, around: x.adder.boundaries(s.part)}, k)
	if reason != nil || err != nil {
		return reason, err
	}
	more := body.size + s.overhead() + int64(len(urls)*2*len(cid(id))) // encoded
	if !x.fits(more) {
		return leave(fetch.TooLarge, ErrMaxOutput), nil
	}
	if reason := x.show(urls, id); reason != nil {
		return reason, nil
	}
	x.size += more
	s.parts = append(s.parts, body.write)
	item.Encoding = body.encoding
	return nil, nil
}

// page returns the page that p is.
func (x *inliner) page(p *message.Part) (*page, error) {
	if x.pages[p] != nil {
		return x.pages[p], nil
	}
	g := &page{part: p}
	x.pages[p] = g
	for q := p; q != nil; q = q.Parent {
		if x.places[q] {
			g.reason = leave(fetch.Unsupported, errReplaced)
			return g, nil
		}
	}
	// An error that is not of Kind Local is the reason for leaving the page.
	_, err := io.Copy(io.Discard, (&candidate{part: p}).open(x.r))
	var edits []edit
	err = local(err)
	if err == nil {
		edits, err = x.cut(p, nil)
	}
	if err == nil {
		g.point, g.reason, err = x.adder.shown(p)
	}
	if err != nil && fetch.KindOf(err) != fetch.Local {
		g.reason = err
		err = nil
	}
	for _, e := range edits {
		var size form
		if err == nil {
			err = e.write(&size)
		}
		x.size += max(0, size.n-e.span.Len())
	}
	return g, err
}

// A pageURL is the place of a picture's URL in a page.
type pageURL struct {
	page *page
	cut
}

// pageURLs returns the places of the URL of a picture that can be replaced. If there are
// none, it returns why.
func (x *inliner) pageURLs(ref *externalbody.Reference) (urls []pageURL, reason, err error) {
	reason = x.adder.refuse(ref)
	if reason == nil && x.partOf(ref) == nil {
		reason = leave(fetch.Unsupported, errHidden)
	}
	if reason != nil {
		return nil, reason, nil
	}
	for _, o := range ref.Origins {
		p := x.sections[o.Section]
		if !o.Picture || p == nil || p.Type != "text/html" {
			continue
		}
		g, err := x.page(p)
		if err != nil {
			return nil, nil, err
		}
		if g.point != nil {
			urls = append(urls, pageURL{g, cut{start: o.Start, end: o.End}})
		}
		reason = cmp.Or(reason, g.reason)
	}
	if len(urls) == 0 {
		reason = cmp.Or(reason, leave(fetch.Unsupported, errUnplaced))
	}
	return urls, reason, nil
}

// add adds a cut. It reports false if another one overlaps it.
func (g *page) add(c cut) bool {
	i, _ := slices.BinarySearchFunc(g.cuts, c.start, func(c cut, start int64) int { return cmp.Compare(c.start, start) })
	overlapsLast := i > 0 && g.cuts[i-1].end > c.start
	overlapsNext := i < len(g.cuts) && g.cuts[i].start < c.end
	if overlapsLast || overlapsNext {
		return false
	}
	g.cuts = slices.Insert(g.cuts, i, c)
	return true
}

// shownType returns the report of a picture with the media type that its octets in k show, or the reason why it is
// not put in. A server may not know the type that the name has.
func (x *inliner) shownType(report *externalbody.Report, k *sink) (_ *externalbody.Report, reason, err error) {
	r := *report
	said := param.Parse(r.MediaType).Type
	if said == "" || said == octetStream {
		said = mediatype.MediaType(r.Reference.Name)
	}
	head := make([]byte, min(k.len(), picture.HeadBytes))
	if _, err := io.ReadFull(k.reader(), head); err != nil {
		return nil, nil, err
	}
	r.MediaType = picture.Type(head)
	if !strings.HasPrefix(said, "image/") || r.MediaType == "" || (r.MediaType == picture.SVG) != (said == picture.SVG) {
		return nil, leave(fetch.TypeMismatch, errNoPicture), nil
	}
	if r.MediaType == picture.SVG && !x.opts.AllowSVG {
		if active := picture.Active(k.reader()); active != "" {
			return nil, leave(fetch.Unsupported, fmt.Errorf("the picture is SVG that is not put in: %s", active)), nil
		}
	}
	return &r, nil, nil
}

var errNoPicture = errors.New("what came is not a picture")

// show replaces the URLs of a picture by the one of the part with that Content-ID (RFC
// 2392), or returns the reason why it cannot.
func (x *inliner) show(urls []pageURL, id string) error {
	for i, u := range urls {
		u.notice = cid(id)
		if !u.page.add(u.cut) {
			for _, u := range urls[:i] {
				u.page.cuts = slices.DeleteFunc(u.page.cuts, func(c cut) bool { return c.start == u.start })
			}
			return leave(fetch.Malformed, errors.New("its URL and another one overlap in the text"))
		}
	}
	return nil
}

// cid returns the URL of the part with a Content-ID that needs no escapes.
func cid(id string) string { return "cid:" + strings.Trim(id, "<>") }

// showPictures adds the edits of the pages. If one of them cannot be written again, it takes
// all pictures back.
func (x *inliner) showPictures() error {
	var all []edit
	for _, g := range x.pages {
		if len(g.cuts) == 0 {
			continue
		}
		edits, err := x.cut(g.part, g.cuts)
		if err != nil && fetch.KindOf(err) == fetch.Local {
			return err
		}
		if err != nil {
			for _, g := range x.pages {
				if g.point != nil {
					g.point.parts = nil
				}
			}
			for i := range x.report.Items {
				if item := &x.report.Items[i]; item.Action == Added && item.References[0].IsPicture() {
					item.Action = Failed
					item.Err = err
					item.Encoding = ""
				}
			}
			return nil
		}
		all = append(all, edits...)
	}
	x.edits = append(x.edits, all...)
	return nil
}
