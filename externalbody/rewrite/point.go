package rewrite

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"slices"
	"strings"

	"github.com/go-extbody/extbody/internal/mime/message"
	"github.com/go-extbody/extbody/internal/mime/param"
)

// first returns the offset of the first octet that can change when parts are added.
func (s *point) first() int64 {
	if s.wraps {
		return s.part.Header.Start
	}
	return s.part.Entity().End
}

// overhead returns how many octets one more part adds at most in addition to its own.
func (s *point) overhead() int64 {
	delimiter := int64(len(s.boundary) + 2*len("--\r\n"))
	if len(s.parts) > 0 {
		return delimiter
	}
	if s.wraps {
		delimiter += 2*delimiter + 200 // two more, and the header of the multipart
	}
	return 2 * delimiter
}

// write writes the parts with the delimiter lines that belong to them (RFC 2046
// section 5.1.1).
func (s *point) write(w io.Writer) error {
	delimiter := "--" + s.boundary
	before := s.lead
	for _, part := range s.parts {
		if _, err := io.WriteString(w, before+delimiter+s.eol); err != nil {
			return err
		}
		before = s.eol
		if err := part(w); err != nil {
			return err
		}
	}
	end := ""
	switch {
	case s.open:
		end = s.eol + delimiter + "--" + s.eol
	case s.lead == "":
		end = s.eol
	}
	_, err := io.WriteString(w, end)
	return err
}

// edits returns the given edits and those that add the parts. The header of an entity
// that is wrapped is written with the edits that change it. None of the edits replaces
// that entity.
func (a *adder) edits(ctx context.Context, others []edit) ([]edit, error) {
	var points []*point
	for _, all := range []map[*message.Part]*point{a.related, a.points} {
		for _, s := range all {
			if len(s.parts) > 0 {
				points = append(points, s)
			}
		}
	}
	// Several insertion points are at the same offset if the multiparts that they are in were
	// not closed, or if they are of the same part. The inner ones come first.
	slices.SortStableFunc(points, func(s, t *point) int {
		return cmp.Or(cmp.Compare(t.part.Depth, s.part.Depth), cmp.Compare(s.first(), t.first()))
	})
	sortEdits(others)
	var edits []edit
	wraps := make(map[*message.Part][]*point) // the outer ones first
	for _, s := range points {
		if s.wraps {
			wraps[s.part] = slices.Insert(wraps[s.part], 0, s)
		}
		end := s.part.Entity().End
		edits = append(edits, edit{message.Span{Start: end, End: end}, s.write})
	}
	for p, around := range wraps {
		head, err := a.header(ctx, around, take(others, p.Header))
		if err != nil {
			return nil, err
		}
		edits = append(edits, text(p.Header, head))
	}
	others = slices.DeleteFunc(others, func(e edit) bool { return e.write == nil })
	return append(others, edits...), nil
}

// take returns the sorted edits that change the octets of a header, with offsets
// in the header. It puts edits that write nothing in their place.
func take(edits []edit, s message.Span) []edit {
	first, _ := slices.BinarySearchFunc(edits, s.Start, func(e edit, start int64) int {
		return cmp.Compare(e.span.Start, start)
	})
	var inside []edit
	for i := first; i < len(edits) && edits[i].span.Start <= s.End && s.Len() > 0; i++ {
		if e := edits[i]; e.span.End <= s.End {
			inside = append(inside, edit{message.Span{Start: e.span.Start - s.Start, End: e.span.End - s.Start}, e.write})
			edits[i].write = nil
		}
	}
	return inside
}

// header returns the headers of the multiparts that wrap an entity, and the header of the
// entity, up to its empty line. The edits are made in it.
func (a *adder) header(ctx context.Context, wraps []*point, edits []edit) ([]byte, error) {
	p := wraps[0].part
	eol := wraps[0].eol
	var b bytes.Buffer
	if err := splice(ctx, &b, io.NewSectionReader(a.r, p.Header.Start, p.Header.Len()), p.Header.Len(), edits); err != nil {
		return nil, err
	}
	outer := &header{eol: eol}
	inner := &header{eol: eol}
	version := p != p.Message()
	encoding := ""
	for f := range message.Fields(b.String(), 0) {
		if isContent(f.Name) {
			inner.outer(f)
			if encoding == "" && strings.EqualFold(f.Name, encodingField) {
				encoding = param.Parse(f.Value).Type
			}
			continue
		}
		outer.outer(f)
		version = version || strings.EqualFold(f.Name, "MIME-Version")
	}
	if !version {
		outer.line("MIME-Version: 1.0") // RFC 2045 section 4
	}
	for _, s := range wraps {
		mediaType := multipartMixed + ";"
		if s == a.related[p] {
			mediaType = multipartRelated + `; type="text/html";` + eol // RFC 2387 section 3.1
		}
		outer.line("Content-Type: " + mediaType + ` boundary="` + s.boundary + `"`)
		if encoding == eightBit || encoding == "binary" {
			outer.line(encodingField + ": " + encoding) // RFC 2045 section 6.4
		}
		outer.line("")
		outer.line("--" + s.boundary)
	}
	head := append(outer.text, inner.text...)
	if p.Blank.Len() == 0 {
		head = append(head, eol...)
	}
	return head, nil
}
