package dialect

import (
	"slices"
	"strings"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/internal/codec/lazyregexp"
	"github.com/go-extbody/extbody/internal/codec/percent"
	"github.com/go-extbody/extbody/internal/link/unwrap"
	"github.com/go-extbody/extbody/internal/link/weburl"
	"github.com/go-extbody/extbody/internal/mime/param"
)

// mailman reads the remains of the parts that Mailman 2 scrubs from a message. It
// scrubs them for its archive, for digests, and for everybody if a list wants that:
//
//	-------------- next part --------------
//	A non-text attachment was scrubbed...
//	Name: NAME
//	Type: TYPE
//	Size: N bytes
//	Desc: TEXT
//	URL: <URL>
//
// Other parts have fewer fields. A text without a charset has Name and URL, HTML has
// only the URL, and a message has From, Subject, Date, Size and URL. Old versions have
// "Url : URL". All of this is known from its sources and catalogs.
//
// The words are in the language of the list, and one catalog has the wrong ones. So
// only the shape counts: a sentence, and below it lines with labels. The last line has
// a URL whose path contains attachments/DATE/DIGITS/NAME. If a line is a type, the
// first field is the name and the field after the type is a size.
//
// That size is the number of octets that were stored, and a promise. The size of a
// message is not a promise: the stored file is a page that shows the message.
//
// Programs that quote a digest break its lines. The label may then be in the line before
// the URL, as "URL:" or "URL: <", with an empty line between. In HTML only the URL counts:
// it must be the text of its own link, or stand without one, and be below the archive of a
// list.
func mailman() externalbody.Dialect {
	return externalbody.Dialect{
		Name:  "mailman",
		Hints: pathHints(scrubFolder),
		Text: func(e *externalbody.Entity, found finder) func(*externalbody.Token) {
			if e.MediaType == "text/plain" {
				return readLines((&scrubReader{found: found}).line)
			}
			return newQuotedScrubs(found).read
		},
	}
}

// scrubFolder is the folder below the archive of a list in which Mailman stores parts.
const scrubFolder = "attachments"

// maxScrubbed bounds the lines of a scrubbed part, without the URL.
const maxScrubbed = 8

// A scrubReader finds the parts in a text that were scrubbed.
type scrubReader struct {
	found finder
	above []string // the lines before, up to an empty one or a URL
	gap   bool     // an empty line is after the last of them
}

func (r *scrubReader) line(l *textLine) {
	switch {
	case strings.TrimSpace(l.text) == "":
		if !r.labelled() || r.gap {
			r.above = r.above[:0]
		}
		r.gap = true
		return
	case l.url == "":
		if len(r.above) == maxScrubbed {
			r.above = append(r.above[:0], r.above[1:]...)
		}
		r.above = append(r.above, l.text[:min(len(l.text), maxText)])
		r.gap = false
		return
	}
	if ref := r.scrubbed(l); ref != nil {
		r.found(ref, l.place()...)
	}
	r.above = r.above[:0]
	r.gap = false
}

// labelled reports whether the last line above is a label whose URL is to follow.
func (r *scrubReader) labelled() bool {
	_, ok := cutLabel(r.label())
	return ok
}

// label returns the last line above without the bracket that starts a URL.
func (r *scrubReader) label() string {
	if len(r.above) == 0 {
		return ""
	}
	return strings.TrimRight(r.above[len(r.above)-1], "< ")
}

// scrubbed returns the Reference to the part whose URL is in l, or nil if l is another
// line.
func (r *scrubReader) scrubbed(l *textLine) *externalbody.Reference {
	url, ok := weburl.InPage(l.url)
	if !ok || strings.Trim(l.tail, "> ") != "" || !scrubbed().MatchString(webPath(url)) {
		return nil
	}
	fields := r.fieldsAbove(l.head)
	if fields == nil {
		return nil
	}
	ref := l.reference(url)
	describeScrubbed(ref, fields)
	return ref
}

// fieldsAbove returns the values of the fields above a URL, and head is the text before it in its line. It returns nil
// if that is not a label, or if neither a field nor a sentence is above.
func (r *scrubReader) fieldsAbove(head string) []string {
	const maxLabel = 40
	if strings.TrimSpace(head) == "" && r.labelled() {
		head = r.label()
		r.above = r.above[:len(r.above)-1]
	}
	if i := strings.LastIndex(head, "..."); i >= 0 { // in the Arabic catalog the sentence is in this line
		r.above = append(r.above, head[:i])
		head = head[i+len("..."):]
	}
	if label, ok := cutLabel(head); !ok || label == "" || len(label) > maxLabel {
		return nil
	}
	return r.fields()
}

// fields returns the values of the fields above the URL. It is nil if there is neither
// a field nor a sentence.
func (r *scrubReader) fields() []string {
	values := []string{}
	for i := len(r.above) - 1; i >= 0; i-- {
		line := r.above[i]
		label, value, ok := cutField(line)
		if !ok || strings.HasSuffix(strings.TrimSpace(line), "..") {
			return values
		}
		if label == "" {
			return nil
		}
		values = append([]string{value}, values...)
	}
	if len(values) == 0 {
		return nil
	}
	return values // QUIRK: one sentence of the Estonian catalog has an empty line below it
}

// cutField splits a line at its first colon.
func cutField(line string) (label, value string, ok bool) {
	label, value, ok = strings.Cut(line, ":")
	if !ok {
		label, value, ok = strings.Cut(line, "\uff1a")
	}
	const blanks = " \t\u00a0\u3000"
	return strings.Trim(label, blanks), strings.Trim(value, blanks), ok
}

// describeScrubbed sets the facts in the fields.
func describeScrubbed(ref *externalbody.Reference, fields []string) {
	switch len(fields) {
	case 1:
		setName(ref, scrubbedName(fields[0], ""))
	case 4:
		// QUIRK: the Hebrew catalog has a middle dot between number and unit.
		number, _, unit := strings.Cut(strings.ReplaceAll(fields[2], "\u00b7", " "), " ")
		n := digits(number)
		whole := param.IsMediaType(fields[1])
		hasType := whole || isTypeAlone(fields[1])
		if n < 0 || !unit || !hasType {
			return // a message; the file is a page that shows it
		}
		setName(ref, scrubbedName(fields[0], fields[3]))
		if whole {
			setType(ref, fields[1])
		}
		ref.Size = n
		ref.Promises = append(ref.Promises, "size")
	}
}

// discreteTypes are the types that senders write without a subtype (RFC 2045 section
// 5.1).
var discreteTypes = []string{"text", "image", "audio", "video", "application", "message", "multipart"}

// isTypeAlone reports whether text is a type without a subtype, one of discreteTypes or a private one such as
// "X-unknown".
func isTypeAlone(text string) bool {
	text = strings.ToLower(text)
	return slices.Contains(discreteTypes, text) || strings.HasPrefix(text, "x-") && param.IsToken(text)
}

// scrubbedName returns the name of a part. For a part without one Mailman writes so in the
// language of the list, for the name and for the description. So there is no name if both
// are the same and no file has such a name.
func scrubbedName(name, description string) string {
	if name == description && (&anchor{text: name}).fileName() == "" || name == "not available" {
		return ""
	}
	return name
}

// scrubbed matches the path of a URL under which Mailman stores a part, below the archive
// of the list. archived is for the public or the private archive.
var (
	scrubbed = lazyregexp.New(scrubbedPath)
	archived = lazyregexp.New("/(?:pipermail|mailman/private)(?:/.*)?" + scrubbedPath)
)

const scrubbedPath = "/" + scrubFolder + "/[0-9]{8}/[0-9a-f]{4,8}/[^/]+$"

// A quotedScrubs finds the parts that Mailman scrubbed in a digest that is quoted as HTML, which other programs break
// into lines in their own ways. The URL must be below the archive of a list. The text of a link must be its URL.
type quotedScrubs struct {
	scrubReader
	anchors anchorReader
	words   strings.Builder      // of the line so far
	pre     int                  // open elements whose line ends count
	urls    []externalbody.Token // in the text that follows
}

func newQuotedScrubs(found finder) *quotedScrubs {
	q := &quotedScrubs{scrubReader: scrubReader{found: found}}
	q.anchors.done = func(a *anchor) {
		if url, ok := a.url(); ok && archived().MatchString(webPath(url)) && showsURL(a, url) {
			q.add(a.reference(url, &a.element), a.place())
		}
	}
	return q
}

func (q *quotedScrubs) read(t *externalbody.Token) {
	switch {
	case t.Kind == externalbody.URLToken:
		if !q.anchors.open && archived().MatchString(webPath(t.Text)) {
			q.urls = append(q.urls, *t)
		}
	case t.Kind == externalbody.TextToken:
		q.text(t.Text)
	case t.Name == "pre" && t.Kind == externalbody.StartTagToken:
		q.pre++
	case t.Name == "pre" && t.Kind == externalbody.EndTagToken:
		q.pre = max(0, q.pre-1)
	}
	if slices.Contains(ownLines, t.Name) {
		q.end(t.Name == "br")
	}
	q.anchors.read(t)
}

// ownLines are the elements that programs use for lines.
var ownLines = []string{"blockquote", "br", "div", "p", "pre", "td", "tr"}

// text reads a text with the URLs that were given before it.
func (q *quotedScrubs) text(text string) {
	for i := range q.urls {
		url := &q.urls[i]
		if before, after, ok := strings.Cut(text, url.Text); ok {
			q.append(before)
			text = after
		}
		e := newElement(url)
		q.add(e.reference(url.Text), e.place())
	}
	q.urls = q.urls[:0]
	if !q.anchors.open {
		q.append(text)
	}
}

// append adds a text to the line, or to several.
func (q *quotedScrubs) append(text string) {
	for q.pre > 0 {
		line, rest, ok := strings.Cut(text, "\n")
		if !ok {
			break
		}
		q.words.WriteString(line[:min(len(line), maxText)])
		q.end(true)
		text = rest
	}
	if q.words.Len() < maxText {
		q.words.WriteString(text[:min(len(text), maxText)])
	}
}

// end ends the line. A line without words counts only if blank is true.
func (q *quotedScrubs) end(blank bool) {
	text := unquoted(strings.Join(strings.Fields(q.words.String()), " "))
	q.words.Reset()
	if text != "" || blank {
		q.line(&textLine{text: text})
	}
}

// add passes on the Reference to a part whose URL is behind the line so far.
func (q *quotedScrubs) add(ref *externalbody.Reference, place []*externalbody.Token) {
	head := unquoted(strings.Join(strings.Fields(q.words.String()), " "))
	describeScrubbed(ref, q.fieldsAbove(strings.TrimRight(head, "< ")))
	q.found(ref, place...)
	q.above = q.above[:0]
	q.gap = false
	q.words.Reset()
}

// sympa reads the part that Sympa writes instead of an attachment, for readers of a list
// who want that:
//
//	Content-Type: text/plain; format=flowed
//	Content-Disposition: inline
//
//	The report.pdf file that was initially attached to this message has been stored
//	on the mailing lists server:
//	https://lists.example/sympa/attach/LIST/MESSAGE%40ID/report.pdf
//
// The form is in its template and tests. The sentence is in the language of the reader
// and contains the name of the file. The part counts if the last line is a URL alone
// whose path ends with attach/LIST/ID/NAME, with an encoded "@" in ID, and if the name
// is in the sentence above.
//
// QUIRK: in NAME each octet except letters, digits and "+-.@" is written as "_" and two
// hexadecimal digits. The result is percent-encoded.
func sympa() externalbody.Dialect {
	return externalbody.Dialect{
		Name:  "sympa",
		Hints: pathHints(urlizedFolder),
		Near:  links,
		Text: func(e *externalbody.Entity, found finder) func(*externalbody.Token) {
			if e.MediaType != "text/plain" || param.Parse(e.Header.Get("Content-Disposition")).Type != "inline" {
				return func(*externalbody.Token) {}
			}
			r := &urlizedReader{found: found}
			read := readLines(r.line)
			return func(t *externalbody.Token) {
				if read(t); t.Kind == externalbody.EndToken {
					r.end()
				}
			}
		},
	}
}

// urlizedFolder is the folder in which Sympa stores files.
const urlizedFolder = "attach"

// An urlizedReader reads a part that may be one of Sympa's.
type urlizedReader struct {
	found    finder
	sentence strings.Builder
	last     textLine
	over     bool // something follows the URL, or the text is too long
}

func (r *urlizedReader) line(l *textLine) {
	text := strings.TrimSpace(l.text)
	switch {
	case text == "":
	case r.last.url != "", r.sentence.Len() > maxText:
		r.over = true
	case l.url != "" && strings.TrimSpace(l.head) == "" && strings.TrimSpace(l.tail) == "":
		r.last = *l
	default:
		r.sentence.WriteString(text[:min(len(text), maxText)] + " ")
	}
}

// end reports the file if the part was such a part.
func (r *urlizedReader) end() {
	address, ok := weburl.InPage(r.last.url)
	if r.over || !ok {
		return
	}
	name, ok := urlizedName(address)
	if !ok || !strings.Contains(r.sentence.String(), strings.Join(strings.Fields(name), " ")) {
		return
	}
	ref := r.last.reference(address)
	ref.Name = name
	r.found(ref, r.last.place()...)
}

// urlized matches the path of a URL of Sympa.
var urlized = lazyregexp.New("/" + urlizedFolder + "/[^/]+/[^/]*%40[^/]*/([^/]+)$")

// urlizedName returns the name of the file that a URL of Sympa leads to.
func urlizedName(address string) (string, bool) {
	m := urlized().FindStringSubmatch(webPath(address))
	if m == nil {
		return "", false
	}
	name, ok := weburl.Decode(m[1])
	return unescapeSympa(name), ok && name != ""
}

// unescapeSympa undoes the encoding of a file name, if the name is encoded.
func unescapeSympa(s string) string {
	encoded := strings.ReplaceAll(s, "_", "%")
	if strings.Contains(s, "%") || !percent.Valid(encoded) {
		return strings.ToValidUTF8(s, "\uFFFD")
	}
	return strings.ToValidUTF8(string(percent.AppendDecode(nil, encoded)), "\uFFFD")
}

// webPath returns the path of a URL, or of the URL that it wraps. It returns "" for other
// texts.
func webPath(text string) string {
	u, _ := weburl.Parse(unwrap.URL(text).URL)
	return u.Path
}
