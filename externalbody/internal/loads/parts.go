package loads

import (
	"bytes"
	"io"
	"net/url"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/go-extbody/extbody/internal/codec/charset"
	"github.com/go-extbody/extbody/internal/mime/message"
	"github.com/go-extbody/extbody/internal/mime/param"
)

// maxInner bounds the octets of parts that are read because a text loads them, in all.
const maxInner = 16 << 20

// parts finds the parts of a message to which URLs of its texts lead.
type parts struct {
	r     io.ReaderAt
	size  int64
	index *message.Index // nil until it is needed
	named []namedPart
	read  int64 // octets of parts so far
}

// A namedPart is a part with a name that a URL can have.
type namedPart struct {
	*message.Part
	id       string // its Content-ID without brackets, in lower case
	location string // its Content-Location, as fileOf has it
}

// scan reads the names of all parts once. An error leaves the parts out that were not reached: their
// URLs lead to nothing that is known.
func (p *parts) scan() {
	if p.index != nil {
		return
	}
	p.index = new(message.Index)
	index, err := message.Scan(p.r, p.size, message.Limits{})
	if index == nil || err != nil {
		return
	}
	p.index = index
	for _, part := range index.Parts {
		header, err := message.ReadSpan(p.r, part.Header)
		if err != nil {
			return
		}
		id, _ := message.Lookup(header, "Content-ID", 0)
		location, _ := message.Lookup(header, "Content-Location", 0)
		n := namedPart{part, strings.ToLower(message.BareID(message.ContentID(id.Value))), fileOf(location.Text())}
		if n.id != "" || n.location != "" {
			p.named = append(p.named, n)
		}
	}
}

// of returns the parts to which a URL may lead: a cid: or mid: URL (RFC 2392) by its Content-ID, and a relative one by
// the name after the last slash of a Content-Location (RFC 2557 section 8). Programs differ in how they compare
// names, so every part that may be meant is returned.
func (p *parts) of(text string) (found []*message.Part) {
	p.scan()
	scheme, rest, _ := strings.Cut(text, ":")
	id := ""
	switch strings.ToLower(scheme) {
	case "cid":
		id = contentID(rest)
	case "mid":
		id = contentID(rest[strings.LastIndexByte(rest, '/')+1:])
	}
	file := fileOf(text)
	for _, n := range p.named {
		isID := id != "" && n.id == id
		isLocation := file != "" && n.location == file
		if isID || isLocation {
			found = append(found, n.Part)
		}
	}
	return found
}

// contentID returns the Content-ID in a URL, without brackets and in lower case.
func contentID(text string) string {
	text, _, _ = strings.Cut(text, "#")
	if plain, err := url.PathUnescape(text); err == nil {
		text = plain
	}
	return strings.ToLower(message.BareID(strings.TrimSpace(text)))
}

// fileOf returns the name after the last slash of a URL, without a query and in lower case.
func fileOf(text string) string {
	text, _, _ = strings.Cut(text, "#")
	text, _, _ = strings.Cut(text, "?")
	if text == "" || strings.HasSuffix(text, "/") {
		return ""
	}
	name := path.Base(strings.ReplaceAll(text, `\`, "/"))
	if plain, err := url.PathUnescape(name); err == nil {
		name = plain
	}
	return strings.ToLower(name)
}

// body returns the decoded body of a part, and the charset that its header names. It reports false if the
// body is not read to its end.
func (p *parts) body(part *message.Part) (text []byte, label string, ok bool) {
	header, err := message.ReadSpan(p.r, part.Header)
	if err != nil {
		return nil, "", false
	}
	field, _ := message.Lookup(header, "Content-Type", 0)
	v := param.Parse(field.Value)
	label, _ = v.Get("charset")
	left := maxInner - p.read
	text, err = io.ReadAll(io.LimitReader(message.Decode(part.Body.Reader(p.r), part.Encoding), left+1))
	p.read += int64(len(text))
	return text, label, err == nil && int64(len(text)) <= left
}

// styleText returns a style sheet as a text in which each octet of ASCII is that character for every
// program. It reports false where that depends on a charset: programs take it from a byte order
// mark, the header, an @charset or the page (CSS Syntax section 3.2), and not all in that order.
func styleText(octets []byte, label string) (string, bool) {
	const shifts = "\x0e\x0f\x1b" // of ISO 2022
	isMarked := bytes.HasPrefix(octets, []byte("\xff\xfe")) || bytes.HasPrefix(octets, []byte("\xfe\xff"))
	if isMarked || bytes.ContainsAny(octets, shifts) || charset.IsWideLabel(label) {
		return "", false
	}
	if label == "" {
		label = charsetRule(octets)
	}
	text := string(bytes.TrimPrefix(octets, []byte("\xef\xbb\xbf")))
	if charset.IsASCII(octets) || len(text) < len(octets) && utf8.ValidString(text) {
		return text, true
	}
	return text, isByteWise(charset.Name(label))
}

// charsetRule returns the charset that a style sheet names by its first rule.
func charsetRule(octets []byte) string {
	rest, ok := bytes.CutPrefix(octets, []byte(`@charset "`))
	if !ok {
		return ""
	}
	label, _, _ := bytes.Cut(rest[:min(len(rest), 100)], []byte(`"`))
	return string(label)
}

// isByteWise reports whether a charset has octets of ASCII for nothing else.
func isByteWise(name string) bool {
	if name == "utf-8" || name == "macintosh" {
		return true
	}
	for _, family := range []string{"windows-", "iso-8859-", "koi8-", "euc-"} {
		if strings.HasPrefix(name, family) {
			return true
		}
	}
	return false
}
