package externalbody

import (
	"github.com/go-extbody/extbody/internal/mime/message"
	"github.com/go-extbody/extbody/internal/mime/param"
)

// An Entity is a message, or a part of one, as a [Dialect] sees it. It is valid only
// during the call that it is passed to.
type Entity struct {
	// Section is the part that the header belongs to, as in [Origin]. It is "" for the
	// header of the message, and the message/rfc822 part for the header of a message
	// within the message.
	Section string

	// MediaType is the media type in lower case.
	MediaType string

	// Params are the parameters of its Content-Type, like the Params of a Reference.
	Params []Param

	// Header has all fields of the header.
	Header Header

	source *source
	part   *message.Part
	err    error
}

// newEntity returns the Entity of a part whose header is given.
func newEntity(s *source, p *message.Part, header string) *Entity {
	e := &Entity{
		Section:   headerSection(p),
		MediaType: p.Type,
		Header:    parseHeader(header),
		source:    s,
		part:      p,
	}
	if v, ok := e.Header.lookup("Content-Type"); ok {
		for _, p := range param.Parse(v).Params {
			e.Params = append(e.Params, Param{p.Name, p.Value})
		}
	}
	return e
}

// headerSection returns the section that the header of p belongs to.
func headerSection(p *message.Part) string {
	switch {
	case p.Parent == nil:
		return ""
	case message.IsMultipart(p.Parent.Type):
		return p.Section()
	}
	return p.Parent.Section()
}

// Param returns the value of the first parameter of that name, which is in lower case.
func (e *Entity) Param(name string) (string, bool) {
	for _, p := range e.Params {
		if p.Name == name {
			return p.Value, true
		}
	}
	return "", false
}

// Body returns the decoded body, or its first max octets if it is longer.
func (e *Entity) Body(max int) []byte {
	body, err := decodeSpan(e.source.r, e.part.Body, e.part.Encoding, int64(max))
	if err != nil {
		e.err = err
	}
	return body[:min(len(body), max)]
}
