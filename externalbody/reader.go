package externalbody

import (
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/go-extbody/extbody/internal/codec/multimatch"
	"github.com/go-extbody/extbody/internal/link/weburl"
	"github.com/go-extbody/extbody/internal/mailtext"
	"github.com/go-extbody/extbody/internal/mailtext/tnef"
	"github.com/go-extbody/extbody/internal/mime/message"
	"github.com/go-extbody/extbody/internal/mime/param"
	"github.com/go-extbody/extbody/internal/mime/smime"
	"github.com/go-extbody/extbody/urlaccess"
)

// A reader makes References of the parts of a message.
type reader struct {
	opts    OpenOptions
	index   *message.Index
	message *Message
	top     string // the header of the message
	left    int64  // octets that may still be decoded
	found   findings
	texts   *texts                   // nil until the first text is read
	bases   map[*message.Part]string // see base; made for the first
	files   map[*message.Part]file   // see opened; made for the first
	view    partView
	full    bool // MaxReferences was reached in a text
	held    *heldReader
}

// hold returns a reader of the message. If Dialects read texts and the message is small, it is in memory until
// [reader.release], so that each octet of it is read from its source once.
func (rd *reader) hold(r io.ReaderAt, size int64) io.ReaderAt {
	if size > smallText || !slices.ContainsFunc(rd.opts.Dialects, func(d Dialect) bool { return d.Text != nil }) {
		return r
	}
	t := rd.pooled()
	t.message = slices.Grow(t.message[:0], int(size))[:size]
	if n, _ := r.ReadAt(t.message, 0); n < len(t.message) {
		return r // the error is told where the octets are asked for
	}
	rd.held = &heldReader{r, t.message}
	return rd.held
}

// A heldReader is a message whose octets are also in memory, until octets is nil.
type heldReader struct {
	io.ReaderAt
	octets []byte
}

// ReadAt implements [io.ReaderAt].
func (h *heldReader) ReadAt(p []byte, off int64) (int, error) {
	if rest := int64(len(h.octets)) - off; off >= 0 && int64(len(p)) <= rest {
		return copy(p, h.octets[off:]), nil
	}
	return h.ReaderAt.ReadAt(p, off)
}

// exceedReferences records that a Reference in p was left out.
func (rd *reader) exceedReferences(p *message.Part) {
	rd.exceed("MaxReferences", int64(rd.opts.MaxReferences), p.Header.Start)
}

// add completes a Reference that a Dialect found in e. It adds it to the findings, or
// to the finding that leads to the same place.
func (rd *reader) add(d *Dialect, e *Entity, ref *Reference, section string) {
	f := &rd.found
	for i := range ref.Origins {
		ref.Origins[i].Section = section
	}
	ref.Dialect = d.Name
	ref.Name = terminal(e.source.readable(e.part, ref.Name))
	ref.dropUnprintable()
	ref.part = e.part
	ref.source = e.source
	ref.strict = rd.opts.Strict
	ref.findOwn(f.hosts)
	key := destinationIn(e.part, ref.destination(section))
	found := f.links[key]
	more := !ref.mention && (found == nil || !found.known)
	tooManyPlaces := f.places+len(ref.Origins) > placesPerReference*rd.opts.MaxReferences
	tooMany := more && f.known >= rd.opts.MaxReferences
	if tooManyPlaces || tooMany {
		rd.exceedReferences(e.part)
		rd.full = true
		return
	}
	if more {
		f.known++
	}
	if found == nil {
		found = &finding{key: key}
		if f.links == nil {
			f.links = make(map[destination]*finding)
		}
		f.links[key] = found
		f.bodies = append(f.bodies, found)
	}
	found.known = found.known || !ref.mention
	number := slices.IndexFunc(rd.opts.Dialects, func(o Dialect) bool { return o.Name == d.Name })
	for _, o := range ref.Origins {
		found.places = append(found.places, place{ref, o, f.number(e.part), number, rankOf(ref, e, o)})
	}
	f.places += len(ref.Origins)
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
	base, err = rd.base(s, around, header)
	if err == nil {
		if rd.bases == nil {
			rd.bases = make(map[*message.Part]string)
		}
		rd.bases[around] = base
	}
	return base, err
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
	body, damaged, err := decodeSpan(s.r, p.Body, p.Encoding, rd.left)
	if err != nil {
		return nil, err
	}
	if damaged {
		rd.disputed(p)
	}
	if int64(len(body)) > rd.left {
		rd.exceedDecoded(p)
		return nil, nil
	}
	rd.left -= int64(len(body))
	return body, nil
}

// noteUnread records a part if nothing can be read in it.
func (rd *reader) noteUnread(s *source, p *message.Part) {
	switch {
	case p.Body.Len() <= maxBlank && rd.bodyTaken(s, p):
		rd.unread(p, DiagMissingBody, "")
	case p.Body.Len() == 0:
		// A delimiter line of another multipart ended the header, and the parts may follow it.
		if p.Diag.Has(message.NoParts) && p.Parent != nil && p.Blank.Len() == 0 {
			rd.unread(p, DiagAmbiguous, "")
		}
	case p.Type == "message/partial":
		contentType, _ := s.contentType(p)
		id, _ := contentType.Get("id")
		rd.unread(p, DiagPartialMessage, id)
	case p.Type == "multipart/encrypted":
		rd.unread(p, DiagEncrypted, "")
	case p.Disputed() && rd.wouldRead(p.Type):
		rd.disputed(p)
	case p.Encoding == message.OtherEncoding && rd.wouldRead(p.Type):
		if name := s.encodingName(p); strings.HasPrefix(name, "x-") || strings.HasPrefix(name, "uu") { // it is private
			rd.unread(p, DiagUnknownEncoding, name)
		}
	case p.Diag.Has(message.BadBoundary), p.Diag.Has(message.NoParts):
		rd.noteEmpty(s.r, p, p)
	}
}

// noteEmpty records p, a multipart that turned out to have no part, if text is in it: some mail programs show that.
// found is p as it was scanned in r.
func (rd *reader) noteEmpty(r io.ReaderAt, p, found *message.Part) {
	before := found.Body
	if !found.Diag.Has(message.BadBoundary) {
		before.End = found.Close.Start
	}
	for _, span := range []message.Span{before, found.Epilogue} {
		start, err := message.ReadSpan(r, span.First(maxHeldField))
		if err != nil || span.Len() > maxHeldField || strings.TrimSpace(start) != "" {
			rd.unread(p, DiagAmbiguous, "")
			return
		}
	}
}

// noteArmor records a message of OpenPGP, unless the part around it was recorded as an encrypted one.
func (rd *reader) noteArmor(s *source, p *message.Part) {
	if around := s.parent(p); around == nil || around.Type != "multipart/encrypted" {
		rd.unread(p, DiagEncrypted, "")
	}
}

// disputed records a part that mail programs decode to different octets, once.
func (rd *reader) disputed(p *message.Part) {
	if !rd.isDisputed(p) {
		rd.unread(p, DiagDecoding, "")
	}
}

// isDisputed reports whether disputed was called for the part of the section of p.
func (rd *reader) isDisputed(p *message.Part) bool {
	return slices.Contains(rd.message.unread, UnreadPart{p.Section(), rd.declaredType(p), DiagDecoding, ""})
}

// maxBlank bounds the line ends that may be left of a body that was taken out.
const maxBlank = 4

// bodyTaken reports whether p has nothing but line ends for a body, and a field says that it had one: the size
// that Apple Mail notes, the size of the file (RFC 2183 section 2.7), or the mark of Exchange.
func (rd *reader) bodyTaken(s *source, p *message.Part) bool {
	header, err := s.header(p)
	if err != nil {
		return false
	}
	kept, _ := message.Lookup(header, "X-Apple-Content-Length", 0)
	disposition, _ := message.Lookup(header, "Content-Disposition", 0)
	size, _ := param.Parse(disposition.Text()).Get("size")
	excluded, _ := message.Lookup(header, "MS-Blob-Excluded", 0)
	if !isPositive(kept.Text()) && !isPositive(size) && !isPositive(excluded.Text()) {
		return false
	}
	body, err := message.ReadSpan(s.r, p.Body)
	return err == nil && strings.TrimSpace(body) == ""
}

// isPositive reports whether text is a number above 0.
func isPositive(text string) bool {
	n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
	return err == nil && n > 0
}

// note records the things in e that Dialects could not look into, once for all Dialects.
func (rd *reader) note(e *Entity) {
	for _, u := range e.unread {
		if !slices.Contains(rd.message.unread, u) {
			rd.message.unread = append(rd.message.unread, u)
		}
	}
}

func (rd *reader) unread(p *message.Part, why DiagCode, detail string) {
	detail = strings.Clone(detail[:min(len(detail), maxDetail)])
	rd.message.unread = append(rd.message.unread, UnreadPart{p.Section(), rd.declaredType(p), why, detail})
}

// A file is a part that is read by its name, or in a text.
type file struct {
	as       string // the media type by which it is read
	declared string // the media type of the part
}

// addFile records that p is read as a file.
func (rd *reader) addFile(p *message.Part, f file) {
	if rd.files == nil {
		rd.files = make(map[*message.Part]file)
	}
	rd.files[p] = f
}

// declaredType returns the media type of p in the message.
func (rd *reader) declaredType(p *message.Part) string {
	if f, ok := rd.files[p]; ok {
		return f.declared
	}
	return p.Type
}

// wouldRead reports whether the body of a part of that type is read.
func (rd *reader) wouldRead(mediaType string) bool {
	isContainer := message.IsMultipart(mediaType) || message.IsMessage(mediaType) || smime.IsMediaType(mediaType)
	if isContainer || mediaType == externalBody {
		return true
	}
	return len(rd.opts.Dialects) > 0 && (hasLinks(mediaType) || tnef.IsMediaType(mediaType))
}

// pooled returns the texts, which it takes from the pool when they are first asked for.
func (rd *reader) pooled() *texts {
	if rd.texts == nil {
		rd.texts = textPool.Get().(*texts)
	}
	return rd.texts
}

// release returns the texts to the pool. It keeps nothing of the message alive.
func (rd *reader) release() {
	if rd.held != nil {
		rd.held.octets = nil
	}
	if t := rd.texts; t != nil {
		clear(t.plainParts)
		clear(t.names)
		t.plainParts = t.plainParts[:0]
		t.prepared = false
		t.source.Octets = nil
		t.source.Reader = nil
		params := t.params.Params[:cap(t.params.Params)]
		clear(params)
		t.opened = textBody{}
		t.params = param.Value{Params: params[:0]}
		textPool.Put(t)
	}
}

// maxPrefix bounds how much of a body is compared with the Prefixes of Dialects.
const maxPrefix = 128

// A partView is a part as the Dialects see it. It is used for one part after the other.
type partView struct {
	p      *message.Part
	s      *source
	header string
	names  []string // of the fields
}

// starts reports whether the body of the part, which is not encoded, starts with one of
// prefixes.
func (v *partView) begins(prefixes []string) (bool, error) {
	if len(prefixes) == 0 || v.p.Encoding != message.Identity || message.IsMultipart(v.p.Type) {
		return false, nil
	}
	text, err := message.ReadSpan(v.s.r, v.p.Body.First(maxPrefix))
	text = strings.TrimLeft(text, " \t\r\n")
	return slices.ContainsFunc(prefixes, func(s string) bool {
		return len(s) <= len(text) && strings.EqualFold(text[:len(s)], s)
	}), err
}

// has reports whether the header has one of these fields.
func (v *partView) has(fields []string) bool {
	for _, got := range v.names {
		for _, name := range fields {
			if len(name) == len(got) && strings.EqualFold(name, got) {
				return true
			}
		}
	}
	return false
}

// isNamed reports whether the file name of the part has one of these extensions.
func (v *partView) isNamed(extensions []string) bool {
	if len(extensions) == 0 || message.IsMultipart(v.p.Type) {
		return false
	}
	return message.HasExtension(message.FileNames(v.header), extensions)
}

// reads reports whether d.Read is to be called for a part.
func (d *Dialect) reads(v *partView) (bool, error) {
	if d.Read == nil {
		return false, nil
	}
	if slices.Contains(d.Types, v.p.Type) || v.has(d.Fields) || v.isNamed(d.Extensions) {
		return true, nil
	}
	return v.begins(d.Prefixes)
}

// standard adds the Reference that a message/external-body part is.
func (f *findings) standard(rd *reader, ref *Reference) {
	if f.known >= rd.opts.MaxReferences {
		rd.exceedReferences(ref.part)
		return
	}
	f.known++
	ref.analyzeOwn(f.hosts)
	f.bodies = append(f.bodies, &finding{known: true, places: []place{{ref: ref, origin: ref.Origins[0], part: f.number(ref.part)}}})
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

// maxTNEF bounds the texts of a winmail.dat, in octets. They may be compressed there.
const maxTNEF = 16 << 20

// hasLinks reports whether parts of that type are texts in which Dialects look for links.
func hasLinks(mediaType string) bool {
	return mailtext.IsHTML(mediaType) || mailtext.IsPlain(mediaType)
}

const (
	// smallText bounds the body of a text that is decoded into memory once. A longer
	// one is decoded in pieces, and decoded again if its tokens are wanted.
	smallText = 256 << 10

	// textPiece is how much of a long text is decoded at a time.
	textPiece = 64 << 10
)

// A textBody is the body of a text part. It is in memory if it is small.
type textBody struct {
	textPart
	params *param.Value // of its Content-Type
	label  string       // of its charset
	small  []byte
	long   bool
	err    error

	decoded  io.Reader // the decoder of a long one, without charset
	disputed bool      // programs disagree about the charset
	damaged  bool      // programs may decode the transfer encoding to other octets
	armored  bool      // a message of OpenPGP is in it
}

// texts is the state of reading the texts of a message.
type texts struct {
	names  []string    // of the fields of the part that is read
	opened textBody    // the text that was opened last
	params param.Value // of its Content-Type

	prepared   bool            // for the current message
	lists      [][]string      // of Hints, of each Dialect
	first      []int           // the index in set of each of lists
	set        *multimatch.Set // of all Hints; may be nil
	html       *multimatch.Search
	plain      *multimatch.Search
	broken     *multimatch.Search // of links that are broken over lines
	hidden     weburl.HiddenHost  // in the text that was searched last
	message    []byte             // that is held; see reader.hold
	body, text []byte             // buffers
	breaks     mailtext.Breaks
	seeBreak   func(joined []byte, seams []int) // sawBreak
	seeLink    func(*mailtext.Token)            // sawLink
	source     mailtext.Source                  // of one text after the other, which share a window

	plainParts []textPart // the ones that were seen and may hold a URL
}

// isFor reports whether the Set has the Hints of these Dialects.
func (t *texts) isFor(dialects []Dialect) bool {
	return slices.EqualFunc(t.lists, dialects, func(list []string, d Dialect) bool {
		hints := d.textHints()
		if len(hints) != len(list) {
			return false
		}
		return len(list) == 0 || &hints[0] == &list[0] || slices.Equal(hints, list)
	})
}

// wants reports whether a Dialect has a Hint in the searched text, or may have one there
// that is written with character references, or as a host in other letters.
func (t *texts) wants(dialect int, search *multimatch.Search) bool {
	first := t.first[dialect]
	n := len(t.lists[dialect])
	if n == 0 {
		return false
	}
	if t.hidden.Found || search == t.html && search.Reference() {
		return true
	}
	for i := first; i < first+n; i++ {
		if search.Found(i) || search == t.plain && t.broken.Found(i) {
			return true
		}
	}
	return false
}

// textPool keeps the buffers of one message for the next.
var textPool = sync.Pool{New: func() any { return new(texts) }}

// A textPart is a text part of a source.
type textPart struct {
	s *source
	p *message.Part

	// wide is true if the text was converted to UTF-8, for example from UTF-16. References
	// in it have the place of the whole part, because places in the UTF-8 are not places in
	// the part.
	wide bool

	// file is true if no rewriting changes the part: it is a text by its file name alone, or a file within a text.
	file bool
}
