package dialect

import (
	"iter"
	"net/url"
	"strings"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/internal/codec/lazyregexp"
)

// eudora reads the places of the files that Eudora keeps outside of a mailbox. The forms are in its sources, and in
// programs that import its mail:
//
//	Attachment Converted: "C:\Eudora\Attach\NAME"                  a line at the end of a text, Windows
//	Attachment Converted: C:\EUDORA\ATTACH\NAME                    older
//	Attachment converted: Macintosh HD:NAME (PDF /CARO) (0001A2B3) Macintosh: the type and the creator, and a number
//	Attachment converted: Folder:NAME (Type: 'PDF ' Creator: 'CARO')
//	X-Attachments: C:\DEV\A.ZIP; D:\b.doc;                         a message that was sent, or is to be sent
//
// The line stands in place of a part of a message that was received. In a text/html it is below the page. QUIRK: a
// multipart keeps its type, and its body is a text without a delimiter line.
//
// A place becomes a file: URL (RFC 8089 appendix E.2 and E.3.1), whose path has the volume of a Macintosh first. It is
// one of the machine that Eudora ran on. Anybody can write these lines, and no program here asks for a file that the
// caller does not allow. A text counts only if it has the form of such a place: the names alone are words that others
// use as well, and the field has another meaning in mail that j-chkmail has seen. The field of a Macintosh has the
// number of a folder instead of its path, and is not read.
func eudora() externalbody.Dialect {
	fields := []string{"X-Attachments"}
	return externalbody.Dialect{
		Name:   "eudora",
		Fields: fields,
		Types:  stubs,
		Read:   readEudora,
		Hints:  []string{"attachment converted"},
		Near:   []string{},
		Text: func(_ *externalbody.Entity, found finder) func(*externalbody.Token) {
			return func(t *externalbody.Token) {
				if t.Kind != externalbody.TextToken {
					return
				}
				for c := range convertedLines(t.Text) {
					c.ref.Quoted = t.Quoted
					found(c.ref, t.Cut(c.start, c.end))
				}
			}
		},
	}
}

// stubs are the types of multiparts that are looked into if they have no parts.
var stubs = []string{
	"multipart/mixed", "multipart/alternative", "multipart/related", "multipart/report", "multipart/signed",
	"multipart/appledouble",
}

// maxStub bounds the octets that are read of a multipart without parts.
const maxStub = 1 << 20

func readEudora(e *externalbody.Entity) (refs []*externalbody.Reference) {
	const field = "X-Attachments"
	for _, f := range e.Header {
		if !strings.EqualFold(f.Name, field) {
			continue
		}
		for text := range strings.SplitSeq(f.Value, ";") {
			if r := windowsFile(text, field); r != nil {
				refs = append(refs, r)
			}
		}
	}
	if !e.NoParts() {
		return refs
	}
	for c := range convertedLines(string(e.Body(maxStub))) {
		c.ref.Origins[0].Start = int64(c.start)
		c.ref.Origins[0].End = int64(c.end)
		refs = append(refs, c.ref)
	}
	return refs
}

// A converted is a line that starts with "Attachment Converted:", without blanks around it, and its file.
type converted struct {
	start, end int
	ref        *externalbody.Reference
}

// convertedLines returns these lines of a text.
func convertedLines(text string) iter.Seq[converted] {
	return func(yield func(converted) bool) {
		at := 0
		for line := range strings.Lines(text) {
			start := at
			at += len(line)
			shown := strings.TrimSpace(unquoted(line))
			label, place, ok := strings.Cut(shown, ":")
			if !ok || !strings.EqualFold(label, "attachment converted") {
				continue
			}
			r := windowsFile(place, "")
			if r == nil {
				r = macFile(place)
			}
			if r == nil {
				continue
			}
			start += strings.Index(line, shown)
			if !yield(converted{start, start + len(shown), r}) {
				return
			}
		}
	}
}

// windowsFile returns the Reference to a file of Windows, or nil if place is not its absolute path.
func windowsFile(place, field string) *externalbody.Reference {
	place = strings.TrimSpace(place)
	if n := len(place); n >= 2 && place[0] == '"' && place[n-1] == '"' {
		place = place[1 : n-1]
	}
	if !windowsPath().MatchString(place) {
		return nil
	}
	share, remote := strings.CutPrefix(place, `\\`)
	if remote {
		return localFile("file://", strings.Split(share, `\`), field)
	}
	return localFile("file:///", strings.Split(place, `\`), field)
}

// windowsPath matches the path of a file on a drive, or on a server.
var windowsPath = lazyregexp.New(`^(?:[A-Za-z]:|\\\\[A-Za-z0-9][A-Za-z0-9._-]*\\[^\\/:*?"<>|]+)(?:\\[^\\/:*?"<>|]+)+$`)

// macFile returns the Reference to a file of a Macintosh, or nil if place is not its path.
func macFile(place string) *externalbody.Reference {
	m := macPath().FindStringSubmatch(strings.TrimSpace(place))
	if m == nil {
		return nil
	}
	return localFile("file:///", strings.Split(m[1], ":"), "")
}

// macPath matches the path of a file, and after it the type and the creator.
var macPath = lazyregexp.New(`^([^:]+(?::[^:]+)+) ` +
	`\((?:.{4}/.{4}|Type: '.{4}' Creator: '.{4}')\)(?: \([0-9A-Fa-f]{8}\))?$`)

// localFile returns the Reference to a file whose path has these segments, or nil if one of them leads elsewhere.
func localFile(before string, segments []string, field string) *externalbody.Reference {
	var path []string
	for _, s := range segments {
		if strings.Trim(s, ". ") == "" {
			return nil
		}
		path = append(path, url.PathEscape(s))
	}
	r := newLink(before+strings.Join(path, "/"), field, "file")
	setName(r, segments[len(segments)-1])
	return r
}
