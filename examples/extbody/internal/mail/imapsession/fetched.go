package imapsession

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/emersion/go-imap/v2"

	"github.com/go-extbody/extbody/internal/imap/wire"
)

// A fetched is the content of a FETCH response (RFC 9051 section 7.5.2).
type fetched struct {
	uid       uint32 // 0 if the response has none
	size      int64  // RFC822.SIZE; -1 if the response has none
	badSize   bool   // RFC822.SIZE is not a number
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

// trailingUID returns the UID at the end of a response that cannot be read up to there,
// or 0.
func trailingUID(data []byte) uint32 {
	i := bytes.LastIndexByte(data, ' ')
	if i < 0 || !hasSuffixFold(data[:i], " UID") {
		return 0
	}
	n, err := strconv.ParseUint(strings.TrimSuffix(string(data[i+1:]), ")"), 10, 32)
	if err != nil {
		return 0
	}
	return uint32(n)
}

func hasSuffixFold(b []byte, suffix string) bool {
	return len(b) >= len(suffix) && strings.EqualFold(string(b[len(b)-len(suffix):]), suffix)
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
		if f.badSize = err != nil || n < 0; !f.badSize {
			f.size = n
		}
		return nil
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
		s.name, s.offset = base+"]", n
	}
	var err error
	if s.data, err = p.String(); err != nil {
		return err
	}
	f.sections = append(f.sections, s)
	return nil
}

// itemName reads the name of an item, which may contain a list of fields in brackets.
func (p *parser) itemName() string {
	end := slices.IndexFunc(p.Rest, func(c byte) bool { return c == ' ' || c == '[' || c == '(' || c == ')' })
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
