package externalbody

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/mime/message"
)

// A saveError is the error of a Save for which several alternatives failed. The first
// of its errors is the most useful one. The others are in the order in which they were
// tried.
type saveError struct{ failures []Failure }

// Error returns the text of the first error. For some of the others it adds the URL, or
// the access type, and the Kind.
func (e *saveError) Error() string {
	var b strings.Builder
	b.WriteString(e.failures[0].Err.Error())
	for i, other := range e.failures[1:] {
		separator := "; "
		if i == 0 {
			separator = " (other ways: "
		}
		b.WriteString(separator)
		if i == maxOthers {
			fmt.Fprintf(&b, "%d more", len(e.failures)-1-maxOthers)
			break
		}
		b.WriteString(other.brief())
	}
	b.WriteByte(')')
	return b.String()
}

// Unwrap returns all errors.
func (e *saveError) Unwrap() (errs []error) {
	for _, f := range e.failures {
		errs = append(errs, f.Err)
	}
	return errs
}

// maxOthers bounds how many errors besides the first are in the text of a saveError.
const maxOthers = 3

// newSaveError returns the error of a Save from its failures. An error that ended the
// Save comes first, then one that is Pending, then one that is transient, then the
// first.
func newSaveError(failures []Failure, ended bool) error {
	most := len(failures) - 1
	if !ended {
		most = mostUseful(failures)
	}
	if len(failures) == 1 {
		return failures[0].Err
	}
	return &saveError{slices.Concat(failures[most:most+1], failures[:most], failures[most+1:])}
}

func mostUseful(failures []Failure) int {
	transient := 0
	for i, f := range failures {
		switch kind := fetch.KindOf(f.Err); {
		case kind == fetch.Pending:
			return i
		case kind.Transient() && !fetch.KindOf(failures[transient].Err).Transient():
			transient = i
		}
	}
	return transient
}

// brief describes the failure of an alternative in a few words.
func (f Failure) brief() string {
	if e, ok := errors.AsType[*fetch.Error](f.Err); ok && e.URL != "" {
		return e.URL + ": " + e.Kind.Error()
	}
	return cmp.Or(shown(f.Reference.AccessType), "no access type") + ": " + fetch.KindOf(f.Err).Error()
}

// Alternatives are References that promise the same data by different ways, as
// [Message.Alternatives] yields them. One success is enough for all of them.
type Alternatives []*Reference

// String returns the lines of the References, in one line that is fit for logs.
func (a Alternatives) String() string {
	var each []string
	for _, ref := range a {
		each = append(each, fmt.Sprint(ref))
	}
	return strings.Join(each, "; ")
}

// Alternatives yields the References of the message in message order, grouped by body.
// Resolver.Save takes one of the groups.
//
// Parts of one multipart are grouped if they have the same Content-ID (RFC 2046 section
// 5.2.3.7) and all their facts can be true of one body:
//
//   - They announce the same media type.
//   - Their SIZE, Content-MD5 and HASH, where they have one, are the same.
//   - Outside of a multipart/alternative their names, where they have one, are the
//     same. The last segment of a URL counts where it is the [Reference].Name.
//
// QUIRK: RFC 2046 wants such parts in a multipart/alternative; some mailers put them
// into a multipart/mixed. Others give one Content-ID to all files of a message, which
// are different bodies.
func (m *Message) Alternatives() iter.Seq[Alternatives] { return slices.Values(m.bodies()) }

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

// mechanisms is the order in which alternatives are tried: first bodies at hand, then
// mechanisms that verify the server. A mechanism that is not in it counts as "*".
// mail-server is last, since it cannot complete in one go (EB-34).
var mechanisms = []string{
	"content-id", "local-file", "afs", "data", "cid", "mid", "https", "http", "ftps", "ftp", "imaps", "imap", "tftp", "*", "mail-server",
}

// inOrder returns alts in the order in which they are tried.
func inOrder(alts []*Reference) []*Reference {
	rank := func(ref *Reference) int {
		if i := slices.Index(mechanisms, ref.mechanism()); i >= 0 {
			return i
		}
		return slices.Index(mechanisms, "*")
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
