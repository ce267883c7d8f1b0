package externalbody

import (
	"iter"
	"slices"
	"strings"

	"github.com/go-extbody/extbody/internal/mime/message"
)

// Alternatives yields the References of the message in message order, grouped by body.
// Each slice has the References that promise the same data by different ways. One
// success is enough for it; see [Resolver.Save].
//
// Parts of one multipart are grouped if they have the same Content-ID (RFC 2046 section
// 5.2.3.7) and say nothing of the data that could not be true of one body:
//
//   - They announce the same media type.
//   - Their SIZE, Content-MD5 and HASH, where they have one, are the same.
//   - Outside of a multipart/alternative their names, where they have one, are the
//     same. The last segment of a URL counts as a name if it has an extension.
//
// QUIRK: RFC 2046 wants such parts in a multipart/alternative; some mailers put them
// into a multipart/mixed. Others give one Content-ID to all files of a message, which
// are different bodies.
func (m *Message) Alternatives() iter.Seq[[]*Reference] {
	return slices.Values(m.bodies())
}

// Choices yields groups of bodies. Each body is a slice as in [Message.Alternatives]. A
// reader chooses one body of each group. The bodies of a group are the formats of a
// multipart/alternative. The best one is first; it is the last in the message (RFC 2046
// section 5.1.4).
//
// A body that has no other formats is a group by itself. So is every body found by a
// Dialect, because there the alternatives are the texts that mention it, not the
// body.
func (m *Message) Choices() iter.Seq[[][]*Reference] {
	var choices [][][]*Reference
	place := make(map[*message.Part]int)
	for _, body := range m.bodies() {
		parent := body[0].part.Parent
		if parent == nil || parent.Type != "multipart/alternative" || body[0].Dialect != "" {
			choices = append(choices, [][]*Reference{body})
			continue
		}
		i, ok := place[parent]
		if !ok {
			i = len(choices)
			place[parent] = i
			choices = append(choices, nil)
		}
		choices[i] = append(choices[i], body)
	}
	for _, c := range choices {
		slices.Reverse(c)
	}
	return slices.Values(choices)
}

// DefaultOrder returns the order in which Save tries mechanisms if [Resolver].Order is
// nil: first what is at hand, then what is verified and quick. mail-server is last,
// since it cannot complete at once (EB-34).
func DefaultOrder() []string {
	return []string{"content-id", "local-file", "afs", "data", "cid", "mid", "https", "http", "ftps", "ftp", "imaps", "imap", "tftp", "*", "mail-server"}
}

// order returns alts in the order in which they are tried.
func (r *Resolver) order(alts []*Reference) []*Reference {
	order := r.Order
	if order == nil {
		order = DefaultOrder()
	}
	others := slices.Index(order, "*")
	if others < 0 {
		others = len(order)
	}
	rank := func(ref *Reference) int {
		if i := slices.Index(order, ref.mechanism()); i >= 0 {
			return i
		}
		return others
	}
	sorted := slices.Clone(alts)
	slices.SortStableFunc(sorted, func(a, b *Reference) int { return rank(a) - rank(b) })
	return sorted
}

// mechanism returns the name of the Reference in an order: the scheme of a URL, "ftp"
// for anon-ftp, and otherwise the access type.
func (r *Reference) mechanism() string {
	switch r.AccessType {
	case "url", "x-http", "http":
		if loc, err := r.location(locateOptions{anySite: true}); err == nil {
			return strings.ToLower(loc.url.Scheme)
		}
	case "anon-ftp":
		return "ftp"
	}
	return r.AccessType
}
