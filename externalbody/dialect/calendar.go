package dialect

import (
	"iter"
	"strings"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/internal/codec/lazyregexp"
	"github.com/go-extbody/extbody/internal/link/weburl"
	"github.com/go-extbody/extbody/internal/mime/param"
)

// maxCalendar bounds the octets that are read of a text/calendar part.
const maxCalendar = 4 << 20

// calendar reads ATTACH of a text/calendar part (RFC 5545 section 3.8.1.1). It must
// have a URL, and one of these parameters of files:
//
//	ATTACH;FMTTYPE=application/pdf:https://h.example/agenda.pdf                 RFC 5545 section 3.2.8
//	ATTACH;FILENAME=Agenda;FMTTYPE=...:https://docs.google.com/document/d/...   Google Calendar; RFC 8607 section 4.2
//	ATTACH;MANAGED-ID=97S;SIZE=102400:https://h.example/attach/agenda.html      RFC 8607 section 4.1
//
// It is not a reference if its only parameter makes it a page,
// FMTTYPE=text/html, or if it has the data itself. SIZE is the number of octets. The
// types that Google has for its own documents are not types of files.
func calendar() externalbody.Dialect {
	return externalbody.Dialect{
		Name:  "calendar",
		Types: []string{"text/calendar"},
		Read: func(e *externalbody.Entity) []*externalbody.Reference {
			var refs []*externalbody.Reference
			for l := range calendarLines(e) {
				if r := readAttach(e, l); r != nil {
					refs = append(refs, r)
				}
			}
			return refs
		},
	}
}

// A contentLine is an unfolded content line with its place.
type contentLine struct {
	start, end int64
	text       string
	cut        bool // text is the start
}

// reference returns a Reference to url instead of l.
func (l *contentLine) reference(url string) *externalbody.Reference {
	r := externalbody.NewReference(url)
	r.Origins[0].Start = l.start
	r.Origins[0].End = l.end
	return r
}

// maxContentLine bounds the octets that are read of an unfolded line. Outlook writes the whole text of an invitation
// into one, as HTML.
const maxContentLine = 512 << 10

// calendarLines yields the content lines of a text/calendar. It records that the text, or a line that is no
// attachment itself, is longer than the bounds.
func calendarLines(e *externalbody.Entity) iter.Seq[contentLine] {
	if e.IsLonger(maxCalendar) {
		e.Unread(externalbody.DiagCutShort, "the first 4 MiB of the calendar were read")
	}
	return func(yield func(contentLine) bool) {
		for l := range contentLines(string(e.Body(maxCalendar))) {
			if l.cut && !holdsData(l.text) {
				e.Unread(externalbody.DiagCutShort, "the first 512 KiB of a line were read")
			}
			if !yield(l) {
				return
			}
		}
	}
}

// holdsData reports whether the value of a content line is data in base64 (RFC 5545 section 3.2.7) or a data: URL.
func holdsData(line string) bool {
	head, value, _ := strings.Cut(line[:min(len(line), maxHead)], ":")
	head = strings.ToUpper(head)
	return strings.Contains(head, ";ENCODING=BASE64") || strings.Contains(head, ";VALUE=BINARY") ||
		strings.HasPrefix(strings.ToLower(value), "data:")
}

// maxHead bounds the name and the parameters of a line that are looked at.
const maxHead = 1 << 10

// contentLines yields the content lines of a text, unfolded (RFC 5545 section 3.1). Of
// a line longer than maxContentLine, which holds data, it yields the start.
func contentLines(text string) iter.Seq[contentLine] {
	return func(yield func(contentLine) bool) {
		var l contentLine
		var b strings.Builder
		for line := range strings.Lines(text) {
			end := l.end + int64(len(line))
			content := strings.TrimRight(line, "\r\n")
			if folded := strings.TrimLeft(content[:min(1, len(content))], " \t") == "" && content != ""; folded && b.Len() > 0 {
				content = content[1:]
			} else {
				l.text = b.String()
				if l.text != "" && !yield(l) {
					return
				}
				b.Reset()
				l.cut = false
				l.start = l.end
			}
			room := max(0, maxContentLine-b.Len())
			b.WriteString(content[:min(len(content), room)])
			l.cut = l.cut || len(content) > room
			l.end = end
		}
		l.text = b.String()
		if l.text != "" {
			yield(l)
		}
	}
}

// readAttach returns the Reference that a content line is, or nil if it is not one.
func readAttach(e *externalbody.Entity, l contentLine) *externalbody.Reference {
	const name = "attach"
	line := l.text
	if len(line) <= len(name) || l.cut {
		return nil
	}
	if !strings.EqualFold(line[:len(name)], name) || line[len(name)] != ';' {
		return nil
	}
	params, value, ok := cutParams(line[len(name):])
	if len(params.Params) == maxPairs && !ok {
		e.Unread(externalbody.DiagCutShort, "32 parameters of a line were read")
	}
	url, isURL := weburl.InPage(value)
	if !ok || !isURL {
		return nil
	}
	file := firstOf(params, "filename", "x-filename")
	mediaType := firstOf(params, "fmttype")
	mayBePage := mediaType == "" || strings.EqualFold(mediaType, "text/html")
	if mayBePage && file == "" && firstOf(params, "managed-id") == "" {
		return nil
	}
	r := l.reference(url)
	setName(r, file)
	if !strings.HasPrefix(mediaType, "application/vnd.google-apps") {
		setType(r, mediaType)
	}
	setSize(r, firstOf(params, "size"))
	return r
}

// calendarLinks yields the web URLs in the values of a text/calendar part, with their
// content lines. A value is a text with its escapes (RFC 5545 section 3.3.11), a URL, or
// HTML in X-ALT-DESC.
func calendarLinks(e *externalbody.Entity) iter.Seq2[string, contentLine] {
	return func(yield func(string, contentLine) bool) {
		for l := range calendarLines(e) {
			for text := l.text; ; {
				i := strings.Index(text, "://")
				if i < 0 {
					break
				}
				start := strings.LastIndexAny(text[:i], ":;,=\"'<>( \t\\") + 1
				end := strings.IndexAny(text[i:], " \t\"'<>\\")
				if end < 0 {
					end = len(text) - i
				}
				if strings.HasSuffix(text[:start], `\`) && text[start]|0x20 == 'n' {
					start++ // after a line end, which is "\n" in a text
				}
				url := strings.ReplaceAll(strings.TrimRight(text[start:i+end], ".,;:!?)"), "&amp;", "&")
				text = text[i+end:]
				if url, ok := weburl.InPage(url); ok && !yield(url, l) {
					return
				}
			}
		}
	}
}

// cutParams splits the parameters of a content line from its value. Each parameter
// starts with ";". A quoted text is one value (RFC 5545 section 3.2). A value that is
// not quoted ends at a colon.
func cutParams(s string) (p *param.Value, value string, ok bool) {
	p = new(param.Value)
	for len(p.Params) < maxPairs {
		m := calendarParam().FindStringSubmatch(s)
		if m == nil {
			break
		}
		p.Params = append(p.Params, param.Param{Name: strings.ToLower(m[1]), Value: m[2] + m[3]})
		s = s[len(m[0]):]
	}
	value, ok = strings.CutPrefix(s, ":")
	return p, value, ok
}

var calendarParam = lazyregexp.New(`^;([^=]*)=(?:"([^"]*)"|([^";:][^;:]*|))`)
