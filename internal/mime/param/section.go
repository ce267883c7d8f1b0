package param

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"strings"

	"github.com/go-extbody/extbody/internal/codec/ascii"
	"github.com/go-extbody/extbody/internal/codec/charset"
	"github.com/go-extbody/extbody/internal/codec/percent"
)

// splitName splits a name from its RFC 2231 suffix. A name with another asterisk is
// plain and returned whole: RFC 2231 section 7 allows no empty attribute.
func splitName(raw string) (name string, number int32, f form) {
	i := strings.IndexByte(raw, '*')
	if i <= 0 {
		return raw, 0, plain
	}
	base := raw[:i]
	suffix := raw[i+1:]
	if suffix == "" {
		return base, 0, encoded
	}
	f = section
	if digits, ok := strings.CutSuffix(suffix, "*"); ok {
		f = encodedSection
		suffix = digits
	}
	number, ok := sectionNumber(suffix)
	if !ok {
		return raw, 0, plain
	}
	return base, number, f
}

// sectionNumber parses a decimal number. Larger numbers become math.MaxInt32, because a
// field cannot have all sections before them. QUIRK: RFC 2231 section 7 allows no leading
// zeros, and some senders write them.
func sectionNumber(s string) (n int32, ok bool) {
	if s == "" {
		return 0, false
	}
	for i := range len(s) {
		c := s[i]
		if !ascii.IsDigit(c) {
			return 0, false
		}
		n = int32(min(int64(n)*10+int64(c-'0'), math.MaxInt32))
	}
	return n, true
}

// join decodes the parameters in RFC 2231 form and joins their sections.
func (p *parser) join() {
	params := p.v.Params
	var sections []int
	for i := range params {
		switch p.mark(i).form {
		case encoded:
			params[i] = p.decode([]int{i})
		case section, encodedSection:
			sections = append(sections, i)
		}
	}
	// RFC 2231 section 3: the order of the fields does not matter.
	slices.SortFunc(sections, func(a, b int) int {
		return cmp.Or(
			strings.Compare(params[a].Name, params[b].Name),
			cmp.Compare(p.mark(a).number, p.mark(b).number),
			cmp.Compare(a, b))
	})
	for len(sections) > 0 {
		name := params[sections[0]].Name
		n := 1
		for n < len(sections) && params[sections[n]].Name == name {
			n++
		}
		p.joinSections(name, sections[:n])
		sections = sections[n:]
	}

	n := 0
	for i := range params {
		if p.mark(i).form != dropped {
			params[n] = params[i]
			*p.mark(n) = *p.mark(i)
			n++
		}
	}
	clear(params[n:])
	p.v.Params = params[:n]
}

// joinSections makes one Param of a group of sections, which must be sorted by
// number. If sections of the same number differ, it makes a second Param, so that the
// parameter occurs twice.
func (p *parser) joinSections(name string, group []int) {
	chosen, other, differ := p.choose(name, group)
	var joined, second Param
	if len(chosen) > 0 {
		joined = p.decode(chosen)
	}
	if differ >= 0 {
		second = p.decode(other)
	}
	for _, i := range group {
		p.mark(i).form = dropped
	}
	if len(chosen) > 0 {
		p.place(joined, slices.Min(chosen))
	}
	if differ >= 0 {
		p.place(second, differ)
	}
}

// place stores a joined parameter as Param i.
func (p *parser) place(param Param, i int) {
	p.v.Params[i] = param
	p.mark(i).form = section
}

// choose returns the sections from number 0 to the first gap. Of several sections
// with the same number, chosen has the first. other has the first that differs from
// it, or the same one. differ is the differing section that comes first in the field,
// or -1.
func (p *parser) choose(name string, group []int) (chosen, other []int, differ int) {
	differ = -1
	i := 0
	for i < len(group) && p.mark(group[i]).number == int32(len(chosen)) {
		first := group[i]
		alt := group[i]
		for i++; i < len(group) && p.mark(group[i]).number == p.mark(first).number; i++ {
			next := group[i]
			if alt != first || p.sameSection(first, next) {
				p.diagFor(Duplicate, name, p.mark(next).offset)
				continue
			}
			// Its name shows that it is a duplicate.
			alt = next
			if differ < 0 || alt < differ {
				differ = alt
			}
		}
		chosen = append(chosen, first)
		other = append(other, alt)
	}
	if i < len(group) {
		// RFC 2231 section 3 allows no gaps.
		p.diagFor(SectionGap, name, p.mark(group[i]).offset)
	}
	return chosen, other, differ
}

func (p *parser) sameSection(i, j int) bool {
	return p.v.Params[i].Value == p.v.Params[j].Value && p.mark(i).encoded() == p.mark(j).encoded()
}

// decode returns the Param that consists of the given sections, in that order.
func (p *parser) decode(sections []int) Param {
	params := p.v.Params
	first := sections[0]
	out := Param{Name: params[first].Name, Value: params[first].Value, Extended: true}

	if p.mark(first).encoded() {
		// RFC 2231 section 4.1: only the first section has a charset.
		if label, language, rest, ok := cutCharset(out.Value); ok && isCharset(label, language) {
			out.Charset = label
			out.Language = language
			out.Value = rest
		} else {
			p.diagFor(MissingCharset, out.Name, p.mark(first).offset)
		}
	}
	if len(sections) > 1 || p.mark(first).encoded() && strings.Contains(out.Value, "%") {
		size := len(out.Value)
		for _, i := range sections[1:] {
			size += len(params[i].Value)
		}
		dst := p.appendSection(make([]byte, 0, size), out.Value, first)
		for _, i := range sections[1:] {
			dst = p.appendSection(dst, params[i].Value, i)
		}
		out.Value = string(dst)
	}
	for _, i := range sections {
		if p.mark(i).encoded() && p.mark(i).quoted {
			p.diagFor(QuotedSection, out.Name, p.mark(i).offset)
		}
	}
	if out.Charset != "" { // else the charset is not known, and the value stays unchanged
		value, err := charset.Text(out.Charset, out.Value)
		switch {
		case errors.Is(err, charset.ErrUnknown):
			p.diagFor(UnknownCharset, out.Name, p.mark(first).offset)
		case err != nil:
			p.diagFor(BadCharset, out.Name, p.mark(first).offset)
		}
		out.Value = value
	}
	return out
}

// cutCharset splits an encoded value into the charset, the language and the text. Both quotes between them are
// required, also if the charset and the language are blank.
func cutCharset(value string) (label, language, text string, ok bool) {
	label, rest, _ := strings.Cut(value, "'")
	language, text, ok = strings.Cut(rest, "'")
	return label, language, text, ok
}

// isCharset reports whether label and language are a charset and a language. QUIRK: some senders leave both out of
// a name with apostrophes in it, as in name*=O'Brien's.pdf. An unknown charset counts if the language is blank or has
// the form of one: two or three letters, and subtags after hyphens (RFC 5646 section 2.1).
func isCharset(label, language string) bool {
	if language == "" || charset.IsKnown(label) {
		return true
	}
	primary, _, _ := strings.Cut(language, "-")
	hasLetters := strings.Trim(lower(primary), ascii.Lower) == ""
	return hasLetters && (len(primary) == 2 || len(primary) == 3)
}

// appendSection appends the decoded text of a section, which is Param i.
func (p *parser) appendSection(dst []byte, text string, i int) []byte {
	m := p.mark(i)
	if !m.encoded() {
		return append(dst, text...)
	}
	if !percent.Valid(text) {
		p.diagFor(BadPercent, p.v.Params[i].Name, m.offset)
	}
	return percent.AppendDecode(dst, text)
}

// encoded reports whether the value is percent-encoded.
func (m *mark) encoded() bool { return m.form == encoded || m.form == encodedSection }

func (p *parser) mark(i int) *mark {
	if i < fewParams {
		return &p.few[i]
	}
	return &p.many[i-fewParams]
}
