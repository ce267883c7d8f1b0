package rewrite

import (
	"crypto/sha256"
	"encoding/base32"
	"fmt"
	"io"
	"strings"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/internal/filetype"
	"github.com/go-extbody/extbody/internal/mimeparam"
	"github.com/go-extbody/extbody/internal/mimescan"
)

// defaultDomain is the right side of the Content-IDs that are made for bodies
// that Dialects found. It is nobody's (RFC 2606 section 2).
const defaultDomain = "extbody.invalid"

// marks names the bodies that Dialects found by Content-IDs, by which a later run
// knows that the message has them.
type marks struct {
	domain   string
	local    map[*externalbody.Reference]string // the left side for those without a Content-ID
	standard map[string]bool                    // by access type and Content-ID, or its left side
	parts    map[string]map[*mimescan.Part]bool // those that are no references, in the same way
}

func newMarks(r io.ReaderAt, m *externalbody.Message, domain string) (*marks, error) {
	k := &marks{
		domain:   domain,
		local:    make(map[*externalbody.Reference]string),
		standard: make(map[string]bool),
		parts:    make(map[string]map[*mimescan.Part]bool),
	}
	index, _ := m.Index()
	head, err := mimescan.ReadSpan(r, index.Root().Header.First(maxHeader))
	if err != nil {
		return nil, local(err)
	}
	id, _ := mimescan.Lookup(head, "Message-ID", 0)
	n := &namer{message: strings.TrimSpace(unfold(id.Value)), count: make(map[string]int)}
	for ref := range m.References() {
		if ref.Dialect == "" {
			k.standard[ref.AccessType+" "+ref.ContentID] = true
			k.standard[ref.AccessType+" "+left(ref.ContentID)] = true
			continue
		}
		k.local[ref] = n.name(ref)
	}
	add := func(key string, p *mimescan.Part) {
		if k.parts[key] == nil {
			k.parts[key] = make(map[*mimescan.Part]bool)
		}
		k.parts[key][p] = true
	}
	err = contentIDs(r, index, func(p *mimescan.Part, id string) {
		if id != "" {
			add(id, p)
			add(left(id), p)
		}
	})
	return k, err
}

// hasURL reports whether ref leads to a URL. One that does not, such as the mark of
// an attachment that was deleted, says of its part that it is a reference.
func hasURL(ref *externalbody.Reference) bool {
	_, ok := ref.Param("url")
	return ok
}

// A namer makes the left sides of Content-IDs for references without a URL, whose ID
// is made of the section and so changes with the parts before. It counts them.
type namer struct {
	message string // its Message-ID
	count   map[string]int
}

func (n *namer) name(ref *externalbody.Reference) string {
	if hasURL(ref) {
		return ref.ID
	}
	key := ref.Dialect + " " + ref.AccessType
	n.count[key]++
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %d %s", key, n.count[key], n.message))
	return "body-" + strings.ToLower(base32.StdEncoding.EncodeToString(sum[:10]))
}

// contentID returns the Content-ID of what is added for ref: that of the body, if
// its reference has one that can be written.
func (k *marks) contentID(ref *externalbody.Reference) string {
	if id, ok := ownID(ref); ok {
		return id
	}
	return "<" + k.local[ref] + "@" + k.domain + ">"
}

// isHere reports whether the message has the body of ref, or refers to it in the
// standard form. Whatever the domain was that its Content-ID was made with, it is
// the same. The part that holds the place of the body is not the body.
func (k *marks) isHere(ref *externalbody.Reference) bool {
	key, own := ownID(ref)
	if !own {
		key = k.local[ref]
	}
	if k.standard[ref.AccessType+" "+key] {
		return true
	}
	if !own {
		return len(k.parts[key]) > 0
	}
	for p := range k.parts[key] {
		place := p == ref.Part()
		for _, o := range ref.Origins {
			place = place || o.Section == p.Section()
		}
		if !place {
			return true
		}
	}
	return false
}

// ownID returns the Content-ID of a reference, and whether it is one that can be
// written.
func ownID(ref *externalbody.Reference) (string, bool) {
	id := contentID(ref.ContentID)
	return id, id != "" && len(id) < maxLine/2 && isPrintable(id) && !strings.ContainsAny(id, " \t")
}

// left returns the left side of a Content-ID in angle brackets.
func left(id string) string {
	id, _, _ = strings.Cut(strings.TrimPrefix(id, "<"), "@")
	return id
}

// standardForm returns what a message/external-body part for ref is written from,
// with that Content-ID. Its Header has the media type, by the name if nothing else
// says it, application/octet-stream if none is known, the name, and those fields of the phantom header that hold for the
// body wherever it is.
func standardForm(ref *externalbody.Reference, id string) *externalbody.Reference {
	c := *ref
	c.Header = nil
	c.ContentID = id
	if c.MediaType == "" {
		c.MediaType = filetype.MediaType(c.Name)
	}
	if c.MediaType == "" || ref.MediaType == "" && isComposite(c.MediaType) {
		c.MediaType = octetStream
	}
	if v := ref.Header.Get("Content-Type"); isPrintable(v) && mimeparam.IsType(v, c.MediaType) {
		c.Header = append(c.Header, externalbody.Field{Name: "Content-Type", Value: v})
	}
	if name := externalbody.FileName(c.Name); name != "" {
		param := string(mimeparam.AppendParam(nil, "filename", name))
		c.Header = append(c.Header, externalbody.Field{Name: "Content-Disposition", Value: "attachment; " + param})
	}
	for _, name := range []string{"Content-MD5", "Content-Description", "Content-Language"} {
		if v := ref.Header.Get(name); v != "" && isPrintable(v) {
			c.Header = append(c.Header, externalbody.Field{Name: name, Value: v})
		}
	}
	return &c
}

// isPrintable reports whether a field can have s as its value (RFC 5322 section
// 2.2).
func isPrintable(s string) bool {
	return !strings.ContainsFunc(s, func(c rune) bool { return c < ' ' && c != '\t' || c > '~' })
}
