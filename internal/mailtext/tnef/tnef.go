// Package tnef reads the texts of a message in the Transport Neutral Encapsulation
// Format (MS-OXTNEF), which Outlook and Exchange send as a part winmail.dat. Other
// mail programs do not show its content.
//
// The package returns a multipart as Exchange would write it. The multipart has the
// texts, the attached messages, and a Document-Reference field for each file that is
// attached by its address. It does not have the files that are in the part, because
// these contain no references.
//
// Lengths in the format are checked. A damaged part is read up to the damage. Time
// and memory are linear in the length of the part and of the result.
package tnef

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"strings"
	"unicode/utf16"

	"github.com/go-extbody/extbody/internal/codec/percent"
)

// IsMediaType reports whether mediaType is a media type of the format. It must be in
// lower case.
func IsMediaType(mediaType string) bool {
	return mediaType == "application/ms-tnef" || mediaType == "application/vnd.ms-tnef"
}

// IsPart reports whether a part with that media type and that header may be of the
// format. The media type must be in lower case. QUIRK: some servers give such a part
// the type application/octet-stream, and only its name identifies it.
func IsPart(mediaType, header string) bool {
	return IsMediaType(mediaType) || mediaType == anyFile && strings.Contains(strings.ToLower(header), usualName)
}

const (
	anyFile   = "application/octet-stream"
	usualName = "winmail.dat"
)

// HeadBytes is the number of octets that [Starts] needs at most.
const HeadBytes = 4

// Starts reports whether a part with these first HeadBytes octets is of the format.
func Begins(head []byte) bool {
	sig, ok := (&cursor{head}).uint32()
	return ok && sig == signature
}

// maxNested bounds messages within messages.
const maxNested = 8

// Parts returns the parts of a message as the body of a multipart/mixed, and its
// boundary. The body is empty if the message has no such parts. whole is false if the
// body would be longer than limit octets; the body then has the parts that fit. bound is a sentence for people about
// the bound of this package for which the body lacks something, or "".
func Parts(data []byte, limit int64) (body []byte, boundary string, whole bool, bound string) {
	w := &writer{limit: limit, whole: true}
	boundary = w.message(data, 0)
	return w.out.Bytes(), boundary, w.whole, w.bound
}

// A writer writes the parts of a message and of its attached messages.
type writer struct {
	out   bytes.Buffer
	limit int64
	whole bool
	bound string // see Parts
}

// The signature and the attributes that are read (MS-OXTNEF section 2.1.3).
const (
	signature = 0x223E9F78

	attBody        = 0x0002800C
	attOEMCodepage = 0x00069007
	attMAPIProps   = 0x00069003
	attAttachment  = 0x00069005
)

// message writes the parts of a message, and returns the boundary between them. The
// boundary is a hash of the message, so the message cannot contain it.
func (w *writer) message(data []byte, depth int) (boundary string) {
	c := cursor{data}
	if sig, ok := c.uint32(); !ok || sig != signature || !c.skip(2) {
		return ""
	}
	if depth > maxNested {
		w.bound = "8 messages within messages were read"
		return ""
	}
	sum := sha256.Sum256(data)
	boundary = "tnef-" + hex.EncodeToString(sum[:16])
	start := w.out.Len()
	m := &part{w: w, boundary: boundary, depth: depth, codepage: 1252}
	for {
		level, ok := c.next(1)
		id, ok2 := c.uint32()
		size, ok3 := c.uint32()
		if !ok || !ok2 || !ok3 {
			break
		}
		value, whole := c.upTo(size)
		m.attribute(level[0], id, value)
		if !whole || !c.skip(2) { // the checksum
			break
		}
	}
	if w.out.Len() > start {
		w.out.WriteString("\r\n--" + boundary + "--\r\n")
	}
	return boundary
}

// A part is a message whose parts are being written.
type part struct {
	w        *writer
	boundary string
	depth    int
	codepage int
}

func (m *part) attribute(level byte, id uint32, value []byte) {
	const ofMessage = 1
	switch {
	case id == attOEMCodepage:
		if len(value) >= 4 {
			m.codepage = int(binary.LittleEndian.Uint32(value))
		}
	case id == attBody && level == ofMessage:
		m.text("plain", charsetOf(m.codepage), bytes.TrimRight(value, "\x00"))
	case id == attMAPIProps:
		m.properties(value)
	case id == attAttachment:
		m.attachment(value)
	}
}

// The properties that are read (MS-OXPROPS).
const (
	propBody           = 0x1000
	propCompressedRTF  = 0x1009
	propHTML           = 0x1013
	propAttachObject   = 0x3701
	propAttachMethod   = 0x3705
	propAttachFilename = 0x3707
	propAttachPathname = 0x370D
	propCodepage       = 0x3FDE
)

// properties writes the texts in the properties of a message.
func (m *part) properties(list []byte) {
	if p, ok := find(list, propCodepage); ok && len(p.value) >= 4 {
		m.codepage = int(binary.LittleEndian.Uint32(p.value))
	}
	for p := range properties(list) {
		switch p.id {
		case propBody:
			m.property("plain", p)
		case propHTML:
			m.property("html", p)
		case propCompressedRTF:
			rtf, whole := decompress(p.value, m.w.left())
			m.w.whole = m.w.whole && whole
			text, isHTML, shallow := readRTF(rtf)
			if !shallow {
				m.w.bound = "1000 groups within groups of RTF were read"
			}
			if isHTML {
				m.text("html", "utf-8", text)
			} else {
				m.text("plain", "utf-8", text)
			}
		}
	}
}

func (m *part) property(subtype string, p property) {
	if p.typ == typeUnicode {
		m.text(subtype, "utf-8", []byte(p.text()))
		return
	}
	m.text(subtype, charsetOf(m.codepage), bytes.TrimRight(p.value, "\x00"))
}

func (m *part) text(subtype, charset string, text []byte) {
	if len(text) > 0 {
		m.write("Content-Type: text/"+subtype+"; charset="+charset+"\r\nContent-Transfer-Encoding: 8bit\r\n\r\n", text)
	}
}

// The values of propAttachMethod that are read (MS-OXCMSG section 2.2.2.9).
const (
	attachEmbedded     = 5
	attachWebReference = 7
)

// attachment writes an attached message or the address of an attached file.
func (m *part) attachment(list []byte) {
	p, ok := find(list, propAttachMethod)
	if !ok || len(p.value) < 4 {
		return
	}
	switch binary.LittleEndian.Uint32(p.value) {
	case attachEmbedded:
		const interfaceID = 16 // octets before the message
		if p, ok := find(list, propAttachObject); ok && len(p.value) > interfaceID {
			inner := &writer{limit: m.w.left(), whole: true}
			boundary := inner.message(p.value[interfaceID:], m.depth+1)
			m.w.whole = m.w.whole && inner.whole
			m.w.bound = cmp.Or(m.w.bound, inner.bound)
			if inner.out.Len() > 0 {
				m.write(
					"Content-Type: message/rfc822\r\n\r\nContent-Type: multipart/mixed; boundary="+boundary+"\r\n\r\n",
					inner.out.Bytes(),
				)
			}
		}
	case attachWebReference:
		p, _ := find(list, propAttachPathname)
		name, _ := find(list, propAttachFilename)
		url := p.text()
		if len(url) > maxReference {
			m.w.bound = "an address of more than 16 KiB was not read"
			return
		}
		if url != "" {
			field := "Document-Reference: " + escaped(url)
			if n := name.text(); n != "" && len(n) <= maxReference {
				field += ";FileName=" + escaped(n)
			}
			m.write("Content-Type: application/octet-stream\r\n"+field+"\r\n\r\n", nil)
		}
	}
}

// maxReference bounds the address and the name of a file, in octets.
const maxReference = 16 << 10

func (w *writer) left() int64 { return max(0, w.limit-int64(w.out.Len())) }

func (m *part) write(header string, body []byte) {
	head := "\r\n--" + m.boundary + "\r\n" + header
	if int64(len(head)+len(body)+len(m.boundary)+len("\r\n----\r\n")) > m.w.left() {
		m.w.whole = false
		return
	}
	m.w.out.WriteString(head)
	m.w.out.Write(body)
}

// text returns a property that is a text, in UTF-8 and up to its first NUL. Invalid
// UTF-8 in a text of 8 bits is removed.
func (p property) text() string {
	var text string
	switch p.typ {
	case typeUnicode:
		units := make([]uint16, len(p.value)/2)
		for i := range units {
			units[i] = binary.LittleEndian.Uint16(p.value[2*i:])
		}
		text = string(utf16.Decode(units))
	case typeString8:
		text = strings.ToValidUTF8(string(p.value), "")
	}
	text, _, _ = strings.Cut(text, "\x00")
	return text
}

func escaped(s string) string { return string(percent.AppendEncode(nil, s, &percent.Reserved)) }
