package imapbody

import (
	"github.com/emersion/go-imap/v2"
)

// GoIMAP returns a BODYSTRUCTURE of go-imap v2 as a Part. It returns nil for nil.
func GoIMAP(bs imap.BodyStructure) Part {
	switch bs := bs.(type) {
	case *imap.BodyStructureMultiPart:
		return multiPart{bs}
	case *imap.BodyStructureSinglePart:
		return singlePart{bs}
	}
	return nil
}

// Item returns the section for imap.FetchOptions.BodySection of go-imap v2. The method
// FindBodySection of an imapclient.FetchMessageBuffer finds its octets.
func (s Section) Item() *imap.FetchItemBodySection {
	item := &imap.FetchItemBodySection{Part: s.Part, Specifier: imap.PartSpecifier(s.Specifier), Peek: true}
	if s.Size > 0 {
		item.Partial = &imap.SectionPartial{Offset: s.Offset, Size: s.Size}
	}
	return item
}

type multiPart struct{ *imap.BodyStructureMultiPart }

func (p multiPart) Encoding() string { return "" }
func (p multiPart) Size() int64      { return 0 }
func (p multiPart) FileName() string { return "" }
func (p multiPart) Children() []Part {
	parts := make([]Part, 0, len(p.BodyStructureMultiPart.Children))
	for _, child := range p.BodyStructureMultiPart.Children {
		part := GoIMAP(child)
		if part == nil {
			return nil // the parts of the multipart are not known
		}
		parts = append(parts, part)
	}
	return parts
}

type singlePart struct{ *imap.BodyStructureSinglePart }

func (p singlePart) Encoding() string { return p.BodyStructureSinglePart.Encoding }
func (p singlePart) Size() int64      { return int64(p.BodyStructureSinglePart.Size) }
func (p singlePart) FileName() string { return p.Filename() }
func (p singlePart) Children() []Part {
	if p.MessageRFC822 == nil {
		return nil
	}
	part := GoIMAP(p.MessageRFC822.BodyStructure)
	if part == nil {
		return nil
	}
	return []Part{part}
}
