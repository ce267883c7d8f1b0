package rewrite

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/base32"
	"fmt"
	"slices"
	"strings"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/internal/mime/mediatype"
	"github.com/go-extbody/extbody/internal/mime/message"
	"github.com/go-extbody/extbody/internal/mime/param"
	"github.com/go-extbody/extbody/urlaccess"
)

// defaultDomain is the right side of the Content-IDs that are made for bodies found by
// Dialects. It is reserved (RFC 2606 section 2).
const defaultDomain = "extbody.invalid"

// marks names the bodies that Dialects found by Content-IDs. By these a later run knows
// that the message has the bodies. They hold within one message: one within it has its
// own.
type marks struct {
	layout
	domain   string
	local    map[*externalbody.Reference]string // the left side for those without a Content-ID
	standard map[name][]*externalbody.Reference // by message, and access type and Content-ID, or its left side
	parts    *bearers
}

func newMarks(l layout, m *externalbody.Message, domain string, parts *bearers) (*marks, error) {
	k := &marks{
		layout:   l,
		domain:   domain,
		local:    make(map[*externalbody.Reference]string),
		standard: make(map[name][]*externalbody.Reference),
		parts:    parts,
	}
	n := &namer{layout: l, messageIDs: make(map[string]string), count: make(map[string]int)}
	for ref := range m.References() {
		if ref.Dialect == "" {
			k.addStandard(ref)
			continue
		}
		name, err := n.name(ref)
		if err != nil {
			return nil, err
		}
		k.local[ref] = name
	}
	return k, nil
}

// addStandard remembers a message/external-body part.
func (k *marks) addStandard(ref *externalbody.Reference) {
	if ref.ContentID == "" {
		return
	}
	for _, id := range []string{ref.ContentID, left(ref.ContentID)} {
		addBounded(k.standard, name{ref.MessageSection(), ref.AccessType + " " + id}, ref)
	}
}

// hasURL reports whether ref leads to a URL. One that does not, such as the mark of an
// attachment that was deleted, only marks its part as a reference.
func hasURL(ref *externalbody.Reference) bool {
	_, ok := ref.Param("url")
	return ok
}

// A namer makes the left sides of Content-IDs for references without a URL. Their ID is
// made of the section, and so changes with the parts before them. The namer counts them
// within their message instead.
type namer struct {
	layout
	messageIDs map[string]string // by the section of the message; "" if a transfer encoding hides it
	count      map[string]int
}

func (n *namer) name(ref *externalbody.Reference) (_ string, err error) {
	section := ref.MessageSection()
	if _, ok := n.messageIDs[section]; !ok {
		var id message.Field
		if message := n.message(ref); message != nil {
			id, err = lookup(n.r, message, "Message-ID")
			if err != nil {
				return "", err
			}
		}
		n.messageIDs[section] = id.Text()
	}
	if hasURL(ref) {
		// The section of a message within the message is left out: it changes with the
		// parts before.
		kind, id, _ := strings.Cut(ref.ID, "-")
		id, _, _ = strings.Cut(id, "-")
		return kind + "-" + id, nil
	}
	key := ref.Dialect + " " + ref.AccessType
	n.count[section+" "+key]++
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %d %s", key, n.count[section+" "+key], n.messageIDs[section]))
	return "body-" + strings.ToLower(base32.StdEncoding.EncodeToString(sum[:10])), nil
}

// contentID returns the Content-ID of a part that is added for ref. It is the one of the body if
// the reference has one that can be written.
func (k *marks) contentID(ref *externalbody.Reference) string {
	if id, ok := ownID(ref); ok {
		return id
	}
	return "<" + k.local[ref] + "@" + k.domain + ">"
}

// isHere reports whether the message has the body of ref or refers to it in the
// standard form. It sets in item the part that has its Content-ID. The domain that a
// Content-ID was made with does not matter. The part that holds the place of the body
// is not the body.
func (k *marks) isHere(item *Item, ref *externalbody.Reference) (bool, error) {
	key, own := k.key(ref)
	for _, s := range k.standard[name{ref.MessageSection(), ref.AccessType + " " + key}] {
		if k.same(ref, s, own) {
			item.StoodIn = s.ID
			return true, nil
		}
		item.Diags = append(item.Diags, externalbody.Diag{Code: diagSameID, Param: s.ID})
	}
	return k.parts.standIn(item, k.namesakes(ref), []*externalbody.Reference{ref})
}

// key returns the Content-ID of ref, or the left side of the one that is made for it.
func (k *marks) key(ref *externalbody.Reference) (key string, own bool) {
	if id, own := ownID(ref); own {
		return id, true
	}
	return k.local[ref], false
}

// namesakes returns the parts with the Content-ID of ref, except the one that holds its
// place.
func (k *marks) namesakes(ref *externalbody.Reference) []*bearer {
	key, own := k.key(ref)
	parts := k.parts.message[name{ref.MessageSection(), key}]
	if !own {
		return parts
	}
	part := k.partOf(ref)
	return slices.DeleteFunc(slices.Clone(parts), func(one *bearer) bool {
		return one.part == part || slices.ContainsFunc(
			ref.Origins, func(o externalbody.Origin) bool { return o.Section == one.part.Section() },
		)
	})
}

// holder returns the part that has the Content-ID of the reference and the octets that
// came; report is of that reference. A server can send another type or size than was
// announced. holder returns nil without such a part, or if no digest was computed.
func (k *marks) holder(report *externalbody.Report) (*bearer, error) {
	if report.SHA256 == nil {
		return nil, nil
	}
	isBody := func(f *form) bool { return bytes.Equal(f.hashes["sha-256"].Sum(nil), report.SHA256) }
	for _, one := range k.namesakes(report.Reference) {
		if err := one.read(k.parts.r); err != nil {
			return nil, err
		}
		if slices.ContainsFunc(one.forms, isBody) {
			return one, nil
		}
	}
	return nil, nil
}

// same reports whether a message/external-body part can refer to the body of ref. A
// Content-ID that was made of where ref leads belongs to the references that lead there.
func (k *marks) same(ref, standard *externalbody.Reference, own bool) bool {
	if hasURL(ref) && !own {
		return address(ref) == address(standard)
	}
	a := k.parts.promises(ref)
	b := k.parts.promises(standard)
	switch {
	case a.mediaType != "" && b.mediaType != octetStream && a.mediaType != b.mediaType:
		return false
	case a.size >= 0 && b.size >= 0 && a.size != b.size:
		return false
	}
	for name, sum := range a.digests {
		if other, ok := b.digests[name]; ok && !bytes.Equal(sum, other) {
			return false
		}
	}
	return true
}

// address returns the URL of a reference as it is asked for.
func address(ref *externalbody.Reference) string {
	v, _ := ref.Param("url")
	if text, err := urlaccess.Decode(v); err == nil {
		return text
	}
	return v
}

// ownID returns the Content-ID of a reference, and whether it can be written.
func ownID(ref *externalbody.Reference) (string, bool) {
	id := message.ContentID(ref.ContentID)
	isWord := isPrintable(id) && !strings.ContainsAny(id, " \t")
	return id, isWord && id != "" && len(id) < maxLine/2
}

// standardForm returns the values of a message/external-body part for ref, with that
// Content-ID, and with that disposition if it has a name. Its Header has the media type, the
// name, and those fields of the phantom header that are true of the body wherever it is. If
// nothing names the media type, it is the type of the extension of the name, and otherwise
// application/octet-stream.
func standardForm(ref *externalbody.Reference, id, disposition string) *externalbody.Reference {
	c := *ref
	c.Header = nil
	c.ContentID = id
	c.MediaType = cmp.Or(c.MediaType, mediatype.MediaType(c.Name))
	if c.MediaType == "" || ref.MediaType == "" && isComposite(c.MediaType) {
		c.MediaType = octetStream
	}
	if v := ref.Header.Get("Content-Type"); isPrintable(v) && param.Parse(v).Type == c.MediaType {
		c.Header = append(c.Header, externalbody.Field{Name: "Content-Type", Value: v})
	}
	if name := externalbody.FileName(c.Name); name != "" {
		name = strings.Join(param.Fold("filename", name, maxParam), "; ")
		c.Header = append(c.Header, externalbody.Field{Name: "Content-Disposition", Value: disposition + "; " + name})
	}
	for _, name := range []string{"Content-MD5", "Content-Description", "Content-Language"} {
		if v := ref.Header.Get(name); v != "" && isPrintable(v) {
			c.Header = append(c.Header, externalbody.Field{Name: name, Value: v})
		}
	}
	return &c
}

// isPrintable reports whether s can be the value of a field (RFC 5322 section 2.2).
func isPrintable(s string) bool {
	return !strings.ContainsFunc(s, func(c rune) bool { return c < ' ' && c != '\t' || c > '~' })
}
