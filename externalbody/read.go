package externalbody

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	gomessage "github.com/emersion/go-message"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/mailtext/tnef"
	"github.com/go-extbody/extbody/internal/mime/date"
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

// read reads the parts of one source in order, and what is inside encoded parts.
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
			if err := rd.readPart(s, p); err != nil {
				return err
			}
		case p.Encoded:
			if err := rd.readEncoded(s, p); err != nil {
				return err
			}
		case smime.IsMediaType(p.Type):
			if err := rd.readSigned(s, p); err != nil {
				return err
			}
		case len(rd.opts.Dialects) > 0 && strings.HasPrefix(p.Type, "application/"):
			if err := rd.readTNEF(s, p); err != nil {
				return err
			}
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
	var base string
	var passed []*message.Part
	for p = s.parent(p); p != nil && !message.IsMessage(p.Type); p = s.parent(p) {
		known, ok := rd.bases[p]
		if !ok {
			if p == s.container {
				s = s.outer
			}
			header, err := s.header(p)
			if err != nil {
				return "", err
			}
			known = contentLocation(header)
			passed = append(passed, p)
		}
		if base = known; ok || base != "" {
			break
		}
	}
	if rd.bases == nil {
		rd.bases = make(map[*message.Part]string)
	}
	for _, q := range passed {
		rd.bases[q] = base
	}
	return base, nil
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
	src := bytes.NewReader(body)
	inner, err := rd.index.ScanDecoded(p, src, src.Size())
	if err != nil {
		return err
	}
	return rd.readInner(s, p, src, inner)
}

// readSigned looks into a signed, opaque message of S/MIME (RFC 8551 section 3.5.2).
// What is signed is a part. p contains it as a message/rfc822 part contains a message:
// nothing in it belongs to the message around it, and its octets must not be changed.
// In a message that is encrypted, or of another kind, nothing can be seen.
func (rd *reader) readSigned(s *source, p *message.Part) error {
	head, err := decodeSpan(s.r, p.Body, p.Encoding, smime.HeadBytes)
	if err != nil {
		return err
	}
	if !smime.IsSigned(head[:min(len(head), smime.HeadBytes)]) {
		if len(head) > 0 && p.Encoding != message.OtherEncoding {
			rd.unread(p, DiagEncrypted)
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
	src := bytes.NewReader(content)
	inner, err := rd.index.ScanContent(p, src, src.Size())
	if err != nil {
		return err
	}
	return rd.readInner(s, p, src, inner)
}

// maxTNEF bounds the texts of a winmail.dat, in octets. They may be compressed there.
const maxTNEF = 16 << 20

// readTNEF looks into a winmail.dat. Its texts count as parts of a multipart/mixed in place
// of p: they say the same as the text beside p. Any other part is left alone.
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
	} else if !whole && rd.message.incomplete == nil {
		rd.message.incomplete = &message.LimitError{Limit: "TNEF", Max: maxTNEF, Offset: p.Body.Start}
	}
	rd.left -= int64(len(parts))
	src := bytes.NewReader(parts)
	inner, err := rd.index.ScanParts(p, boundary, src, src.Size())
	if err != nil {
		return err
	}
	return rd.readInner(s, p, src, inner)
}

// exceedDecoded records that p was not decoded, or not to its end.
func (rd *reader) exceedDecoded(p *message.Part) {
	if rd.message.incomplete == nil {
		rd.message.incomplete = &message.LimitError{Limit: "MaxDecodedBytes", Max: rd.opts.MaxDecodedBytes, Offset: p.Body.Start}
	}
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

// readInner reads the parts of src, which p contains.
func (rd *reader) readInner(s *source, p *message.Part, src io.ReaderAt, inner *message.Index) error {
	if inner.Limit != nil && rd.message.incomplete == nil {
		rd.message.incomplete = inner.Limit
	}
	// The first part stands for p itself.
	return rd.read(&source{r: src, parts: inner.Parts[1:], maxHeader: s.maxHeader, message: s.message, standIn: inner.Parts[0], container: p, outer: s})
}

// decodeSpan returns the decoded octets of a span, or the first limit+1 if there are
// more. Damaged data ends without an error. Errors are those of r.
func decodeSpan(r io.ReaderAt, s message.Span, enc message.Encoding, limit int64) ([]byte, error) {
	src := message.NewErrReader(s.Reader(r))
	body, _ := io.ReadAll(io.LimitReader(message.Decode(src, enc), limit+1))
	return body, src.Failure()
}

// Read returns the Reference of e, a message/external-body part that a program found
// with go-message. It reads e.Body to its end, or to a limit.
//
// Read takes the parameters from the raw Content-Type field, because
// e.Header.ContentType loses them all when one is malformed. The ID of the Reference
// and the Section of its Origin are "", since e does not know where it is. An error is
// one of e.Body, or a [fetch.Error] of Kind Malformed if the entity is not a
// message/external-body.
func Read(e *gomessage.Entity) (*Reference, error) {
	var header strings.Builder
	for fields := e.Header.Fields(); fields.Next(); {
		raw, err := fields.Raw()
		if err != nil {
			raw = []byte(fields.Key() + ": " + fields.Value() + "\r\n")
		}
		header.Write(raw)
	}
	body, err := io.ReadAll(io.LimitReader(e.Body, defaultHeaderBytes+maxPhantomBody))
	if err != nil {
		return nil, err
	}
	// go-message has undone the transfer encoding.
	return readRaw(header.String(), body, true)
}

// ReadRaw returns the Reference of a message/external-body part. header is its header,
// as in BODY[n.MIME] or BODY[HEADER] of IMAP. body is its body, or a beginning of it
// that holds the phantom header.
//
// The Reference keeps parts of header and body, and the caller must not change them
// afterwards. See [Read] for ID and errors.
func ReadRaw(header, body []byte) (*Reference, error) {
	return readRaw(string(header), body, false)
}

func readRaw(header string, body []byte, decoded bool) (*Reference, error) {
	ct, ok := message.Lookup(header, "Content-Type", 0)
	if !ok || param.Parse(ct.Value).Type != externalBody {
		return nil, &fetch.Error{Op: "read", Kind: fetch.Malformed, Err: errors.New("no message/external-body")}
	}
	e := entity{
		header:      header,
		contentType: ct.Value,
		r:           bytes.NewReader(body),
		body:        message.Span{End: int64(len(body))},
		maxHeader:   defaultHeaderBytes,
		decoded:     decoded,
	}
	return e.reference()
}

// An entity is a message/external-body part that is being read.
type entity struct {
	section     string
	header      string
	contentType string // the raw value of the field
	cut         bool   // contentType is only its beginning
	long        *longURL
	r           io.ReaderAt
	body        message.Span
	decoded     bool // an outer transfer encoding was undone already
	maxHeader   int64
	strict      bool
	diags       []Diag
}

// reference reads the Reference. Errors are those of e.r.
func (e *entity) reference() (*Reference, error) {
	ct := param.Parse(e.contentType)
	ref := &Reference{
		ID:         e.section,
		Size:       -1,
		Permission: "read",
		Origins:    []Origin{{Section: e.section}},
		Diags:      append(e.diags, paramDiags(ct.Diags)...),
		strict:     e.strict,
	}
	for _, p := range ct.Params {
		ref.Params = append(ref.Params, Param{p.Name, p.Value})
	}
	if e.cut {
		ref.conflict = "content-type"
	}
	if e.long != nil {
		ref.shorten(e.long)
	}
	ref.readRepeated(e.header)
	if err := e.readBody(ref); err != nil {
		return nil, err
	}
	ref.readParams(ct)
	ref.readPhantom(e.header)
	return ref, nil
}

// readBody reads the phantom header and body. QUIRK: base64 and
// quoted-printable are prohibited for the part (RFC 2046 section 5.2.3), and
// Outlook uses base64.
func (e *entity) readBody(ref *Reference) error {
	r, body := e.r, e.body
	if f, ok := message.Lookup(e.header, "Content-Transfer-Encoding", 0); ok && !e.decoded {
		if enc := message.ParseEncoding(f.Value); enc.Hides() {
			b, err := decodeSpan(r, body, enc, e.maxHeader+maxPhantomBody)
			if err != nil {
				return err
			}
			ref.diag(DiagOuterEncoding, "")
			r, body = bytes.NewReader(b), message.Span{End: int64(len(b))}
		}
	}
	block, err := message.Split(r, body, message.Limits{HeaderBytes: e.maxHeader})
	if err != nil {
		return err
	}
	raw, err := message.ReadSpan(r, block.Header.First(e.maxHeader))
	if err != nil {
		return err
	}
	ref.Header = parseHeader(raw)
	switch {
	case len(ref.Header) == 0:
		ref.diag(DiagNoPhantomHeader, "")
	case block.Diag.Has(message.HeaderTooLong):
		ref.diag(DiagHeaderTooLong, "")
	case block.Diag.Has(message.MissingBlank):
		ref.diag(DiagMissingBlank, "")
	}
	if block.Diag.Has(message.MalformedField) {
		ref.diag(DiagMalformedField, "")
	}
	if s := block.Body.First(maxPhantomBody); s.Len() > 0 {
		text, err := message.ReadSpan(r, s)
		if err != nil {
			return err
		}
		ref.phantomBody = []byte(text)
	}
	return nil
}

// decisive has the parameters that say where the body is. If duplicates of one differ,
// two readers would go to different places (EB-8).
var decisive = []string{"access-type", "url", "uri", "site", "name", "server", "directory", "host", "port", "path"}

// readParams reads the parameters that any access type can have (RFC 2046
// section 5.2.3.1).
func (r *Reference) readParams(ct *param.Value) {
	for _, name := range decisive {
		if ct.Conflict(name) {
			r.diag(DiagConflict, name)
			if r.conflict == "" {
				r.conflict = name
			}
		}
	}
	access, _ := ct.Get("access-type")
	r.AccessType = strings.ToLower(strings.TrimSpace(access))
	if r.AccessType == "" {
		r.diag(DiagNoAccessType, "")
	}
	if v, ok := ct.Get("expiration"); ok {
		t, forgiven, err := date.Parse(v)
		switch {
		case err != nil:
			r.diag(DiagBadExpiration, "expiration")
		case forgiven:
			r.diag(DiagExpirationForm, "expiration")
			fallthrough
		default:
			r.Expiration = t
		}
	}
	if v, ok := ct.Get("size"); ok {
		// EB-27: an unsigned decimal.
		n, err := strconv.ParseUint(strings.TrimSpace(v), 10, 63)
		if err != nil || strings.HasPrefix(strings.TrimSpace(v), "+") {
			r.diag(DiagBadSize, "size")
		} else {
			r.Size = int64(n)
		}
	}
	if v, ok := ct.Get("permission"); ok {
		r.Permission = strings.ToLower(strings.TrimSpace(v))
		if r.Permission != "read" && r.Permission != "read-write" {
			r.diag(DiagBadPermission, "permission")
		}
	}
}

// readPhantom reads what the phantom header says. outer is the header of the part
// itself.
func (r *Reference) readPhantom(outer string) {
	r.MediaType = "text/plain"
	if v, ok := r.Header.lookup("Content-Type"); ok {
		ct := param.Parse(v)
		if isMediaType(ct.Type) {
			r.MediaType, r.typed = ct.Type, true
		} else {
			r.diag(DiagBadMediaType, "content-type")
		}
	}
	for i, name := range []string{"Content-Type", "Content-Transfer-Encoding", "Content-ID", "Content-MD5"} {
		if r.Header.count(name) > 1 {
			r.diag(DiagRepeatedField, strings.ToLower(name))
			if i == 3 && r.conflict == "" {
				r.conflict = "content-md5"
			}
		}
	}
	r.ContentID = message.ContentID(r.Header.Get("Content-ID"))
	if r.ContentID == "" {
		r.diag(DiagNoContentID, "")
		if f, ok := message.Lookup(outer, "Content-ID", 0); ok {
			// RFC 1873 section 2.2 puts it there.
			if r.ContentID = message.ContentID(f.Value); r.ContentID != "" {
				r.diag(DiagOuterContentID, "")
			}
		}
	}
	text, known := r.findCredential()
	r.Name = r.findName(text, known)
}

func (r *Reference) diag(code DiagCode, param string) {
	r.Diags = append(r.Diags, Diag{Code: code, Param: param})
}

// parseHeader splits a header block into its fields.
func parseHeader(raw string) Header {
	var h Header
	for f := range message.Fields(raw, 0) {
		if f.Name != "" {
			h = append(h, Field{f.Name, f.Text()})
		}
	}
	return h
}

// String identifies the Reference in one line that is fit for logs: its ID, access type
// and URL.
func (r *Reference) String() string {
	s := shown(r.AccessType)
	if s == "" {
		s = "no access type"
	}
	if u := r.redacted(); u != "" {
		s += " " + u
	}
	if r.ID == "" {
		return s
	}
	return fmt.Sprintf("%s: %s", r.ID, s)
}
