package imapsession

import (
	"bytes"
	"strconv"
	"strings"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/go-extbody/extbody/internal/codec/ascii"
	"github.com/go-extbody/extbody/internal/codec/lazyregexp"
	"github.com/go-extbody/extbody/internal/imap/wire"
)

// A fetched is the content of a FETCH response (RFC 9051 section 7.5.2).
type fetched struct {
	uid       uint32    // 0 if the response has none
	size      int64     // RFC822.SIZE; -1 if the response has none, or something that is not a number
	emailID   string    // "" if the response has none
	arrived   time.Time // INTERNALDATE; zero if the response has none, or something that is not a date
	structure imap.BodyStructure
	sections  []fetchedSection
	err       error // why the rest cannot be read; the items before the fault were read
	literals  bool  // there are literals before the fault
}

// A fetchedSection is a section or a range of one.
type fetchedSection struct {
	name   string // such as BODY[1.MIME], in capitals
	offset int64
	data   []byte // valid as long as the response; nil for NIL
}

// parseFetch reads the items after FETCH. The UID may be anywhere in it.
func parseFetch(data []byte) *fetched {
	f := &fetched{size: -1}
	p := &parser{wire.Parser{Rest: data}}
	f.err = p.List(0, func() error { return f.item(p) })
	if f.err == nil && len(p.Rest) > 0 {
		f.err = wire.ErrSyntax
	}
	f.literals = p.Literals
	if f.err != nil && f.uid == 0 {
		f.uid = trailingUID(data)
	}
	return f
}

// lastUID finds the UID at the end of a response.
var lastUID = lazyregexp.New(`(?i) UID ([0-9]+)\)?$`)

// trailingUID returns the UID at the end of a response that cannot be read up to there,
// or 0.
func trailingUID(data []byte) uint32 {
	const most = 20 // octets of it
	found := lastUID().FindSubmatch(data[max(0, len(data)-most):])
	if found == nil {
		return 0
	}
	uid, _ := wire.Number(found[1])
	return uid
}

// item reads an item and its value.
func (f *fetched) item(p *parser) error {
	name := p.itemName()
	if name == "" || !p.Accept(' ') {
		return wire.ErrSyntax
	}
	switch name {
	case "UID":
		n, err := p.Number()
		f.uid = n
		return err
	case "RFC822.SIZE":
		value := p.Rest
		if err := p.Skip(0); err != nil {
			return err
		}
		n, err := strconv.ParseInt(string(value[:len(value)-len(p.Rest)]), 10, 64)
		if err == nil && n >= 0 {
			f.size = n
		}
		return nil
	case itemArrived:
		value := p.Rest
		err := p.Skip(0)
		f.arrived = parseArrived(string(value[:len(value)-len(p.Rest)]))
		return err
	case itemEmailID, itemGmail, itemGUID:
		value := p.Rest
		err := p.Skip(0)
		f.emailID = parseEmailID(name, string(value[:len(value)-len(p.Rest)]))
		return err
	case "BODYSTRUCTURE":
		var err error
		f.structure, err = p.structure(0)
		if err != nil {
			f.structure = nil
		}
		return err
	}
	if !strings.HasPrefix(name, "BODY[") {
		return p.Skip(0)
	}
	s := fetchedSection{name: name}
	if base, offset, ok := strings.Cut(name, "]<"); ok {
		n, err := strconv.ParseInt(strings.TrimSuffix(offset, ">"), 10, 64)
		if err != nil {
			return wire.ErrSyntax
		}
		s.name = base + "]"
		s.offset = n
	}
	var err error
	s.data, err = p.String()
	if err != nil {
		return err
	}
	f.sections = append(f.sections, s)
	return nil
}

// itemArrived is the item of FETCH with the time at which a message came to its mailbox (RFC 9051 section 2.3.3).
const itemArrived = "INTERNALDATE"

// parseArrived returns the time in the value of an item (RFC 9051 section 9, date-time), zero if it is not one or its
// year is not from 1970 to 2200.
func parseArrived(value string) time.Time {
	t, err := time.Parse(`"_2-Jan-2006 15:04:05 -0700"`, value)
	if err != nil || t.Year() < 1970 || t.Year() > 2200 {
		return time.Time{}
	}
	return t.UTC()
}

// The items of FETCH with an id that a message keeps: of RFC 8474 section 5.1, of Gmail, and of Dovecot.
const (
	itemEmailID = "EMAILID"
	itemGmail   = "X-GM-MSGID"
	itemGUID    = "X-GUID"
)

// gmailID is before the number of an X-GM-MSGID. It is not in any EMAILID.
const gmailID = "x-gm-msgid:"

// guidID is before an X-GUID. It is not in any EMAILID.
const guidID = "x-guid:"

// maxID bounds ids, in octets (RFC 8474 section 7).
const maxID = 255

// parseEmailID returns the id in the value of an item; "" if it is not one.
func parseEmailID(item, value string) string {
	if item == itemGmail {
		if _, err := strconv.ParseUint(value, 10, 64); err != nil {
			return ""
		}
		return gmailID + value
	}
	if item == itemGUID {
		id := strings.Trim(value, `"`)
		if len(id) == 0 || len(id) > maxID || strings.ContainsFunc(id, notOfGUID) {
			return ""
		}
		return guidID + id
	}
	id := strings.TrimSuffix(strings.TrimPrefix(value, "("), ")")
	if len(id) == 0 || len(id) > maxID || strings.ContainsFunc(id, notOfID) {
		return ""
	}
	if len(value) != len("()")+len(id) {
		return ""
	}
	return id
}

// notOfID reports whether a character cannot be in an id (RFC 8474 section 7).
func notOfID(c rune) bool {
	return !ascii.IsAlphanumeric(c) && c != '-' && c != '_'
}

// itemName reads the name of an item, which may contain a list of fields in brackets.
func (p *parser) itemName() string {
	end := bytes.IndexAny(p.Rest, " [()")
	if end >= 0 && p.Rest[end] == '[' {
		i := bytes.IndexByte(p.Rest, ']')
		if i < 0 {
			return ""
		}
		// A "<0>" may follow.
		j := bytes.IndexByte(p.Rest[i:], ' ')
		if j < 0 {
			return ""
		}
		end = i + j
	}
	if end < 0 {
		return ""
	}
	name := p.Rest[:end]
	p.Rest = p.Rest[end:]
	return strings.ToUpper(string(name))
}

// A parser reads the values of a response.
type parser struct{ wire.Parser }

// structure reads a BODYSTRUCTURE (RFC 9051 section 9): types, transfer encodings,
// sizes and nesting. It passes over everything else, so that a fault there does no
// harm. A fault in these is an error. The one name that it keeps is winmail.dat,
// which marks a file of Outlook among files of an unknown type.
func (p *parser) structure(depth int) (imap.BodyStructure, error) {
	if depth > wire.MaxNesting {
		return nil, wire.ErrNesting
	}
	if !p.Accept('(') {
		return nil, wire.ErrSyntax
	}
	if p.Next('(') {
		return p.multipart(depth)
	}
	media, err := p.String()
	if err != nil || !p.Accept(' ') {
		return nil, wire.ErrSyntax
	}
	subtype, err := p.String()
	if err != nil || subtype == nil {
		return nil, wire.ErrSyntax
	}
	if media == nil {
		// QUIRK: a multipart without parts, which the grammar does not allow.
		return &imap.BodyStructureMultiPart{Subtype: string(subtype)}, p.rest(depth)
	}
	part := &imap.BodyStructureSinglePart{Type: string(media), Subtype: string(subtype)}
	rest := p.Rest
	err = p.single(part, depth)
	if err == nil && strings.EqualFold(part.Subtype, "octet-stream") &&
		bytes.Contains(bytes.ToLower(rest[:len(rest)-len(p.Rest)]), []byte(outlookName)) {
		part.Params = map[string]string{"name": outlookName}
	}
	return part, err
}

const outlookName = "winmail.dat"

func (p *parser) multipart(depth int) (imap.BodyStructure, error) {
	multi := &imap.BodyStructureMultiPart{}
	for {
		child, err := p.structure(depth + 1)
		if err != nil {
			return nil, err
		}
		multi.Children = append(multi.Children, child)
		if p.Accept(' ') && !p.Next('(') {
			break
		}
		if !p.Next('(') {
			return nil, wire.ErrSyntax
		}
	}
	subtype, err := p.String()
	if err != nil {
		return nil, err
	}
	multi.Subtype = string(subtype)
	return multi, p.rest(depth)
}

// single reads the rest after the subtype.
func (p *parser) single(part *imap.BodyStructureSinglePart, depth int) error {
	// Parameters, id and description.
	for range 3 {
		if !p.Accept(' ') {
			return wire.ErrSyntax
		}
		if err := p.Skip(depth + 1); err != nil {
			return err
		}
	}
	if !p.Accept(' ') {
		return wire.ErrSyntax
	}
	encoding, err := p.String()
	if err != nil || !p.Accept(' ') {
		return wire.ErrSyntax
	}
	part.Encoding = string(encoding)
	part.Size, err = p.Number()
	if err != nil {
		return err
	}
	// QUIRK: a space may be missing before a parenthesis.
	listed := p.Next('(') || bytes.HasPrefix(p.Rest, []byte(" ("))
	if isMessage(part) && listed {
		if err := p.message(part, depth); err != nil {
			return err
		}
	}
	return p.rest(depth)
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
	p.Accept(' ')
	if err := p.Skip(depth + 1); err != nil {
		return err
	}
	if !p.Accept(' ') && !p.Next('(') {
		return wire.ErrSyntax
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
	for !p.Accept(')') {
		if !p.Accept(' ') && !p.Next('(') {
			return wire.ErrSyntax
		}
		if err := p.Skip(depth + 1); err != nil {
			return err
		}
	}
	return nil
}

// notOfGUID reports whether a character cannot be in an X-GUID that is used: the base of the name of a file, or a number.
func notOfGUID(c rune) bool { return c <= ' ' || c >= 0x7f || strings.ContainsRune(`"\\(){}`, c) }
