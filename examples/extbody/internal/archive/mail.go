package archive

import (
	"bufio"
	"io"
	"strings"

	"github.com/go-extbody/extbody/internal/codec/charset"
	"github.com/go-extbody/extbody/internal/mailtext"
	"github.com/go-extbody/extbody/internal/mime/message"
	"github.com/go-extbody/extbody/internal/mime/param"
)

// A mail has fields of a message for people. Those of a journal report are of the message that it reports, and
// bcc has the recipients of the report.
type mail struct {
	from, to, cc, bcc, subject, date, id string
}

// recipients returns the fields To, Cc and Bcc of a message that is an object, by their names in lower case. It returns
// none if the object is not there.
func (a *Archive) recipients(sum string) (map[string][]string, error) {
	fields := make(map[string][]string)
	header, err := a.header(sum)
	if isLost(err) {
		a.skip(sum)
		return fields, nil
	}
	for f := range message.Fields(header, 0) {
		switch name := strings.ToLower(f.Name); name {
		case "to", "cc", "bcc":
			fields[name] = append(fields[name], f.Line())
		}
	}
	return fields, err
}

// header returns the header of a message that is an object. The error is fs.ErrNotExist if the object is not there.
func (a *Archive) header(sum string) (string, error) {
	body, _, err := a.objects.Reader(sum)
	if err != nil {
		return "", err
	}
	defer body.Close()
	top, err := io.ReadAll(io.LimitReader(body, maxTop))
	return headerOf(top), err
}

// described returns the fields of a message: of its object, or of its line if the object is lost or damaged.
func (a *Archive) described(m *MessageRecord) (*mail, error) {
	line := &mail{from: charset.Words(m.From), subject: m.Subject, date: m.Date, id: m.MessageID}
	header, err := a.header(m.SHA256)
	switch {
	case isLost(err):
		return line, nil
	case header == "", err != nil:
		return line, err
	}
	if _, journal := message.Lookup(header, "X-MS-Journal-Report", 0); !journal {
		return newMail(header), nil
	}
	f, err := a.objects.Hold(m.SHA256)
	if isLost(err) {
		return line, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	x, err := message.Scan(f, f.Size(), message.Limits{})
	if err != nil {
		return nil, err
	}
	var report string
	for _, p := range x.Parts {
		switch {
		case report == "" && p.Type == "text/plain":
			octets, _ := io.ReadAll(io.LimitReader(message.Decode(section(f, p.Body), p.Encoding), maxTop))
			report = string(octets)
		case p.Parent != nil && message.IsMessage(p.Parent.Type):
			inner := make([]byte, min(maxTop, p.Header.End-p.Header.Start))
			n, _ := f.ReadAt(inner, p.Header.Start)
			reported := newMail(string(inner[:n]))
			reported.bcc = reportBcc(report)
			return reported, nil
		}
	}
	return newMail(header), nil
}

func section(r io.ReaderAt, s message.Span) *io.SectionReader {
	return io.NewSectionReader(r, s.Start, s.End-s.Start)
}

// reportBcc returns the recipients in the lines "Bcc:" of a journal report.
func reportBcc(report string) string {
	var list []string
	for line := range strings.Lines(report) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.EqualFold(strings.TrimSpace(name), "Bcc") {
			value, _, _ = strings.Cut(value, ", Forwarded")
			value, _, _ = strings.Cut(value, ", Expanded")
			list = append(list, strings.TrimSpace(value))
		}
	}
	return strings.Join(list, ", ")
}

// newMail returns the fields in a header. Of a field that is there several times, all are joined, except for
// those of which there should be one.
func newMail(header string) *mail {
	m := new(mail)
	for f := range message.Fields(header, 0) {
		var to *string
		more := false
		switch strings.ToLower(f.Name) {
		case "from":
			to = &m.from
		case "to":
			to = &m.to
			more = true
		case "cc":
			to = &m.cc
			more = true
		case "bcc":
			to = &m.bcc
			more = true
		case "subject":
			to = &m.subject
		case "date":
			to = &m.date
		case "message-id":
			to = &m.id
		}
		switch {
		case to == nil:
		case *to == "":
			*to = strings.ToValidUTF8(f.Line(), "\uFFFD")
		case more:
			*to += ", " + strings.ToValidUTF8(f.Line(), "\uFFFD")
		}
	}
	for _, field := range []*string{&m.from, &m.to, &m.cc, &m.bcc} {
		*field = charset.Words(*field)
	}
	return m
}

// writeText writes the texts of a message: each text/plain, and each HTML that has none beside it. It reports whether
// it left out octets after the first [maxText] of them.
func writeText(w *bufio.Writer, r io.ReaderAt, size int64) (cut bool, err error) {
	x, err := message.Scan(r, size, message.Limits{})
	if err != nil {
		return false, err
	}
	left := int64(maxText)
	plain := make(map[*message.Part]bool) // multiparts with a text/plain
	for _, p := range x.Parts {
		if p.Parent != nil && p.Parent.Type == "multipart/alternative" && mailtext.IsPlain(p.Type) {
			plain[p.Parent] = true
		}
	}
	for _, p := range x.Parts {
		isHTML := mailtext.IsHTML(p.Type)
		if !isHTML && !mailtext.IsPlain(p.Type) {
			continue
		}
		if isHTML && plain[p.Parent] {
			continue
		}
		field, err := message.ReadSpan(r, p.ContentType)
		if err != nil {
			return cut, err
		}
		octets, err := io.ReadAll(io.LimitReader(message.Decode(section(r, p.Body), p.Encoding), left+1))
		if err != nil {
			return cut, err
		}
		cut = cut || int64(len(octets)) > left
		octets = octets[:min(int64(len(octets)), left)]
		left -= int64(len(octets))
		label, _ := param.Parse(message.FieldValue(field)).Get("charset")
		writeTokens(w, &mailtext.Source{Octets: octets, Charset: label}, isHTML)
		w.WriteByte('\n')
	}
	return cut, nil
}

// writeTokens writes a text, or the text of HTML.
func writeTokens(w *bufio.Writer, s *mailtext.Source, isHTML bool) {
	if isHTML {
		mailtext.HTML(s, func(t *mailtext.Token) { writeToken(w, t) })
	} else {
		mailtext.Plain(s, func(t *mailtext.Token) { writeToken(w, t) })
	}
}

// writeToken writes a text, and a line end for the tag of a block.
func writeToken(w *bufio.Writer, t *mailtext.Token) {
	switch t.Kind {
	case mailtext.TextToken:
		w.WriteString(t.Text)
	case mailtext.StartTagToken, mailtext.EndTagToken:
		switch t.Name {
		case "br", "p", "div", "tr", "li", "h1", "h2", "h3", "h4", "table", "ul", "ol", "blockquote":
			w.WriteByte('\n')
		}
	}
}
