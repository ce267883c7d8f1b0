package rewrite

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"html"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/internal/mime/message"
	"github.com/go-extbody/extbody/urlaccess"
)

// fallback writes a multipart/alternative after the fields in outer. It has a text for
// people, the same as HTML, and entity, which is the best and therefore last (RFC 2046
// section 5.1.4). The boundary is a digest of the three, so that none of them has it.
// No line is one of the delimiters in around.
func fallback(outer *header, entity []byte, ref *externalbody.Reference, where string, around []string) error {
	plain, rich := describe(ref, where)
	texts := []struct{ mediaType, text string }{{"text/plain", plain}, {"text/html", rich}}
	var parts [][]byte
	for _, t := range texts {
		part, err := fallbackText(t.mediaType, t.text, outer.eol, around)
		if err != nil {
			return err
		}
		parts = append(parts, part)
	}
	parts = append(parts, bytes.TrimSuffix(entity, []byte(outer.eol)))
	var sums []byte
	for _, p := range parts { // the same for all line ends
		sum := sha256.Sum256(bytes.ReplaceAll(p, []byte("\r"), nil))
		sums = append(sums, sum[:]...)
	}
	sum := sha256.Sum256(sums)
	boundary := fallbackPrefix + hex.EncodeToString(sum[:16])
	outer.line(`Content-Type: multipart/alternative; boundary="` + boundary + `"`)
	outer.line("")
	for _, p := range parts {
		outer.line("--" + boundary)
		outer.line(string(p))
	}
	outer.line("--" + boundary + "--")
	return nil
}

// describe puts in words where a body is, as text and as HTML. A name in a script that
// runs from right to left is isolated and does not change the direction of the text
// around it.
func describe(ref *externalbody.Reference, where string) (plain, rich string) {
	name := cmp.Or(ref.Name, "a part of type "+ref.MediaType)
	size := strconv.FormatInt(ref.Size, 10) + " octets"
	plain = fmt.Sprintf("%s\r\n%s\r\n%s", name, size, where)
	e := html.EscapeString
	rich = fmt.Sprintf("<p><a href=\"%s\"><bdi>%s</bdi></a> (%s)", e(where), e(name), size)
	if !ref.Expiration.IsZero() {
		until := "until " + ref.Expiration.UTC().Format(time.RFC1123)
		plain += "\r\n" + until
		rich += "<br>" + until
	}
	return plain + "\r\n", rich + "</p>\r\n"
}

// fallbackText returns an entity with a text. It is base64 if a name in it, when folded,
// could be taken for a delimiter line.
func fallbackText(mediaType, text, eol string, around []string) ([]byte, error) {
	c := coding{name: quotedPrintable, eol: eol}
	clash := newClashWriter(around)
	buf := make([]byte, 4<<10)
	if err := c.encode(clash, strings.NewReader(text), buf); err != nil {
		return nil, err
	}
	if clash.found {
		c.name = inBase64
	}
	h := &header{eol: eol}
	h.line("Content-Type: " + mediaType + "; charset=utf-8")
	h.line(encodingField + ": " + c.name)
	h.line("")
	b := bytes.NewBuffer(h.text)
	err := c.encode(b, strings.NewReader(text), buf)
	return b.Bytes(), err
}

// fallbackPrefix starts the boundaries of fallbacks. No quoted-printable or base64 data has its
// "=_" (RFC 2045 section 6.7).
const fallbackPrefix = "=_extbody-twin-"

// fallbacks finds the fallbacks that Externalize would write now, each from its other part. It
// does not matter who wrote them: a fallback has nothing that is not in its reference.
type fallbacks struct {
	layout
	refs  map[*message.Part]*externalbody.Reference // by the part that they are
	known map[*message.Part]*message.Part           // of around, by the multipart
}

func newFallbacks(l layout, m *externalbody.Message) *fallbacks {
	t := &fallbacks{
		layout: l, refs: make(map[*message.Part]*externalbody.Reference), known: make(map[*message.Part]*message.Part),
	}
	for ref := range m.References() {
		if p := t.partOf(ref); p != nil && ref.Dialect == "" {
			t.refs[p] = ref
		}
	}
	return t
}

// around returns the fallback that p is a part of, or nil if it is not part of one.
func (t *fallbacks) around(p *message.Part) (*message.Part, error) {
	q := p.Parent
	if q == nil || !strings.HasPrefix(q.Boundary, fallbackPrefix) {
		return nil, nil
	}
	if _, ok := t.known[q]; !ok {
		is, err := t.is(q)
		if err != nil {
			return nil, err
		}
		t.known[q] = nil
		if is {
			t.known[q] = q
		}
	}
	return t.known[q], nil
}

// maxFallback bounds the octets of a fallback. The phantom header has at most maxHeader, and
// nothing else is long.
const maxFallback = 2 * maxHeader

// is reports whether q equals, apart from line endings, the part that would be written
// for the reference in it. Line ends do not count, and neither do fields of the header
// that are not of the part itself.
func (t *fallbacks) is(q *message.Part) (bool, error) {
	if q.Entity().Len() > maxFallback || q.Close.Len() == 0 {
		return false, nil
	}
	if q.Preamble.Len() > 0 || q.Epilogue.Len() > 0 {
		return false, nil
	}
	ref := t.refs[q.Last()]
	if ref == nil || ref.AccessType != "url" {
		return false, nil
	}
	all, reason, err := fields(t.r, q)
	if reason != nil || err != nil {
		return false, err
	}
	field, _ := find(all, "Content-Type")
	isOther := func(f message.Field) bool {
		isLabel := strings.EqualFold(f.Name, encodingField) || f.Span == field.Span
		return isContent(f.Name) && !countsBody(f.Name) && !isLabel
	}
	if slices.ContainsFunc(all, isOther) {
		return false, nil
	}
	want, err := t.rewritten(q, ref)
	if want == nil || err != nil {
		return false, err
	}
	body, err := message.ReadSpan(t.r, message.Span{Start: q.Blank.Start, End: q.Entity().End})
	if err != nil {
		return false, local(err)
	}
	lf := strings.NewReplacer("\r\n", "\n").Replace
	return strings.TrimSuffix(lf(field.Raw+body), "\n") == strings.TrimSuffix(string(want), "\n"), nil
}

// rewritten returns the text that Externalize would write now instead of q for the body of its
// reference, with LF for line ends. It returns nil if it would write nothing.
func (t *fallbacks) rewritten(q *message.Part, ref *externalbody.Reference) ([]byte, error) {
	head, reason, err := t.phantomText(t.partOf(ref))
	if reason != nil || err != nil {
		return nil, err
	}
	all := slices.Collect(message.Fields(head, 0))
	ct, _ := find(all, "Content-Type")
	where, _ := ref.Param("url")
	where, err = urlaccess.Decode(where)
	if err != nil {
		return nil, nil
	}
	u, err := url.Parse(where)
	if err != nil {
		return nil, nil
	}
	c := &externalbody.Reference{
		AccessType: "url",
		Params:     []externalbody.Field{{Name: "url", Value: where}},
		MediaType:  ref.MediaType,
		Expiration: ref.Expiration,
		Size:       ref.Size,
	}
	c.Name, _ = announced(ct.Value, all)
	entity, err := stored(c, all, []byte(strings.ReplaceAll(head, "\r\n", "\n")), "\n")
	if err != nil {
		return nil, nil
	}
	outer := &header{eol: "\n"}
	if err := fallback(outer, entity, c, u.String(), boundaries(q)); err != nil {
		return nil, nil
	}
	return outer.text, nil
}
