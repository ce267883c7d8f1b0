package externalbody

import (
	"bytes"
	"io"
	"slices"
	"strings"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/mailtext/tnef"
	"github.com/go-extbody/extbody/internal/mime/message"
	"github.com/go-extbody/extbody/internal/mime/smime"
	"github.com/go-extbody/extbody/urlaccess"
)

// read reads the parts of one source in order, and the parts inside encoded ones.
func (rd *reader) read(s *source) error {
	if len(rd.opts.Dialects) > 0 {
		rd.found.parts = slices.Grow(rd.found.parts, len(s.parts))
	}
	for _, p := range s.parts {
		p, err := rd.opened(s, p)
		if err != nil {
			return err
		}
		if len(rd.opts.Dialects) > 0 {
			rd.found.parts = append(rd.found.parts, p)
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
		case rd.files[p].as == "message/rfc822":
			err = rd.readMessageFile(s, p)
		case len(rd.opts.Dialects) > 0 && strings.HasPrefix(p.Type, "application/"):
			err = rd.readNamed(s, p)
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
		readable:  func(name string) string { return s.readable(p, name) },
	}
	if err := e.readContentType(p.ContentType); err != nil {
		return err
	}
	if e.cut || p.Diag.Has(message.HeaderTooLong) {
		e.diags = append(e.diags, Diag{Code: diagHeaderTooLong})
	}
	if p.Diag.Has(message.DuplicateField) {
		e.diags = append(e.diags, Diag{Code: DiagRepeatedField})
	}
	ref, err := e.reference()
	if err != nil {
		return err
	}
	if e.damaged {
		rd.disputed(p)
	}
	if u, ok := ref.Param("url"); ok {
		if text, err := urlaccess.Decode(u); err == nil {
			if _, abs := urlaccess.Scheme(text); !abs {
				ref.base, err = rd.base(s, p, header)
				if err != nil {
					return err
				}
			}
		}
	}
	ref.part = p
	ref.source = s
	rd.found.standard(rd, ref)
	return nil
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
	head, _, err := decodeSpan(s.r, p.Body, p.Encoding, smime.HeadBytes)
	if err != nil {
		return err
	}
	if !smime.IsSigned(head[:min(len(head), smime.HeadBytes)]) {
		if p.Encoding != message.OtherEncoding && (smime.IsMediaType(p.Type) || smime.Begins(head)) && len(head) > 0 {
			rd.unread(p, DiagEncrypted, "")
		}
		return nil
	}
	body, err := rd.decode(s, p)
	if body == nil || err != nil {
		return err
	}
	content, ok, cut := smime.SignedContent(body)
	if cut {
		rd.unread(p, DiagCutShort, "16 levels of a signed message were read")
	}
	if !ok {
		return nil
	}
	return rd.readInner(s, p, content, rd.index.ScanContent)
}

// opened returns p as mail programs open it: with the type of its file name, if its own tells nothing. rd.files has the
// type of such a part. It needs Dialects.
func (rd *reader) opened(s *source, p *message.Part) (*message.Part, error) {
	if len(rd.opts.Dialects) == 0 || !p.MayBeOpenedAs() || p.Last() != nil {
		return p, nil
	}
	header, err := s.header(p)
	if err != nil {
		return nil, err
	}
	as := p.OpenedAs(header)
	if as == p.Type {
		return p, nil
	}
	opened := *p
	if as != "message/rfc822" {
		opened.Type = as
	}
	rd.addFile(&opened, file{as, p.Type})
	return &opened, nil
}

// readMessageFile looks into a message that is a file.
func (rd *reader) readMessageFile(s *source, p *message.Part) error {
	body, err := rd.decode(s, p)
	if body == nil || err != nil {
		return err
	}
	return rd.readInner(s, p, body, rd.index.ScanContent)
}

// readNamed looks into a part that its type, or the name of a file of any type, shows to hold others.
func (rd *reader) readNamed(s *source, p *message.Part) error {
	names := message.FileNames(rd.view.header) // Dialects have looked at p
	if smime.IsPart(p.Type, names...) {
		return rd.readSigned(s, p)
	}
	if message.MayBeArmored(p.Type, names...) {
		head, _, err := decodeSpan(s.r, p.Body, p.Encoding, maxPrefix)
		if err == nil && bytes.HasPrefix(bytes.TrimLeft(head, " \t\r\n"), armorMessage) {
			rd.noteArmor(s, p)
		}
		return err
	}
	return rd.readTNEF(s, p)
}

// readTNEF looks into a winmail.dat. Its texts count as parts of a multipart/mixed
// instead of p: they have the same words as the text beside p. Any other part is left
// alone.
func (rd *reader) readTNEF(s *source, p *message.Part) error {
	if !tnef.IsPart(p.Type, rd.view.header) {
		return nil
	}
	head, _, err := decodeSpan(s.r, p.Body.First(maxPrefix), p.Encoding, tnef.HeadBytes)
	if err != nil || !tnef.Begins(head) {
		return err
	}
	body, err := rd.decode(s, p)
	if body == nil || err != nil {
		return err
	}
	parts, boundary, whole, bound := tnef.Parts(body, min(rd.left, maxTNEF))
	if bound != "" {
		rd.unread(p, DiagCutShort, bound)
	}
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

// readInner reads the parts of body, which p contains and scan finds.
func (rd *reader) readInner(
	s *source, p *message.Part, body []byte, scan func(*message.Part, io.ReaderAt, int64) (*message.Index, error),
) error {
	src := bytes.NewReader(body)
	inner, err := scan(p, src, src.Size())
	if err != nil {
		return err
	}
	if inner.Limit != nil && rd.message.incomplete == nil {
		rd.message.incomplete = inner.Limit
	}
	if root := inner.Parts[0]; p.Encoded && message.IsMultipart(p.Type) && root.Diag.Has(message.NoParts) {
		rd.noteEmpty(src, p, root)
	}
	// The first part stands for p itself.
	return rd.read(&source{
		r: src, parts: inner.Parts[1:], maxHeader: s.maxHeader, message: s.message, standIn: inner.Parts[0], container: p, outer: s,
	})
}

// readOtherwise reads the message as mail programs do that read its structure differently.
// It adds references that only they see, and marks those that only some see.
func (rd *reader) readOtherwise(s *source, size int64) error {
	m := rd.message
	tried := make(map[message.Reading]bool)
	pending := rd.index.Others()
	if len(pending) == 0 {
		return nil
	}
	m.refs = slices.Clone(m.refs)
	all := newReadings(m.refs)
	unread := m.unread
	var differs *message.Part
	for len(pending) > 0 {
		r := pending[0]
		pending = pending[1:]
		if tried[r] {
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
		other := reader{
			opts: rd.opts, index: index, message: m, left: rd.left, texts: rd.texts, found: findings{hosts: rd.found.hosts},
		}
		refs, err := other.readAll(&source{r: s.r, parts: index.Parts, maxHeader: s.maxHeader, message: m})
		if err != nil {
			return err
		}
		rd.left = other.left
		rd.texts = other.texts
		pending = append(pending, index.Others()...)
		if differs == nil {
			differs = rd.index.Differs(index)
		}
		all.next()
		for _, ref := range refs {
			if !all.add(ref) {
				continue
			}
			if len(m.refs) >= rd.opts.MaxReferences {
				rd.exceedReferences(ref.part)
				break
			}
			all.name(ref)
			m.refs = append(m.refs, ref)
		}
	}
	for _, ref := range m.refs {
		if all.have(ref) {
			continue
		}
		if rd.isDisputed(ref.part) {
			ref.diag(DiagDecoding, "")
			continue
		}
		ref.diag(DiagAmbiguous, "")
		if differs == nil {
			differs = ref.part
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

// readings are the readings of a message so far.
type readings struct {
	count int
	here  map[string]bool // the fingerprints of the References of the last one
	seen  map[string]int  // the readings that have a Reference, by its fingerprint
	ids   map[string]bool // of the References of the message
}

// newReadings returns the first reading.
func newReadings(refs []*Reference) *readings {
	a := &readings{count: 1, seen: make(map[string]int), ids: make(map[string]bool)}
	for _, ref := range refs {
		a.seen[ref.fingerprint()] = 1
		a.ids[ref.ID] = true
	}
	return a
}

// next begins another reading.
func (a *readings) next() {
	a.count++
	a.here = make(map[string]bool)
}

// add adds a Reference of the last reading. It reports whether it is the first one like it.
func (a *readings) add(ref *Reference) bool {
	key := ref.fingerprint()
	if a.here[key] {
		return false
	}
	a.here[key] = true
	a.seen[key]++
	return a.seen[key] == 1
}

// name makes the ID of a Reference one that no other has.
func (a *readings) name(ref *Reference) {
	for a.ids[ref.ID] {
		ref.ID += "~"
	}
	a.ids[ref.ID] = true
}

// have reports whether all readings have a Reference.
func (a *readings) have(ref *Reference) bool { return a.seen[ref.fingerprint()] == a.count }

// readAll reads the parts of s, which is a reading of the message, and returns the
// References.
func (rd *reader) readAll(s *source) (refs []*Reference, err error) {
	rd.top, err = s.header(rd.index.Root())
	if err != nil {
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

// readDialects reads the references that Dialects find in the header of a part and, if
// it is a text, in its body. It reports whether they replace the Reference that the
// part is itself.
func (rd *reader) readDialects(s *source, p *message.Part) (replaced bool, err error) {
	if len(rd.opts.Dialects) == 0 {
		return false, nil
	}
	header := rd.top
	if p != rd.index.Root() {
		header, err = s.header(p)
		if err != nil {
			return false, err
		}
	}
	t := rd.pooled()
	t.names = slices.AppendSeq(t.names[:0], message.Names(header))
	rd.view = partView{p: p, s: s, header: header, names: t.names}
	var e *Entity
	for i := range rd.opts.Dialects {
		d := &rd.opts.Dialects[i]
		reads, err := d.reads(&rd.view)
		if err != nil {
			return false, err
		}
		if !reads {
			continue
		}
		if e == nil {
			e = newEntity(s, p, header)
		}
		if p.Type == externalBody {
			if v, _ := e.Param("access-type"); strings.TrimSpace(v) != "" {
				continue
			}
		}
		for _, ref := range d.Read(e) {
			if ref == nil {
				continue
			}
			if len(ref.Origins) == 0 {
				ref.Origins = make([]Origin, 1)
			}
			for i, o := range ref.Origins {
				ref.Origins[i] = e.origin(o)
				if o.Field == "" && rd.files[p].as != "" {
					ref.Origins[i] = Origin{Unplaced: true}
				}
			}
			rd.add(d, e, ref, e.section)
			replaced = replaced || p.Type == externalBody
		}
		if e.err != nil {
			return false, e.err
		}
	}
	if e != nil {
		rd.note(e)
	}
	return replaced, rd.readTexts(s, p, header)
}

// maxMentions bounds the URLs in all text/plain parts that are compared with the
// findings.
const maxMentions = 100_000

// readMentions finds the places in text/plain parts that mention a finding of another
// part. They are in the alternative of a block in HTML, where no mark distinguishes the
// link from others.
func (rd *reader) readMentions() error {
	if len(rd.found.links) == 0 || rd.texts == nil {
		return nil
	}
	hosts := rd.found.linkHosts()
	left := maxMentions
	for _, part := range rd.texts.plainParts {
		body := rd.openText(part, "")
		if body.err != nil {
			return body.err
		}
		if !body.long && !hosts.mayNameOne(body.small) {
			continue
		}
		header, err := part.s.header(part.p)
		if err != nil {
			return err
		}
		e := newEntity(part.s, part.p, header)
		section := part.p.Section()
		mention := func(t *Token) bool {
			if left--; left == -1 {
				rd.unread(part.p, DiagCutShort, "100,000 URLs of texts were compared with the links of others")
			}
			if left < 0 {
				return false
			}
			ref := NewMention(t.Text)
			known := rd.found.links[destinationIn(part.p, ref.destination(section))]
			if known == nil || !known.known {
				return false
			}
			ref.Origins[0] = e.textOrigin([]*Token{t}, false)
			ref.Quoted = t.Quoted
			rd.add(&rd.opts.Dialects[known.places[0].dialect], e, ref, section)
			return true
		}
		if err := body.walkURLs(rd, e, hosts.mayNameOne, func(t *Token) {
			if t.Kind == EndToken {
				return
			}
			isElsewhere := func(text string) bool { return rd.found.isElsewhere(part.p, destinationOf(text, section)) }
			if t.Wrapped && isElsewhere(t.Text) && !isElsewhere(t.Longer) {
				rd.found.drop(part.p, destinationOf(t.Longer, section), t.Start)
				mention(t)
				return
			}
			if t.Wrapped && mention(t.Joined()) || mention(t) {
				return
			}
			if t.Longer != "" && !t.Wrapped {
				mention(t.Joined())
			}
		}); err != nil {
			return err
		}
	}
	return nil
}
