package dialect

import (
	"strings"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/internal/link/weburl"
	"github.com/go-extbody/extbody/internal/mime/param"
)

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
		Text: func(e *externalbody.Entity, found func(*externalbody.Reference)) func(*externalbody.Token) {
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
	found    func(*externalbody.Reference)
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
	address, ok := webURL(r.last.url)
	if r.over || !ok {
		return
	}
	name, ok := urlizedName(address)
	if !ok || !strings.Contains(r.sentence.String(), strings.Join(strings.Fields(name), " ")) {
		return
	}
	ref := (&anchor{quoted: r.last.quoted}).reference(address, r.last.start, r.last.end)
	ref.Name = name
	r.found(ref)
}

// urlizedName returns the name of the file that a URL of Sympa leads to.
func urlizedName(address string) (string, bool) {
	_, id, last, ok := storedBelow(address, urlizedFolder)
	if !ok || !strings.Contains(strings.ToLower(id), "%40") {
		return "", false
	}
	name, ok := weburl.Decode(last)
	return unescapeSympa(name), ok && name != ""
}

// unescapeSympa undoes the encoding of file names where it can.
func unescapeSympa(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '_' && i+2 < len(s) {
			hi, lo := strings.IndexByte(hexDigits, s[i+1]), strings.IndexByte(hexDigits, s[i+2])
			if hi >= 0 && lo >= 0 {
				b.WriteByte(byte(hi<<4 | lo))
				i += 2
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return strings.ToValidUTF8(b.String(), "\uFFFD")
}

const hexDigits = "0123456789abcdef"
