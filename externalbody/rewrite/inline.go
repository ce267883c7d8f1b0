package rewrite

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/file/spool"
	"github.com/go-extbody/extbody/internal/mime/message"
)

// Inline writes the message to dst with bodies instead of the references to them.
//
// It groups References by body as [externalbody.Message.Alternatives] does, and tries
// them in the order of the Resolver. The one that succeeded is replaced. The others are
// removed if the body also keeps their promises. Those that promise another body stay;
// they are an Item of their own, with an error of Kind DigestMismatch. The texts beside
// a reference are removed with it if they are, apart from line endings, the text that Externalize would
// write for it now.
//
// References are not tried if their multipart already has a part with their Content-ID
// and with the type, size and digests that they promise. A second run therefore fetches
// nothing that the first one inlined. A part with their Content-ID that is something
// else is reported by a Diag. A body may hold references itself, which a later run
// finds.
//
// A part that Attach adds has the Content-ID of the body if the reference names one, and
// otherwise one made of where the reference leads. If a part of the same message is the
// body in the sense above, the body is not asked for again. A message within the
// message is another message.
//
// The Report has every part that was removed, and every part that was taken for the
// body.
//
// At most four bodies are asked for at the same time, and at most two of them at the host of their first reference.
// Several goroutines therefore call the Resolver and the functions set in it. All of them have returned when Inline
// returns. The output is the same as if the bodies had been asked for one after another.
//
// A picture (see [externalbody.Reference].IsPicture) stays where it is, with the reason in the Report, if its
// octets are not a picture, whatever the server calls them. It also stays if it is SVG that does more than show its
// own content (see AllowSVG), if it is in no text/html, or if the HTML cannot be written again in its transfer
// encoding. A picture that is put in has the type that its octets show, and a random Content-ID, so that the HTML
// of the sender cannot name it. All other decoded octets of the HTML stay the same. A second run finds no picture
// that the first one put in.
//
// Memory does not grow with the bodies. Those that are not short are kept in one
// temporary file until all are decided, and nothing is written to dst before. A body for
// which that file has no room is left, with an error of Kind Local. No host is asked after that: answers
// that have begun are read to their end, and the other bodies are left with an error of the same Kind.
//
// A text with a line that is quoted in an mbox ("From " after any number of ">") is
// base64, so that no delivery changes it.
//
// If dst is a file, that is, an [io.WriteSeeker] with the method Truncate of [os.File],
// and writing starts at its end, an error of Inline leaves it as long as it was. No other
// program may write to it meanwhile.
//
// If the deadline of ctx passes, or a Budget of the Resolver ends, the bodies that are
// missing are left, with an error of Kind Deferred. The message is written with those
// that are there.
//
// If a function of the Resolver panics, or calls [runtime.Goexit], so does Inline, in the
// goroutine of its caller and after everything that it had opened is closed. The functions of
// the Resolver may be called in other goroutines.
//
// A body that cannot be had is not an error of Inline. The Report, which is never nil,
// has the reasons. An error is a [fetch.Error] of Kind
//
//   - Canceled, if ctx was canceled, or its deadline passed while the message was
//     written,
//   - Local, if the source or dst failed, if TempDir is missing or cannot be written
//     to, or if the temporary file cannot be read,
//   - Unsupported, if there is no Resolver,
//   - Malformed, if ResultField is not the name of a field.
func Inline(ctx context.Context, dst io.Writer, m *externalbody.Message, opts *InlineOptions) (*Report, error) {
	x := newInliner(ctx, m, opts)
	restore := restorer(dst)
	written := false
	defer func() {
		if !written {
			restore() // also if a function of the caller panics
		}
	}()
	err := x.inline(ctx, dst, m)
	written = err == nil
	return x.report, err
}

// restorer returns a function that gives dst its present length, if dst is a file whose
// end is where writing starts.
func restorer(dst io.Writer) func() {
	f, ok := dst.(interface {
		io.Seeker
		Truncate(size int64) error
	})
	if !ok {
		return func() {}
	}
	at, err := f.Seek(0, io.SeekCurrent)
	if end, e := f.Seek(0, io.SeekEnd); err != nil || e != nil || end != at {
		f.Seek(at, io.SeekStart)
		return func() {}
	}
	return func() {
		f.Truncate(at)
		f.Seek(at, io.SeekStart)
	}
}

func newInliner(ctx context.Context, m *externalbody.Message, opts *InlineOptions) *inliner {
	x := &inliner{
		report: &Report{},
		raised: make(map[*message.Part]bool),
		places: make(map[*message.Part]bool),
		pages:  make(map[*message.Part]*page),
		buf:    make([]byte, copyBuffer),
		ctx:    &noDeadline{Context: ctx},
	}
	if opts != nil {
		x.opts = *opts
	}
	x.layout = newLayout(m)
	judge := externalbody.RefuseSize(nil)
	if r := x.opts.Resolver; r != nil {
		judge = externalbody.RefuseSize(r.Judge)
		strict := *r
		strict.Judge = judge
		x.opts.Resolver = &strict
	}
	x.bearers = sync.OnceValues(func() (*bearers, error) {
		return newBearers(x.r, x.index, func(o *externalbody.Objection) error { return judge(x.ctx, o) })
	})
	x.guard = newGuard(m, x.r, x.opts.At, x.opts.Nested)
	x.adder = newAdder(m, x.layout, x.guard)
	x.fallbacks = newFallbacks(x.layout, m)
	x.file.Dir = x.opts.TempDir
	account := &spool.Account{Max: spoolMemory}
	x.open = func() bodyStore { return &spool.Spool{File: &x.file, Account: account} }
	x.size = x.index.Size
	x.disk, x.fill = context.WithCancel(context.Background())
	return x
}

// inline does the work of Inline.
func (x *inliner) inline(ctx context.Context, dst io.Writer, m *externalbody.Message) (err error) {
	switch {
	case x.opts.Resolver == nil:
		return forgotten("InlineOptions.Resolver")
	case !isFieldName(x.opts.ResultField):
		return leave(fetch.Malformed, errors.New("the result field has no valid name"))
	}
	defer func() { err = cmp.Or(err, local(x.file.Close())) }()
	defer x.fill()
	if err := x.report.authentication(x.r, x.index.Root()); err != nil {
		return err
	}
	if x.opts.Attach {
		known, err := x.bearers()
		if err != nil {
			return err
		}
		x.marks, err = newMarks(x.layout, m, defaultDomain, known)
		if err != nil {
			return err
		}
	}
	groups := slices.Collect(m.Alternatives())
	jobs, err := x.plan(groups)
	if err != nil {
		return err
	}
	getting, cancel := context.WithCancel(ctx)
	x.workers = start(slices.DeleteFunc(slices.Clone(jobs), func(j *job) bool { return len(j.refs) == 0 }), func(j *job) {
		j.sink = x.sink()
		j.report, j.err = x.save(getting, j.refs, j.sink)
	})
	defer x.workers.wait()
	defer cancel()
	for _, j := range jobs {
		item, err := x.body(j)
		if err != nil {
			return err
		}
		x.report.Items = append(x.report.Items, item)
		if len(x.rest) > 0 {
			x.report.Items = append(
				x.report.Items, Item{Section: x.rest[0].ID, References: x.rest, Err: leave(fetch.DigestMismatch, errOtherBody)},
			)
			x.rest = nil
		}
	}
	x.ctx.strict = !x.ctx.late()
	if err := x.showPictures(); err != nil {
		return err
	}
	x.edits, err = x.adder.edits(x.ctx, x.edits)
	if err != nil {
		return err
	}
	return splice(x.ctx, dst, x.r, x.index.Size, x.edits)
}

// plan returns which bodies are asked for.
func (x *inliner) plan(groups []externalbody.Alternatives) ([]*job, error) {
	for _, ref := range slices.Concat(groups...) {
		if x.unfit(ref) != nil {
			continue
		}
		p, err := x.place(ref)
		if err != nil {
			return nil, err
		}
		x.places[p] = true
	}
	jobs := make([]*job, len(groups))
	for i, group := range groups {
		if err := canceled(x.ctx); err != nil {
			return nil, err
		}
		j := &job{item: Item{Section: group[0].ID, References: group}, attached: x.attaches(group)}
		jobs[i] = j
		refs, reason, err := x.selected(&j.item, group, j.attached)
		switch {
		case err != nil:
			return nil, err
		case len(refs) == 0:
			j.item.Err = reason
		default:
			j.refs = refs
			if u, err := refs[0].Locate(); err == nil {
				j.host = strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
			}
		}
	}
	return jobs, nil
}

// save gets a body, unless the deadline has passed or the disk is full.
func (x *inliner) save(ctx context.Context, refs []*externalbody.Reference, k *sink) (*externalbody.Report, error) {
	if err := ctx.Err(); err != nil {
		return nil, leave(fetch.Deferred, err)
	}
	r, asking, cancel := x.whileRoom(ctx)
	defer cancel()
	report, err := r.Save(asking, refs, k)
	canceled := fetch.KindOf(err) == fetch.Canceled
	switch {
	case canceled && errors.Is(ctx.Err(), context.DeadlineExceeded):
		err = leave(fetch.Deferred, err)
	case canceled && ctx.Err() == nil && x.disk.Err() != nil:
		err = leave(fetch.Local, errNotAsked)
	}
	return report, err
}

// body waits for one body, and decides about it. An error ends everything.
func (x *inliner) body(j *job) (Item, error) {
	item := j.item
	selected := j.refs
	attached := j.attached
	if err := canceled(x.ctx); err != nil || len(selected) == 0 {
		return item, err
	}
	x.workers.await(j)
	k := j.sink
	report := j.report
	err := j.err
	j.sink = nil
	item.Resolved = report
	if errors.Is(k.err, fs.ErrNotExist) || errors.Is(k.err, fs.ErrPermission) {
		return item, local(k.err) // TempDir is not a folder that can be written to
	}
	var reason error
	if err == nil {
		item.Section = report.Reference.ID
		if attached {
			if !report.Reference.IsPicture() {
				one, e := x.marks.holder(report)
				if e != nil {
					return item, e
				}
				if one != nil {
					item.StoodIn = one.part.Section()
					return item, local(k.Reset())
				}
			}
			item.Action = Added
			reason, err = x.attach(&item, k)
		} else {
			item.Action = Replaced
			reason, err = x.replace(&item, k)
		}
		if err != nil {
			return item, local(err)
		}
		if reason == nil {
			item.Unsigned = len(x.report.Signatures) > 0 && report.Verified() != fetch.Match
			if attached {
				return item, nil
			}
			kept := x.kept(&item, selected)
			if x.opts.KeepAlternatives {
				return item, nil
			}
			return item, x.remove(&item, kept, report.Reference)
		}
		k.Reset()
		err = reason
	}
	if err := canceled(x.ctx); err != nil {
		return item, err
	}
	item.Action = Failed
	item.Err = err
	if x.opts.Notice && !attached && isGone(err) {
		return item, x.notice(&item, selected)
	}
	return item, nil
}

// isGone reports whether an error means that the body cannot be had. It does not if the
// error is ours, comes from a limit, or if the body may arrive later.
func isGone(err error) bool {
	switch fetch.KindOf(err) {
	case fetch.Pending, fetch.Deferred, fetch.Canceled, fetch.Local:
		return false
	}
	return !errors.Is(err, ErrMaxOutput)
}

// kept returns the references whose promises are kept by the body that was put in. It
// moves the other ones of selected from item to x.rest.
func (x *inliner) kept(item *Item, selected []*externalbody.Reference) []*externalbody.Reference {
	var kept []*externalbody.Reference
	broken := make(map[*externalbody.Reference]bool)
	for _, ref := range selected {
		if item.Resolved.Keeps(ref) {
			kept = append(kept, ref)
			continue
		}
		x.rest = append(x.rest, ref)
		broken[ref] = true
	}
	item.References = slices.DeleteFunc(slices.Clone(item.References), func(ref *externalbody.Reference) bool {
		return broken[ref]
	})
	return kept
}

// selected returns the references of a group that are to be tried. If there are none,
// it returns why, unless the caller wants none or the message has the body. It sets
// that in item.
func (x *inliner) selected(
	item *Item, group []*externalbody.Reference, attached bool,
) (refs []*externalbody.Reference, reason, err error) {
	for _, ref := range group {
		if attached && !ref.IsPicture() { // the URL of a picture that is here is not
			if here, err := x.marks.isHere(item, ref); here || err != nil {
				return nil, nil, err
			}
		}
		if x.opts.Select != nil && !x.opts.Select(ref) {
			continue
		}
		why, err := x.refuse(ref, attached)
		if err != nil {
			return nil, nil, err
		}
		if why == nil {
			refs = append(refs, ref)
		}
		reason = cmp.Or(reason, why)
	}
	if len(refs) > 0 && !attached {
		if here, err := x.isHere(item, refs); here || err != nil {
			return nil, nil, err
		}
	}
	return refs, reason, nil
}

// refuse returns why the body of ref cannot be added, or put where ref is.
func (x *inliner) refuse(ref *externalbody.Reference, attached bool) (reason, err error) {
	if attached {
		_, _, reason, err = x.point(ref)
		return reason, err
	}
	reason = x.unfit(ref)
	if reason != nil {
		return reason, nil
	}
	return x.guard.refuseEntity(x.partOf(ref))
}

// unfit returns why a reference cannot be replaced in its place.
func (x *inliner) unfit(ref *externalbody.Reference) error {
	if ref.Dialect != "" {
		return leave(fetch.Unsupported, errors.New("no message/external-body part"))
	}
	if ref.Ambiguous() {
		return leave(fetch.Malformed, errAmbiguous)
	}
	if x.partOf(ref) == nil {
		return leave(fetch.Unsupported, errHidden)
	}
	return nil
}

// isHere reports whether a part beside refs has their Content-ID and is the body that they
// promise: the body was inlined before. The part must not be a reference itself. isHere
// sets it in item.
func (x *inliner) isHere(item *Item, refs []*externalbody.Reference) (bool, error) {
	p, err := x.place(refs[0])
	if err != nil || p.Parent == nil {
		return false, err
	}
	if refs[0].ContentID == "" || refs[0].InMessage() {
		return false, nil
	}
	known, err := x.bearers()
	if err != nil {
		return false, err
	}
	return known.standIn(item, known.beside[place{p.Parent, refs[0].ContentID}], refs)
}

// remove removes the references to a body except the one whose place is taken.
func (x *inliner) remove(item *Item, group []*externalbody.Reference, taken *externalbody.Reference) error {
	for _, ref := range group {
		if x.partOf(ref) == x.partOf(taken) {
			continue
		}
		p, err := x.place(ref)
		if err != nil {
			return err
		}
		if p != x.partOf(ref) {
			item.removedFallback(p)
		}
		item.Removed = append(item.Removed, Removal{x.partOf(ref).Section(), Alternative})
		// The delimiter line before it goes too: the next one has a line end of its
		// own.
		gone := message.Span{Start: p.Delimiter.Start, End: p.Entity().End}
		x.edits = append(x.edits, text(gone, nil))
		x.size -= gone.Len()
	}
	return nil
}

// notice puts a text where a body cannot be had.
func (x *inliner) notice(item *Item, group []*externalbody.Reference) error {
	p, err := x.place(group[0])
	if err != nil {
		return err
	}
	m, reason, err := newMerger(&x.layout, p, &x.opts, &externalbody.Report{Reference: group[0], MediaType: "text/plain"})
	if err != nil || reason != nil {
		return err
	}
	h := outerHeader(m.outer, m.eol)
	h.line("Content-Type: text/plain; charset=us-ascii")
	h.line("Content-Transfer-Encoding: " + sevenBit)
	h.line("Content-Disposition: inline")
	h.line("")
	h.line("A part of this message was kept elsewhere and could not be had:")
	h.line("")
	for _, ref := range group {
		h.line(ascii(ref.String()))
	}
	if name := externalbody.FileName(group[0].Name); name != "" {
		h.line(ascii("Name: " + name))
	}
	h.line(ascii(fmt.Sprintf("Reason: %v", fetch.KindOf(item.Err))))
	more := int64(len(h.text)) - p.Entity().Len()
	if !x.fits(more) {
		return nil
	}
	x.size += more
	x.edits = append(x.edits, text(p.Entity(), h.text))
	item.Action = Noticed
	item.Encoding = sevenBit
	if p != x.partOf(group[0]) {
		item.removedFallback(p)
	}
	return x.remove(item, group, group[0])
}

// isFieldName reports whether s can be the name of a header field, or is "". It cannot
// be a name that has a meaning in the header of a part.
func isFieldName(s string) bool {
	bad := strings.ContainsFunc(s, func(c rune) bool { return c <= ' ' || c > '~' || c == ':' })
	return !bad && len(s) <= softLine && !overrides(s)
}
