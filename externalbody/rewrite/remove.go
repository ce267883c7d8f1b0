package rewrite

import (
	"cmp"
	"context"
	"html"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/mime/message"
)

// RemoveOptions are the options of Remove. nil removes all references.
type RemoveOptions struct {
	// Select reports whether a reference is removed; nil selects all.
	Select func(ref *externalbody.Reference) bool

	// Notice returns the line that stands instead of a reference. "", and a nil Notice,
	// mean that nothing does.
	Notice func(ref *externalbody.Reference) string
}

// Remove writes the message to dst without some of its references, wherever they are:
//
//   - A message/external-body part is removed, or is a text with the notice. If a
//     multipart has no other parts, the first becomes an empty text, and so does a message
//     that is a reference as a whole.
//   - In a text, the octets from Start to End of each Origin are replaced by the notice,
//     and the URL of a picture by one that loads nothing. The transfer encoding of the text
//     stays the same. All other decoded octets do too, and without base64 and
//     quoted-printable all other octets.
//   - The fields of a header that an Origin names are removed.
//
// Messages within the message are changed too. Remove removes all references that are
// selected, or none: its error is the reason. An error of Kind Local or Canceled is
// one of the source, of dst or of ctx. After any other nothing was written to dst. A
// reference in another reading of a text can remain, so the caller should read the output
// again.
//
// The Report, which is never nil, has an Item for each Reference, in message order. Its Action is Replaced, or Left
// if it was not selected. With an error of Remove none is Replaced. If the error is about one Reference, that is
// the last Item, with the Action Failed and the error.
func Remove(ctx context.Context, dst io.Writer, m *externalbody.Message, opts *RemoveOptions) (*Report, error) {
	x := &remover{
		layout:  newLayout(m),
		report:  &Report{},
		changes: make(map[*message.Part]*change),
		stays:   make(map[*message.Part]*message.Part),
	}
	x.opts = *cmp.Or(opts, new(RemoveOptions))
	x.guard = newGuard(m, x.r, Delivery, true)
	x.fallbacks = newFallbacks(x.layout, m)
	return x.report, x.run(ctx, dst, m)
}

// A remover is one call of Remove.
type remover struct {
	opts RemoveOptions
	layout
	report    *Report
	guard     *guard
	fallbacks *fallbacks
	changes   map[*message.Part]*change
	stays     map[*message.Part]*message.Part // see left
}

func (x *remover) run(ctx context.Context, dst io.Writer, m *externalbody.Message) error {
	if err := x.report.authentication(x.r, x.index.Root()); err != nil {
		return err
	}
	var removed []int // of the Items
	for ref := range m.References() {
		item := Item{Section: ref.ID, References: []*externalbody.Reference{ref}}
		if x.opts.Select == nil || x.opts.Select(ref) {
			item.Err = x.remove(ref, x.notice(ref))
			removed = append(removed, len(x.report.Items))
		}
		if item.Err != nil {
			item.Action = Failed
		}
		x.report.Items = append(x.report.Items, item)
		if item.Err != nil {
			return item.Err
		}
	}
	edits, err := x.edits()
	if err != nil {
		return err
	}
	for _, i := range removed {
		x.report.Items[i].Action = Replaced
	}
	return splice(ctx, dst, x.r, x.index.Size, edits)
}

// notice returns the line that stands instead of a reference, or "".
func (x *remover) notice(ref *externalbody.Reference) string {
	if x.opts.Notice == nil {
		return ""
	}
	return x.opts.Notice(ref)
}

// A change is an edit of a part.
type change struct {
	whole  bool     // it is replaced by notice
	notice string   // "" if it is removed
	fields []string // of its header that are removed
	cuts   []cut    // of its decoded body
}

// removeWhole replaces the part by a notice, unless it has one.
func (c *change) removeWhole(notice string) {
	c.whole = true
	c.notice = cmp.Or(c.notice, notice)
}

// remove plans the removal of a reference.
func (x *remover) remove(ref *externalbody.Reference, notice string) error {
	if ref.Dialect == "" {
		p := x.partOf(ref)
		if p == nil {
			return leave(fetch.Unsupported, errHidden)
		}
		fallback, err := x.fallbacks.around(p)
		if err != nil {
			return err
		}
		c, err := x.changing(cmp.Or(fallback, p))
		if err == nil {
			c.removeWhole(notice)
		}
		return err
	}
	for _, o := range ref.Origins {
		p := x.sections[o.Section]
		if p == nil || ref.Ambiguous() {
			return leave(fetch.Unsupported, errHidden)
		}
		c, err := x.changing(p)
		if err != nil {
			return err
		}
		switch {
		case o.Unplaced:
			return leave(fetch.Unsupported, errUnplaced)
		case o.Picture:
			c.cuts = append(c.cuts, cut{o.Start, o.End, noPicture})
		case o.Field == "" && o.Start == o.End, isContent(o.Field):
			c.removeWhole(notice)
		case o.Field == "":
			c.cuts = append(c.cuts, cut{o.Start, o.End, notice})
		default:
			c.fields = append(c.fields, o.Field)
			// The header may be the one of the message in the part.
			if inner := p.Last(); inner != nil && !message.IsMultipart(p.Type) {
				c, err = x.changing(inner)
				if err != nil {
					return err
				}
				c.fields = append(c.fields, o.Field)
			}
		}
	}
	return nil
}

// noPicture is a URL that leads to nothing, and contacts no host.
const noPicture = "about:blank"

// changing returns the change of a part that may be changed.
func (x *remover) changing(p *message.Part) (*change, error) {
	if reason, err := x.guard.refuseEntity(p); reason != nil || err != nil {
		return nil, cmp.Or(err, reason)
	}
	c := x.changes[p]
	if c == nil {
		c = new(change)
		x.changes[p] = c
	}
	return c, nil
}

func (x *remover) edits() (list []edit, err error) {
	for _, p := range x.index.Parts {
		c := x.changes[p]
		if c == nil || x.within(p) {
			continue
		}
		var more []edit
		if c.whole {
			more, err = x.replace(p, c.notice)
		} else {
			more, err = x.change(p, c)
		}
		if err != nil {
			return nil, err
		}
		list = append(list, more...)
	}
	return list, nil
}

// within reports whether a part around p is replaced.
func (x *remover) within(p *message.Part) bool {
	for q := p.Parent; q != nil; q = q.Parent {
		if c := x.changes[q]; c != nil && c.whole {
			return true
		}
	}
	return false
}

// replace removes a part, or puts a text with a notice in its place.
func (x *remover) replace(p *message.Part, notice string) ([]edit, error) {
	if notice == "" && p.Delimiter.Len() > 0 && x.left(p.Parent) != p {
		return []edit{text(message.Span{Start: p.Delimiter.Start, End: p.Entity().End}, nil)}, nil
	}
	eol, err := lineEnd(x.r, p)
	if err != nil {
		return nil, err
	}
	outer, reason, err := fields(x.r, p)
	if reason != nil || err != nil {
		return nil, cmp.Or(err, reason)
	}
	h := outerHeader(outer, eol)
	h.line("Content-Type: text/plain; charset=us-ascii")
	h.line("")
	h.line(ascii(notice))
	return []edit{text(p.Entity(), h.text)}, nil
}

// left returns the part that a multipart has in any case: the first that is not removed, or
// the first of all.
func (x *remover) left(multipart *message.Part) *message.Part {
	if p := x.stays[multipart]; p != nil {
		return p
	}
	var first *message.Part
	for p := range multipart.Children() {
		first = cmp.Or(first, p)
		if c := x.changes[p]; c == nil || !c.whole || c.notice != "" {
			first = p
			break
		}
	}
	x.stays[multipart] = first
	return first
}

// change removes fields and replaces the cuts of a text.
func (x *remover) change(p *message.Part, c *change) (list []edit, err error) {
	all, reason, err := fields(x.r, p)
	if reason != nil || err != nil {
		return nil, cmp.Or(err, reason)
	}
	for _, f := range all {
		if slices.ContainsFunc(c.fields, func(name string) bool { return strings.EqualFold(name, f.Name) }) {
			list = append(list, text(f.Span, nil))
		}
	}
	if len(c.cuts) == 0 {
		return list, nil
	}
	more, err := x.cut(p, c.merged(strings.Contains(p.Type, "html")))
	return append(list, more...), err
}

// merged returns the cuts in order, with those that overlap as one, and their notices in
// ASCII, for HTML or for other text.
func (c *change) merged(rich bool) (list []cut) {
	slices.SortFunc(c.cuts, func(a, b cut) int { return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(b.end, a.end)) })
	for _, next := range c.cuts {
		if n := len(list); n > 0 && next.start < list[n-1].end {
			list[n-1].end = max(list[n-1].end, next.end)
			continue
		}
		if rich {
			next.notice = inHTML(next.notice)
		}
		next.notice = ascii(next.notice)
		list = append(list, next)
	}
	return list
}

// inHTML returns a text in the ASCII of HTML.
func inHTML(s string) string {
	var b strings.Builder
	for _, c := range html.EscapeString(s) {
		if c < 0x80 {
			b.WriteRune(c)
		} else {
			b.WriteString("&#" + strconv.Itoa(int(c)) + ";")
		}
	}
	return b.String()
}
