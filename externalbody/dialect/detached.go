package dialect

import (
	"strings"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/internal/mime/date"
	"github.com/go-extbody/extbody/internal/mime/message"
	"github.com/go-extbody/extbody/internal/mime/param"
)

const (
	attachmentURL = "X-Mozilla-External-Attachment-URL"
	altered       = "X-Mozilla-Altered"
	typeDeleted   = "text/x-moz-deleted"
)

// maxDetached bounds the octets that are read of a part whose attachment is elsewhere.
const maxDetached = 64 << 10

// detached reads the remains of an attachment in Thunderbird. The forms are in its sources
// and tests:
//
//   - Moved to a file: X-Mozilla-External-Attachment-URL with a file: URL, and
//     X-Mozilla-Altered: AttachmentDetached; date="...". The body is a sentence in the
//     user's language and the header that the attachment had, which becomes the phantom
//     header.
//   - Deleted: X-Mozilla-Altered: AttachmentDeleted; date="...", of type
//     text/x-moz-deleted, with the name after "Deleted: ". It becomes a Reference of
//     access type x-mutt-deleted, whose Expiration is the date.
//   - The attachment of a feed: X-Mozilla-External-Attachment-URL with an http URL, and
//     no X-Mozilla-Altered. Its Content-Type has the type, name and size of the file.
//
// QUIRK: Betterbird 140 puts an empty line before the two fields, so that they are the
// beginning of the body. They count there if the part is an attachment and both stand
// before anything else.
//
// Anybody can write these fields, with any file: URL. Only the schemes that the caller allows
// are fetched.
func detached() externalbody.Dialect {
	return externalbody.Dialect{
		Name:     "detached",
		Fields:   []string{attachmentURL, altered},
		Types:    []string{typeDeleted},
		Prefixes: []string{attachmentURL + ":", altered + ":"},
		Read:     readDetached,
	}
}

func readDetached(e *externalbody.Entity) []*externalbody.Reference {
	m := mark{header: e.Header, rest: string(e.Body(maxDetached))}
	field := attachmentURL
	if e.Header.Get(attachmentURL) == "" && e.Header.Get(altered) == "" && e.MediaType != typeDeleted {
		if !m.fall(e) {
			return nil
		}
		field = ""
	}
	how := param.Parse(m.header.Get(altered))
	url := m.header.Get(attachmentURL)
	if e.MediaType == typeDeleted || how.Type == "attachmentdeleted" {
		return []*externalbody.Reference{m.deleted(e, how, field)}
	}
	if url == "" {
		return nil
	}
	r := newLink(url, field, "file", "https", "http", "ftp", "ftps")
	m.describe(r, e, how.Type != "")
	r.Origins[0].Start = m.start
	r.Origins[0].End = m.end
	for _, f := range m.header {
		if strings.EqualFold(f.Name, attachmentURL) && f.Value != url {
			diag(r, externalbody.DiagConflict, "url")
			break
		}
	}
	return []*externalbody.Reference{r}
}

// A mark has the remains of an attachment.
type mark struct {
	header     externalbody.Fields // with the fields of the mark
	rest       string              // the body after them
	start, end int64               // of the fields in the body, if they are there
}

// fall takes the fields from the start of the body. It returns false if they are
// not there.
func (m *mark) fall(e *externalbody.Entity) bool {
	if param.Parse(e.Header.Get("Content-Disposition")).Type != "attachment" {
		return false
	}
	blank := len(m.rest) - len(strings.TrimLeft(m.rest, " \t\r\n"))
	at := blank
	var fields externalbody.Fields
	for f := range message.Fields(m.rest[blank:], 0) {
		if !strings.EqualFold(f.Name, attachmentURL) && !strings.EqualFold(f.Name, altered) {
			break
		}
		fields = append(fields, externalbody.Field{Name: f.Name, Value: f.Text()})
		at = blank + int(f.Span.End)
	}
	if at > blank && at == len(m.rest) {
		cutMark(e)
	}
	if fields.Get(altered) == "" || fields.Get(attachmentURL) == "" {
		return false
	}
	m.header = fields
	m.start = int64(blank)
	m.end = int64(at)
	m.rest = m.rest[at:]
	return true
}

// cutMark records that a mark is longer than the octets that are read of one.
func cutMark(e *externalbody.Entity) {
	if e.IsLonger(maxDetached) {
		e.Unread(externalbody.DiagCutShort, "the first 64 KiB of a mark were read")
	}
}

// phantom returns the header that the attachment had. It starts with the first line
// that is a Content field.
func (m *mark) phantom() externalbody.Fields {
	at := 0
	for line := range strings.Lines(m.rest) {
		if name, _, ok := strings.Cut(line, ":"); ok && isContent(name) {
			break
		}
		at += len(line)
	}
	var h externalbody.Fields
	for f := range message.Fields(m.rest[at:], 0) {
		if f.Name == "" {
			break // the empty line, or another text
		}
		// The encoding belonged to the part, and was undone for the file.
		if isContent(f.Name) && !strings.EqualFold(f.Name, "Content-Transfer-Encoding") {
			h = append(h, externalbody.Field{Name: f.Name, Value: f.Text()})
		}
	}
	return h
}

// describe sets the facts about the file.
func (m *mark) describe(r *externalbody.Reference, e *externalbody.Entity, altered bool) {
	if !altered { // a feed
		setName(r, fileName(e.Header))
		size, _ := e.Param("size")
		setSize(r, strings.TrimSpace(size))
		setType(r, e.MediaType)
		return
	}
	cutMark(e)
	r.Header = m.phantom()
	if id := r.Header.Get("Content-ID"); strings.HasPrefix(id, "<") && strings.HasSuffix(id, ">") {
		r.ContentID = id
	}
	setType(r, r.Header.Get("Content-Type"))
	setName(r, fileName(r.Header), strings.TrimPrefix(fileName(e.Header), "Deleted: "))
}

// deleted returns the Reference of a deleted attachment.
func (m *mark) deleted(e *externalbody.Entity, how *param.Value, field string) *externalbody.Reference {
	r := &externalbody.Reference{
		AccessType: "x-mutt-deleted",
		Params:     []externalbody.Field{{Name: "access-type", Value: "x-mutt-deleted"}},
		Size:       -1,
		Permission: "read",
		Origins:    make([]externalbody.Origin, 1),
	}
	if field != "" && m.header.Get(altered) != "" {
		r.Origins[0].Field = altered
	}
	r.Origins[0].Start = m.start
	r.Origins[0].End = m.end
	m.describe(r, e, true)
	if when, ok := how.Get("date"); ok {
		// The date is in the user's local time, without a zone.
		t, _, err := date.Parse(when)
		if err != nil {
			diag(r, externalbody.DiagBadExpiration, "date")
		} else {
			diag(r, externalbody.DiagExpirationForm, "date")
			r.Expiration = t
		}
	}
	return r
}

// isContent reports whether a field is one of the Content fields.
func isContent(name string) bool {
	return len(name) > 8 && strings.EqualFold(name[:8], "Content-") && !strings.ContainsAny(name, " \t")
}
