package dialect

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/mimeparam"
	"github.com/go-extbody/extbody/internal/mimescan"
)

// NormalizeOptions are the options of [Normalize]. The zero value is what nil
// means.
type NormalizeOptions struct {
	// Nested adds the references that stand in messages within the message only
	// as well. By default they are left.
	Nested bool

	// Domain is what the Content-IDs of the added parts end with. They are made
	// of where the reference leads. "" means extbody.invalid.
	Domain string
}

// A NormalizeReport says what was done with each reference of a Dialect.
type NormalizeReport struct {
	// Added has those for which a part was added, in message order.
	Added []*externalbody.Reference

	// Present has those without a URL that the message has in the standard form
	// too, by the same Content-ID. One with the same URL is no reference of its
	// own: see [externalbody.Reference].Origins.
	Present []*externalbody.Reference

	// Left has those for which no part was added, and why.
	Left []externalbody.Failure
}

var (
	errProtected  = errors.New("the message is signed or encrypted as a whole")
	errNested     = errors.New("in a message within the message")
	errUnindexed  = errors.New("the message is not indexed to its end")
	errNoBoundary = errors.New("a multipart without a usable boundary")
)

// maxRoot bounds the header of a message that is written anew.
const maxRoot = 256 << 10

// Normalize writes the message to dst with a message/external-body part added
// (RFC 2046 section 5.2.3, RFC 2017) for each reference of a Dialect, so that a
// program that knows no Dialects sees them. All octets of the message are
// written, in their order and as they are:
//
//   - in a multipart/mixed, the parts are added behind its last one;
//   - any other message becomes the first part of a new multipart/mixed. Its
//     Content fields move there. All other fields stay, and MIME-Version is added
//     if it is missing.
//
// Nothing is added for a reference that the message has in the standard form, by
// the same URL, so that the result is not changed by another Normalize. A message
// that is signed or encrypted as a whole (RFC 1847, RFC 8551) is copied. A DKIM
// signature no longer verifies afterwards, as with any change.
//
// The phantom header has the media type, application/octet-stream if none is
// known, the name, and a Content-ID. The Content-ID of a body that its reference
// names is kept.
//
// m has been opened with the Dialects that are to be read. Errors are those of
// dst and of what m is read from, as a [fetch.Error] of Kind Local, or Canceled
// if ctx ends.
func Normalize(ctx context.Context, dst io.Writer, m *externalbody.Message, opts *NormalizeOptions) (*NormalizeReport, error) {
	n := &normalizer{report: &NormalizeReport{}}
	if opts != nil {
		n.opts = *opts
	}
	if n.opts.Domain == "" {
		n.opts.Domain = "extbody.invalid"
	}
	n.index, n.r = m.Index()
	n.w = bufio.NewWriterSize(dst, 64<<10)
	n.ctx = ctx
	if err := n.write(m); err != nil {
		return nil, local(err)
	}
	if err := n.w.Flush(); err != nil {
		return nil, local(err)
	}
	return n.report, nil
}

// local returns an error of our own source or destination.
func local(err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return &fetch.Error{Op: "normalize", Kind: fetch.Canceled, Err: err}
	}
	return &fetch.Error{Op: "normalize", Kind: fetch.Local, Err: err}
}

// A normalizer writes one message.
type normalizer struct {
	opts   NormalizeOptions
	report *NormalizeReport
	index  *mimescan.Index
	r      io.ReaderAt
	w      *bufio.Writer
	ctx    context.Context
	eol    string
}

func (n *normalizer) write(m *externalbody.Message) error {
	root := n.index.Root()
	eol, err := n.lineEnd(root)
	if err != nil {
		return err
	}
	n.eol = eol
	parts := n.parts(m, n.refusal(root))
	switch {
	case len(parts) == 0:
		return n.copy(mimescan.Span{End: n.index.Size})
	case root.Type == "multipart/mixed":
		return n.append(root, parts)
	}
	return n.wrap(root, parts)
}

// refusal returns why nothing can be added to the message.
func (n *normalizer) refusal(root *mimescan.Part) error {
	switch {
	case root.Type == "multipart/signed", root.Type == "multipart/encrypted",
		root.Type == "application/pkcs7-mime", root.Type == "application/x-pkcs7-mime":
		return &fetch.Error{Op: "normalize", Kind: fetch.Unsupported, Err: errProtected}
	case n.index.Limit != nil, root.Header.Len() > maxRoot, root.Diag.Has(mimescan.HeaderTooLong):
		return &fetch.Error{Op: "normalize", Kind: fetch.TooLarge, Err: errUnindexed}
	case root.Type == "multipart/mixed" && (root.Boundary == "" || root.Encoded || !hasChildren(root)):
		return &fetch.Error{Op: "normalize", Kind: fetch.Malformed, Err: errNoBoundary}
	}
	return nil
}

func hasChildren(p *mimescan.Part) bool {
	for range p.Children() {
		return true
	}
	return false
}

// parts returns the parts to add, of which each ends with a line end.
func (n *normalizer) parts(m *externalbody.Message, refusal error) [][]byte {
	standard := make(map[string]bool)
	for ref := range m.References() {
		if ref.Dialect == "" {
			standard[n.key(ref)] = true
		}
	}
	outer := n.outerSections()
	var parts [][]byte
	for ref := range m.References() {
		if ref.Dialect == "" {
			continue
		}
		if standard[n.key(ref)] {
			n.report.Present = append(n.report.Present, ref)
			continue
		}
		part, err := n.part(ref, outer, refusal)
		if err != nil {
			n.report.Left = append(n.report.Left, externalbody.Failure{Reference: ref, Err: err})
			continue
		}
		n.report.Added = append(n.report.Added, ref)
		parts = append(parts, part)
	}
	return parts
}

// key returns what tells that two references without a URL say the same.
func (n *normalizer) key(ref *externalbody.Reference) string {
	return ref.AccessType + " " + n.contentID(ref)
}

// contentID returns the Content-ID of the part that is added for ref.
func (n *normalizer) contentID(ref *externalbody.Reference) string {
	if ref.ContentID != "" {
		return ref.ContentID
	}
	return "<" + ref.ID + "@" + n.opts.Domain + ">"
}

// outerSections returns the sections of the parts that are in no message within
// the message, of which those that are such a message are true.
func (n *normalizer) outerSections() map[string]bool {
	sections := map[string]bool{"": false}
	for _, p := range n.index.Parts {
		within := false
		for q := p.Parent; q != nil && !within; q = q.Parent {
			within = !strings.HasPrefix(q.Type, "multipart/")
		}
		if !within {
			sections[p.Section()] = strings.HasPrefix(p.Type, "message/") && p.Type != "message/external-body"
		}
	}
	return sections
}

// part returns the part that says what ref says.
func (n *normalizer) part(ref *externalbody.Reference, outer map[string]bool, refusal error) ([]byte, error) {
	if refusal != nil {
		return nil, refusal
	}
	here := slices.ContainsFunc(ref.Origins, func(o externalbody.Origin) bool {
		// The fields of the message within a part have the section of the part.
		isMessage, isOuter := outer[o.Section]
		return isOuter && (!isMessage || o.Field == "")
	})
	if !here && !n.opts.Nested {
		return nil, &fetch.Error{Op: "normalize", Kind: fetch.Unsupported, Err: errNested}
	}
	c := *ref
	c.Header = nil
	if c.MediaType == "" {
		c.MediaType = "application/octet-stream"
	}
	if v := ref.Header.Get("Content-Type"); isPrintable(v) && mimeparam.IsType(v, c.MediaType) {
		c.Header = append(c.Header, externalbody.Field{Name: "Content-Type", Value: v})
	}
	c.ContentID = n.contentID(ref)
	if name := externalbody.FileName(c.Name); name != "" {
		param := string(mimeparam.AppendParam(nil, "filename", name))
		c.Header = append(c.Header, externalbody.Field{Name: "Content-Disposition", Value: "attachment; " + param})
	}
	for _, name := range []string{"Content-MD5", "Content-Description", "Content-Language"} {
		if v := ref.Header.Get(name); v != "" && isPrintable(v) {
			c.Header = append(c.Header, externalbody.Field{Name: name, Value: v})
		}
	}
	var b bytes.Buffer
	if _, err := c.WriteTo(&b); err != nil {
		return nil, err
	}
	if n.eol == "\n" {
		return bytes.ReplaceAll(b.Bytes(), []byte("\r\n"), []byte("\n")), nil
	}
	return b.Bytes(), nil
}

// isPrintable reports whether a field can have s as its value (RFC 5322 section
// 2.2).
func isPrintable(s string) bool {
	return !strings.ContainsFunc(s, func(c rune) bool { return c < ' ' && c != '\t' || c > '~' })
}

// lineEnd returns the line end of the message, by its header.
func (n *normalizer) lineEnd(root *mimescan.Part) (string, error) {
	text, err := mimescan.ReadSpan(n.r, mimescan.Span{End: root.Body.Start}.First(maxRoot))
	if err != nil {
		return "", err
	}
	if i := strings.IndexByte(text, '\n'); i >= 0 && (i == 0 || text[i-1] != '\r') {
		return "\n", nil
	}
	return "\r\n", nil
}

// append writes the message with parts behind the last one of root. The closing
// delimiter line has the line end before it, unless that is the end of the
// delimiter line of an empty last part.
func (n *normalizer) append(root *mimescan.Part, parts [][]byte) error {
	closing := mimescan.Span{Start: root.Body.End, End: root.Body.End}
	first := "\n"
	if root.Close.Len() > 0 {
		closing = root.Close
		var err error
		if first, err = mimescan.ReadSpan(n.r, closing.First(1)); err != nil {
			return err
		}
	}
	if err := n.copy(mimescan.Span{End: closing.Start}); err != nil {
		return err
	}
	if first != "-" {
		n.w.WriteString(n.eol)
	}
	for i, p := range parts {
		if i > 0 {
			n.w.WriteString(n.eol)
		}
		n.w.WriteString("--" + root.Boundary + n.eol)
		n.w.Write(bytes.TrimSuffix(p, []byte(n.eol)))
	}
	switch {
	case closing.Len() == 0:
		n.w.WriteString(n.eol + "--" + root.Boundary + "--" + n.eol)
	case first == "-":
		n.w.WriteString(n.eol)
	}
	return n.copy(mimescan.Span{Start: closing.Start, End: n.index.Size})
}

// wrap writes a multipart/mixed of the message and parts.
func (n *normalizer) wrap(root *mimescan.Part, parts [][]byte) error {
	text, err := mimescan.ReadSpan(n.r, root.Header)
	if err != nil {
		return err
	}
	boundary := "extbody-" + rand.Text()
	var outer, inner strings.Builder
	version, encoding := false, ""
	for f := range mimescan.Fields(text, root.Header.Start) {
		raw := f.Raw
		if !strings.HasSuffix(raw, "\n") {
			raw += n.eol
		}
		switch name := strings.ToLower(f.Name); {
		case strings.HasPrefix(name, "content-"):
			inner.WriteString(raw)
			if name == "content-transfer-encoding" && encoding == "" {
				encoding = mimeparam.Parse(f.Value).Type
			}
			continue
		case name == "mime-version":
			version = true
		}
		outer.WriteString(raw)
	}
	if !version {
		outer.WriteString("MIME-Version: 1.0" + n.eol)
	}
	outer.WriteString("Content-Type: multipart/mixed; boundary=\"" + boundary + "\"" + n.eol)
	if encoding == "8bit" || encoding == "binary" {
		// RFC 2045 section 6.4: what encloses 8bit data is 8bit itself.
		outer.WriteString("Content-Transfer-Encoding: " + encoding + n.eol)
	}
	n.w.WriteString(outer.String() + n.eol + "--" + boundary + n.eol + inner.String())
	if root.Blank.Len() == 0 {
		n.w.WriteString(n.eol)
	}
	if err := n.copy(mimescan.Span{Start: root.Header.End, End: n.index.Size}); err != nil {
		return err
	}
	for _, p := range parts {
		n.w.WriteString(n.eol + "--" + boundary + n.eol)
		n.w.Write(bytes.TrimSuffix(p, []byte(n.eol)))
	}
	_, err = n.w.WriteString(n.eol + "--" + boundary + "--" + n.eol)
	return err
}

// copy copies the octets of s. A source that ends before is an error.
func (n *normalizer) copy(s mimescan.Span) error {
	buf := make([]byte, min(s.Len(), 256<<10))
	for s.Len() > 0 {
		if err := context.Cause(n.ctx); err != nil {
			return err
		}
		p := buf[:min(s.Len(), int64(len(buf)))]
		k, err := n.r.ReadAt(p, s.Start)
		if k < len(p) {
			if err == nil || err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			return err
		}
		if _, err := n.w.Write(p); err != nil {
			return err
		}
		s.Start += int64(k)
	}
	return nil
}
