package rewrite

import (
	"cmp"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/mime/message"
	"github.com/go-extbody/extbody/internal/mime/param"
	"github.com/go-extbody/extbody/urlaccess"
)

// maxHeader bounds how much of one header is read.
const maxHeader = 1 << 20

const (
	externalBody = "message/external-body"
	octetStream  = "application/octet-stream"

	dispositionField = "Content-Disposition"
	encodingField    = "Content-Transfer-Encoding"
)

// softLine is the length that lines should keep to (RFC 5322 section 2.1.1).
const softLine = 78

// maxParam is the length of a parameter that can follow another one's ";" or the name of a field in a line.
const maxParam = softLine - 10

var errHeaderTooLong = errors.New("the header is too long to be rewritten")

// A header is a header that is being written.
type header struct {
	text []byte
	eol  string
}

// outerHeader returns a header with the fields that are not about the body.
func outerHeader(fields []message.Field, eol string) *header {
	h := &header{eol: eol}
	for _, f := range fields {
		if !isContent(f.Name) && !countsBody(f.Name) {
			h.outer(f)
		}
	}
	return h
}

// raw adds a field as it is in the message, with a line end. It folds the field anew if
// a line is too long (RFC 5322 section 2.1.1).
func (h *header) raw(f message.Field) error {
	for line := range strings.Lines(f.Raw) {
		if len(strings.TrimRight(line, "\r\n")) > maxLine {
			return h.fold(f.Name, strings.TrimSpace(message.Unfold(f.Value)))
		}
	}
	for line := range strings.Lines(f.Raw) {
		h.text = append(append(h.text, strings.TrimRight(line, "\r\n")...), h.eol...)
	}
	return nil
}

// fold adds a field, folded before words. With the line ends removed the value is the
// same.
func (h *header) fold(name, value string) error {
	line := name + ":"
	first := true
	for word := range strings.SplitSeq(value, " ") {
		if !first && len(line)+1+len(word) > softLine && word != "" {
			h.line(line)
			line = ""
		}
		line += " " + word
		if len(line) > maxLine {
			return leave(fetch.Malformed, errors.New("a header field cannot be folded into lines of at most 998 octets"))
		}
		first = false
	}
	h.line(line)
	return nil
}

// params adds a field whose value is a type and parameters. The name of a file is folded, where it is long. Few
// programs know sections of another parameter.
func (h *header) params(name, value string, params []param.Param) {
	line := name + ": " + value
	for _, p := range params {
		width := maxParam
		if p.Name != "filename" && p.Name != "name" {
			width = maxLine
		}
		for _, text := range param.Fold(p.Name, p.Value, width) {
			if text == "" {
				continue
			}
			line += ";"
			if len(line)+1+len(text) > softLine {
				h.line(line)
				line = ""
			}
			line += " " + text
		}
	}
	h.line(line)
}

func (h *header) line(s string) { h.text = append(append(h.text, s...), h.eol...) }

// location adds a Content-Location, folded like a URL in RFC 2017 section 3.1. RFC 2557
// section 4.4.2 allows that.
func (h *header) location(url string) {
	line := "Content-Location:"
	for word := range urlaccess.Words(url) {
		h.line(line + " " + word)
		line = ""
	}
}

// fields returns the fields of the header of p. Of Content-Type, which can be longer than
// all others together, it returns the start. If it does not read the others whole, the
// header cannot be written: then it returns that reason too.
func fields(r io.ReaderAt, p *message.Part) (fields []message.Field, reason, err error) {
	before := p.Header
	after := message.Span{}
	if p.ContentType.Len() > 0 {
		before.End = p.ContentType.Start
		after = message.Span{Start: p.ContentType.End, End: p.Header.End}
	}
	if before.Len()+after.Len() > maxHeader {
		reason = leave(fetch.TooLarge, errHeaderTooLong)
	}
	for _, s := range []message.Span{before, p.ContentType, after} {
		text, err := message.ReadSpan(r, s.First(maxHeader))
		if err != nil {
			return nil, nil, local(err)
		}
		fields = slices.AppendSeq(fields, message.Fields(text, s.Start))
	}
	return fields, reason, nil
}

// phantom returns the fields of the phantom header of a Reference. They are raw if the
// message has them raw.
func phantom(l *layout, ref *externalbody.Reference) (fields []message.Field, reason, err error) {
	p := l.partOf(ref)
	if p == nil || p.Encoded {
		return rawFields(ref.Header), nil, nil
	}
	text, reason, err := l.phantomText(p)
	for f := range message.Fields(text, 0) {
		if f.Name != "" {
			fields = append(fields, f)
		}
	}
	return fields, reason, err
}

// phantomText returns the phantom header of a message/external-body part.
func (l *layout) phantomText(p *message.Part) (text string, reason, err error) {
	block, err := message.Split(l.r, p.Body, message.Limits{HeaderBytes: maxHeader})
	if err == nil && block.Header.Len() > maxHeader {
		return "", leave(fetch.TooLarge, errHeaderTooLong), nil
	}
	if err == nil {
		text, err = message.ReadSpan(l.r, block.Header)
	}
	return text, nil, local(err)
}

// rawFields returns fields that have no raw form in a message.
func rawFields(h externalbody.Fields) []message.Field {
	var fields []message.Field
	for _, f := range h {
		fields = append(fields, message.Field{Name: f.Name, Value: f.Value, Raw: f.Name + ": " + f.Value})
	}
	return fields
}

// find returns the first field of that name, and whether there is one.
func find(fields []message.Field, name string) (message.Field, bool) {
	for _, f := range fields {
		if strings.EqualFold(f.Name, name) {
			return f, true
		}
	}
	return message.Field{}, false
}

// isContent reports whether a field is one of the Content fields.
func isContent(name string) bool { return len(name) > 8 && strings.EqualFold(name[:8], "Content-") }

// overrides reports whether a field of the phantom header replaces the outer one (RFC
// 2046 section 5.2.2.1).
func overrides(name string) bool {
	switch strings.ToLower(name) {
	case "subject", "message-id", "encrypted", "mime-version":
		return true
	}
	return isContent(name)
}

// countsBody reports whether a field has the size of the body. Such a
// field is wrong after the body was replaced.
func countsBody(name string) bool {
	n := strings.ToLower(name)
	switch n {
	case "lines", "bytes", "content-length":
		return true
	}
	return strings.HasPrefix(n, "x-") && strings.HasSuffix(n, "-size")
}

func lineEnd(r io.ReaderAt, p *message.Part) (string, error) {
	for _, s := range []message.Span{p.Header, p.Blank, p.Delimiter} {
		s.Start = max(s.Start, s.End-2)
		text, err := message.ReadSpan(r, s)
		if err != nil {
			return "", local(err)
		}
		switch {
		case text == "\r\n":
			return text, nil
		case strings.HasSuffix(text, "\n"):
			return "\n", nil
		}
	}
	return "\r\n", nil
}

// disposition adds a Content-Disposition field. It leaves out a size that differs
// from the size of the body (RFC 2183 section 2.7).
func (h *header) disposition(f message.Field, size int64) error {
	v := param.Parse(f.Value)
	if s, ok := v.Get("size"); !ok || strings.TrimSpace(s) == strconv.FormatInt(size, 10) {
		return h.named(f, "filename")
	}
	params := oneOf(v, "filename")
	h.params(f.Name, v.Type, slices.DeleteFunc(params, func(p param.Param) bool { return p.Name == "size" }))
	return nil
}

// named adds a field as it is, or with one value of a parameter that readers read differently.
func (h *header) named(f message.Field, name string) error {
	v := param.Parse(f.Value)
	if !v.Disputed(name) {
		return h.raw(f)
	}
	h.params(f.Name, v.Type, oneOf(v, name))
	return nil
}

// oneOf returns the parameters of v, with the value that counts of a parameter that readers read differently.
func oneOf(v *param.Value, name string) []param.Param {
	if !v.Disputed(name) {
		return v.Params
	}
	value, _ := v.Get(name)
	params := slices.DeleteFunc(slices.Clone(v.Params), func(p param.Param) bool { return p.Name == name })
	return append(params, param.Param{Name: name, Value: value})
}

// contentIDs calls add with each part that has a Content-ID and is not a reference.
func contentIDs(r io.ReaderAt, index *message.Index, add func(p *message.Part, id string)) error {
	for _, p := range index.Parts {
		if p.Type == externalBody {
			continue
		}
		f, err := lookup(r, p, "Content-ID")
		if err != nil {
			return err
		}
		if f.Name != "" {
			add(p, message.ContentID(f.Value))
		}
	}
	return nil
}

// lookup returns the first field of that name in the header of p. It has no Name if there is
// none.
func lookup(r io.ReaderAt, p *message.Part, name string) (message.Field, error) {
	header, err := message.ReadSpan(r, p.Header.First(maxHeader))
	f, _ := message.Lookup(header, name, p.Header.Start)
	return f, local(err)
}

// stored returns the entity that refers to a stored body: its Content fields, and the
// phantom header as given. For readers that know no references it also has a
// Content-Disposition: that in fields, or one with the name.
func stored(ref *externalbody.Reference, fields []message.Field, phantom []byte, eol string) ([]byte, error) {
	if ref.Size == 0 {
		ref.Params = append(ref.Params, externalbody.Field{Name: "size", Value: "0"})
	}
	ct, err := ref.ContentType()
	if err != nil {
		return nil, err
	}
	h := &header{eol: eol}
	h.line("Content-Type: " + strings.ReplaceAll(ct, "\r\n", eol))
	f, has := find(fields, dispositionField)
	v := param.Parse(f.Value)
	if _, named := v.Get("filename"); has && (named || ref.Name == "") {
		if err := h.raw(f); err != nil {
			return nil, err
		}
	} else if ref.Name != "" {
		v.Type = cmp.Or(v.Type, "attachment")
		h.params(dispositionField, v.Type, []param.Param{{Name: "filename", Value: ref.Name}})
	}
	h.line("")
	h.text = append(h.text, phantom...)
	h.line("")
	return h.text, nil
}

// outer adds a field of the part as it is.
func (h *header) outer(f message.Field) {
	h.text = append(h.text, f.Raw...)
	if !strings.HasSuffix(f.Raw, "\n") {
		h.text = append(h.text, h.eol...)
	}
}

// ascii returns s as one line of printable US-ASCII of bounded length.
func ascii(s string) string {
	s = strings.Map(func(c rune) rune {
		if c < ' ' || c > '~' {
			return '?'
		}
		return c
	}, s)
	return s[:min(len(s), maxLine/2)]
}
