package externalbody

import (
	"bytes"
	"io"
	"iter"
	"slices"
	"strings"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/mailtext"
	"github.com/go-extbody/extbody/internal/mailtext/tnef"
	"github.com/go-extbody/extbody/internal/mime/message"
	"github.com/go-extbody/extbody/internal/mime/param"
	"github.com/go-extbody/extbody/internal/mime/smime"
	"github.com/go-extbody/extbody/urlaccess"
)

const externalBody = "message/external-body"

// A reader makes References of the parts of a message.
type reader struct {
	opts    OpenOptions
	index   *message.Index
	message *Message
	top     string // the header of the message
	left    int64  // octets that may still be decoded
	found   findings
	texts   *texts                   // nil until the first text is read
	bases   map[*message.Part]string // see base
	view    partView
	full    bool // MaxReferences was reached in a text
}

// read reads the parts of one source in order, and the parts inside encoded ones.
func (rd *reader) read(s *source) error {
	for _, p := range s.parts {
		if len(rd.opts.Dialects) > 0 {
			rd.found.begin(p)
		}
		rd.noteUnread(s, p)
		replaced, err := rd.readDialects(s, p)
		if err != nil {
			return err
		}
		switch {
		case replaced:
		case p.Type == externalBody:
			err = rd.readPart(s, p)
		case p.Encoded:
			err = rd.readEncoded(s, p)
		case smime.IsMediaType(p.Type):
			err = rd.readSigned(s, p)
		case len(rd.opts.Dialects) > 0 && strings.HasPrefix(p.Type, "application/"):
			err = rd.readTNEF(s, p)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// readPart makes a Reference of a message/external-body part.
func (rd *reader) readPart(s *source, p *message.Part) error {
	header, err := s.header(p)
	if err != nil {
		return err
	}
	e := entity{
		section:   p.Section(),
		header:    header,
		r:         s.r,
		body:      p.Body,
		maxHeader: rd.opts.MaxHeaderBytes,
		strict:    rd.opts.Strict,
	}
	if err := e.readContentType(p.ContentType); err != nil {
		return err
	}
	if e.cut || p.Diag.Has(message.HeaderTooLong) {
		e.diags = append(e.diags, Diag{Code: DiagHeaderTooLong})
	}
	if p.Diag.Has(message.DuplicateField) {
		e.diags = append(e.diags, Diag{Code: DiagRepeatedField})
	}
	ref, err := e.reference()
	if err != nil {
		return err
	}
	if u, ok := ref.Param("url"); ok {
		if text, err := urlaccess.Decode(u); err == nil {
			if _, abs := urlaccess.Scheme(text); !abs {
				if ref.base, err = rd.base(s, p, header); err != nil {
					return err
				}
			}
		}
	}
	ref.part, ref.source = p, s
	rd.found.standard(rd, ref)
	return nil
}

// base returns the absolute Content-Location of the part, or of the closest part around
// it that has one (RFC 2557 section 5). It reads the header of a part around others
// only once.
func (rd *reader) base(s *source, p *message.Part, header string) (string, error) {
	if base := contentLocation(header); base != "" {
		return base, nil
	}
	around := s.parent(p)
	if around == nil || message.IsMessage(around.Type) {
		return "", nil
	}
	base, known := rd.bases[around]
	if known {
		return base, nil
	}
	if around == s.container {
		s = s.outer
	}
	header, err := s.header(around)
	if err != nil {
		return "", err
	}
	if base, err = rd.base(s, around, header); err == nil {
		rd.bases[around] = base
	}
	return base, err
}

// maxBase bounds the URL that others may be relative to. It is copied into each of
// them.
const maxBase = 8 << 10

// contentLocation returns the Content-Location in a header if it is absolute, and
// otherwise "".
func contentLocation(header string) string {
	if f, ok := message.Lookup(header, "Content-Location", 0); ok && len(f.Value) <= maxBase {
		if text, err := urlaccess.Decode(f.Value); err == nil {
			if _, abs := urlaccess.Scheme(text); abs {
				return text
			}
		}
	}
	return ""
}

// readEncoded looks into a container whose transfer encoding hides its parts.
func (rd *reader) readEncoded(s *source, p *message.Part) error {
	body, err := rd.decode(s, p)
	if body == nil || err != nil {
		return err
	}
	return rd.readInner(s, p, body, rd.index.ScanDecoded)
}

// readSigned looks into a signed, opaque message of S/MIME (RFC 8551 section 3.5.2). It
// contains a part. p contains that as a message/rfc822 part contains a message: nothing
// in it belongs to the message around it, and its octets must not be changed. Nothing
// can be seen in an encrypted message or one of another kind.
func (rd *reader) readSigned(s *source, p *message.Part) error {
	head, err := decodeSpan(s.r, p.Body, p.Encoding, smime.HeadBytes)
	if err != nil {
		return err
	}
	if !smime.IsSigned(head[:min(len(head), smime.HeadBytes)]) {
		if len(head) > 0 && p.Encoding != message.OtherEncoding {
			rd.unread(p, DiagEncrypted, "")
		}
		return nil
	}
	body, err := rd.decode(s, p)
	if body == nil || err != nil {
		return err
	}
	content, ok := smime.SignedContent(body)
	if !ok {
		return nil
	}
	return rd.readInner(s, p, content, rd.index.ScanContent)
}

// maxTNEF bounds the texts of a winmail.dat, in octets. They may be compressed there.
const maxTNEF = 16 << 20

// readTNEF looks into a winmail.dat. Its texts count as parts of a multipart/mixed
// instead of p: they have the same words as the text beside p. Any other part is left
// alone.
func (rd *reader) readTNEF(s *source, p *message.Part) error {
	if !tnef.IsPart(p.Type, rd.view.header) { // Dialects have looked at p
		return nil
	}
	head, err := decodeSpan(s.r, p.Body.First(maxPrefix), p.Encoding, tnef.HeadBytes)
	if err != nil || !tnef.Begins(head) {
		return err
	}
	body, err := rd.decode(s, p)
	if body == nil || err != nil {
		return err
	}
	parts, boundary, whole := tnef.Parts(body, min(rd.left, maxTNEF))
	if !whole && rd.left <= maxTNEF {
		rd.exceedDecoded(p)
	} else if !whole {
		rd.exceed("TNEF", maxTNEF, p.Body.Start)
	}
	rd.left -= int64(len(parts))
	return rd.readInner(s, p, parts, func(p *message.Part, r io.ReaderAt, size int64) (*message.Index, error) {
		return rd.index.ScanParts(p, boundary, r, size)
	})
}

// exceed records a limit that left out something at an offset, if it is the first.
func (rd *reader) exceed(limit string, most, offset int64) {
	if rd.message.incomplete == nil {
		rd.message.incomplete = &message.LimitError{Limit: limit, Max: most, Offset: offset}
	}
}

// exceedDecoded records that p was not decoded, or not to its end.
func (rd *reader) exceedDecoded(p *message.Part) {
	rd.exceed("MaxDecodedBytes", rd.opts.MaxDecodedBytes, p.Body.Start)
}

// decode returns the decoded body of p, or nil if that is more than may still be
// decoded.
func (rd *reader) decode(s *source, p *message.Part) ([]byte, error) {
	body, err := decodeSpan(s.r, p.Body, p.Encoding, rd.left)
	if err != nil {
		return nil, err
	}
	if int64(len(body)) > rd.left {
		rd.exceedDecoded(p)
		return nil, nil
	}
	rd.left -= int64(len(body))
	return body, nil
}

// readInner reads the parts of body, which p contains and scan finds.
func (rd *reader) readInner(s *source, p *message.Part, body []byte, scan func(*message.Part, io.ReaderAt, int64) (*message.Index, error)) error {
	src := bytes.NewReader(body)
	inner, err := scan(p, src, src.Size())
	if err != nil {
		return err
	}
	if inner.Limit != nil && rd.message.incomplete == nil {
		rd.message.incomplete = inner.Limit
	}
	// The first part stands for p itself.
	return rd.read(&source{r: src, parts: inner.Parts[1:], maxHeader: s.maxHeader, message: s.message, standIn: inner.Parts[0], container: p, outer: s})
}

// decodeSpan returns the decoded octets of a span, or the first limit+1 if there are
// more. Damaged data ends without an error. r returns the other errors.
func decodeSpan(r io.ReaderAt, s message.Span, enc message.Encoding, limit int64) ([]byte, error) {
	src := message.NewErrReader(s.Reader(r))
	body, _ := io.ReadAll(io.LimitReader(message.Decode(src, enc), limit+1))
	return body, src.Failure()
}

// An UnreadPart is a part of a message that Open could not look into, although References
// may be in it.
type UnreadPart struct {
	// Section is the section of the part, as in [Origin]. It is "" with DiagCutShort, and
	// may be "" for the message itself.
	Section string

	// MediaType is the media type of the part in lower case. It is "" with DiagCutShort.
	MediaType string

	// Reason is one of
	//
	//   - DiagEncrypted, for a multipart/encrypted, and for S/MIME that is not signed data
	//     alone,
	//   - DiagPartialMessage, for a message/partial (RFC 2046 section 5.2.2),
	//   - DiagUnknownEncoding, for a container, or with Dialects a text, whose transfer
	//     encoding is private (RFC 2045 section 6.3). A part in an unknown encoding is read as
	//     it stands, which helps if nothing is encoded. It is also for a text in x-uuencode
	//     that is long or looks like a link to programs that do not undo it,
	//   - DiagUnknownCharset, with Dialects for a text whose charset is not known and may
	//     hide ASCII letters, or on whose charset mail programs disagree,
	//   - DiagAmbiguous, for a part about whose structure mail programs disagree. All
	//     readings were looked into, and a program may still have another one. It is also
	//     for a multipart without a boundary that is in it,
	//   - DiagCutShort, once a message, if [Message.Incomplete] is not nil.
	Reason DiagCode

	// Detail is the id of a message/partial, the name of an unknown encoding or charset,
	// or the text of [Message.Incomplete]. It is a text from the message, of at most 100
	// octets, and must be escaped where it is shown.
	Detail string
}

// Unread yields all parts that Open could not look into, in message order, and last the
// limit that [Message.Incomplete] reports.
func (m *Message) Unread() iter.Seq[UnreadPart] { return slices.Values(m.unread) }

// maxDetail bounds the Detail of an UnreadPart, in octets.
const maxDetail = 100

// noteUnread records a part if nothing can be read in it.
func (rd *reader) noteUnread(s *source, p *message.Part) {
	switch {
	case p.Body.Len() == 0:
	case p.Type == "message/partial":
		contentType, _ := s.contentType(p)
		id, _ := contentType.Get("id")
		rd.unread(p, DiagPartialMessage, id)
	case p.Type == "multipart/encrypted":
		rd.unread(p, DiagEncrypted, "")
	case p.Encoding == message.OtherEncoding && rd.wouldRead(p.Type):
		if name := s.encodingName(p); strings.HasPrefix(name, "x-") || strings.HasPrefix(name, "uu") { // it is private
			rd.unread(p, DiagUnknownEncoding, name)
		}
	case p.Diag.Has(message.BadBoundary), p.Diag.Has(message.NoParts) && p.Close.Len() == 0:
		if start, err := message.ReadSpan(s.r, p.Body.First(maxHeldField)); err != nil || strings.TrimSpace(start) != "" {
			rd.unread(p, DiagAmbiguous, "")
		}
	}
}

func (rd *reader) unread(p *message.Part, why DiagCode, detail string) {
	detail = strings.Clone(detail[:min(len(detail), maxDetail)])
	rd.message.unread = append(rd.message.unread, UnreadPart{p.Section(), p.Type, why, detail})
}

// contentType returns the parsed Content-Type of p, or the beginning of a long one.
func (s *source) contentType(p *message.Part) (*param.Value, error) {
	field, err := message.ReadSpan(s.r, p.ContentType.First(maxHeldField))
	return param.Parse(message.FieldValue(field)), err
}

// wouldRead reports whether the body of a part of that type is read.
func (rd *reader) wouldRead(mediaType string) bool {
	return message.IsMultipart(mediaType) || message.IsMessage(mediaType) || smime.IsMediaType(mediaType) ||
		len(rd.opts.Dialects) > 0 && (hasLinks(mediaType) || tnef.IsMediaType(mediaType))
}

// hasLinks reports whether parts of that type are texts in which Dialects look for links.
func hasLinks(mediaType string) bool {
	return mailtext.IsHTML(mediaType) || mailtext.IsPlain(mediaType)
}

// encodingName returns the Content-Transfer-Encoding of p in lower case.
func (s *source) encodingName(p *message.Part) string {
	header, err := s.header(p)
	if err != nil {
		return ""
	}
	field, _ := message.Lookup(header, "Content-Transfer-Encoding", 0)
	return strings.ToLower(strings.TrimSpace(field.Value))
}

// Ambiguous reports whether only some mail programs see the Reference, because they
// disagree about the structure of the message. It has DiagAmbiguous then. Rewriting leaves
// its part as it is.
func (r *Reference) Ambiguous() bool {
	return slices.ContainsFunc(r.Diags, func(d Diag) bool { return d.Code == DiagAmbiguous })
}

// IsPicture reports whether a mail program loads the body when it shows the message, and
// nothing else in the message refers to it. The Dialect is remote-images.
func (r *Reference) IsPicture() bool { return r.Dialect == "remote-images" }

// readOtherwise reads the message as mail programs do that read its structure differently.
// It adds what only they see, and marks what only some see.
func (rd *reader) readOtherwise(s *source, size int64) error {
	m := rd.message
	tried := make(map[message.Reading]bool)
	pending := rd.index.Others()
	if len(pending) == 0 {
		return nil
	}
	m.refs = slices.Clone(m.refs)
	readings := 1
	seen := make(map[string]int) // the readings that have a Reference
	ids := make(map[string]bool)
	for _, ref := range m.refs {
		seen[ref.fingerprint()], ids[ref.ID] = 1, true
	}
	unread := m.unread
	var differs *message.Part
	for len(pending) > 0 {
		r := pending[0]
		if pending = pending[1:]; tried[r] {
			continue
		}
		tried[r] = true
		index, err := message.Scan(s.r, size, message.Limits{
			Depth: rd.opts.MaxDepth, Parts: rd.opts.MaxParts, HeaderBytes: rd.opts.MaxHeaderBytes, Reading: r,
		})
		if fetch.KindOf(err) == fetch.Unsupported {
			continue // not all octets are at hand
		}
		if err != nil {
			return err
		}
		other := reader{opts: rd.opts, index: index, message: m, left: rd.left, texts: rd.texts, found: newFindings(rd.found.hosts), bases: make(map[*message.Part]string)}
		refs, err := other.readAll(&source{r: s.r, parts: index.Parts, maxHeader: s.maxHeader, message: m})
		if err != nil {
			return err
		}
		rd.left, rd.texts = other.left, other.texts
		readings++
		pending = append(pending, index.Others()...)
		if differs == nil {
			differs = rd.index.Differs(index)
		}
		here := make(map[string]bool)
		for _, ref := range refs {
			key := ref.fingerprint()
			if here[key] {
				continue
			}
			here[key] = true
			if seen[key]++; seen[key] > 1 {
				continue
			}
			if len(m.refs) >= rd.opts.MaxReferences {
				rd.exceedReferences(ref.part)
				break
			}
			for ids[ref.ID] {
				ref.ID += "~"
			}
			ids[ref.ID] = true
			m.refs = append(m.refs, ref)
		}
	}
	for _, ref := range m.refs {
		if seen[ref.fingerprint()] < readings {
			ref.diag(DiagAmbiguous, "")
			if differs == nil {
				differs = ref.part
			}
		}
	}
	if differs != nil {
		rd.unread(differs, DiagAmbiguous, "")
	}
	for _, p := range m.unread[len(unread):] {
		if !slices.Contains(unread, p) {
			unread = append(unread, p)
		}
	}
	m.unread = unread
	return nil
}

// readAll reads the parts of s, which is a reading of the message, and returns the
// References.
func (rd *reader) readAll(s *source) (refs []*Reference, err error) {
	if rd.top, err = s.header(rd.index.Root()); err != nil {
		return nil, err
	}
	if rd.texts != nil {
		rd.texts.plainParts = rd.texts.plainParts[:0]
	}
	if err := rd.read(s); err != nil {
		return nil, err
	}
	if err := rd.readMentions(); err != nil {
		return nil, err
	}
	return rd.found.merged(), nil
}

// fingerprint returns a text that two readings of one Reference have in common.
func (r *Reference) fingerprint() string {
	var b strings.Builder
	b.WriteString(r.Dialect + "\n" + r.AccessType + "\n" + r.ContentID + "\n" + r.MediaType)
	for _, p := range r.Params {
		b.WriteString("\n" + p.Name + "=" + p.Value)
	}
	return b.String()
}
