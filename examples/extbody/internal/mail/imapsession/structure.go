package imapsession

import (
	"strings"

	"github.com/emersion/go-imap/v2"
)

// structure reads a BODYSTRUCTURE (RFC 9051 section 9): types, transfer encodings,
// sizes and nesting. It passes over everything else, so that a fault there does no
// harm. A fault in what it reads is an error. The one name that it keeps is winmail.dat,
// which tells a file of Outlook from other files of an unknown type.
func (p *parser) structure(depth int) (imap.BodyStructure, error) {
	if depth > maxNesting {
		return nil, errNesting
	}
	if !p.accept('(') {
		return nil, errSyntax
	}
	if p.next('(') {
		return p.multipart(depth)
	}
	media, err := p.str()
	if err != nil || !p.accept(' ') {
		return nil, errSyntax
	}
	subtype, err := p.str()
	if err != nil || subtype == nil {
		return nil, errSyntax
	}
	if media == nil {
		// QUIRK: a multipart without parts, which the grammar does not allow.
		return &imap.BodyStructureMultiPart{Subtype: word(subtype)}, p.rest(depth)
	}
	part := &imap.BodyStructureSinglePart{Type: word(media), Subtype: word(subtype)}
	rest := p.b
	err = p.single(part, depth)
	if err == nil && strings.EqualFold(part.Subtype, "octet-stream") && containsFold(rest[:len(rest)-len(p.b)], outlookName) {
		part.Params = map[string]string{"name": outlookName}
	}
	return part, err
}

const outlookName = "winmail.dat"

// containsFold reports whether b contains s, which is in lower case, whatever the case.
func containsFold(b []byte, s string) bool {
	for ; len(b) >= len(s); b = b[1:] {
		if b[0]|0x20 == s[0] && strings.EqualFold(string(b[:len(s)]), s) {
			return true
		}
	}
	return false
}

func (p *parser) multipart(depth int) (imap.BodyStructure, error) {
	multi := &imap.BodyStructureMultiPart{}
	for {
		child, err := p.structure(depth + 1)
		if err != nil {
			return nil, err
		}
		multi.Children = append(multi.Children, child)
		if p.accept(' ') && !p.next('(') {
			break
		}
		if !p.next('(') {
			return nil, errSyntax
		}
	}
	subtype, err := p.str()
	if err != nil {
		return nil, err
	}
	multi.Subtype = word(subtype)
	return multi, p.rest(depth)
}

// single reads what follows the subtype.
func (p *parser) single(part *imap.BodyStructureSinglePart, depth int) error {
	// Parameters, id and description.
	for range 3 {
		if !p.accept(' ') {
			return errSyntax
		}
		if err := p.skip(depth + 1); err != nil {
			return err
		}
	}
	if !p.accept(' ') {
		return errSyntax
	}
	encoding, err := p.str()
	if err != nil || !p.accept(' ') {
		return errSyntax
	}
	part.Encoding = word(encoding)
	if part.Size, err = p.number(); err != nil {
		return err
	}
	// QUIRK: a space may be missing before a parenthesis.
	if isMessage(part) && (p.next('(') || len(p.b) > 1 && p.b[0] == ' ' && p.b[1] == '(') {
		if err := p.message(part, depth); err != nil {
			return err
		}
	}
	return p.rest(depth)
}

// word returns a type, a subtype or a transfer encoding. It takes no memory for the
// usual ones.
func word(b []byte) string {
	switch string(b) {
	case "text":
		return "text"
	case "plain":
		return "plain"
	case "html":
		return "html"
	case "7bit":
		return "7bit"
	case "8bit":
		return "8bit"
	case "base64":
		return "base64"
	case "quoted-printable":
		return "quoted-printable"
	case "mixed":
		return "mixed"
	case "alternative":
		return "alternative"
	case "related":
		return "related"
	case "application":
		return "application"
	case "image":
		return "image"
	case "octet-stream":
		return "octet-stream"
	case "pdf":
		return "pdf"
	case "jpeg":
		return "jpeg"
	case "png":
		return "png"
	}
	return string(b)
}

// isMessage reports whether a part may have an envelope and a structure of its own.
func isMessage(part *imap.BodyStructureSinglePart) bool {
	if !strings.EqualFold(part.Type, "message") {
		return false
	}
	return strings.EqualFold(part.Subtype, "rfc822") || strings.EqualFold(part.Subtype, "global") ||
		strings.EqualFold(part.Subtype, "news")
}

// message reads the envelope of a message and its structure.
func (p *parser) message(part *imap.BodyStructureSinglePart, depth int) error {
	p.accept(' ')
	if err := p.skip(depth + 1); err != nil {
		return err
	}
	if !p.accept(' ') && !p.next('(') {
		return errSyntax
	}
	inner, err := p.structure(depth + 1)
	if err != nil {
		return err
	}
	part.MessageRFC822 = &imap.BodyStructureMessageRFC822{BodyStructure: inner}
	return nil
}

// rest skips the rest of a list and its end.
func (p *parser) rest(depth int) error {
	for !p.accept(')') {
		if !p.accept(' ') && !p.next('(') {
			return errSyntax
		}
		if err := p.skip(depth + 1); err != nil {
			return err
		}
	}
	return nil
}
