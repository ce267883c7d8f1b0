package externalbody

import (
	"slices"
	"strings"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/mime/message"
)

// Ambiguous reports whether only some mail programs see the Reference, because they
// disagree about the structure of the message. It has DiagAmbiguous then. Rewriting leaves
// its part as it is.
func (r *Reference) Ambiguous() bool {
	return slices.ContainsFunc(r.Diags, func(d Diag) bool { return d.Code == DiagAmbiguous })
}

// readOtherwise reads the message as mail programs do that read its structure differently.
// It adds what only they see, and marks what only some see.
func (rd *reader) readOtherwise(s *source, size int64) error {
	m := rd.message
	tried := make(map[message.Reading]bool)
	pending := rd.index.Others()
	if len(pending) == 0 {
		return nil
	}
	m.refs = slices.Clone(m.refs)
	readings := 1
	seen := make(map[string]int) // the readings that have a Reference
	ids := make(map[string]bool)
	for _, ref := range m.refs {
		seen[ref.fingerprint()], ids[ref.ID] = 1, true
	}
	unread := m.unread
	var differs *message.Part
	for len(pending) > 0 {
		r := pending[0]
		if pending = pending[1:]; tried[r] {
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
		other := reader{opts: rd.opts, index: index, message: m, left: rd.left, texts: rd.texts}
		other.found.hosts = rd.found.hosts
		if err := other.readAll(s, index); err != nil {
			return err
		}
		rd.left, rd.texts = other.left, other.texts
		readings++
		pending = append(pending, index.Others()...)
		if differs == nil {
			differs = rd.index.Differs(index)
		}
		here := make(map[string]bool)
		for _, ref := range other.found.merged() {
			key := ref.fingerprint()
			if here[key] {
				continue
			}
			here[key] = true
			if seen[key]++; seen[key] > 1 {
				continue
			}
			if len(m.refs) >= rd.opts.MaxReferences {
				rd.exceed("MaxReferences", ref.part)
				break
			}
			for ids[ref.ID] {
				ref.ID += "~"
			}
			ids[ref.ID] = true
			m.refs = append(m.refs, ref)
		}
	}
	for _, ref := range m.refs {
		if seen[ref.fingerprint()] < readings {
			ref.diag(DiagAmbiguous, "")
			if differs == nil {
				differs = ref.part
			}
		}
	}
	m.unread = append(unread, slices.DeleteFunc(m.unread[len(unread):], func(p UnreadPart) bool { return slices.Contains(unread, p) })...)
	if differs != nil {
		rd.unread(differs, DiagAmbiguous, "")
	}
	return nil
}

// readAll reads the parts of index, another reading of the message in s.
func (rd *reader) readAll(s *source, index *message.Index) error {
	other := &source{r: s.r, parts: index.Parts, maxHeader: s.maxHeader, message: s.message}
	header, err := other.header(index.Root())
	if err != nil {
		return err
	}
	if rd.top = header; rd.texts != nil {
		rd.texts.plainParts, rd.texts.kept = rd.texts.plainParts[:0], rd.texts.kept[:0]
	}
	if err := rd.read(other); err != nil {
		return err
	}
	return rd.readMentions()
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
