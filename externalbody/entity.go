package externalbody

import (
	"bytes"
	"errors"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"

	gomessage "github.com/emersion/go-message"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/link/redact"
	"github.com/go-extbody/extbody/internal/mime/date"
	"github.com/go-extbody/extbody/internal/mime/message"
	"github.com/go-extbody/extbody/internal/mime/param"
	"github.com/go-extbody/extbody/urlaccess"
)

// Read returns the Reference of e, a message/external-body part that a program found
// with go-message. It reads e.Body to its end, or to a limit.
//
// Read takes the parameters from the raw Content-Type field, because
// e.Header.ContentType loses them all when one is malformed. The ID of the Reference
// and the Section of its Origin are "", since e does not know where it is. An error is
// one of e.Body, or a [fetch.Error] of Kind Malformed if the entity is not a
// message/external-body.
//
// e does not hold the header of its message. A caller that has it sets the Sender of the
// Reference by the function [Sender].
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
// as in BODY[n.MIME] or BODY[HEADER] of IMAP. body is its body, or a start of it
// that holds the phantom header.
//
// The Reference keeps parts of header and body, and the caller must not change them
// afterwards. See [Read] for ID and errors.
func ReadRaw(header, body []byte) (*Reference, error) {
	return readRaw(string(header), body, false)
}

// ReadPart returns the Reference of a message/external-body part whose parameters are decoded
// already, as those of a BODYSTRUCTURE of IMAP or of a mail library are. params are the names
// and values of its Content-Type in any order; the type itself is not among them. part is its
// body without a transfer encoding, or a start of it that holds the phantom header.
//
// Names may be in any case. A name with an asterisk is a piece of a parameter by RFC 2231 that
// nobody has joined, which ReadPart does. A missing access-type is a Diag, as in a message.
//
// Prefer [ReadRaw] if the header of the part is at hand: servers cut parameters short, keep the
// last of two, and decode texts that are not encoded. The Reference keeps parts of part, and the caller
// must not change it afterwards. Its ID and the Section of its Origin are "".
func ReadPart(params iter.Seq2[string, string], part []byte) *Reference {
	ct := &param.Value{Type: externalBody}
	var pieces strings.Builder
	if params != nil {
		for name, value := range params {
			name = strings.ToLower(strings.TrimSpace(name))
			switch {
			case !strings.Contains(name, "*"):
				ct.Params = append(ct.Params, param.Param{Name: name, Value: value})
			case param.IsToken(value):
				pieces.WriteString("; " + name + "=" + value)
			default:
				pieces.WriteString("; " + name + `="` + quote.Replace(value) + `"`)
			}
		}
	}
	joined := param.Parse("message/external-body" + pieces.String())
	ct.Params = append(ct.Params, joined.Params...)
	ct.Diags = joined.Diags
	e := entity{r: bytes.NewReader(part), body: message.Span{End: int64(len(part))}, maxHeader: defaultHeaderBytes}
	ref, _ := e.referenceOf(ct) // reading octets that are at hand does not fail
	return ref
}

// quote escapes characters that a quoted string cannot have (RFC 2045 section 5.1).
var quote = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

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
	cut         bool   // contentType is only its start
	long        *longURL
	r           io.ReaderAt
	body        message.Span
	decoded     bool // an outer transfer encoding was undone already
	maxHeader   int64
	strict      bool
	diags       []Diag
	readable    func(name string) string // see source.readable; nil if the message is not known
	damaged     bool                     // mail programs may decode the body to other octets
}

// Errors are those that e.r returns.
func (e *entity) reference() (*Reference, error) { return e.referenceOf(param.Parse(e.contentType)) }

// referenceOf is reference for the parsed value of the Content-Type field.
func (e *entity) referenceOf(ct *param.Value) (*Reference, error) {
	ref := &Reference{
		ID:         e.section,
		Size:       -1,
		Permission: "read",
		Origins:    []Origin{{Section: e.section}},
		Diags:      append(e.diags, paramDiags(ct.Diags)...),
		strict:     e.strict,
	}
	ref.Params = paramsOf(ct)
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
	ref.readPhantom(e.header, e.readable)
	return ref, nil
}

// paramsOf returns the parameters of ct, the first of each name being the one that [param.Value.Get] prefers.
func paramsOf(ct *param.Value) Fields {
	out := make(Fields, 0, len(ct.Params))
	first := make(map[string]int)
	for i, p := range ct.Params {
		out = append(out, Field{p.Name, p.Value})
		if at, ok := first[p.Name]; !ok {
			first[p.Name] = i
		} else if p.Extended && !ct.Params[at].Extended {
			out[at], out[i] = out[i], out[at]
			first[p.Name] = i
		}
	}
	return out
}

// readBody reads the phantom header and body. QUIRK: base64 and
// quoted-printable are prohibited for the part (RFC 2046 section 5.2.3), and
// Outlook uses base64.
func (e *entity) readBody(ref *Reference) error {
	r := e.r
	body := e.body
	if f, ok := message.Lookup(e.header, "Content-Transfer-Encoding", 0); ok && !e.decoded {
		enc := message.ParseEncoding(f.Value)
		if enc == message.OtherEncoding {
			enc = message.MeantEncoding(f.Value)
		}
		if enc.Hides() {
			b, damaged, err := decodeSpan(r, body, enc, e.maxHeader+maxPhantomBody)
			if err != nil {
				return err
			}
			e.damaged = damaged
			ref.diag(diagOuterEncoding, "")
			r = bytes.NewReader(b)
			body = message.Span{End: int64(len(b))}
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
		ref.diag(diagNoPhantomHeader, "")
	case block.Diag.Has(message.HeaderTooLong):
		ref.diag(diagHeaderTooLong, "")
	case block.Diag.Has(message.MissingBlank):
		ref.diag(diagMissingBlank, "")
	}
	if block.Diag.Has(message.MalformedField) {
		ref.diag(diagMalformedField, "")
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

// decisive has the parameters that locate the body. If duplicates of one differ, two
// readers would go to different places (EB-8).
var decisive = []string{"access-type", "url", "uri", "site", "name", "server", "directory", "host", "port", "path"}

// readParams reads the parameters that any access type can have (RFC 2046
// section 5.2.3.1).
func (r *Reference) readParams(ct *param.Value) {
	access, _ := ct.Get("access-type")
	r.AccessType = strings.ToLower(strings.TrimSpace(access))
	for _, name := range decisive {
		if !ct.Conflict(name) {
			continue
		}
		if name == "name" && r.AccessType == "url" && ct.IsPair(name) {
			continue
		}
		r.diag(DiagConflict, name)
		if r.conflict == "" {
			r.conflict = name
		}
	}
	if r.AccessType == "" {
		r.diag(diagNoAccessType, "")
	} else if !param.IsToken(r.AccessType) {
		r.AccessType = ""
		r.diag(diagBadAccessType, "access-type")
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
		v = strings.ToLower(strings.TrimSpace(v))
		if v != "read" && v != "read-write" {
			r.diag(diagBadPermission, "permission")
		}
		if v != "" && !strings.ContainsFunc(v, notShown) {
			r.Permission = v
		}
	}
}

// readPhantom reads the facts in the phantom header. outer is the header of the part
// itself.
func (r *Reference) readPhantom(outer string, readable func(name string) string) {
	r.MediaType = "text/plain"
	if v, ok := r.Header.lookup("Content-Type"); ok {
		ct := param.Parse(v)
		if param.IsMediaType(ct.Type) {
			r.MediaType = ct.Type
			r.typed = true
		} else {
			r.diag(DiagBadMediaType, "content-type")
		}
	}
	for i, name := range []string{"Content-Type", "Content-Transfer-Encoding", "Content-ID", "Content-MD5", "Content-Disposition"} {
		if r.Header.count(name) > 1 {
			r.diag(DiagRepeatedField, strings.ToLower(name))
			if i == 3 && r.conflict == "" {
				r.conflict = "content-md5"
			}
		}
	}
	r.identify(r.Header.Get("Content-ID"))
	if r.ContentID == "" {
		r.diag(diagNoContentID, "")
		if f, ok := message.Lookup(outer, "Content-ID", 0); ok {
			// RFC 1873 section 2.2 puts it there.
			if r.identify(f.Value); r.ContentID != "" {
				r.diag(diagOuterContentID, "")
			}
		}
	}
	if v, ok := r.Param("url"); ok {
		r.analyzed = analyze(v, redact.Rules{})
	}
	r.noteNames()
	r.Name = r.findName(readable)
	if r.Name == "" {
		r.Name = terminal(r.urlName())
		if r.Name != "" {
			r.Claims = []string{"name"}
		}
	}
}

// noteNames records the names in the phantom header that other readers may read differently, as in the header of the
// part.
func (r *Reference) noteNames() {
	for _, f := range r.Header {
		attribute := ""
		switch {
		case strings.EqualFold(f.Name, "Content-Disposition"):
			attribute = "filename"
		case strings.EqualFold(f.Name, "Content-Type"):
			attribute = "name"
		default:
			continue
		}
		v := param.Parse(f.Value)
		if !v.Disputed(attribute) {
			continue
		}
		for _, d := range v.Diags {
			if d.Param == attribute {
				r.note(Diag{Code: DiagCode(d.Code), Param: attribute})
			}
		}
		if v.Conflict(attribute) {
			r.note(Diag{Code: DiagConflict, Param: attribute})
		}
	}
}

// identify sets ContentID to the value of a field, unless that has characters that are not
// printed.
func (r *Reference) identify(field string) {
	id := message.ContentID(field)
	if strings.ContainsFunc(id, notShown) {
		r.diag(diagBadContentID, "content-id")
		return
	}
	r.ContentID = id
}

// outerFields are the fields of a message/external-body part that must not be repeated:
// a reader who takes the last one would see something else.
var outerFields = []string{"content-type", "content-transfer-encoding", "content-id", "content-location"}

// readRepeated records fields of the part that are repeated with different values. Two
// Content-Type fields that lead to different places count as a conflict of two
// parameters in one field (EB-8).
func (r *Reference) readRepeated(header string) {
	first := make(map[string]string)
	for f := range message.Fields(header, 0) {
		name := strings.ToLower(f.Name)
		if !slices.Contains(outerFields, name) {
			continue
		}
		was, repeated := first[name]
		if !repeated {
			first[name] = f.Value
			continue
		}
		if sameWords(was, f.Value) {
			continue
		}
		r.note(Diag{Code: DiagConflict, Param: name})
		if name == "content-type" && r.conflict == "" && leadsElsewhere(param.Parse(was), param.Parse(f.Value)) {
			r.conflict = name
		}
	}
}

// sameWords reports whether two values of a field differ only in white space.
func sameWords(a, b string) bool { return slices.Equal(strings.Fields(a), strings.Fields(b)) }

// leadsElsewhere reports whether two Content-Type fields lead to different places, or
// only one of them leads anywhere.
func leadsElsewhere(a, b *param.Value) bool {
	if a.Type != b.Type {
		return true
	}
	return slices.ContainsFunc(decisive, func(name string) bool {
		v, inA := a.Get(name)
		w, inB := b.Get(name)
		if name == "access-type" {
			v = strings.ToLower(v)
			w = strings.ToLower(w)
		}
		return inA != inB || !sameWords(v, w)
	})
}

// readContentType reads the Content-Type of the part, in span. If it is longer than a
// header may be, it finds the start of each value, and the place of a data: URL.
func (e *entity) readContentType(span message.Span) error {
	if span.Len() > maxHeldField {
		begin, err := message.ReadSpan(e.r, span.First(maxURLHead))
		if err != nil {
			return err
		}
		value := message.Span{Start: span.Start + int64(strings.IndexByte(begin, ':')+1), End: span.End}
		s, err := param.Skim(message.NewErrReader(value.Reader(e.r)), maxHeldField)
		if err != nil {
			return err
		}
		e.long, err = e.longURL(value, s)
		if err != nil {
			return err
		}
		if e.long != nil || value.Len() > e.maxHeader {
			e.contentType = s.Field
			e.cut = e.long == nil
			return nil
		}
	}
	field, err := message.ReadSpan(e.r, span)
	e.contentType = message.FieldValue(field)
	return err
}

// longURL returns the data: URL that is the one long parameter of a field. It returns
// nil if the field has other long ones, or if a parser of the whole field would find
// another URL.
func (e *entity) longURL(span message.Span, s *param.Summary) (*longURL, error) {
	if s.Cut || len(s.Long) != 1 {
		return nil, nil
	}
	if s.Long[0] != "url" && s.Long[0] != "uri" {
		return nil, nil
	}
	l := &longURL{r: e.r, field: span, param: s.Long[0], octets: s.Octets}
	kept, _ := param.Parse(s.Field).Get(l.param)
	text, err := urlaccess.Decode(kept)
	if err != nil || len(text) < len("data:") || !strings.EqualFold(text[:len("data:")], "data:") {
		return nil, nil
	}
	src := message.NewErrReader(l.field.Reader(l.r))
	begin := make([]byte, len(kept))
	if _, err := io.ReadFull(param.NewValueReader(src, l.param), begin); src.Failure() != nil {
		return nil, src.Failure()
	} else if err != nil || string(begin) != kept {
		return nil, nil
	}
	head, _, _ := strings.Cut(text, ",")
	l.head = strings.Clone(head[:min(len(head), maxURLHead)])
	return l, nil
}

// shorten makes r the Reference of a URL that is not held.
func (r *Reference) shorten(l *longURL) {
	r.long = l
	for i, p := range r.Params {
		// The others must not keep all of the field in memory.
		r.Params[i] = Field{strings.Clone(p.Name), strings.Clone(p.Value)}
		if p.Name == l.param {
			r.Params[i].Value = l.head
		}
	}
	r.diag(DiagLongURL, l.param)
}
