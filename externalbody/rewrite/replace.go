package rewrite

import (
	"cmp"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/link"
	"github.com/go-extbody/extbody/internal/link/rfc5092"
	"github.com/go-extbody/extbody/internal/mime/message"
	"github.com/go-extbody/extbody/internal/mime/param"
)

// A merger writes the header of a body that replaces a reference.
type merger struct {
	outer   []message.Field // of the part that is replaced
	phantom []message.Field
	ref     *externalbody.Reference
	report  *externalbody.Report
	size    int64 // of the body
	opts    *InlineOptions
	eol     string
	root    bool // the part is a whole message
}

// newMerger reads the headers of p, which is replaced, and of the reference of report,
// which is p or in it.
func newMerger(
	l *layout, p *message.Part, opts *InlineOptions, report *externalbody.Report,
) (m *merger, reason, err error) {
	m = &merger{ref: report.Reference, report: report, opts: opts, root: p == p.Message()}
	m.outer, reason, err = fields(l.r, p)
	if reason != nil || err != nil {
		return nil, reason, err
	}
	m.phantom, reason, err = phantom(l, m.ref)
	if reason != nil || err != nil {
		return nil, reason, err
	}
	m.eol, err = lineEnd(l.r, p)
	if err != nil {
		return nil, nil, err
	}
	if inner := report.Inner; inner != nil {
		// Merging is transparent at each step. But cid: URLs in the message mean the
		// identity that is in the message (RFC 2046 section 5.2.3).
		own, hasID := find(m.phantom, "Content-ID")
		m.phantom = rawFields(inner.Header)
		if hasID {
			others := slices.DeleteFunc(m.phantom, func(f message.Field) bool { return strings.EqualFold(f.Name, "Content-ID") })
			m.phantom = append([]message.Field{own}, others...)
		}
	}
	return m, nil, nil
}

// header returns the header for a body in that encoding, with the empty line (RFC 2046
// sections 5.2.3.7 and 5.2.2.1).
func (m *merger) header(encoding string) ([]byte, error) {
	h := &header{eol: m.eol}
	disposed := false
	for _, f := range m.outer {
		switch {
		case !m.keeps(f):
		case strings.EqualFold(f.Name, "Content-Disposition"):
			if disposed {
				continue // only the first one counts
			}
			disposed = true
			if err := h.disposition(f, m.size); err != nil {
				return nil, err
			}
		default:
			h.outer(f)
		}
	}
	hasType := m.hasType()
	if !hasType {
		// It is always written, since the default differs in a multipart/digest (RFC 2046
		// section 5.1.5).
		v := param.Parse(m.report.MediaType)
		h.params("Content-Type", cmp.Or(v.Type, octetStream), v.Params)
	}
	seenType := false
	for _, f := range m.phantom {
		var err error
		switch {
		case !overrides(f.Name), countsBody(f.Name), strings.EqualFold(f.Name, encodingField), m.keepsOwn(f.Name):
		case strings.EqualFold(f.Name, "Content-MD5") && isComposite(param.Parse(m.report.MediaType).Type):
			// RFC 1864 section 2 has it for leaves only. The parts may be encoded anew.
		case strings.EqualFold(f.Name, "Content-Type"):
			if hasType && !seenType {
				err = h.named(f, "name")
			}
			seenType = true
		case strings.EqualFold(f.Name, "Content-Disposition"):
			if !disposed {
				err = h.disposition(f, m.size)
			}
			disposed = true
		default:
			err = h.raw(f)
		}
		if err != nil {
			return nil, err
		}
	}
	if u := m.location(); u != "" {
		h.location(u)
	}
	h.line("Content-Transfer-Encoding: " + encoding)
	if m.opts.ResultField != "" {
		if err := h.fold(m.opts.ResultField, m.result()); err != nil {
			return nil, err
		}
	}
	return append(h.text, h.eol...), nil
}

// repeatsName reports whether the Content-Disposition of the part is the one that
// Externalize writes for the name in the phantom Content-Type. The body did not have it
// before.
func (m *merger) repeatsName(f message.Field) bool {
	ct, _ := find(m.phantom, "Content-Type")
	name, _ := announced(ct.Value, nil)
	prm, _ := m.ref.Param("name")
	if name == "" || prm != name || m.ref.AccessType != "url" {
		return false
	}
	v := param.Parse(f.Value)
	if v.Type != "attachment" || len(v.Params) != 1 {
		return false
	}
	return v.Params[0].Name == "filename" && v.Params[0].Value == name
}

// keeps reports whether a field of the part stays. It stays unless the phantom header
// has another.
func (m *merger) keeps(f message.Field) bool {
	if countsBody(f.Name) {
		return false
	}
	_, replaced := find(m.phantom, f.Name)
	switch name := strings.ToLower(f.Name); {
	case !isContent(name):
		return !overrides(name) || !replaced || m.keepsOwn(name) // RFC 2049 section 2: never lose MIME-Version
	case name == "content-type", name == "content-transfer-encoding", name == "content-md5",
		name == "content-disposition" && m.repeatsName(f):
		return false
	case m.ref.InMessage():
		return !replaced // RFC 1873 section 2.1
	case name == "content-disposition", name == "content-description", name == "content-language":
		return !replaced && !m.opts.DropOuter
	case name == "content-id":
		return !replaced // the identity, if the phantom header has none
	}
	return false
}

// keepsOwn reports whether a message keeps its own field of that name, whatever the
// phantom header has. The writer of a reference must not rename a mail that filters
// have judged, and people have found, by its name.
func (m *merger) keepsOwn(name string) bool {
	if !m.root || m.opts.DropOuter || isContent(name) {
		return false
	}
	_, has := find(m.outer, name)
	return has
}

// hasType reports whether the phantom Content-Type is the type of the body.
func (m *merger) hasType() bool {
	f, ok := find(m.phantom, "Content-Type")
	return ok && param.Parse(f.Value).Type == param.Parse(m.report.MediaType).Type
}

// location returns the URL for a Content-Location. It returns "" without the option, if the
// phantom header has one, or if the URL is secret. The URL of a reference that a Dialect found, and of a
// share link, are secret.
func (m *merger) location() string {
	isSecret := m.ref.Dialect != "" || m.ref.Provider != ""
	if _, ok := find(m.phantom, "Content-Location"); ok || isSecret || !m.opts.Location {
		return ""
	}
	u, err := m.ref.Locate()
	if err != nil || u.User != nil {
		return ""
	}
	switch u.Scheme {
	case "http", "https", "ftp", "ftps", "tftp", "imap", "imaps":
	default:
		return "" // a place within the message, on this machine, or asked for by mail
	}
	text := link.WithoutFragment(u).String()
	if rfc5092.HasURLAuth(text) {
		return ""
	}
	return text
}

// result returns the value of the result field.
func (m *merger) result() string {
	access := m.ref.AccessType
	if strings.ContainsFunc(access, func(c rune) bool { return c <= ' ' || c > '~' || c == ';' }) {
		access = "other"
	}
	text := fmt.Sprintf("inlined; access-type=%s; verified=%s; bytes=%d; ", access, m.report.Verified(), m.report.Bytes)
	if sum := m.report.SHA256; sum != nil {
		text += "sha256=" + hex.EncodeToString(sum) + "; "
	}
	return text + time.Now().UTC().Format("Mon, 02 Jan 2006 15:04:05 -0700")
}

// replace puts the body in k where its reference is, or returns the reason why it
// cannot.
func (x *inliner) replace(item *Item, k *sink) (reason, err error) {
	p, err := x.place(item.Resolved.Reference)
	if err != nil {
		return nil, err
	}
	fallback := p != x.partOf(item.Resolved.Reference)
	if fallback {
		item.Section = p.Section()
	}
	item.Encoding, reason, err = x.insert(p, item.Resolved, k)
	if reason != nil || err != nil {
		return reason, err
	}
	if fallback {
		item.removedFallback(p)
	}
	if d, err := x.related(p, item.Resolved); err != nil {
		return nil, err
	} else if d != nil {
		item.Diags = append(item.Diags, *d)
	}
	return nil, nil
}

// insert replaces p by the body in k, and returns its encoding.
func (x *inliner) insert(p *message.Part, report *externalbody.Report, k *sink) (encoding string, reason, err error) {
	m, reason, err := newMerger(&x.layout, p, &x.opts, report)
	if reason != nil || err != nil {
		return "", reason, err
	}
	open, err := x.endsOpen(p)
	if err != nil {
		return "", nil, err
	}
	in := slot{
		eol:    m.eol,
		around: x.adder.boundaries(p),
		eight:  x.opts.Transport8bit && x.canRaise(p),
		last:   p.Entity().End == x.index.Size && !open,
	}
	body, reason, err := x.insertion(m, in, k)
	if reason != nil || err != nil {
		return "", reason, err
	}
	more := body.size - p.Entity().Len()
	if body.encoding == eightBit {
		more += int64(p.Depth) * maxLabel
	}
	if !x.fits(more) {
		return "", leave(fetch.TooLarge, ErrMaxOutput), nil
	}
	x.size += more
	if body.encoding == eightBit {
		if err := x.raise(p); err != nil {
			return "", nil, err
		}
	}
	x.edits = append(x.edits, edit{p.Entity(), body.write})
	return body.encoding, nil, nil
}

// A slot is where a body is put.
type slot struct {
	eol    string
	around []string // the boundaries of the multiparts around it
	eight  bool     // it may be 8bit
	last   bool     // nothing follows
}

// An insertion is a body with its header.
type insertion struct {
	encoding string
	size     int64 // how many octets it writes; not set without MaxOutput
	write    func(io.Writer) error
}

// insertion returns how the body in k is written with a header by m, or the reason why
// it cannot be.
func (x *inliner) insertion(m *merger, in slot, k *sink) (body *insertion, reason, err error) {
	c, k, reason, err := x.coding(m.report, in, k)
	if reason != nil || err != nil {
		return nil, reason, err
	}
	m.size = k.len()
	if c.crlf {
		m.size += k.survey.lf
	}
	head, err := m.header(c.name)
	if err != nil {
		return nil, err, nil
	}
	var size form
	if x.opts.MaxOutput > 0 {
		if err := c.encode(&size, k.reader(), x.buf); err != nil {
			return nil, local(err), nil
		}
	}
	return &insertion{c.name, int64(len(head)) + size.n, func(w io.Writer) error {
		if _, err := w.Write(head); err != nil {
			return err
		}
		return c.encode(w, k.reader(), x.buf)
	}}, nil, nil
}

// coding chooses how a body is written. The body is the one in k, or one that was made
// of it.
func (x *inliner) coding(report *externalbody.Report, in slot, k *sink) (c *coding, out *sink, reason, err error) {
	v := param.Parse(report.MediaType)
	charset, _ := v.Get("charset")
	kd := kind{
		text:      strings.HasPrefix(v.Type, "text/"),
		composite: isComposite(v.Type),
		exact:     hasDigest(report, "raw"),
		stands:    hasDigest(report, "crlf"),
	}
	kd.wide = kd.text && isWide(charset)
	k.survey.finish()
	c = &coding{eol: in.eol, last: in.last}
	c.name, c.crlf = choose(&k.survey, kd, in.eight, in.eol)
	if c.name == "" && kd.composite {
		recoded, err := x.recode(x.ctx, v, k, in.around, in.eight)
		if err != nil {
			return nil, nil, local(err), nil
		}
		if recoded != nil {
			k = recoded
			c.name, c.crlf = choose(&k.survey, kd, in.eight, in.eol)
		}
	}
	if c.name == "" {
		return nil, nil, leave(
			fetch.Unsupported, errors.New("a multipart or message that is not 7bit cannot be inlined: it must not be encoded"),
		), nil
	}
	if c.name == inBase64 || kd.composite && len(in.around) == 0 {
		return c, k, nil, nil
	}
	clash := newClashWriter(in.around)
	clash.from = !kd.composite
	if err := c.encode(clash, k.reader(), x.buf); err != nil {
		return nil, nil, local(err), nil
	}
	if kd.composite && !clash.found {
		clash.found, err = hides(v, k, in.around)
		if err != nil {
			return nil, nil, local(err), nil
		}
	}
	switch {
	case !clash.found:
	case kd.composite:
		// RFC 2046 section 5.1.1
		return nil, nil, leave(fetch.Unsupported, errors.New("the body has a line that looks like a boundary around it")), nil
	default:
		c.name = inBase64
		c.crlf = c.crlf && !(kd.stands && in.eol == "\n")
	}
	return c, k, nil, nil
}

// hasDigest reports whether a digest of the reference holds for a form of the octets.
// The form is "raw" if it holds for the octets as they came, so that changing the line
// ends would break it (RFC 1864 section 2), or "crlf" for CRLF instead of LF.
func hasDigest(report *externalbody.Report, form string) bool {
	return slices.ContainsFunc(report.Checks, func(c fetch.Check) bool {
		return c.Form == form && c.Name != "size" && c.Status == fetch.Match
	})
}

// related returns the Diag for a body that is the root of a multipart/related, if there
// is one.
func (x *inliner) related(p *message.Part, report *externalbody.Report) (*externalbody.Diag, error) {
	if p.Parent == nil || p.Parent.Type != "multipart/related" {
		return nil, nil
	}
	text, err := message.ReadSpan(x.r, p.Parent.ContentType.First(maxHeader))
	if err != nil {
		return nil, local(err)
	}
	v := param.Parse(message.FieldValue(text))
	want, _ := v.Get("type")
	start, hasStart := v.Get("start")
	isRoot := hasStart && strings.TrimSpace(start) == report.Reference.ContentID
	if !hasStart {
		for first := range p.Parent.Children() {
			isRoot = first == p
			break
		}
	}
	if !isRoot || want == "" || strings.EqualFold(want, param.Parse(report.MediaType).Type) {
		return nil, nil
	}
	return &externalbody.Diag{Code: diagRelatedType, Param: "type"}, nil
}

// removedFallback records that the texts of a fallback are removed.
func (i *Item) removedFallback(fallback *message.Part) {
	for p := range fallback.Children() {
		if p.Type != externalBody {
			i.Removed = append(i.Removed, Removal{p.Section(), Twin})
		}
	}
}
