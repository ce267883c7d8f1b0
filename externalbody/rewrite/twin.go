package rewrite

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"html"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/internal/mimescan"
)

// twin writes a multipart/alternative behind the fields in outer: a text for
// people, the same as HTML, and entity, which is best and hence last (RFC 2046
// section 5.1.4). The boundary is a digest of the three, by which twins knows
// them again. No line is one of the delimiters in around.
func twin(outer *header, entity []byte, ref *externalbody.Reference, where string, around []string) error {
	plain, rich := describe(ref, where)
	texts := []struct{ mediaType, text string }{{"text/plain", plain}, {"text/html", rich}}
	digest := newTwinDigest()
	var parts [][]byte
	for _, t := range texts {
		part, err := twinText(t.mediaType, t.text, outer.eol, around)
		if err != nil {
			return err
		}
		parts = append(parts, part)
	}
	parts = append(parts, bytes.TrimSuffix(entity, []byte(outer.eol)))
	for _, p := range parts {
		digest.Write(p)
		digest.end()
	}
	boundary := digest.boundary()
	outer.line(`Content-Type: multipart/alternative; boundary="` + boundary + `"`)
	outer.line("")
	for _, p := range parts {
		outer.line("--" + boundary)
		outer.line(string(p))
	}
	outer.line("--" + boundary + "--")
	return nil
}

// describe says in words where a body is, as text and as HTML. A name in a script
// that runs from right to left does not turn what is around it: it stands alone.
func describe(ref *externalbody.Reference, where string) (plain, rich string) {
	name := ref.Name
	if name == "" {
		name = "a part of type " + ref.MediaType
	}
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

// twinText returns an entity with a text. It is base64 if a name in it, folded,
// could be taken for a delimiter line.
func twinText(mediaType, text, eol string, around []string) ([]byte, error) {
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

// twinPrefix begins the boundaries of twins. With "=_" it is in no data that is
// quoted-printable or base64 (RFC 2045 section 6.7).
const twinPrefix = "=_extbody-twin-"

// A twinDigest computes the boundary of a twin from its parts. It is the same
// whatever the line ends are.
type twinDigest struct {
	dropCR           // into part
	part   hash.Hash // of the part that is being written
	parts  []byte    // the digests of those that have ended
}

func newTwinDigest() *twinDigest {
	h := sha256.New()
	return &twinDigest{dropCR: dropCR{w: h}, part: h}
}

// end ends a part.
func (d *twinDigest) end() {
	d.parts = d.part.Sum(d.parts)
	d.part.Reset()
}

func (d *twinDigest) boundary() string {
	sum := sha256.Sum256(d.parts)
	return twinPrefix + hex.EncodeToString(sum[:16])
}

// twins knows the twins that Externalize wrote from other parts, and from those
// that somebody changed.
type twins struct {
	r     io.ReaderAt
	known map[*mimescan.Part]bool
	buf   []byte
}

func newTwins(r io.ReaderAt) *twins { return &twins{r: r, known: make(map[*mimescan.Part]bool)} }

// around returns the twin that p is one of the parts of; nil if there is none.
func (t *twins) around(p *mimescan.Part) (*mimescan.Part, error) {
	q := p.Parent
	if q == nil || !strings.HasPrefix(q.Boundary, twinPrefix) {
		return nil, nil
	}
	is, ok := t.known[q]
	if !ok {
		var err error
		if is, err = t.is(q); err != nil {
			return nil, err
		}
		t.known[q] = is
	}
	if !is {
		return nil, nil
	}
	return q, nil
}

// is reports whether q is a twin as it was written: of three parts, nothing
// before, between or behind them, and the boundary that belongs to these.
func (t *twins) is(q *mimescan.Part) (bool, error) {
	if q.Type != "multipart/alternative" || q.Preamble.Len() > 0 || q.Close.Len() == 0 || q.Epilogue.Len() > 0 {
		return false, nil
	}
	types := []string{"text/plain", "text/html", externalBody}
	if t.buf == nil {
		t.buf = make([]byte, 32<<10)
	}
	digest := newTwinDigest()
	for p := range q.Children() {
		if len(types) == 0 || p.Type != types[0] {
			return false, nil
		}
		types = types[1:]
		if err := copySpan(digest, t.r, p.Entity(), t.buf); err != nil {
			return false, err
		}
		digest.end()
	}
	return len(types) == 0 && digest.boundary() == q.Boundary, nil
}
